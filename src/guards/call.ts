import { changedBy } from '../commands/arguments.ts';
import { builtinPolicy } from '../commands/policy/index.ts';
import { relativeTo } from '../files/relative-to.ts';
import { type Line, readLine } from '../shell/line.ts';
import { programs } from '../shell/lists.ts';
import { GREPS, isInterpreter, SHELLS, SHOWERS, TREE_GREPS } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';
import { resolvePath } from '../shell/zones.ts';
import { plainForm } from './glob.ts';
import { oneSpelling, ranByName } from './words.ts';

// A call as rules look at it. It is read once, and then all rules of the project are tried on it.

/** Where a call is made. */
export type CallPlace = {
  /** the work tree; null if it is not known */
  root: string | null;
  cwd: string | null;
  home: string;
  tmp: string;
  /** the branch that is checked out; null if it is not known */
  branch: string | null;
  /** the commands of the line, if it was read already, with the scripts that it runs */
  invocations?: readonly Invocation[] | undefined;
};

/** One way to spell a command: program and arguments, and the program as written, with its folder. */
export type Spelling = {
  words: string[];
  path: string;
  /** a package manager was given only its name, so it may also be a script of the project */
  byName?: boolean;
};

/** One command of a line, in each way in which it can be called the same. */
export type CalledCommand = {
  /** `docker compose up` for `docker-compose up`; also `manage.py migrate` for that of python */
  spellings: Spelling[];
  /** the programs that it is wrapped in: sudo, npx, uv … */
  via: string[];
  /** variables that are set for it, which a rule may name as arguments: `HUSKY=0` */
  env: string[];
  /** the branch that is checked out when it runs, as far as the line tells */
  branch: string | null;
};

/** What a call does. Paths are relative to the work tree, and absolute outside of it. */
export type Call = {
  branch: string | null;
  commands: CalledCommand[];
  /** files that are written, moved or deleted; folders that are moved or deleted */
  changes: string[];
  reads: string[];
  /** the text that is new, by file */
  added: { path: string; text: string }[];
  /** a tool of an MCP server, by its own name, with its input */
  mcp: { tool: string; input: Record<string, unknown> } | null;
};

/** Text beyond this length is not looked at, in characters. */
const MAX_ADDED = 100_000;
const MAX_LINE = 8_192;

const WRITERS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const READERS = new Set(['Read', 'Grep', 'NotebookRead']);

/** Whether rules can be about a call at all, so that nothing else waits for them. */
export const mayBeGuarded = ({ tool_name, tool_input }: CallEvent): boolean =>
  typeof tool_input?.command === 'string' ||
  WRITERS.has(tool_name ?? '') ||
  READERS.has(tool_name ?? '') ||
  (tool_name ?? '').startsWith('mcp__');

type CallEvent = {
  tool_name?: string | null | undefined;
  tool_input?: Record<string, unknown> | null | undefined;
  lore?: { tool?: string | null | undefined } | null | undefined;
};

/** Reads a tool call. */
export function callOf({ tool_name, tool_input, lore }: CallEvent, place: CallPlace): Call {
  const tool = tool_name ?? '';
  const input = tool_input ?? {};
  const call: Call = { branch: place.branch, commands: [], changes: [], reads: [], added: [], mcp: null };
  // a rule may also be about the tool of an MCP server by its own name
  const own = lore?.tool?.startsWith('mcp__') ? lore.tool : tool;
  if (own.startsWith('mcp__')) call.mcp = { tool: own, input };
  if (tool.startsWith('mcp__')) return call;
  if (typeof input.command === 'string') readCommands(call, readLine(input.command), place);
  else readFileTool(call, tool, input, place);
  return call;
}

/** Returns the commands that a line calls. */
export function calledIn(line: Line, place: CallPlace): CalledCommand[] {
  const { text } = line;
  return callOf({ tool_name: 'Bash', tool_input: { command: text } }, place).commands;
}

/** Returns a path as rules name it: relative to the work tree; the whole path outside of it. */
function inTree(path: string, cwd: string | null, { root, home, cwd: at }: CallPlace): string {
  const whole = resolvePath(path, cwd ?? at ?? root ?? '/', home) ?? path;
  return plainForm(relativeTo(root ?? at, whole)).replace(/\/$/, '');
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '');
type Fields = Record<string, unknown>;

