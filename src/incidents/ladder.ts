import { baseName } from '../shell/names.ts';
import { aimOf, invocation, type Part, TASKS } from '../shell/parts.ts';
import { purposeOf } from '../shell/purposes.ts';
import { takesFields } from '../shell/shell-tools.ts';
import type { Call } from './steps.ts';

// When has a failed call been answered by one that worked? Seldom by the very same line: agents add a flag, set a
// variable, change the folder, run one test instead of all, or take another tool. So there is a ladder of likeness,
// from strict to loose. Each rung says how much it proves.

/** How a call that worked resembles the one that failed, from strict to loose. */
export const RUNGS = ['same', 'wrapped', 'arguments', 'part', 'program', 'tool', 'sibling'] as const;
export type Rung = (typeof RUNGS)[number];

/** How many other calls may lie between the last failure and the call that worked. */
const MAX_BETWEEN: Record<Rung, number> = {
  same: 200,
  wrapped: 200,
  sibling: 30,
  arguments: 20,
  part: 12,
  program: 8,
  tool: 8,
};

/**
 * Returns how a call that worked answers one that failed; null if it does not.
 *
 * - `same`: the same tool on the same target, whatever is run after it
 * - `wrapped`: the same program and arguments with another environment, wrapper, folder, pipe or neighbour
 * - `arguments`: the same program and subcommand with other flags or arguments
 * - `part`: one of the commands of a line of several, or a line of several that holds the command
 * - `program`: another subcommand of the program, after an error that said that the subcommand was wrong
 * - `tool`: another program on the same file or for the same purpose
 * - `sibling`: another tool of the same MCP server with the same input, or the same tool with another input
 *
 * @param between how many calls lie between the two
 * @example rungOf(failed('pytest'), worked('source .venv/bin/activate && pytest'), 1) // 'wrapped'
 */
export function rungOf(failed: Call, worked: Call, between: number): Rung | null {
  const rung = likeness(failed, worked);
  return rung !== null && between <= MAX_BETWEEN[rung] ? rung : null;
}

/** Rungs on which two calls are tries of the same thing. */
const TRIES: ReadonlySet<Rung> = new Set(['same', 'wrapped', 'arguments']);

/** Whether two calls tried the same thing, however far apart. */
export function isTry(call: Call, other: Call): boolean {
  const rung = rungOf(call, other, 0);
  return rung !== null && TRIES.has(rung);
}

function likeness(failed: Call, worked: Call): Rung | null {
  if (failed.tool === worked.tool && failed.target !== null && failed.target === worked.target) return 'same';
  if (failed.line === null || worked.line === null) return siblings(failed, worked) ? 'sibling' : null;
  // a command that runs after it cannot be the reason that it passed
  if (worked.line.text.startsWith(`${failed.line.text} && `)) return 'same';
  const wanted = failed.line.parts;
  const done = worked.line.parts;
  if (wanted.length === 0 || done.length === 0) return null;
  if (inOtherFolder(failed, worked)) return null;
  const aim = aimOf(wanted, failed.output) as Part;
  if (done.some((part) => isSame(aim, part) || runs(part, aim)) || holds(worked.line.text, aim))
    return 'wrapped';
  const moved = folderOf(failed) !== folderOf(worked);
  if (done.some((part) => isSameInvocation(aim, part, moved))) return 'arguments';
  if (wanted.some((other) => other !== aim && done.some((part) => isSame(other, part)))) return 'part';
  if (
    done.some(
      (part) => part.program === aim.program && (WRONG_SUBCOMMAND.test(failed.output) || isAbout(aim, part)),
    )
  )
    return 'program';
  return done.some((part) => isOtherTool(aim, part, failed.output)) ? 'tool' : null;
}

/** Whether a line has a command word for word, as behind an unknown wrapper: `fnm exec -- yarn install`. */
const holds = (line: string, { path, args }: Part): boolean => {
  const text = [path, ...args].join(' ');
  const at = ` ${line}`.indexOf(` ${text}`);
  return args.length > 0 && at >= 0 && /^\s*(?:$|[;&|])/.test(line.slice(at + text.length));
};

