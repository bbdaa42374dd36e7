import { type Line, readLine } from '../../shell/line.ts';
import type { Part } from '../../shell/parts.ts';
import type { LoadedIncident } from '../incidents.ts';
import { isWrongUse, servesSame } from '../passes.ts';
import type { Resolution } from '../schema.ts';
import { type Call, isCall, type SessionStep } from '../steps.ts';

// What code alone may say about an error. Of all that answers errors only this was worth telling again: one command was used
// wrongly, and another line for the same purpose passed. Besides, something was missing, and one script of the project
// made it. Whether anything else holds next time, only somebody knows who understands the error.

/** A fix that nobody needs to understand. Its lines are plain, and without their folder if it is one. */
export type Fix =
  | { shape: 'other line'; failed: string; advised: string }
  /** the failed line passes once the advised one, a script of the project, has run */
  | { shape: 'script first'; failed: string; advised: string };

/** Ways around a safeguard. They work, but they must not become lessons without a person's consent. */
export const FORCED =
  /\bgit\b[^;&|)]*\s(?:--force|-f|--no-verify|--hard)(?![\w-])|\brm -rf\b|\bsudo\b(?! (?:-\w+ )*(?:apt|apt-get|dnf|yum|apk|pacman|zypper|snap|systemctl|service)\b)|--(?:privileged|insecure|no-check-certificate)\b|\bcurl\b.*\s-k\b/;