function readFileTool(call: Call, tool: string, input: Fields, place: CallPlace): void {
  const given = string(input.file_path ?? input.notebook_path ?? input.path);
  if (given === '') return;
  if (READERS.has(tool)) call.reads.push(inTree(given, place.cwd, place));
  if (!WRITERS.has(tool)) return;
  // a patch changes several files
  const patched = Array.isArray(input.files) ? (input.files as Fields[]) : [];
  for (const one of patched.length > 0 ? patched : [{ ...input, file_path: given }]) {
    const file = string(one?.file_path);
    if (file === '') continue;
    const path = inTree(file, place.cwd, place);
    call.changes.push(path);
    const text = addedBy(patched.length > 0 ? 'Edit' : tool, one).slice(0, MAX_ADDED);
    if (text !== '') call.added.push({ path, text });
  }
}

function addedBy(tool: string, input: Fields): string {
  if (tool === 'Write') return string(input.content);
  if (tool === 'NotebookEdit') return input.edit_mode === 'delete' ? '' : string(input.new_source);
  const edits = Array.isArray(input.edits) ? (input.edits as Fields[]) : [input];
  return edits.map((edit) => newLines(string(edit?.old_string), string(edit?.new_string))).join('\n');
}

/** Returns the lines of a text that the old text does not have. */
function newLines(old: string, text: string): string {
  const known = new Set(old.slice(0, MAX_ADDED).split('\n'));
  const lines = text.slice(0, MAX_ADDED).split('\n');
  return lines.filter((line) => !known.has(line)).join('\n');
}

function readCommands(call: Call, line: Line, place: CallPlace): void {
  const { root, cwd: at, home, tmp } = place;
  const cwd = at ?? root ?? '/';
  const isReadable = line.text.length <= MAX_LINE && !line.text.includes('\0');
  const found =
    place.invocations ?? (isReadable ? line.commandsIn({ cwd, root: root ?? cwd, home, tmp }) : []);
  let { branch } = place;
  let outer: string[] = [];
  for (const invocation of found) {
    // a guess about the code of a program may be a reason for care, but a person's rule is about what is called
    if (invocation.suspected || (invocation.scripted && !isTask(invocation))) continue;
    // a task is given the arguments of the call that runs it
    const command = calledCommand(invocation, branch, invocation.scripted ? outer : []);
    call.commands.push(command);
    const words = command.spellings[0]?.words ?? [];
    if (!invocation.scripted) outer = words.slice(2);
    branch = branchAfter(words) ?? branch;
    if (invocation.remote) continue;
    const changed = filesChanged(invocation).map((file) => inTree(file, invocation.cwd, place));
    call.changes.push(...changed);
    call.reads.push(...filesShown(invocation).map((file) => inTree(file, invocation.cwd, place)));
    const text = changed.length > 0 ? textWritten(invocation) : null;
    if (text !== null) call.added.push({ path: changed[0] as string, text: text.slice(0, MAX_ADDED) });
  }
}

const PACKAGE_MANAGERS = programs('script-callers');
const TASK_RUNNERS = programs('task-runners');

/** Whether a command stands in a task that the line calls by its name, and not in a program that the task runs. */
const isTask = ({ program, via }: Invocation): boolean => {
  // which package manager a project's own script calls is not the agent's doing
  if (PACKAGE_MANAGERS.has(program)) return false;
  const at = via.findIndex((name) => TASK_RUNNERS.has(name));
  return at >= 0 && !via.slice(at + 1).some((name) => isInterpreter(name) || name.includes('/'));
};

