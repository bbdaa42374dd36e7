// A sentence cut into words and clauses, as far as the keys of what a person said need it.

export type Word = {
  /** in lower case; of a code mark the code as written */
  text: string;
  /** begins with a capital letter */
  capital: boolean;
  code: boolean;
  /** stands under a negation of its clause */
  negated: boolean;
};

/** A clause. `marker` is the word that joins it to the sentence: `before`, `when`, `until`. */
export type Clause = { marker: string | null; words: Word[] };

const MARKERS =
  /^(?:before|after|until|till|when|whenever|once|if|unless|while|without|because|since|so|although|which)$/;
const NEGATIONS =
  /^(?:never|don['’]?t|not|no|avoid|stop|cannot|can['’]?t|mustn['’]?t|shouldn['’]?t|won['’]?t|nobody|no-?one|none|neither|nor|quit|refrain|forbidden)$/;

/** Words of several that count as one, and double negations that are none. */
const AS_ONE: [RegExp, string][] = [
  [/[‘’]/g, "'"],
  [/\b(?:e\.g|i\.e|etc)\./gi, ' '],
  [/\b(?:don'?t|do not|never) (?:ever )?forget(?: to| that)?\b/gi, 'remember to'],
  [/\bnot (?:only|even|just)\b/gi, 'also'],
  [/\b(?:prior to|ahead of)\b/gi, 'before'],
  [/\b(?:every|each|any) ?time(?: that)?\b|\bas soon as\b/gi, 'whenever'],
  [/\b(?:instead of|rather than|in place of)\b/gi, ', not'],
  [/\b(?:pull|bring)(?:s|ing)? in\b/gi, 'add'],
  [/\b[\w.$]+\(\)/g, '`$&`'],
  [/\b(?:pull|merge) request(s?)\b/gi, 'PR$1'],
  [/\binfra(?:structure)? change(s?)\b/gi, 'infra-change$1'],
  [/\broll(?:ing)? back\b/gi, 'rollback'],
  [
    /\b(?:uploads?|submissions?)(?= to (?:the |our )?(?:testflight|app ?store|play|google|pypi|npm|stores?\b|marketplace|maven|nuget|crates))/gi,
    'release',
  ],
  [
    /\b(?:uploading|submitting)(?= (?:\S+ ){0,3}?to (?:the |our )?(?:testflight|app ?store|play store|google play|pypi|stores?\b|marketplace))/gi,
    'releasing',
  ],
  [/\bforce[ -]?push/gi, 'force-push'],
  [/\broll(?:s|ing)? ?out\b|\bgo(?:es|ing)? live\b/gi, 'rollout'],
  [/\bcherry[ -]pick/gi, 'cherry-pick'],
];

const TOKEN = /`([^`]{1,200})`|[\p{L}\d_@#$*/~.'+%-]+|[,;:!?()–—]/gu;

/** Returns the sentences of a text as lists of clauses. */
export function sentencesOf(text: string): Clause[][] {
  let plain = text;
  for (const [pattern, one] of AS_ONE)
    plain = plain.replace(/(`[^`]*`)|([^`]+)/g, (_, code, rest) => code ?? rest.replace(pattern, one));
  const sentences: Clause[][] = [];
  let clauses: Clause[] = [];
  let clause: Clause = { marker: null, words: [] };
  let negated = false;
  const endClause = (marker: string | null) => {
    if (clause.words.length > 0 || clause.marker !== null) clauses.push(clause);
    clause = { marker, words: [] };
  };
  const endSentence = () => {
    endClause(null);
    negated = false;
    if (clauses.length > 0) sentences.push(clauses);
    clauses = [];
  };
  for (const match of plain.matchAll(TOKEN)) {
    const [whole, code] = match;
    if (code !== undefined) {
      clause.words.push({ text: code.trim(), capital: false, code: true, negated });
      continue;
    }
    const word = whole.replace(/^['.]+(?=\p{L})(?!\.\/)|[.']+$/gu, (cut) =>
      cut === '.' && whole.startsWith('.') ? cut : '',
    );
    const ends = /[.!?]$/.test(whole) && word !== whole;
    if (/^(?:[!?]|\.+)$/.test(whole)) endSentence();
    else if (/^(?:[,;:()–—-]|--)$/.test(whole)) {
      // an aside in brackets goes with what it explains
      if (whole !== '(' && whole !== ')') negated = false;
      endClause(null);
    } else if (word !== '') {
      const text = word.toLowerCase();
      if (MARKERS.test(text)) {
        endClause(text);
        negated = false;
      } else {
        if (text === 'but') negated = false;
        clause.words.push({ text, capital: /^\p{Lu}/u.test(word), code: false, negated });
        negated ||= NEGATIONS.test(text) || (text === 'only' && isForFew(plain, match.index));
      }
    }
    if (ends) endSentence();
  }
  endSentence();
  return sentences;
}

/** Whether “only” says who may: “only Marek pushes to main”, “only the bot merges”. */
const isForFew = (text: string, index: number): boolean =>
  /^[Oo]nly (?:(?:the )?(?:\w+ )?(?:CI|ci|bots?|maintainers?|admins?|leads?|owners?|managers?|pipeline|team)\b|\p{Lu}\p{Ll}+ )/u.test(
    text.slice(index, index + 80),
  );
