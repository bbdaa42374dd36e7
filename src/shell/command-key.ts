import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type {
  Assignment,
  Command,
  CommandNode,
  LogicalOperator,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  Word,
} from 'unbash';
import { print } from 'unbash/printer';
import { clip } from '../text/clip.ts';
import { known } from './arg.ts';
import { outputKind, SPEAKERS } from './looks.ts';
import { FILTERS, PAGERS, words } from './names.ts';
import {
  ASSIGNMENT,
  commandWords,
  isOutput,
  realCommand,
  type ShellPipeline,
  toStep,
  writesFile,
} from './steps.ts';
import { insideOf } from './wrappers.ts';

export { clip } from '../text/clip.ts';

/** In characters. A key fits into a btree index row (2,704 bytes) even when every character takes three bytes. */
const MAX_KEY = 600;

/** What was read of a text: its tree and its commands; null when it is not valid bash. */
export type Read = { text: string; tree: ParsedScript | null; pipelines: readonly ShellPipeline[] | null };

/**
 * Returns the program that a command line is about, for grouping: the basename of the first program that is neither
 * preparation (`cd`, `export`, `echo` …) nor a wrapper (`sudo`, `timeout`, `npx` …). Versions count as one program:
 * `python3.11` is `python`. Returns '' when the line runs no program.
 *
 * @example readLine('cd web && timeout 60 npx vitest run').program // 'vitest'
 */
export function programOf({ text, pipelines }: Omit<Read, 'tree'>): string {
  if (!pipelines)
    return realCommand(
      text
        .slice(0, 1_000)
        .trim()
        .split(/\s+/)
        .filter((word) => !ASSIGNMENT.test(word)),
    ).program;
  const firsts = pipelines.flatMap(({ steps }) => steps[0]?.program || []);
  return firsts.find((program) => !SPEAKERS.has(program)) ?? firsts[0] ?? '';
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
  if (name === 'timeout' || name === 'time') {
    const argv = suffix.filter((part) => part.type === 'Word');
    const found = insideOf(
      name,
      argv.map((part) => known(part.value)),
    );
    const inside = argv[argv.length - (found?.words.length ?? 0)];
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

function keyPass({ text, tree: script, pipelines }: Read): string {
  const collapsed = text.replace(/\s+/g, ' ').trim();
  if (!script) return collapsed;
  try {
    const made = (pipelines ?? [])
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
 * itself. Never throws.
 *
 * @param read reads another text
 * @example readLine('cd web && npm test 2>&1 | tail -20; echo done').key // 'npm test'
 */
export function commandKey(line: Read, read: (text: string) => Read): string {
  if (/^.{599,600}…[0-9a-f]{16}$/s.test(line.text)) return line.text;
  // Postgres takes no NUL in text
  let last = line.text.includes('\0') ? read(line.text.replaceAll('\0', '')) : line;
  // removing one part can bring the next one to the end, so this repeats until nothing changes
  for (let pass = 0; pass < 20; pass++) {
    const next = keyPass(last);
    if (next === last.text) break;
    last = read(next);
  }
  const key = last.text;
  if (key.length <= MAX_KEY) return key;
  return `${clip(key, MAX_KEY)}…${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

/** Returns the folder that a line runs in: `cwd`, changed by the `cd`s that the line begins with. */
export function folderOf(script: ParsedScript | null, cwd: string): string {
  const parts = (script?.commands ?? []).flatMap(({ command: node }) =>
    node.type === 'AndOr' ? node.commands : [node],
  );
  const end = parts.findIndex((part) => part.type !== 'Command' || commandWords(part)[0] !== 'cd');
  return parts
    .slice(0, end < 0 ? parts.length : end)
    .reduce((dir, part) => resolve(dir, commandWords(part as Command)[1] ?? '.'), cwd);
}
