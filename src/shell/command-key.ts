import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import type {
  Assignment,
  Command,
  CommandNode,
  LogicalOperator,
  PipelineNode,
  Redirection,
  Statement,
  Word,
} from 'unbash';
import { print } from 'unbash/printer';
import { dropOldest } from '../drop-oldest.ts';
import { clip } from '../text/clip.ts';
import { known } from './arg.ts';
import { outputKind, SPEAKERS } from './looks.ts';
import { baseName, FILTERS, PAGERS, words } from './names.ts';
import { isShellTool, shellCommandOf, takesFields } from './shell-tools.ts';
import {
  ASSIGNMENT,
  commandWords,
  isOutput,
  parseShell,
  realCommand,
  shellPipelines,
  toStep,
  writesFile,
} from './steps.ts';
import { commandOf, wrapperOf } from './wrappers.ts';

export { clip } from '../text/clip.ts';

/** In characters. A key fits into a btree index row (2,704 bytes) even when every character takes three bytes. */
const MAX_KEY = 600;

/**
 * Returns the program that a command line is about, for grouping: the basename of the first program that is neither
 * preparation (`cd`, `export`, `echo` …) nor a wrapper (`sudo`, `timeout`, `npx` …). Versions count as one program:
 * `python3.11` is `python`. Returns '' when the line runs no program.
 *
 * @example programOf('cd web && timeout 60 npx vitest run') // 'vitest'
 */
export function programOf(command: string): string {
  const pipelines = shellPipelines(command);
  if (!pipelines)
    return realCommand(
      command
        .slice(0, 1_000)
        .trim()
        .split(/\s+/)
        .filter((word) => !ASSIGNMENT.test(word)),
    ).program;
  const firsts = pipelines.flatMap(({ steps }) => steps[0]?.program || []);
  return firsts.find((program) => !SPEAKERS.has(program)) ?? firsts[0] ?? '';
}

/** Returns the program of a command line with its subcommand, if it has one: `git push`, `npm run`, `tsc`. */
export function invocationOf(command: string): string {
  const program = programOf(command);
  const list = command.split(/\s+/);
  const at = list.findIndex((word) => baseName(word).startsWith(program));
  const next = list[at + 1] ?? '';
  return /^[a-z][a-z-]*$/.test(next) ? `${program} ${next}` : program;
}

// These variables change how the output looks, never what the command does. All other assignments stay in the key,
// because NODE_ENV=test, CI=1 or DATABASE_URL=… make it a different run.
const COSMETIC = new Set(
  words('NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE TERM COLUMNS LINES PAGER GIT_PAGER PYTHONUNBUFFERED'),
);

function simplifyCommand(node: Command): Command {
  const step = toStep(node);
  const outputIsThePoint = outputKind(step) !== 'runs';
  const keeps = (part: Redirection | Word | Assignment): boolean => {
    if (part.type === 'Assignment' || part.type === 'Word') return true;
    return !isOutput(part) || (outputIsThePoint && writesFile(part));
  };
  const prefix = node.prefix.filter(
    (part) => keeps(part) && !(node.name && part.type === 'Assignment' && COSMETIC.has(part.name)),
  );
  const suffix = node.suffix.filter(keeps);
  const name = node.name?.value ?? '';
  const wrapper = name === 'timeout' || name === 'time' ? wrapperOf(name) : undefined;
  if (wrapper) {
    const argv = suffix.filter((part) => part.type === 'Word');
    const { length } = commandOf(
      argv.map((part) => known(part.value)),
      wrapper,
    ).words;
    const inside = argv[argv.length - length];
    if (inside) return { ...node, prefix, name: inside, suffix: suffix.slice(suffix.indexOf(inside) + 1) };
  }
  return { ...node, prefix, suffix };
}

function isSetup(node: Statement['command']): boolean {
  if (node.type !== 'Command' || node.prefix.length > 0) return false;
  const [name, option] = commandWords(node);
  return name === 'cd' || name === 'pushd' || (name === 'set' && /^[-+]/.test(option ?? ''));
}

/**
 * Whether a command only reports how another one went: `echo done`, `true`, `exit $?`, `rc=$?`, `tail` of a file in
 * `written`.
 */
