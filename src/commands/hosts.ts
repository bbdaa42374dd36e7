import { readWordLists } from '../base/text/jsonc.ts';
import { isInterpreter, programs } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';
import { type Surroundings, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import text from './known/hosts.jsonc' with { type: 'text' };
import type { Options } from './options.ts';

// Which hosts a command talks to, and which of them are known: this machine, registries and forges, and what the
// project's own files name.

const NAMED_HOST = /^(?:[a-z-]+:\/{2})?((?:[\w-]+\.)+[a-z][a-z\d-]+)(?::\d+)?\/[\w@]/i;
const URL_HOST = /\b(?!sqlite\b|file\b)[a-z][a-z+]{1,9}:\/{2}(?:[^@/\s'"`]*@)?([^/:?#\s'"`]+)/gi;
const BARE_HOST = /^(?:TCP\d?:|UDP\d?:|SSL:|OPENSSL:)?(?:[^@\s/]*@)?([^\s/:?#@]*[\w)}]\.[\w-]+)(:|\/|\?|$)/i;
/** The end of a name that is known, whatever stands for the labels before it. */
const TAIL = /(?:[\w-]+\.)*[\w-]+\.[a-z][a-z\d-]+\.?$|\d+(?:\.\d+){3}$|^\[[\da-f:]+\]$|^localhost$/i;

/** Returns the names of the hosts that a command talks to, as far as they are known. */
export function hostsOf(invocation: Invocation, table: Options): string[] {
  const { program, code, args } = invocation;
  const has = (list: string) => programs(list).has(program);
  if (code && isInterpreter(program)) return code.effects.includes('harmless') ? [] : urlsIn(code.text);
  if (has('keep-to-themselves') || !args.some(({ text }) => /\w[.:]\S|@/.test(text))) return [];
  const { words: given, values } = wordsOf(invocation, table);
  const inUrls = (has('talkers-by-words') ? given : args).flatMap(({ text }) => urlsIn(text));
  const behind = (pattern: RegExp) =>
    values.filter(({ option }) => pattern.test(option)).flatMap(({ arg }) => hostIn(BARE_HOST, arg.text));
  if (has('database-clients')) return [...inUrls, ...behind(/^(-h|--host)$/)];
  if (has('fetch-by-name')) return [...inUrls, ...given.flatMap(({ text }) => hostIn(NAMED_HOST, text))];
  if (!has('talkers')) return inUrls;
  // where a word may also be a file, a host needs a colon behind it
  const bare = given.filter(
    ({ text }) => urlsIn(text).length === 0 && (!has('talkers-with-files') || /^[^/]*\w:/.test(text)),
  );
  const named = bare.flatMap(({ text }) => hostIn(BARE_HOST, text));
  return [...inUrls, ...named, ...behind(/^(--url|-connect|-h|--host)$/)];
}

const nameOf = (host = ''): string[] => {
  const [name] = TAIL.exec(host) ?? [];
  return name === undefined ? [] : [name.toLowerCase().replace(/\.$/, '')];
};
const hostIn = (pattern: RegExp, text: string): string[] => nameOf(pattern.exec(text)?.[1]);
const urlsIn = (text: string): string[] => [...text.matchAll(URL_HOST)].flatMap(([, host]) => nameOf(host));

const LOCAL =
  /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|.*\.(localhost|local|test))$/;
const known: (name: string) => ReadonlySet<string> = readWordLists(text, 'hosts.jsonc');

/** Whether a name is one of a list, or below one. */
const isOf = (name: string, list: string): boolean =>
  [...known(list)].some((one) => name === one || name.endsWith(`.${one}`));

/** Addresses of a network of one's own, which nobody elsewhere can listen at. */
const PRIVATE = /^(10|172\.(1[6-9]|2\d|3[01])|192\.168)(\.\d+){2,3}$/;

/** Whether a host is this machine or a public registry, or stands in the project's own files. */
export function isKnownHost(name: string, place: Surroundings): boolean {
  if (LOCAL.test(name) || isOf(name, 'public')) return true;
  const pattern = new RegExp(`(^|[^\\w-])${name.replace(/[.[\]]/g, '\\$&')}($|[^\\w.-]|\\.(\\W|$))`, 'i');
  return [...known('naming')].some((file) => {
    const path = `${place.root}/${file}`;
    // only the owner's files are read; and what the session has written there was said by no person
    if (!place.real || !within(path, place.root) || place.own?.written?.has(path)) return false;
    try {
      return pattern.test(place.read?.(path)?.text ?? '');
    } catch {
      return false;
    }
  });
}

/** Whether nobody but a person can know a host. */
export const isStranger = (host: string, place: Surroundings): boolean =>
  !PRIVATE.test(host) && !known('exactly').has(host) && !isOf(host, 'reference') && !isKnownHost(host, place);
