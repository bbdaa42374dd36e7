import { relativeTo } from '../../base/files/relative-to.ts';
import { changedBy } from '../../commands/arguments.ts';
import { builtinPolicy } from '../../commands/policy/index.ts';
import { type Line, readLine } from '../../shell/line.ts';
import { baseName, isInterpreter, programs, SHELLS } from '../../shell/names.ts';
import { REGENERABLE } from '../../shell/places.ts';
import type { Invocation } from '../../shell/types.ts';
import { parseCommand } from '../../shell/walk.ts';
import { resolvePath } from '../../shell/zones.ts';
import { plainForm } from './glob.ts';
import { oneSpelling } from './words.ts';

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
  /** the commands of the line, if it was read already */
  invocations?: readonly Invocation[] | undefined;
};

/** One way to spell a command: program and arguments, and the program as written, with its folder. */
export type Spelling = { words: string[]; path: string };

/** One command of a line, in each way in which it can be called the same. */
export type CalledCommand = {
  /** `docker compose up` for `docker-compose up`; also `manage.py migrate` for that of python */
  spellings: Spelling[];
  /** the programs that it is wrapped in: sudo, npx, uv … */
  via: string[];
  /** what a rule may name as an argument too: variables that are set (`HUSKY=0`), the branch of a push or commit */
  also: string[];
};

/** What a call does. Paths are relative to the work tree, and absolute outside of it. */
export type Call = {
  commands: CalledCommand[];
  /** files that are written, moved or deleted; folders that are moved or deleted */
  changes: string[];
  /** files and folders that are read; of a shell line all that its commands name. Few rules ask. */
  names: () => string[];
  /** the text that is new, by file */
  added: { path: string; text: string }[];
  /** a tool of an MCP server, by its own name, with its input */
  mcp: { tool: string; input: Record<string, unknown> } | null;
};

/** Text beyond this length is not looked at, in characters. */
const MAX_ADDED = 100_000;

const WRITERS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const READERS = new Set(['Read', 'Grep', 'Glob']);

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
  const call: Call = { commands: [], changes: [], names: () => [], added: [], mcp: null };
  // a rule may also be about the tool of an MCP server by its own name
  const own = lore?.tool?.startsWith('mcp__') ? lore.tool : tool;
  if (own.startsWith('mcp__')) call.mcp = { tool: own, input };
  if (tool.startsWith('mcp__')) return call;
  if (typeof input.command === 'string') readCommands(call, readLine(input.command), place);
  else if (WRITERS.has(tool)) readFileTool(call, input, place);
  else if (READERS.has(tool))
    call.names = () =>
      [input.file_path, input.path, input.glob]
        .filter((path) => typeof path === 'string')
        .map((path) => inTree(path, place.cwd, place));
  return call;
}

/** Returns a path as rules name it: relative to the work tree; the whole path outside of it. */
function inTree(path: string, cwd: string | null, { root, home, cwd: at }: CallPlace): string {
  const whole = resolvePath(path, cwd ?? at ?? root ?? '/', home) ?? path;
  return plainForm(relativeTo(root ?? at, whole)).replace(/\/$/, '');
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '');

function readFileTool(call: Call, input: Record<string, unknown>, place: CallPlace): void {
  // a patch changes several files, and one call may edit a file at several places
  const parts = [input.files, input.edits].find(Array.isArray) ?? [input];
  for (const part of parts) {
    const one = { file_path: input.file_path ?? input.notebook_path, ...Object(part) };
    if (typeof one.file_path !== 'string') continue;
    const path = inTree(one.file_path, place.cwd, place);
    call.changes.push(path);
    const old = new Set(string(one.old_string).slice(0, MAX_ADDED).split('\n'));
    const text = string(one.content ?? one.new_string ?? one.new_source).slice(0, MAX_ADDED);
    const added = text.split('\n').filter((line) => !old.has(line));
    if (added.length > 0) call.added.push({ path, text: added.join('\n') });
  }
}

function readCommands(call: Call, line: Line, place: CallPlace): void {
  const { root, cwd: at, home, tmp } = place;
  const cwd = at ?? root ?? '/';
  const found = place.invocations ?? parseCommand(line, { cwd, root: root ?? cwd, home, tmp }).invocations;
  let { branch } = place;
  // a person's rule is about what is called, and not about what that may run in turn
  const called = found.filter(({ suspected, scripted }) => !suspected && !scripted);
  call.names = () => called.flatMap((one) => (one.remote ? [] : namedBy(one, place)));
  for (const invocation of called) {
    const spellings = spellingsOf(invocation);
    const words = spellings[0]?.words ?? [];
    const git = gitVerb(words);
    const set = invocation.env.map(({ name, value }) => `${name}=${value.text}`);
    call.commands.push({ spellings, via: invocation.via, also: [...set, ...branchesOf(git, branch)] });
    branch = branchAfter(git) ?? branch;
    if (invocation.remote) continue;
    const changed = filesChanged(invocation, git).map((file) => inTree(file, invocation.cwd, place));
    call.changes.push(...changed);
    const { input, program, args } = invocation;
    const printed = programs('printers').has(program) ? args.map(({ text }) => text).join(' ') : '';
    const text = input.kind === 'text' ? input.text : printed;
    if (text !== '') call.added.push(...changed.map((path) => ({ path, text })));
  }
}

