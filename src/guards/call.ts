import { relativeTo } from '../files/relative-to.ts';
import { type Line, readLine } from '../shell/line.ts';
import { programs } from '../shell/lists.ts';
import { isInterpreter, SHELLS } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';
import { resolvePath } from '../shell/zones.ts';
import { type Commits, commitsOf, type Pending } from './commits.ts';
import { filesChanged, filesShown, gitVerb, takesFolders, textWritten } from './files.ts';
import { plainForm } from './glob.ts';
import { filesLost, type Loss } from './losses.ts';
import { calledAs, ranByName } from './spellings.ts';

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
  /** Returns whether a file is there. Left out: nobody can look. */
  exists?: ((path: string) => boolean) | undefined;
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
  env: string[];
  /** arguments of the call that runs the script in which it stands */
  passedOn: string[];
  /** the branch that is checked out when it runs, as far as the line tells */
  branch: string | null;
};

type Touched = { path: string; created: boolean; withFolder: boolean };

export type Call = {
  tool: string;
  /** the branch that is checked out before it; null if it is not known */
  branch: string | null;
  commands: CalledCommand[];
  changes: Touched[];
  /** what is deleted, moved or renamed; the work tree itself is '' */
  losses: Loss[];
  commits: Commits;
  /** what `git status` lists; empty if nobody looked */
  pending: readonly Pending[];
  reads: string[];
  /** the text that is new, by file */
  added: { path: string; text: string }[];
  /** a tool of an MCP server, by its own name, with its input */
  mcp: { tool: string; input: Record<string, unknown> } | null;
  /** all that the call says, to find the word for an environment in */
  said: string[];
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
  const call = emptyCall(tool, place);
  // a rule may also be about the tool of an MCP server by its own name
  const added = lore?.tool?.startsWith('mcp__') ? lore.tool : tool;
  if (added.startsWith('mcp__')) {
    call.mcp = { tool: added, input };
    call.said = [JSON.stringify(input).slice(0, MAX_ADDED)];
  }
  if (tool.startsWith('mcp__')) return call;
  if (typeof input.command === 'string') addCommands(call, readLine(input.command), place);
  else readFileTool(call, input, place);
  return call;
}

const emptyCall = (tool: string, { branch }: CallPlace): Call => ({
  ...{ tool, branch, commands: [], changes: [], losses: [], reads: [], added: [], mcp: null, said: [] },
  commits: { named: [], sweeps: [], spared: [] },
  pending: [],
});

/** Returns the commands that a line calls. */
export function calledIn(line: Line, place: CallPlace): CalledCommand[] {
  const call = emptyCall('Bash', place);
  addCommands(call, line, place);
  return call.commands;
}

/** Returns a path as rules name it: relative to the work tree; the whole path outside of it. */
function inTree(path: string, cwd: string | null, { root, home, cwd: at }: CallPlace): string {
  const whole = resolvePath(path, cwd ?? at ?? root ?? '/', home) ?? path;
  return plainForm(relativeTo(root ?? at, whole));
}

function readFileTool(call: Call, input: Record<string, unknown>, place: CallPlace): void {
  const given = input.file_path ?? input.notebook_path ?? input.path;
  if (typeof given !== 'string') return;
  const path = inTree(given, place.cwd, place);
  call.said.push(path);
  if (READERS.has(call.tool)) call.reads = [path];
  if (!WRITERS.has(call.tool)) return;
  const patched = Array.isArray(input.files) ? (input.files as Record<string, unknown>[]) : [];
  const changed = patched.length > 0 ? patched : [{ ...input, file_path: given }];
  for (const [i, one] of changed.entries()) {
    const file = string(one?.file_path);
    if (file === '') continue;
    const at = inTree(file, place.cwd, place);
    const created = place.exists
      ? !place.exists(resolvePath(file, place.cwd, place.home) ?? file)
      : call.tool === 'Write' || one.change === 'add';
    call.changes.push({ path: at, created, withFolder: false });
    if (one.change === 'delete')
      call.losses.push({ file: at, tree: false, name: null, to: movedTo(one, changed[i + 1], place) });
    const text = addedBy(patched.length > 0 ? 'Edit' : call.tool, one).slice(0, MAX_ADDED);
    if (text !== '') call.added.push({ path: at, text });
  }
}

/** A patch that moves a file deletes it, and adds the same at another place. */
function movedTo(
  one: Record<string, unknown>,
  next: Record<string, unknown> | undefined,
  place: CallPlace,
): string[] {
  const same =
    next?.change === 'add' && next.old_string === one.old_string && next.new_string === one.new_string;
  return same ? [inTree(string(next.file_path), place.cwd, place)] : [];
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '');