/**
 * Whether a command runs another one. Its last words may be the other one: `ddev drush status` runs
 * `vendor/bin/drush status`. Or a version manager runs it: `zvm run 0.13.0 build test` runs `zig build test`.
 */
function runs({ program, args }: Part, inner: Part): boolean {
  const from = args.length - inner.args.length;
  if (inner.args.length === 0 || from < 1 || inner.args.some((arg, i) => arg !== args[from + i]))
    return false;
  return baseName(args[from - 1] as string) === inner.program || VERSION_MANAGERS.test(program);
}

const VERSION_MANAGERS = /^(?:[a-z]{1,3}vm|\w*env|rustup|asdf|mise|volta|proto|sdk|n|corepack)$/;

/** @param moved whether the two ran in different folders, so that the same file has another path */
function isSameInvocation(failed: Part, worked: Part, moved: boolean): boolean {
  if (!moved && (testsOther(failed, worked) || handlesOther(failed, worked))) return false;
  if (invocation(failed) === invocation(worked)) return true;
  if (failed.program !== worked.program) return false;
  // a program without arguments, or one whose arguments name tasks: `gradle jar` and `gradle classes jar`
  const words = ({ args }: Part) => args.filter((arg) => !arg.startsWith('-'));
  return (
    words(failed).length === 0 ||
    (TASKS.test(failed.program) &&
      words(failed).some((word) => words(worked).some((other) => isTaskOf(word, other))))
  );
}

/** Whether a task is the other one, or a more specific form: `:app:testFreeDebug` and `:app:testDebug`. */
function isTaskOf(task: string, other: string): boolean {
  const pieces = (name: string) => name.split(/[:\-_.]|(?<=[a-z])(?=[A-Z])/).filter((piece) => piece !== '');
  const [few, many] = [pieces(task), pieces(other)];
  return task === other || (few.length > 1 && few.every((piece) => many.includes(piece)));
}

/** Whether two commands of one program name the same thing, for example the same issue number. */
function isAbout(failed: Part, worked: Part): boolean {
  const names = failed.args.slice(1).filter((arg) => !arg.startsWith('-') && /\d{2,}|[\w-]{5,}/.test(arg));
  return names.some((name) => worked.args.some((arg) => arg.includes(name)));
}

/** Whether neither folder of two calls contains the other: another package says nothing about this one. */
function inOtherFolder(a: Call, b: Call): boolean {
  const [one, other] = [folderOf(a), folderOf(b)];
  return (
    one !== other &&
    !`${one}/`.startsWith(`${other}/`) &&
    !`${other}/`.startsWith(`${one}/`) &&
    one !== '' &&
    other !== ''
  );
}

/** Returns the folder that a call changes to first; '' if there is none or if it lies above the project. */
const folderOf = ({ target }: Call): string => /^cd (?!\.\.)(\S+) && /.exec(target ?? '')?.[1] ?? '';

/** Whether two runs of a test runner name files, and none of them in common. */
function testsOther(a: Part, b: Part): boolean {
  if (purposeOf(a) !== 'test') return false;
  const files = (part: Part) => part.args.filter((arg) => /[./]/.test(arg) && !arg.startsWith('-'));
  const [one, other] = [files(a), files(b)];
  // `./...` and `//...` mean everything below a folder
  const below = (file: string) => file.replace(/\.\.\.$/, '');
  const meet = one.some((x) => other.some((y) => x.startsWith(below(y)) || y.startsWith(below(x))));
  return one.length > 0 && other.length > 0 && !meet;
}

/** Programs that put files and branches about. What they did to one says nothing about another. */
const HANDLERS = new Set('rm rmdir mv cp ln touch mkdir chmod chown cat ls open code kill'.split(' '));

/** Whether two commands put things about, and none in common. */
function handlesOther(a: Part, b: Part): boolean {
  if (!HANDLERS.has(a.program)) return false;
  const names = ({ args }: Part) => args.filter((arg) => !arg.startsWith('-')).map(baseName);
  return !names(a).some((name) => names(b).includes(name));
}

