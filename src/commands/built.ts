import { programs } from '../shell/lists.ts';
import { AS_ANOTHER } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { pathOf } from './arguments.ts';

// A line may compile the project's sources to a place outside of the project, and run the result at once:
// `go build -o /tmp/app . && /tmp/app`. That is as harmless as running it from the project's own folder for builds.

const COMPILERS = programs('compilers');
/** These find the project's sources themselves, or need only their settings. What they write may be a folder. */
const BUILDERS = programs('builders');
/** Programs that run what a bundler wrote. */
const RUNS_BUNDLES = /^(node|nodejs|bun|deno)$/;

/** What one line compiles, in the order of its commands. */
export function createBuilt(line: string, place: Surroundings) {
  /** what was compiled, with the name of the compiler; in folders anything may have been */
  const programs = new Map<string, string>();
  const folders = new Map<string, string>();

  /**
   * Notes what a command compiles from the project's sources alone.
   *
   * @param targets what the command writes
   * @param isPlain whether a path is a source that the line itself wrote, with nothing far-reaching in it
   */
  function note(invocation: Invocation, targets: Arg[], isPlain: (path: string) => boolean): void {
    const { program, args, env } = invocation;
    if (BUILDERS.has(program) || (program === 'bun' && args[0]?.text === 'build')) {
      const folder = env.find(({ name }) => name === 'CARGO_TARGET_DIR')?.value;
      for (const target of [...targets, ...(folder ? [folder] : [])])
        folders.set(pathOf(target, invocation, place), program);
      return;
    }
    if (!COMPILERS.has(program)) return;
    const sources = args.filter((arg) => !/^-./.test(arg.text) && !targets.includes(arg));
    const isOwn = (path: string) => within(path, place.root) || isPlain(path);
    const own = sources.every(
      (arg) => arg.known && /^[\w./]/.test(arg.text) && isOwn(pathOf(arg, invocation, place)),
    );
    // the value of a macro may be any code
    const macro = args.some(({ text }) => /^-D(.*[({;"]|$)/s.test(text));
    const here = program !== 'go' || sources.slice(1).every(({ text }) => /^\.|\.go$/.test(text));
    if (own && here && !macro && sources.length > 0)
      for (const target of targets) programs.set(pathOf(target, invocation, place), program);
  }

  /**
   * Whether a command runs what the line has just compiled, and gets nothing from elsewhere.
   *
   * @param made the files that the line wrote by other means
   */
  function isRunBy({ program, path, args, cwd, via, remote }: Invocation, made: string[]): boolean {
    const bundle = RUNS_BUNDLES.test(program) && !path.includes('/');
    const [file, ...rest] = bundle ? args : [{ text: path, known: true }, ...args];
    const at = file?.known ? resolvePath(file.text, cwd, place.home) : null;
    if (at === null || remote || via.some((one) => AS_ANOTHER.has(one))) return false;
    const target =
      !bundle && programs.has(at) ? at : [...folders.keys()].find((one) => within(at, one) && !isShared(one));
    const compiler = target && (programs.get(target) ?? folders.get(target));
    if (made.some((one) => within(at, one) || (target && within(one, target)))) return false;
    if (!target || !compiler || !followsSuccess(line, compiler, target, at)) return false;
    return rest.every(({ text, known }) => known && isPlainArgument(text, place.root));
  }

  return { note, isRunBy };
}

/** A folder in which anybody may have put programs. */
const isShared = (path: string) => /^\/(var\/)?tmp\/?$/.test(path);

/** Whether an argument is no path and no address outside of the project. */
function isPlainArgument(text: string, root: string): boolean {
  const [, value = text] = /^-[\w-]+=(.*)$/s.exec(text) ?? [];
  if (within(value, root) && !value.includes('..')) return true;
  return (
    !/^([/~]|\.\.)/.test(value) &&
    !/\w:\/\/(?!(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])([:/]|$))/.test(value)
  );
}

/**
 * Whether a program is used after its build with nothing but `&&` in between. Otherwise an older file of that name would
 * run if the build fails.
 */
function followsSuccess(line: string, compiler: string, built: string, used: string): boolean {
  const chains = line
    .replaceAll('\\\n', ' ')
    // in a string these signs join nothing
    .replace(/'[^']*'|"[^"]*"/g, (quoted) => (/[&;|\n]/.test(quoted) ? '' : quoted))
    .replace(/\d?>&\d|&>>?/g, ' ')
    .split(/[;|\n]|(?<!&)&(?!&)/);
  return chains.some((chain) => {
    const parts = chain.split('&&');
    const build = parts.findIndex((part) => names(part, compiler) && names(part, built));
    return build >= 0 && parts.slice(build + 1).some((part) => names(part, used));
  });
}

/** Whether a part of a line has a word that ends as a path does. */
const names = (part: string, path: string): boolean =>
  part
    .split(/[\s"'()=]+/)
    .some((word) => word.replace(/^.*\/(?=.)|\/+$/g, '') === path.replace(/^.*\/(?=.)|\/+$/g, ''));
