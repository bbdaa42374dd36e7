// Passwords in the options of programs: `curl -u ada:…`, also in a bundle (`curl -fsSLu ada:…`) and without a blank
// (`mysql -p…`).
import { isReference } from './harmless-values.ts';
import { closingQuote, lineEnds, matches, OPENING, type Report, run, WORD } from './scan.ts';

/**
 * What of an option's value is secret:
 * - `all`: all of it
 * - `attached`: all of it, if no blank is between it and the option; else the program asks for it
 * - `:`, `,`, `%`: what stands behind the first such sign. Without that sign the program asks for it.
 * - `cookies`: what stands behind each `=`; without one it is the name of a file
 */
type Secret = 'all' | 'attached' | ':' | ',' | '%' | 'cookies';

type Options = {
  /** programs, also with a subcommand */
  of: string;
  /** short options by their letter, and long ones by their name */
  secrets: Record<string, Secret>;
  /** the letters of other short options that take a value: what follows them in a word is that value */
  valued: string;
};

const OPTIONS: Options[] = [
  {
    of: 'curl|curlie',
    secrets: {
      u: ':',
      U: ':',
      E: ':',
      b: 'cookies',
      user: ':',
      'proxy-user': ':',
      cert: ':',
      cookie: 'cookies',
    },
    valued: 'ACDFHKPQTXYcdehmortwxyz',
  },
  { of: 'xh|xhs|https?|hey', secrets: { a: ':', auth: ':' }, valued: 'ADHTcdhmnopqstxz' },
  { of: 'ab', secrets: { A: ':', P: ':', C: 'cookies' }, valued: 'BHTXZbcefgimnpstuvwxyz' },
  {
    of: 'mysql(?:dump|admin|import|sh|check|show|slap)?|mariadb(?:-(?:dump|admin|import|check|show))?|7z[ar]?|7zz|rar',
    secrets: { p: 'attached' },
    valued: 'DPSTehlmotuwx',
  },
  { of: 'sshpass', secrets: { p: 'all' }, valued: 'Pdef' },
  { of: 'mongo(?:sh|dump|restore|import|export|stat)?', secrets: { p: 'all' }, valued: 'cdhoqu' },
  {
    of: '(?:docker|podman|nerdctl|helm|az|oc|skopeo|buildah|oras)[ \\t](?:registry[ \\t])?login',
    secrets: { p: 'all' },
    valued: 'anstu',
  },
  { of: 'redis-cli|valkey-cli|keydb-cli', secrets: { a: 'all' }, valued: 'DdhinprstuX' },
  {
    of: 'sqlcmd|bcp|osql|isql|tsql|ipmitool|mosquitto_(?:pub|sub|rr)',
    secrets: { P: 'all' },
    valued: 'HIQSUadfhiLlmopqstuw',
  },
  {
    of: 'ldap(?:search|modify|add|delete|compare|whoami|modrdn|exop)',
    secrets: { w: 'all' },
    valued: 'DEHRSTUXYabdefhlopsyz',
  },
  { of: 'ldappasswd', secrets: { w: 'all', a: 'all', s: 'all' }, valued: 'DHRTUXYehoptyz' },
  {
    of: 'cqlsh|cypher-shell|rabbitmqadmin|beeline|ncftp(?:put|get|ls)?|smbmap',
    secrets: { p: 'all' },
    valued: 'HPVadefhknu',
  },
  { of: 'smbclient|smbget|rpcclient|winexe', secrets: { U: '%', user: '%' }, valued: 'ADILMOTWcdimnpst' },
  { of: 'lftp', secrets: { u: ',', user: ',' }, valued: 'cefp' },
  { of: 'zip|unzip', secrets: { P: 'all' }, valued: 'Obdintx' },
  {
    of: 'snmp(?:walk|get|getnext|bulkwalk|bulkget|set|table|trap)',
    secrets: { A: 'all', X: 'all' },
    valued: 'CEILMOaceflmnrtuvxZ',
  },
];

/** A program, an option, or the end of a command. An escaped line end (\v) and a backslash before one end none. */
const TOKENS = new RegExp(
  `(?<![\\w.-])(?:${OPTIONS.map(({ of }) => `(${of})`).join('|')})(?=[ \\t"'])` +
    String.raw`|(?<=[\s"'])-(?:-([a-z][a-z-]{1,30})(?=[ \t=])|([A-Za-z]{1,12}))|[\v|;]|&&|(?<!\\)\n`,
  'g',
);

/** Reports the passwords in options of the programs of `OPTIONS`. */
export function findInOptions(view: string, report: Report): void {
  const text = { view, lineEnd: lineEnds(view) };
  let program: Options | undefined;
  for (const match of matches(TOKENS, view)) {
    const named = match.slice(1, OPTIONS.length + 1).findIndex((name) => name !== undefined);
    const [long, letters] = match.slice(OPTIONS.length + 1);
    if (named >= 0) program = OPTIONS[named];
    else if (long === undefined && letters === undefined) program = undefined;
    else if (program) {
      const option = long ?? secretLetter(program, letters ?? '');
      const secret = option === undefined ? undefined : program.secrets[option];
      if (option === undefined || secret === undefined) continue;
      const behind =
        long === undefined
          ? match.index + 2 + (letters ?? '').indexOf(option)
          : match.index + match[0].length;
      const value = valueAt(text, behind, secret);
      if (value === undefined) continue;
      for (const [from, to] of secretParts(view.slice(value.start, value.end), secret)) {
        if (!isReference(view.slice(value.start + from, value.start + to)))
          report(value.start + from, value.start + to);
      }
    }
  }
}

/** Returns the letter of a bundle that takes a secret; undefined if none does, or one before it takes the rest. */
function secretLetter(program: Options, letters: string): string | undefined {
  const first = [...letters].find((letter) => letter in program.secrets || program.valued.includes(letter));
  return first !== undefined && first in program.secrets ? first : undefined;
}

/** Returns where the value of an option is that ends at `at`, without its quotes; undefined if there is none. */
function valueAt(
  text: { view: string; lineEnd: (at: number) => number },
  at: number,
  secret: Secret,
): { start: number; end: number } | undefined {
  const { view } = text;
  const blank = /^[ \t=]{0,4}/.exec(view.slice(at, at + 4))?.[0] ?? '';
  if (secret === 'attached' && blank !== '') return undefined;
  const from = at + blank.length;
  const open = run(OPENING, view, from);
  // the closing quote of a word of its own, as in "-u"
  if (open !== null && blank === '' && /[\s,)\]]/.test(view.charAt(from + open[0].length))) return undefined;
  const start = from + (open?.[0].length ?? 0);
  const end =
    open === null
      ? start + (run(WORD, view, start)?.[0].length ?? 0)
      : closingQuote(text, start, open[2] ?? '"', open[1]?.length ?? 0);
  return end > start ? { start, end } : undefined;
}

/** Returns the parts of a value that are secret. */
function secretParts(value: string, secret: Secret): [from: number, to: number][] {
  if (secret === 'all' || secret === 'attached') return [[0, value.length]];
  if (secret === 'cookies') {
    return [...value.matchAll(/=([^;\s]+)/g)].map(({ index, 1: cookie = '' }) => [
      index + 1,
      index + 1 + cookie.length,
    ]);
  }
  const sign = value.indexOf(secret);
  return sign < 0 || /\s/.test(value.slice(0, sign)) || sign + 1 === value.length
    ? []
    : [[sign + 1, value.length]];
}