/** Errors that say that the subcommand was wrong, so another one of the same program may be the answer. */
const WRONG_SUBCOMMAND =
  /unknown (?:sub)?command|missing script|is not a \w+ command|no such (?:sub)?command|unrecognized (?:sub)?command|invalid choice|command ["'`]?[\w-]+["'`]? (?:is )?not (?:found|defined)/i;

const isSame = (a: Part, b: Part): boolean =>
  a.program === b.program && a.args.length === b.args.length && a.args.every((arg, i) => arg === b.args[i]);

/** Groups of programs that can replace one another. */
const FAMILIES = [
  'npm pnpm yarn bun',
  'docker docker-compose podman nerdctl',
  'ts-node tsx node deno bun vite-node',
  'python py pypy uv poetry pdm',
  'pip pipx uv poetry conda',
  'jest vitest mocha node',
  'make just task rake',
  'mvn mvnw',
  'gradle gradlew',
  'terraform tofu terragrunt',
  'kubectl oc',
  'curl wget http xh',
  'psql pgcli pg_restore',
  'virtualenv venv python',
  'vi vim nano sed',
].map((line) => new Set(line.split(' ')));

/** Errors that say that a task runner does not have this task here, or has nothing to run at all. */
const NO_TASK =
  /no rule to make target|no makefile|no justfile|no rakefile|no targets specified|not found|does not exist/i;

function isOtherTool(failed: Part, worked: Part, output: string): boolean {
  if (failed.program === worked.program) return false;
  const files = new Set(objectsOf(failed));
  const shared = objectsOf(worked).some((file) => files.has(file));
  const family =
    isVariant(failed.program, worked.program) ||
    FAMILIES.some((family) => family.has(failed.program) && family.has(worked.program));
  const rest = (part: Part) => part.args.filter((arg) => !arg.startsWith('-')).join(' ');
  if (family && (shared || rest(failed) === rest(worked) || isAbout(failed, worked))) return true;
  if (TASKS.test(failed.program) && TASKS.test(worked.program) && NO_TASK.test(output)) return true;
  // a command that removes the file, or only puts it into git, does not use it
  if (shared && !HANDLING.has(worked.program)) return true;
  const purpose = purposeOf(failed);
  // two programs that start, install or deploy something are two things; two that check the work may be one
  return purpose !== null && !APART.has(purpose) && purpose === purposeOf(worked);
}

const APART = new Set(['start', 'install', 'deploy', 'seed']);

/** Whether a program is another edition of one: `gcc-12`, `hugo-extended@0.139.0`, `gsed`. */
const isVariant = (a: string, b: string): boolean =>
  a.startsWith(`${b}-`) || b.startsWith(`${a}-`) || a === `g${b}` || b === `g${a}`;

const HANDLING = new Set('git rm mv cp chmod chown touch mkdir kill code vim nano prettier'.split(' '));

/** Returns the files that a command works on, by their path without a leading `./`. */
const objectsOf = ({ path, args }: Part): string[] =>
  [path, ...args]
    .filter((word) => !word.startsWith('-') && /[\w-]\/[\w.-]|\.\w{1,5}$/.test(word) && !word.includes('://'))
    .map((word) => word.replace(/^\.\//, ''));

function siblings(failed: Call, worked: Call): boolean {
  if (failed.line !== null || worked.line !== null) return false;
  if (failed.tool === worked.tool) return takesFields(failed.tool);
  const server = (tool: string) => /^mcp__.+?__/.exec(tool)?.[0] ?? null;
  const one = server(failed.tool);
  return one !== null && one === server(worked.tool) && sharesInput(failed.input, worked.input);
}

const sharesInput = (a: Record<string, unknown>, b: Record<string, unknown>): boolean =>
  Object.entries(a).some(([key, value]) => JSON.stringify(b[key]) === JSON.stringify(value)) ||
  Object.keys(a).some((key) => key in b);