function calledCommand(
  { program, path, via, args, env }: Invocation,
  branch: string | null,
  passedOn: string[],
): CalledCommand {
  const spelled = (words: string[]): Spelling => {
    const written = oneSpelling(words);
    // alone, yarn installs
    const alone = written[0] === 'yarn' && written.length === 1;
    return { words: alone ? ['yarn', 'install'] : written, path: (words[0] ?? '').replace(/^\.\//, '') };
  };
  const first = spelled(
    [path === '' ? program : path, ...args.map(({ text }) => text), ...passedOn].map(plainForm),
  );
  const [script, ran] = [scriptOf(first.words), ranByName(first.words)];
  const others = [...(script ? [spelled(script)] : []), ...(ran ? [{ ...spelled(ran), byName: true }] : [])];
  return {
    spellings: [first, ...others],
    via,
    env: env.map(({ name, value }) => `${name}=${value.text}`),
    branch,
  };
}

/** Returns the script that an interpreter is given, with its arguments; null if it is given none. */
function scriptOf([program = '', ...args]: string[]): string[] | null {
  if (!SHELLS.has(program) && !isInterpreter(program)) return null;
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const inline = args.slice(0, Math.max(at, 0)).some((arg) => /^-(?:\w*[cem]|-eval|p)$/.test(arg));
  return at < 0 || inline || /\s/.test(args[at] as string) ? null : args.slice(at);
}

/** Returns what git is told to do, without the options before it; null for other programs. */
export function gitVerb([program, ...words]: string[]): { verb: string; args: string[] } | null {
  if (program !== 'git') return null;
  const at = words.findIndex((word, i) => !word.startsWith('-') && !/^-[Cc]$/.test(words[i - 1] ?? ''));
  return at < 0 ? null : { verb: words[at] as string, args: words.slice(at + 1) };
}

/** Returns the branch that a command of git changes to; null if it changes to none. */
function branchAfter(words: string[]): string | null {
  const git = gitVerb(words);
  if (git === null || !/^(?:checkout|switch)$/.test(git.verb) || git.args.includes('--')) return null;
  return git.args.find((arg) => !arg.startsWith('-')) ?? null;
}

const FORMATTERS = programs('formatters');
const plain = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('-'));
const textsOf = ({ args }: Invocation): string[] => args.map(({ text }) => text);

/** Returns the files that a command writes, changes, moves or removes, as it names them. */
function filesChanged(invocation: Invocation): string[] {
  const args = textsOf(invocation);
  const git = gitVerb([invocation.program, ...args]);
  const known = changedBy(invocation, builtinPolicy.options).map(({ text }) => text);
  const more = (): string[] => {
    if (/^(?:touch|rmdir)$/.test(invocation.program)) return plain(args);
    if (FORMATTERS.has(invocation.program))
      return args.some((arg) => /^(?:-w|-i|--write|--fix|--apply)$/.test(arg)) ? plain(args) : [];
    if (git && /^(?:rm|mv|restore)$/.test(git.verb))
      return git.args.includes('--staged') ? [] : plain(git.args);
    const behind = git?.verb === 'checkout' ? git.args.indexOf('--') : -1;
    return behind < 0 ? [] : (git?.args.slice(behind + 1) ?? []);
  };
  return [...known, ...more()].filter(
    (file) => file !== '' && file.length < 500 && !/^\/dev\/(?:null|stdout|stderr|tty)$|^&?\d$/.test(file),
  );
}

const SEARCHES = new Set([...GREPS, ...TREE_GREPS, ...programs('awks'), 'sed', 'gsed', 'jq', 'yq']);
/** The option with which grep, sed and awk take what they look for; without it, their first word is that. */
const SCRIPT = /^(?:-\w*[ef]|--(?:regexp|file|expression|files))(?:=|$)/;

/** Returns the files whose content a command shows. */
function filesShown(invocation: Invocation): string[] {
  const input = invocation.input.kind === 'file' ? [invocation.input.target.text] : [];
  const read = [...input, ...invocation.reads.map(({ text }) => text)];
  const { program } = invocation;
  if (!SEARCHES.has(program) && !SHOWERS.has(program)) return read;
  const args = textsOf(invocation);
  return [
    ...read,
    ...plain(args).slice(SEARCHES.has(program) && !args.some((arg) => SCRIPT.test(arg)) ? 1 : 0),
  ];
}

/** Returns the text that a command puts into the files that it writes, if the line shows it. */
function textWritten(invocation: Invocation): string | null {
  const { program, input } = invocation;
  if (/^(?:echo|printf)$/.test(program)) return textsOf(invocation).join(' ');
  if (input.kind === 'text' && input.known && !SHELLS.has(program)) return input.text;
  if (input.kind !== 'pipe') return null;
  const from = input.from.map(textWritten).filter((text) => text !== null);
  return from.length > 0 ? from.join('\n') : null;
}