/** Returns the files that a command may name: its words, also behind `@`, `--file=` and `HEAD:`, and what it reads. */
const namedBy = ({ args, reads, cwd }: Invocation, place: CallPlace): string[] =>
  [...args, ...reads]
    .flatMap(({ text }) => [text, text.replace(/^(?:@|-*[\w-]+=|[^:/]*:)/, '')])
    .map((name) => inTree(name, cwd, place));

function spellingsOf({ program, path, args }: Invocation): Spelling[] {
  const spelled = (words: string[]): Spelling => {
    const written = oneSpelling(words);
    // alone, yarn installs
    const alone = written[0] === 'yarn' && written.length === 1;
    return { words: alone ? ['yarn', 'install'] : written, path: (words[0] ?? '').replace(/^\.\//, '') };
  };
  const first = spelled([path === '' ? program : path, ...args.map(({ text }) => text)].map(plainForm));
  const script = scriptOf(first.words);
  return script === null ? [first] : [first, spelled(script)];
}

/** Returns the script that an interpreter is given, with its arguments; null if it is given none. */
function scriptOf([program = '', ...args]: string[]): string[] | null {
  if (!SHELLS.has(program) && !isInterpreter(program)) return null;
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const inline = args.slice(0, Math.max(at, 0)).some((arg) => /^-(?:\w*[cem]|-eval|p)$/.test(arg));
  return at < 0 || inline || /\s/.test(args[at] as string) ? null : args.slice(at);
}

type Git = { verb: string; args: string[] };

/** Returns what git is told to do, without the options before it; null for other programs. */
function gitVerb([program, ...words]: string[]): Git | null {
  if (program !== 'git') return null;
  const at = words.findIndex((word, i) => !word.startsWith('-') && !/^-[Cc]$/.test(words[i - 1] ?? ''));
  return at < 0 ? null : { verb: words[at] as string, args: words.slice(at + 1) };
}

/** Returns the branch that a command of git changes to; null if it changes to none. */
function branchAfter(git: Git | null): string | null {
  if (git === null || !/^(?:checkout|switch)$/.test(git.verb) || git.args.includes('--')) return null;
  return git.args.find((arg) => !arg.startsWith('-')) ?? null;
}

/** Returns the branches that a push names, and that `+main` forces it; else, and for a commit, the one that is checked out; of tags alone none. */
function branchesOf(git: Git | null, checkedOut: string | null): string[] {
  if (git === null || !/^(?:push|commit)$/.test(git.verb)) return [];
  const [, ...refs] = git.verb === 'push' ? plain(git.args) : [];
  const named = refs.map((ref) => (ref.split(':').at(-1) ?? '').replace(/^\+|^refs\/heads\//g, ''));
  if (refs.length === 0 && git.args.includes('--tags')) return [];
  const own = named.filter((name) => name !== '' && name !== 'HEAD');
  const forced = refs.some((ref) => ref.startsWith('+')) ? ['--force'] : [];
  return own.length > 0 ? [...forced, ...own] : checkedOut === null ? [] : [checkedOut];
}

const plain = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('-'));

/** Git's commands that bring other files into the work tree. */
const BRINGS = /^(?:checkout|switch|restore|reset|stash|pull|merge|rebase|cherry-pick|revert|apply|am)$/;

/** Returns the files that a command writes, changes, moves or removes, as it names them; the folder, if git chooses them. */
function filesChanged(invocation: Invocation, git: Git | null): string[] {
  const behind = git?.verb === 'checkout' ? git.args.indexOf('--') : -1;
  const moves = /^(?:rm|mv|restore)$/.test(git?.verb ?? '') && !git?.args.includes('--staged');
  const byGit = behind >= 0 ? git?.args.slice(behind + 1) : moves ? plain(git?.args ?? []) : [];
  const known = changedBy(invocation, builtinPolicy.options)
    .map(({ text }) => text)
    // a build's own folder as a whole is made anew or cleaned, and not edited
    .filter((file) => !REGENERABLE.test(`${baseName(file.replace(/\/+$/, ''))}/`));
  const brought = behind < 0 && !moves && BRINGS.test(git?.verb ?? '') ? ['.'] : [];
  return [...known, ...(byGit ?? []), ...brought].filter((file) => file !== '' && !file.startsWith('/dev/'));
}
