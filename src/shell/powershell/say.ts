import { ALIASES, METHODS, VERBS, type Verb } from './verbs.ts';
import { quoted, type Word, wordOf } from './words.ts';

/** One command of a pipeline, or one expression. */
export type Element = {
  words: Word[];
  /** the script blocks in it, in bash */
  blocks: string[];
  /** where its output goes: `>` or `>>`, and the file */
  writes: { how: string; target: Word }[];
  /** it begins with a value, so it prints what it says */
  isValue: boolean;
  /** the method of a class that it calls */
  method: { class: string; name: string; args: Word[] } | null;
};

/** A command in bash. `over`: it is run for each of these words; '' for each line that comes through the pipe. */
export type Said = { line: string; over: string | null };

/** Reads another line of PowerShell, such as a command given as text. */
type Again = (line: string) => string;

/**
 * Says a command in bash.
 *
 * @param before the command whose output comes through the pipe
 */
export function say(element: Element, before: Element | null, again: Again): Said {
  const { line, over = null } = commandOf(element, before, again);
  const redirected = `${line}${element.writes.map(({ how, target }) => ` ${how} ${target.bash}`).join('')}`;
  const blocks = over === null ? element.blocks : [];
  return { line: blocks.length > 0 ? `{ ${[redirected || ':', ...blocks].join('\n')}\n}` : redirected, over };
}

/** What a command says without its redirections, and without its blocks unless it runs them for each value. */
type Spoken = { line: string; over?: string };

function commandOf(element: Element, before: Element | null, again: Again): Spoken {
  const { words, method, isValue, blocks } = element;
  if (method) return { line: methodOf(method) };
  if (words.length === 0) return { line: '' };
  if (isValue) return { line: `echo ${inBash(words)}` };
  const name = nameOf(words[0] as Word);
  const args = words.slice(1);
  if (name === 'foreach-object') return { line: blocks.join('\n'), over: overOf(before) };
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  const said = special?.(args, before !== null, again) ?? null;
  if (said !== null) return { line: said };
  const verb = verbOf(name);
  if (!verb) return { line: [programOf(words[0] as Word), ...args.map(({ bash }) => bash)].join(' ') };
  return sayVerb(verb, name, args, before);
}

/** Returns a program as bash would call it: those of Windows have an ending. */
const programOf = ({ bash }: Word): string => bash.replace(/\.(?:exe|cmd|bat)(?='?$)/i, '');

const inBash = (words: Word[]): string => words.map(({ bash }) => bash).join(' ');

/** Returns the name of a command as the tables have it. */
function nameOf({ text }: Word): string {
  const plain = text.toLowerCase().replace(/^microsoft\.powershell\.\w+\\/, '');
  // `sc` is a command of PowerShell, `sc.exe` a program
  if (plain === 'sc.exe') return plain;
  const name = plain.replace(/\.(?:exe|cmd|com)$/, '').replace(/^.*[\\/]/, '');
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] as string) : name;
}

const verbOf = (name: string): Verb | undefined => (Object.hasOwn(VERBS, name) ? VERBS[name] : undefined);

function methodOf({ class: type, name, args }: NonNullable<Element['method']>): string {
  const found = METHODS.find((one) => one.class.test(type) && one.name.test(name));
  if (!found) return `${quoted(`${type}.${name}`)} ${inBash(args)}`;
  return `${found.as} ${inBash(args.slice(0, /^(?:mv|cp)$/.test(found.as) ? 2 : 1))}`;
}

/** What is given to a command: words in bash, and its program if a parameter chooses it. */
type Given = { program: string | null; options: string[]; words: string[] };

