import type { Line } from '../shell/line.ts';
import { baseName } from '../shell/names.ts';
import { invocation, type Part } from '../shell/parts.ts';
import { isAsPlain, isSamePart } from './deeds.ts';
import { isTest } from './kinds.ts';
import { isRoutinePart } from './routine.ts';

// How a line that worked differs from the line that failed.

/**
 * Returns the version in `program@version`, as a line asks a package runner for it; undefined if the line has
 * none.
 */
const versionOf = (program: string, line: string): string | undefined =>
  line
    .split(/[\s;&|]+/)
    .find((word) => word.includes(`${program}@`))
    ?.split('@')
    .at(-1);

/** How the line that worked differs from the one that failed. */
type Way = 'program' | 'environment' | 'preparation' | 'option' | 'paths' | 'wrapper' | 'first command';

/** Returns how two command lines differ; null if they run the same. */
export function difference(
  { text: failed, parts: wanted }: Line,
  { text: worked, parts: done }: Line,
): Way | null {
  const aim = wanted.at(-1);
  const like = aim && done.find((part) => invocation(part) === invocation(aim));
  if (!aim || !like) return 'program';
  const isElsewhere = (part: Part, one: Part) =>
    part.path !== one.path &&
    baseName(part.path) === baseName(one.path) &&
    invocation(part) === invocation(one);
  if (done.some((part) => wanted.some((one) => isElsewhere(part, one)))) return 'program';
  if (like.env.some((one) => !aim.env.includes(one)) || /\bexport\s+\w+=/.test(worked)) return 'environment';
  if (PREPARED.test(worked) && (!PREPARED.test(failed) || folderOf(worked) !== folderOf(failed)))
    return 'preparation';
  const extra = done.filter(
    (part) => part !== like && !wanted.some((one) => invocation(one) === invocation(part)),
  );
  if (extra.some((part) => !isRoutinePart(part))) return 'preparation';
  const isOption = (arg: string) => arg.startsWith('-');
  const options = (args: string[]) => args.filter(isOption).join(' ');
  const aside = (args: string[]) => args.filter((arg) => !isOption(arg));
  if (options(like.args) !== options(aim.args)) return hasOnlyQuiet(like, aim) ? null : 'option';
  const [from, to] = [aside(aim.args), aside(like.args)];
  if (from.join(' ') === to.join(' ')) {
    if (aroundOf(like) !== aroundOf(aim)) return 'wrapper';
    // `npx wrangler@3` after `npx wrangler@latest`
    if (versionOf(aim.program, failed) !== versionOf(aim.program, worked)) return 'program';
    // what runs before it may differ: `uv add 'httpx<0.28' && uv run main.py`
    const changed = done.some(
      (part) =>
        part !== like &&
        !isRoutinePart(part) &&
        !wanted.some(
          (one) => invocation(one) === invocation(part) && one.args.join(' ') === part.args.join(' '),
        ),
    );
    if (changed) return 'preparation';
    // `git add src && git commit` after `git add -A && git commit`
    const replaced = done.some(
      (part) =>
        part !== like &&
        wanted.some((one) => invocation(one) === invocation(part)) &&
        !wanted.some((one) => isSamePart(one, part) && isAsPlain(part, one)),
    );
    return replaced ? 'first command' : null;
  }
  return to.concat(from).every((arg) => PATH.test(arg) || from.includes(arg) === to.includes(arg))
    ? 'paths'
    : 'option';
}

const PREPARED = /(?:^|[;&|]\s*)(?:source|\.|cd)\s/;
/** Returns the folder in which a line begins to work; '' if it names none. */
export const folderOf = (line: string): string => /^cd (\S+?)\/? &&/.exec(line)?.[1] ?? '';

/** Returns the wrappers and runners of a command, without those that only watch it. */
const aroundOf = ({ around }: Part): string => (WATCHERS.has(around[0] ?? '') ? '' : around.join(' '));
const WATCHERS = new Set(['time', 'timeout', 'nice', 'nohup', 'stdbuf', 'command', 'exec']);

const PATH = /^[\w@./:*-]+$/;
const QUIET =
  /^(?:-q|-v+|-vv|--quiet|--verbose|--silent|-s|--no-color|--color(?:=\w+)?|-x|--bail|-t|--lf|--reporter.*|--tb.*)$/;
/**
 * Short options that make a test runner quiet, but take a value in other programs: `dotnet ef -s src/Web`.
 */
const SHORT = /^-[stx]$/;

/** Whether two commands differ in options that only change what is shown. */
function hasOnlyQuiet(a: Part, b: Part): boolean {
  const more = (one: Part, other: Part) =>
    one.args.flatMap((arg, i) => {
      if (other.args.includes(arg)) return [];
      const value = one.args[i + 1] ?? '-';
      return arg.startsWith('-')
        ? [{ arg, value: !value.startsWith('-') && !other.args.includes(value) }]
        : [];
    });
  const extra = [...more(a, b), ...more(b, a)];
  return (
    extra.length > 0 &&
    extra.every(({ arg, value }) => QUIET.test(arg) && !(SHORT.test(arg) && value && !isTest([a])))
  );
}