function isTalk(node: Statement['command'], written: Set<string>): boolean {
  if (node.type === 'AndOr') return node.commands.every((part) => isTalk(part, written));
  if (node.type !== 'Command') return false;
  const parts = [...node.prefix, ...node.suffix];
  if (!node.name)
    return parts.every((part) => part.type === 'Assignment' && /\$\?|PIPESTATUS/.test(part.text));
  const quiet = ['echo', 'printf', 'true', ':', 'exit'].includes(node.name.value);
  if (quiet) return parts.every((part) => part.type === 'Word' && !/\$\(|`|<\(/.test(part.text));
  return (
    FILTERS.has(node.name.value) && parts.some((part) => part.type === 'Word' && written.has(part.value))
  );
}

function simplifyNode(node: Statement['command'], written: Set<string>): Statement['command'] {
  switch (node.type) {
    case 'Command':
      return simplifyCommand(node);
    case 'Pipeline': {
      const head = node.commands[0];
      const shown = head?.type === 'Command' && outputKind(toStep(head)) !== 'runs';
      const droppable = shown ? PAGERS : FILTERS;
      let length = node.commands.length;
      for (let last = node.commands[length - 1]; length > 1 && last?.type === 'Command'; ) {
        if (!droppable.has(last.name?.value ?? '')) break;
        last = node.commands[--length - 1];
      }
      const prefixes = node.prefixes.filter((prefix) => prefix.type === 'Negation');
      const commands = node.commands
        .slice(0, length)
        .map((part) => simplifyNode(part, written) as CommandNode);
      if (commands.length === 1 && prefixes.length === 0 && commands[0]) return commands[0];
      return { ...node, prefixes, commands, operators: commands.slice(1).map(() => '|') };
    }
    case 'AndOr': {
      const links = node.commands.map((part, index) => ({
        part: simplifyNode(part, written) as PipelineNode,
        operator: node.operators[index - 1] as LogicalOperator,
      }));
      while (links.length > 1 && links[0] && isSetup(links[0].part) && links[1]?.operator === '&&')
        links.shift();
      const doing = links.filter(({ part }) => !isTalk(part, written));
      const kept = doing.length > 0 ? doing : links;
      if (kept.length === 1 && kept[0]) return kept[0].part;
      return {
        ...node,
        commands: kept.map(({ part }) => part),
        operators: kept.slice(1).map(({ operator }) => operator),
      };
    }
    case 'Redirected': {
      const redirects = node.redirects.filter((part) => !isOutput(part) || writesFile(part));
      return redirects.length > 0 ? { ...node, redirects } : node.command;
    }
    default:
      return node;
  }
}

function simplify(statements: readonly Statement[], written: Set<string>): Statement[] {
  let list = statements.map((statement) => ({
    ...statement,
    command: simplifyNode(statement.command, written),
  }));
  while (list.length > 1 && list[0] && isSetup(list[0].command)) list = list.slice(1);
  const doing = list.filter(({ command }) => !isTalk(command, written));
  if (doing.length > 0) list = doing;
  const only = list.length === 1 ? list[0] : undefined;
  if (only && !only.background && (only.command.type === 'Subshell' || only.command.type === 'BraceGroup'))
    return simplify(only.command.body.commands, written);
  return list;
}

function keyPass(command: string): string {
  const collapsed = command.replace(/\s+/g, ' ').trim();
  const script = parseShell(command);
  if (!script) return collapsed;
  try {
    const made = (shellPipelines(command) ?? [])
      .flatMap(({ steps }) => steps)
      .filter((step) => outputKind(step) === 'runs');
    const written = new Set(made.flatMap(({ writes }) => writes));
    const lines = simplify(script.commands, written).map((statement) =>
      print({ ...script, shebang: undefined, commands: [statement] }),
    );
    const glue = lines.some((line) => line.includes('\n')) ? '\n' : '; ';
    const ended = lines.map((line) => (glue === '; ' && line.endsWith(' &') ? `${line} ` : line + glue));
    return ended.join('').replace(/[;\s]+$/, '') || collapsed;
  } catch {
    return collapsed;
  }
}

/**
 * Returns a key that is equal for two commands that do the same and differ only in cosmetics: whitespace,
 * comments, a leading `cd x &&`, `time` and `timeout N`, redirected output, trailing filters (`| tail -20`,
 * `| grep x`), `; echo done`, `|| true`, colour variables. Everything else stays, in its order. If a command
 * is run for its output (`cat`, `echo x > f`, `git log | grep x`), files and filters stay too. If the text is
 * not valid bash, only its whitespace is collapsed.
 *
 * The key has at most 617 characters; a longer one is cut and ends in a hash of the whole. The key of a key is the key
 * itself: `commandKey(commandKey(c)) === commandKey(c)`. Never throws.
 *
 * @example commandKey('cd web && npm test 2>&1 | tail -20; echo done') // 'npm test'
 */
export function commandKey(command: string): string {
  if (/^.{599,600}…[0-9a-f]{16}$/s.test(command)) return command;
  // Postgres takes no NUL in text
  let key = command.replaceAll('\0', '');
  // removing one part can bring the next one to the end, so this repeats until nothing changes
  for (let pass = 0; pass < 20; pass++) {
    const next = keyPass(key);
    if (next === key) break;
    key = next;
  }
  if (key.length <= MAX_KEY) return key;
  return `${clip(key, MAX_KEY)}…${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

const field = (input: unknown, name: string): string | null => {
  const value = input !== null && typeof input === 'object' ? (input as Record<string, unknown>)[name] : null;
  return typeof value === 'string' && value !== '' ? value : null;
};

/**
 * Returns JSON with sorted keys, so that the order in which a client sends them does not matter; null when it nests too
 * deeply for the stack.
 */
function stableJson(value: unknown): string | null {
  const sorted = (_key: string, part: unknown): unknown =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  try {
    return JSON.stringify(value, sorted) ?? null;
  } catch {
    return null;
  }
}

/** Returns the folder that a command runs in: `cwd`, changed by the `cd`s that the command begins with. */
function commandDirectory(command: string, cwd: string): string {
  const parts = (parseShell(command)?.commands ?? []).flatMap(({ command: node }) =>
    node.type === 'AndOr' ? node.commands : [node],
  );
  const end = parts.findIndex((part) => part.type !== 'Command' || commandWords(part)[0] !== 'cd');
  return parts
    .slice(0, end < 0 ? parts.length : end)
    .reduce((dir, part) => resolve(dir, commandWords(part as Command)[1] ?? '.'), cwd);
}

/** Targets that were computed last. Each one is needed twice, before and after the command runs. */
const remembered = new Map<string, string>();
const MAX_REMEMBERED = 100;

function bashTarget(command: string, place: { cwd: string; root: string } | undefined): string {
  const asked = JSON.stringify([command, place?.cwd, place?.root]);
  const known = remembered.get(asked);
  if (known !== undefined) return known;
  const key = commandKey(command);
  const dir = place ? relative(place.root, commandDirectory(command, place.cwd)) : '';
  const target = dir === '' ? key : `cd ${clip(dir, 200)} && ${key}`;
  remembered.set(asked, target);
  dropOldest(remembered, MAX_REMEMBERED);
  return target;
}

/**
 * Returns what a tool call was about, in a form that can be compared between calls:
 * - tools that run a shell line: the command's key. If the command runs in another folder than `root`, `cd <dir> &&` comes before
 * the key,
 *   because `npm test` in one package is not `npm test` in another
 * - file tools: the file
 * - searches: pattern and path
 * - WebFetch: the URL
 * - MCP tools: compact JSON of at most 300 characters
 *
 * Returns null for other tools and for input of another shape.
 *
 * @param place the folder that the session's shell is in, and the project's folder
 */
export function toolTarget(
  tool: string,
  input: unknown,
  place?: { cwd: string; root: string },
): string | null {
  const command = shellCommandOf(tool, input);
  if (isShellTool(tool)) return command === null || command === '' ? null : bashTarget(command, place);
  switch (tool) {
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
    case 'NotebookEdit':
    case 'Read':
      return field(input, 'file_path') ?? field(input, 'notebook_path');
    case 'Grep':
    case 'Glob': {
      const pattern = field(input, 'pattern');
      const path = field(input, 'path');
      return pattern && path ? `${pattern} ${path}` : pattern;
    }
    case 'WebFetch':
      return field(input, 'url');
    default:
      return takesFields(tool) ? clip(stableJson(input) ?? '', 300) || null : null;
  }
}

/**
 * Returns the files that a call of a writing tool (Edit, MultiEdit, Write, NotebookEdit) changes; none for other tools.
 */
export function filesTouched(tool: string, input: unknown): string[] {
  const writes = tool === 'Edit' || tool === 'MultiEdit' || tool === 'Write' || tool === 'NotebookEdit';
  const file = writes ? toolTarget(tool, input) : null;
  return file === null ? [] : [file];
}