/** Returns what the arguments of a command of PowerShell say; null if it only tells what it would do. */
function givenTo({ parameters, positions }: Verb, args: Word[]): Given | null {
  const given: Given = { program: null, options: [], words: [] };
  const last: string[] = [];
  const patterns: string[] = [];
  let place = -1;
  for (let i = 0; i < args.length; i++) {
    const { text, bash, more } = args[i] as Word;
    const name = /^-([a-z]+):?$/i.exec(text)?.[1]?.toLowerCase();
    const meaning = name === undefined ? undefined : meaningOf(parameters, name);
    if (name !== undefined && 'whatif'.startsWith(name) && name.length > 1) {
      if (args[i + 1]?.text !== '$false') return null;
      continue;
    }
    if (meaning === undefined) {
      if (!more) place++;
      const means = positions ? positions[Math.min(place, positions.length - 1)] : 'word';
      // options of Unix, such as `-rf`, are understood as they are
      if (name !== undefined && !text.endsWith(':')) given.options.push(bash);
      else if (means === 'word') given.words.push(bash);
      continue;
    }
    if (meaning === '' || /^-\w+$|^as:/.test(meaning)) {
      const off = text.endsWith(':') && args[++i]?.text === '$false';
      if (off || meaning === '') continue;
      if (meaning.startsWith('as:')) given.program = meaning.slice('as:'.length);
      else given.options.push(meaning);
      continue;
    }
    do {
      const value = args[++i]?.bash;
      if (value === undefined) break;
      if (meaning === 'word') given.words.push(value);
      else if (meaning === 'last') last.push(value);
      else if (meaning === 'in') patterns.push(value);
      else if (meaning.startsWith('program:')) {
        given.program = meaning.slice('program:'.length);
        given.words.push(value);
      } else if (meaning !== 'skip') given.options.push(meaning.slice(0, -1), value);
    } while (args[i + 1]?.more);
  }
  const folders = given.words.length > 0 ? given.words : ['.'];
  if (patterns.length > 0)
    given.words = folders.flatMap((folder) => patterns.map((one) => `${folder.replace(/\/\*$/, '')}/${one}`));
  given.words.push(...last);
  return given;
}

/** Returns what a parameter means. Its name may be cut, as long as it is clear. */
function meaningOf(parameters: Verb['parameters'], name: string): string | undefined {
  if (Object.hasOwn(parameters, name)) return parameters[name];
  const whole = Object.keys(parameters).find((one) => one.startsWith(name));
  return whole === undefined ? undefined : parameters[whole];
}

const ENVIRONMENT = /^env:[\\/]?(\w*)/i;
/** Programs of Windows, whose options begin with a slash. */
const SLASH_OPTION = /^\/[a-z]{1,7}(?::\S*)?$/i;

function sayVerb(verb: Verb, name: string, args: Word[], before: Element | null): Spoken {
  const variable = args.map(({ text }) => ENVIRONMENT.exec(text)).find((one) => one !== null);
  if (variable && /^(?:cat|ls|grep|rm)\b/.test(verb.as)) {
    const of = variable[1]?.toUpperCase() ?? '';
    return { line: verb.as === 'rm' ? `unset ${of}` : of === '' ? 'env' : `printenv ${of}` };
  }
  const given = givenTo(verb, name === 'remove-item' || name === 'set-acl' ? unixOptions(args) : args);
  if (given === null) return { line: ':' };
  const { program, options, words } = given;
  const start = [program ?? verb.as, ...options].join(' ');
  if (name === 'stop-process' && words.length === 0 && before) {
    const of = nameOf(before.words[0] ?? wordOf(''));
    // the numbers of the processes come through the pipe
    return of === 'get-process'
      ? { line: `pkill ${inBash(before.words.slice(1).filter(({ text }) => !text.startsWith('-')))}` }
      : { line: `xargs ${start}` };
  }
  const comes = verb.takesFiles && before !== null && words.length <= (verb.parameters.destination ? 1 : 0);
  if (comes) return { line: [start, '"$item"', ...words].join(' '), over: overOf(before) };
  return { line: [start, ...words].join(' ') };
}

/** Returns the arguments with the options of `del` and `rd` as those of rm. */
const unixOptions = (args: Word[]): Word[] =>
  args
    .map((word) => {
      if (/^\/[qf]$/i.test(word.text)) return wordOf('-f');
      return /^\/s$/i.test(word.text) ? wordOf('-r') : word;
    })
    .filter(({ text }) => !SLASH_OPTION.test(text));