/** Something has to be made first. */
const MISSING =
  /cannot find (?:module|package|file)|module not found|no module named|no such (?:file|table|relation)|(?:could not|unable to|failed to) (?:find|resolve|open|load|read)|\b(?:file|module|table|relation|schema|type|directory)\b.{0,80}(?:does not exist|doesn't exist|not found|missing)|\bENOENT\b/i;
const NO_PROGRAM = /command not found|: not found|\bcommand "?[\w-]+"? not found/i;
/** What is so at the moment only: the network, a server, another process. */
const PASSING =
  /timed? ?out|ECONN|EADDR|EAI_AGAIN|socket hang up|connection (?:reset|refused)|already in use|could not resolve host|rate limit|too many requests|\b50[0234]\b|permission denied|access denied/i;
/** A process, a record, a commit: another one next time. */
const IDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{10,}\b|\bkill\b/i;
const FOLDER = /^cd (\S+) && /;

const inFolder = (line: Line): string => `${FOLDER.exec(line.text)?.[0] ?? ''}${line.key}`;

/** Returns the only command of a line, whatever its folder is; null if it has several, here or elsewhere (`ssh host 'a && b'`). */
function onlyPart(text: string): Part | null {
  const line = text.replace(FOLDER, '');
  if (/&&|;|\n|\|\|/.test(line)) return null;
  const { pipelines, parts } = readLine(line);
  return pipelines?.length === 1 ? (parts[0] ?? null) : null;
}

type Answered = {
  line: Line | null;
  error: string;
  resolution: Pick<Resolution, 'kind' | 'command' | 'commands' | 'edits'>;
};

/** Returns the fix that an error and its answer show; null if they show none. */
export function fixIn({ line, error, resolution }: Answered): Fix | null {
  const { command, commands, edits, kind } = resolution;
  if (line === null || command === null || edits.length > 0 || PASSING.test(error)) return null;
  const worked = readLine(command);
  const inOne = folderOf(line) === folderOf(worked);
  const [failed, passed] = inOne ? [line.key, worked.key] : [inFolder(line), inFolder(worked)];
  if (failed === '' || IDS.test(passed)) return null;
  return (
    scriptFirst({ failed, passed, error, commands }) ??
    (commands.length === 0 ? otherLine({ failed, passed, error, kind }) : null)
  );
}

const folderOf = ({ text }: Line): string => FOLDER.exec(text)?.[1] ?? '';

type Lines = { failed: string; passed: string; error: string };

function scriptFirst({ failed, passed, error, commands }: Lines & { commands: string[] }): Fix | null {
  if (!MISSING.test(error) || NO_PROGRAM.test(error)) return null;
  const ahead = passed.endsWith(` && ${failed}`) ? [passed.slice(0, -failed.length - 4)] : [];
  if (ahead.length === 0 && passed !== failed) return null;
  const [advised, ...more] = [...commands.map((text) => readLine(text).key), ...ahead];
  if (advised === undefined || more.length > 0 || !runsScript(onlyPart(advised))) return null;
  return { shape: 'script first', failed, advised };
}

function otherLine({ failed, passed, error, kind }: Lines & Pick<Resolution, 'kind'>): Fix | null {
  if (kind === 'same' || !isWrongUse(error, failed)) return null;
  if (failed.includes(passed) || passed.includes(failed)) return null;
  const [from, to] = [onlyPart(failed), onlyPart(passed)];
  if (from === null || to === null || isOtherFile(from, to)) return null;
  if (FETCHES.test(passed) && NO_PROGRAM.test(error)) return null;
  return { shape: 'other line', failed, advised: passed };
}

const RUNNERS =
  /^(?:(?:npm|pnpm|yarn|bun|composer|mise|poe|hatch|pdm) run(?:-script)?|deno task|make|just|task|rake|invoke) [\w:./-]+|^(?:pnpm|yarn) [\w-]+:[\w:-]+/;
const INTERPRETERS = /^(?:node|tsx|ts-node|bun|deno|python\d?|ruby|php|bash|sh|perl)$/;
/** A file within the project. */
const OWN_FILE = /^(?!\/|node_modules\/)(?=.*[/.])(?:\.\/)?[\w.@/-]+$/;

/** Whether a command runs a script of the project: one that its manifest names, or a file of its own. */
function runsScript(part: Part | null): boolean {
  if (part === null) return false;
  const { program, path, args } = part;
  if (RUNNERS.test([program, ...args].join(' '))) return true;
  const file = INTERPRETERS.test(program) ? args.find((arg) => !arg.startsWith('-')) : path;
  return file !== undefined && OWN_FILE.test(file);
}

/** Fetches a program by its name alone: what is not there in the project may be anybody's. In another folder it may be there. */
const FETCHES = /^(?:npx|bunx|pnpx|uvx|(?:pnpm|yarn) dlx|pipx run)\s/;

/** Whether two commands differ only in the files that they are to work on: the next task has others. */
function isOtherFile(a: Part, b: Part): boolean {
  if (a.path !== b.path || INTERPRETERS.test(a.program)) return false;
  const isFile = (arg: string) => !arg.startsWith('-') && /[/.*]/.test(arg);
  const words = ({ args }: Part) =>
    args.filter((arg, i) => !isFile(arg) || /^-/.test(args[i - 1] ?? '')).join(' ');
  return words(a) === words(b);
}

/** What an agent handed in: it was followed by a line that has a name out of it, and runs what had failed. */
type Told = { shape: 'told'; failed: string; names: string[] };

/** What the lesson of an error advises, with the signature of the error. */
export type Advice = (Fix | Told) & { signature: string };

/** Returns what an agent's lesson of an incident advises; null if it names nothing that the failed line had not. */
export function adviceTold(
  { line, signature }: Pick<LoadedIncident, 'line' | 'signature'>,
  lesson: string,
): Advice | null {
  if (line === null) return null;
  const names = namedIn(lesson).filter((name) => /\w\w/.test(name) && !line.text.includes(name));
  return names.length === 0 ? null : { shape: 'told', failed: line.key, names, signature };
}

type Met = Pick<LoadedIncident, 'line' | 'error' | 'resolution' | 'signature'>;

/** Returns what the lesson of an incident advises; null if its answer shows nothing that can be followed. */
export function adviceOf(met: Met): (Fix & { signature: string }) | null {
  const fix = met.resolution && fixIn({ ...met, resolution: met.resolution });
  return fix && { ...fix, signature: met.signature };
}

/** Returns a key that is equal for advice that says the same about the same command. */
export const cureKey = ({ shape, failed, advised }: Fix): string => `${shape}: ${failed} | ${advised}`;

/** Whether a line runs a command, by itself or beside others. */
const runs = (line: Line, command: string): boolean => ` && ${line.key} && `.includes(` && ${command} && `);

/** What became of advice in a session so far, see {@link follow}. */
export type Followed = {
  met: boolean;
  done: boolean;
  /** whether a call was held for it, and none was made since */
  held: boolean;
  outcome: 'helped' | 'failed' | 'unused' | 'unknown';
};
export const notFollowed = (held: boolean): Followed => ({
  met: false,
  done: false,
  held,
  outcome: 'unused',
});

/**
 * Notes what becomes of advice in a session. `helped`: the error was met, the advice was followed, and then it passed.
 * `failed`: the advice was followed after the error, and the error came again. `unknown`: a call was held for it, and the
 * next one followed it. Anything else says nothing about it: what always runs before a command that passes need not be the
 * reason.
 *
 * @param steps what happened since the advice was given, the oldest first
 */
export function follow(advice: Advice, steps: SessionStep[], so: Followed): void {
  for (const call of steps.filter(isCall)) {
    if (call.signature === advice.signature) {
      if (so.met && so.done) so.outcome = 'failed';
      so.met = true;
      so.done = false;
    } else if (so.met && call.ok && call.line !== null) {
      so.done ||= follows(advice, call.line);
      if (so.done && passes(advice, call)) so.outcome = 'helped';
    } else if (so.held && call.ok && call.line !== null && follows(advice, call.line)) so.outcome = 'unknown';
    so.held = false;
  }
}

const follows = (advice: Advice, line: Line): boolean =>
  advice.shape === 'told'
    ? advice.names.some((name) => line.text.includes(name))
    : runs(line, advice.advised);

function passes(advice: Advice, { line }: Call): boolean {
  if (line === null) return false;
  if (advice.shape === 'told') return servesSame({ line: readLine(advice.failed), error: '' }, line);
  return runs(line, advice.shape === 'other line' ? advice.advised : advice.failed);
}

/** What a lesson names: code, options, paths, files and numbers. */
const NAMES =
  /(?<![\w-])--?[a-z][\w-]*|(?:\.{0,2}|~|@[\w-]+)\/[\w./@-]*\w|[\w-]+(?:\/[\w.-]+){2,}|\b[\w-]{2,}\.[a-z]{1,5}\b|\b\d[\w.]*\b/gi;

/** Returns what a text names: the words in backticks, and outside of them options, paths, files and numbers. */
export function namedIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) =>
    code.split(/[\s;&|]+/).filter((word) => /\w/.test(word)),
  );
  return [...new Set([...quoted, ...(text.replace(/`[^`]+`/g, ' ').match(NAMES) ?? [])])];
}
