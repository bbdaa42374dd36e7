import { readJsonc } from '../base/text/jsonc.ts';
import { known, undecided } from './arg.ts';
import { words } from './names.ts';
import type { Arg, Invocation } from './types.ts';
import text from './wrappers.jsonc' with { type: 'text' };

// Programs that run another command (wrappers.jsonc): which words are their own, and where the command begins.

type Way = Partial<Record<'sub' | 'valued' | 'behind' | 'option' | 'idle', string>> &
  Partial<Record<'line' | 'lines' | 'assignments' | 'remote' | 'open' | 'fetches', true>> & { skip?: number };
type Table = { lists: Record<string, string>; programs: Record<string, Way[]>; scopes: string };

const TABLE = readJsonc(text) as Table;
const WAYS = new Map(
  Object.entries(TABLE.programs).flatMap(([names, ways]) =>
    words(names).map((name) => [name, ways] as const),
  ),
);
const SCOPES = new Set(words(TABLE.scopes));

/** What a program runs: words of a command, or command lines. */
export type Inside = {
  way: Way;
  words: Arg[];
  lines: Arg[];
  /** the program's own words, before the command */
  before: Arg[];
  /** variables set before the command */
  env: Invocation['env'];
};

/** Whether it is known how a program runs another one. */
export const isWrapper = (program: string): boolean => WAYS.has(program);

/**
 * Returns what a program runs; null when it runs nothing that its words name.
 *
 * @example insideOf('timeout', ['5', 'npm', 'test']) // words: npm test
 */
export function insideOf(program: string, args: Arg[]): Inside | null {
  if (/^(python|pypy)[\d.]*$/.test(program)) return moduleOf(args);
  for (const way of WAYS.get(program) ?? []) {
    const found = follow(args, way);
    if (found === null) continue;
    const [first, ...rest] = found.words;
    if (!first) return found.lines.length > 0 ? found : null;
    // `uv run main.py` runs the file with Python
    if (way.sub === 'run' && !way.remote && /\.py$/.test(first.text))
      return { ...found, words: [known('python'), first, ...rest] };
    return way.fetches || way.sub === 'exec'
      ? { ...found, words: [unversioned(first, way), ...rest] }
      : found;
  }
  return null;
}

/** Whether an option takes the next word: `-k`, `-Ek`, but not `-k5` or `--signal=9`. */
function takesNext(text: string, valued: string[]): boolean {
  if (valued.includes(text)) return true;
  const at = /^-[A-Za-z]{2,}$/.test(text)
    ? [...text.slice(1)].findIndex((letter) => valued.includes(`-${letter}`))
    : -1;
  return at >= 0 && at === text.length - 2;
}

function follow(args: Arg[], way: Way): Inside | null {
  const valued = words(way.valued ?? '').flatMap((name) =>
    name.startsWith('@') ? words(TABLE.lists[name.slice(1)] ?? '') : [name],
  );
  const sub = words(way.sub ?? '');
  const env: Inside['env'] = [];
  let skip = way.skip ?? 0;
  const found = (at: number): Inside => {
    const rest = args.slice(at);
    const lines = way.lines ? rest.filter((arg) => !arg.text.startsWith('-')) : [];
    return { way, words: way.lines ? [] : rest, lines, before: args.slice(0, at), env };
  };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Arg;
    const { text: word } = arg;
    if (sub.length > 0) {
      if (word.startsWith('-')) i += takesNext(word, valued) ? 1 : 0;
      else if (word !== sub.shift()) return null;
    } else if (way.behind) {
      if (words(way.behind).includes(word)) return found(i + 1);
    } else if (way.option) {
      const name = words(way.option).find(
        (one) => word === one || (one.length > 2 && word.startsWith(`${one}=`)),
      );
      const line = name === word ? args[i + 1] : name && { ...arg, text: word.slice(name.length + 1) };
      const rest = args.slice(name === word ? i + 2 : i + 1);
      if (line) return { ...found(i), words: way.line ? [line, ...rest] : [], lines: way.line ? [] : [line] };
      if (way.fetches && !word.startsWith('-') && !args[i - 1]?.text.startsWith('-')) return null;
    } else if (word === '--') return found(i + 1 + skip);
    else if (words(way.idle ?? '').includes(word)) return null;
    else if (/^-./.test(word)) i += takesNext(word, valued) ? 1 : 0;
    else {
      const [, name] = (way.assignments && /^([A-Za-z_]\w*)=/.exec(word)) || [];
      if (name) env.push({ name, value: { ...arg, text: word.slice(name.length + 1) } });
      else if (skip > 0) skip--;
      else if (!(way.assignments && word === '-')) return found(i);
    }
  }
  return sub.length > 0 || way.behind || way.option ? null : found(args.length);
}

/** Returns the module that Python runs, with its arguments: `pytest -q` for `-m pytest -q` and `-mpytest -q`. */
function moduleOf(args: Arg[]): Inside | null {
  const at = args.findIndex((arg) => !/^-[bBdEiIOqsSuvx]+$/.test(arg.text));
  const name = /^-[bBdEiIOqsSuvx]*m(.*)$/.exec(args[at]?.text ?? '')?.[1];
  if (name === undefined) return null;
  const module = name === '' ? [] : [{ ...(args[at] as Arg), text: name }];
  const all = [...module, ...args.slice(at + 1)];
  return all.length === 0 ? null : { way: {}, words: all, lines: [], before: [], env: [] };
}

/** Packages whose program has another name than their scope. */
const NAMED: Record<string, string> = { angular: 'ng', nestjs: 'nest' };

/**
 * Returns a package's name as a program: `tsc` for `tsc@5`, `biome` for `@biomejs/biome@2`. A URL, a path, and a name under
 * a scope that anybody may own, are not known.
 */
function unversioned(arg: Arg, { fetches }: Way): Arg {
  const [, scope, name] = /^(?:@([\w.-]+)\/)?([\w.-]+)(?:@[\w.^~*-]+)?$/.exec(arg.text) ?? [];
  if (name === undefined || /^\.+$/.test(name) || (scope !== undefined && !SCOPES.has(scope)))
    return fetches ? { ...undecided(arg.text), quoted: arg.quoted } : arg;
  // `@redocly/cli` is called redocly
  return { ...arg, text: name === 'cli' && scope ? (NAMED[scope] ?? scope) : name };
}
