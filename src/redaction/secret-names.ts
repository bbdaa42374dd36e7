// Names that say that their value is a secret: `db_password`, `apiKey`, `AUTH_TOKEN`.

// The words begin with only a few different letters. That keeps a search through 100 KB fast.
const KEY_OF =
  '(?:api|access|private|signing|encryption|master|account|storage|shared[-_ ]?access|service[-_ ]?role|anon|auth|' +
  'license|deploy|session|hmac|subscription|app|client|webhook|consumer|service|admin)[-_. ]?';
const WORDS = [
  'pass(?:w(?:or)?[dt]|phrase|code|e?(?![a-z]))|pw(?:d|(?![a-z]))|contraseña|пароль|密[码碼]',
  'secret(?:[-_. ]?(?:access[-_. ]?)?key)?|token|credentials?|cookie',
  `auth(?:orization|(?<=(?:_|master)auth)(?![a-z]))|key(?<=${KEY_OF}key)`,
].join('|');
const SUFFIX =
  '(?:[-_]?(?:value|hash|data|base|confirm(?:ation)?|prod(?:uction)?|staging|dev|test|live|local|new|old|plain|b64))?\\d{0,3}';

const SECRET_NAME = new RegExp(`(?:${WORDS})${SUFFIX}$`, 'i');
export const SECRET_WORD = new RegExp(`^(?:${KEY_OF})?(?:${WORDS})\\d?$`, 'i');
// Names that only look secret: the special tokens of a language model's tokenizer, the working directory, and the name
// of a secret that Kubernetes keeps (`existingSecret: app-db`).
export const HARMLESS_NAME =
  /(?:pad|bos|eos|unk|cls|sep|mask|special)[-_]?token$|^(?:OLD)?PWD$|existing[-_]?secret$/i;

/**
 * Returns whether the value under this name is a secret. The name is an object key, a variable or a flag:
 * `db_password` and `apiKey` are secret names, `max_tokens` is not.
 */
export function isSecretName(name: string): boolean {
  const end = name.slice(-100);
  const match = SECRET_NAME.exec(end);
  return match !== null && !HARMLESS_NAME.test(end) && startsWord(end, match.index);
}

/** Returns false for `pass`, `pwd` and `pw` inside a longer word: `dbPass` and `DB_PASS` are names, `bypass` is not. */
export function startsWord(text: string, at: number): boolean {
  if (!/^(?:pass(?![wpc])|pw)/i.test(text.slice(at, at + 5))) return true;
  if (/(?:require|ssh)$/i.test(text.slice(Math.max(0, at - 7), at))) return true;
  const before = text.charAt(at - 1);
  return !/[a-z]/i.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(text.charAt(at)));
}

export const NAMES = new RegExp(`(?:${WORDS})${SUFFIX}`, 'gi');