const overOf = (before: Element | null): string => (before && valuesOf(before)) ?? '';

/** Returns the values that a command hands on, as words of bash; null if they are known only when it runs. */
export function valuesOf(element: Element): string | null {
  const { words, isValue, method, blocks } = element;
  if (method || blocks.length > 0 || words.length === 0) return null;
  if (isValue) return words.some(({ text }) => text.startsWith('-')) ? null : inBash(words);
  const name = nameOf(words[0] as Word);
  const verb = verbOf(name);
  const given =
    verb && /^(?:get-childitem|get-item|resolve-path)$/.test(name) && givenTo(verb, words.slice(1));
  if (!given) return null;
  if (name !== 'get-childitem') return given.words.join(' ') || null;
  const folders = given.words.length > 0 ? given.words : ['.'];
  return folders.map((folder) => (/[*?]/.test(folder) ? folder : `${folder.replace(/\/$/, '')}/*`)).join(' ');
}

/** Commands that run what they are given, or that name their options in a way of their own; null: as it stands. */
const SPECIAL: Record<string, (args: Word[], piped: boolean, again: Again) => string | null> = {
  'invoke-expression': (args, piped, again) => {
    const code = args.filter(({ text }) => !/^-c\w*:?$/i.test(text));
    if (code.length === 0) return piped ? 'bash' : '';
    // what a command prints is code that nobody sees here
    return code.some(({ bash }) => bash.includes('$(')) ? `eval ${inBash(code)}` : again(textOf(code));
  },
  powershell: runsPowerShell,
  pwsh: runsPowerShell,
  cmd: (args, _, again) => {
    const at = args.findIndex(({ text }) => /^\/[ck]$/i.test(text));
    if (at < 0) return null;
    return again(textOf(args.slice(at + 1)).replace(/%(\w+)%/g, '$${env:$1}'));
  },
  'start-process': (args, _, again) => {
    const words = args.filter(
      ({ text }) => !/^-(?:f\w*|arg\w*|nonewwindow|wait|nnw|verb|runas|windowstyle):?$/i.test(text),
    );
    return again(textOf(words));
  },
  wsl: (args) => {
    const from = args.findIndex(
      ({ text }, i) => !text.startsWith('-') && !/^-[du]$/.test(args[i - 1]?.text ?? ''),
    );
    return from < 0 ? null : inBash(args.slice(from));
  },
  format: ([drive]) => (/^[a-z]:/i.test(drive?.text ?? '') ? 'mkfs /dev/disk' : null),
  taskkill: (args) => {
    const after = (option: RegExp) =>
      args.flatMap(({ text }, i) => (option.test(text) && args[i + 1] ? [(args[i + 1] as Word).bash] : []));
    return [
      ...after(/^\/pid$/i).map((id) => `kill ${id}`),
      ...after(/^\/im$/i).map((image) => `pkill ${image.replace(/\.exe$/i, '')}`),
    ].join('\n');
  },
  net: stopsService,
  'sc.exe': stopsService,
};

function stopsService(args: Word[]): string | null {
  return /^(?:stop|delete|pause)$/i.test(args[0]?.text ?? '')
    ? `systemctl stop ${inBash(args.slice(1))}`
    : null;
}

function runsPowerShell(args: Word[], piped: boolean, again: Again): string | null {
  const at = args.findIndex(({ text }) => /^[-/](?:c|command|e|ec|enc\w*)$/i.test(text));
  if (at < 0) return piped ? 'bash' : null;
  const given = textOf(args.slice(at + 1));
  return again(
    /^[-/]e/i.test(args[at]?.text ?? '') ? Buffer.from(given, 'base64').toString('utf16le') : given,
  );
}

/** Returns words as one line of PowerShell, as they were written. */
const textOf = (words: Word[]): string => words.map(({ text }) => text).join(' ');