function addedBy(tool: string, input: Record<string, unknown>): string {
  if (tool === 'Write') return string(input.content);
  if (tool === 'NotebookEdit') return input.edit_mode === 'delete' ? '' : string(input.new_source);
  const edits = Array.isArray(input.edits) ? (input.edits as Record<string, unknown>[]) : [input];
  return edits.map((edit) => newLines(string(edit?.old_string), string(edit?.new_string))).join('\n');
}

/** Returns the lines of a text that the old text does not have. */
function newLines(old: string, text: string): string {
  const known = new Set(old.slice(0, MAX_ADDED).split('\n'));
  return text
    .slice(0, MAX_ADDED)
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n');
}

/** Returns the commands of a line. No file is looked at, so the scripts that it runs are not among them. */
function commandsOf(line: Line, { root, cwd: at, home, tmp }: CallPlace): readonly Invocation[] {
  if (line.text.length > MAX_LINE || line.text.includes('\0')) return [];
  const cwd = at ?? root ?? '/';
  return line.commandsIn({ cwd, root: root ?? cwd, home, tmp });
}

function addCommands(call: Call, line: Line, place: CallPlace): void {
  call.said.push(plainForm(line.text.slice(0, MAX_LINE)));
  let { branch } = place;
  let outer: string[] = [];
  for (const invocation of place.invocations ?? commandsOf(line, place)) {
    // a guess about the code of a program may be a reason for care, but a person's rule is about what is called
    if (invocation.suspected || (invocation.scripted && !isTask(invocation))) continue;
    const command = calledCommand(invocation, branch, invocation.scripted ? outer : []);
    call.commands.push(command);
    const words = command.spellings[0]?.words ?? [];
    if (!invocation.scripted) outer = words.slice(2);
    branch = branchAfter(words) ?? branch;
    readFiles(call, invocation, place);
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

function calledCommand(invocation: Invocation, branch: string | null, passedOn: string[]): CalledCommand {
  const { program, path, via, env } = invocation;
  const args = invocation.args.map(({ text }) => plainForm(text));
  const spelled = (words: string[]): Spelling => ({
    words: calledAs(words),
    path: (words[0] ?? '').replace(/^\.\//, ''),
  });
  const first = spelled([plainForm(path === '' ? program : path), ...args]);
  const [script, ran] = [scriptOf(first.words), ranByName(first.words)];
  return {
    spellings: [
      first,
      ...(script ? [spelled(script)] : []),
      ...(ran ? [{ ...spelled(ran), byName: true }] : []),
    ],
    via,
    env: env.map(({ name, value }) => `${name}=${value.text}`),
    passedOn,
    branch,
  };
}

/** Returns the script that an interpreter is given, with its arguments; null if it is given none. */
function scriptOf([program = '', ...args]: string[]): string[] | null {
  if (!SHELLS.has(program) && !isInterpreter(program)) return null;
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const name = args[at];
  const inline = args.slice(0, Math.max(at, 0)).some((arg) => /^-(?:\w*[cem]|-eval|p)$/.test(arg));
  return name === undefined || inline || /\s/.test(name) ? null : args.slice(at);
}

/** Returns the branch that a command of git changes to; null if it changes to none. */
function branchAfter(words: string[]): string | null {
  const git = gitVerb(words);
  if (git === null || !/^(?:checkout|switch)$/.test(git.verb) || git.args.includes('--')) return null;
  return git.args.find((arg) => !arg.startsWith('-')) ?? null;
}

function readFiles(call: Call, invocation: Invocation, place: CallPlace): void {
  if (invocation.remote) return;
  const { cwd } = invocation;
  const changed = filesChanged(invocation);
  for (const file of changed) {
    const path = inTree(file, cwd, place);
    const created = place.exists ? !place.exists(resolvePath(file, cwd, place.home) ?? file) : false;
    call.changes.push({ path, created, withFolder: takesFolders(invocation) });
  }
  const named = (file: string): string => {
    const path = inTree(file, cwd, place);
    return path === (place.root ?? place.cwd) ? '' : path;
  };
  call.losses.push(
    ...filesLost(invocation).map((loss) => ({ ...loss, file: named(loss.file), to: loss.to.map(named) })),
  );
  const { named: names, sweeps, spared } = commitsOf(invocation, named);
  call.commits.named.push(...names);
  call.commits.sweeps.push(...sweeps);
  call.commits.spared.push(...spared);
  call.reads.push(...filesShown(invocation).map((file) => inTree(file, cwd, place)));
  const text = changed.length > 0 ? textWritten(invocation) : null;
  const [target] = changed;
  if (text !== null && target !== undefined)
    call.added.push({ path: inTree(target, cwd, place), text: text.slice(0, MAX_ADDED) });
}
