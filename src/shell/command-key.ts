import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Command, ParsedScript, PipelineNode, Statement, Subshell } from 'unbash';
import { print } from 'unbash/printer';
import { clip } from '../base/text/clip.ts';
import { known } from './arg.ts';
import { programs } from './lists.ts';
import { FILTERS } from './names.ts';
import {
  commandWords,
  isOutput,
  outputKind,
  realCommand,
  type ShellPipeline,
  SPEAKERS,
  toStep,
  writesFile,
} from './steps.ts';
import { insideOf } from './wrappers.ts';

export { clip } from '../base/text/clip.ts';

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
  if (!pipelines) {
    const words = text.slice(0, 1_000).trim().split(/\s+/);
    return realCommand(words.filter((word) => !/^[A-Za-z_]\w*\+?=/.test(word))).program;
  }
  const firsts = pipelines.flatMap(({ steps }) => steps[0]?.program || []);
  return firsts.find((program) => !SPEAKERS.has(program)) ?? firsts[0] ?? '';
}

// These variables change how the output looks, never what the command does.
const COSMETIC =
  /^(NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|PAGER|GIT_PAGER|PYTHONUNBUFFERED)$/;
const PAGERS = programs('pagers');
type Node = Statement['command'];

/** Returns a command without what only changes how its output looks: colours, a time limit, redirected output. */
function simplified(node: Command): Command {
  const runs = outputKind(toStep(node)) === 'runs';
  const keeps = (part: Command['prefix'][number] | Command['suffix'][number]): boolean =>
    part.type === 'Redirect'
      ? !isOutput(part) || (!runs && writesFile(part))
      : !(
          node.name &&
          part.type === 'Assignment' &&
          COSMETIC.test(part.name) &&
          node.prefix.includes(part as never)
        );
  const prefix = node.prefix.filter(keeps);
  const suffix = node.suffix.filter(keeps);
  if (!/^time(out)?$/.test(node.name?.value ?? '')) return { ...node, prefix, suffix };
  const words = suffix.filter((part) => part.type === 'Word');
  const found = insideOf(
    node.name?.value ?? '',
    words.map(({ value }) => known(value)),
  );
  const name = words[words.length - (found?.words.length ?? 0)];
  return name
    ? { ...node, prefix, name, suffix: suffix.slice(suffix.indexOf(name) + 1) }
    : { ...node, prefix, suffix };
}

/** Returns a pipeline without the filters at its end. If it is run for its output, only a pager is one. */
function withoutFilters(node: Node): Node {
  if (node.type === 'Command') return simplified(node);
  if (node.type === 'Redirected' && node.redirects.every(isOutput)) return node.command;
  if (node.type !== 'Pipeline') return node;
  const [head] = node.commands;
  const runs = head?.type !== 'Command' || outputKind(toStep(head)) === 'runs';
  const last = node.commands.findLastIndex(
    (one, i) => i === 0 || one.type !== 'Command' || !(runs ? FILTERS : PAGERS).has(one.name?.value ?? ''),
  );
  const commands = node.commands
    .slice(0, last + 1)
    .map((one) => (one.type === 'Command' ? simplified(one) : one));
  const prefixes = node.prefixes.filter(({ type }) => type === 'Negation');
  if (commands[0] && commands.length === 1 && prefixes.length === 0) return commands[0];
  return { ...node, prefixes, commands, operators: commands.slice(1).map(() => '|') };
}

/** Whether a part of a line only prepares, or only tells or shows how another one went: `cd x`, `echo $?`, `tail log`. */
function isAside(node: Node, begun: boolean, runs: boolean): boolean {
  if (node.type === 'Pipeline') return node.commands.every((one) => isAside(one, begun, runs));
  if (node.type !== 'Command') return false;
  if (!node.name)
    return node.prefix.every((part) => part.type === 'Assignment' && /\$\?|PIPESTATUS/.test(part.text));
  const name = node.name.value;
  if (/^(cd|pushd|set)$/.test(name)) return !begun && node.prefix.length === 0;
  const tells = /^(echo|printf|true|:|exit)$/.test(name) || (runs && FILTERS.has(name));
  const parts = [...node.prefix, ...node.suffix];
  return (
    tells &&
    parts.every((part) =>
      part.type === 'Word' ? !/\$\(|`|<\(/.test(part.text) : part.type === 'Redirect' && !writesFile(part),
    )
  );
}

function keyPass({ text, tree, pipelines }: Read): string {
  const collapsed = text.replace(/\s+/g, ' ').trim();
  if (!tree) return collapsed;
  const runs = (pipelines ?? []).some(({ steps }) => steps.some((step) => outputKind(step) === 'runs'));
  let begun = false;
  const kept = tree.commands.flatMap((statement) => {
    const { command } = statement;
    const [all, operators] =
      command.type === 'AndOr' ? [command.commands, command.operators] : [[command], []];
    const parts = all.flatMap((node, i) => {
      const aside = isAside(node, begun, runs);
      begun ||= !aside;
      return aside ? [] : [{ node: withoutFilters(node), operator: operators[i - 1] ?? '&&' }];
    });
    const [only] = parts;
    if (!only) return [];
    const commands = parts.map(({ node }) => node as PipelineNode);
    const list = { ...command, commands, operators: parts.slice(1).map(({ operator }) => operator) };
    return [{ ...statement, command: parts.length === 1 ? only.node : (list as Node) }];
  });
  const [only] = kept;
  const group =
    only && kept.length === 1 && !only.background && /^(Subshell|BraceGroup)$/.test(only.command.type);
  const statements = group
    ? (only.command as Subshell).body.commands
    : kept.length > 0
      ? kept
      : tree.commands;
  try {
    const lines = statements.map((statement) =>
      print({ ...tree, shebang: undefined, commands: [statement] }),
    );
    const glue = lines.some((line) => line.includes('\n')) ? '\n' : '; ';
    const ended = lines.map((line) => (glue === '; ' && line.endsWith(' &') ? `${line} ` : line + glue));
    return ended.join('').replace(/[;\s]+$/, '') || collapsed;
  } catch {
    return collapsed;
  }
}

/**
 * Returns a key that is equal for two commands that do the same and differ only in cosmetics: whitespace, comments, a
 * leading `cd x &&`, `time` and `timeout N`, redirected output, filters (`| tail -20`, `; tail log`), `; echo done`,
 * `|| true`, colour variables. Everything else stays, in its order. If a command is run for its output (`cat`, `git log |
 * grep x`), files and filters stay too. If the text is not valid bash, only its whitespace is collapsed.
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
  let folder = cwd;
  for (const { command } of script?.commands ?? [])
    for (const part of command.type === 'AndOr' ? command.commands : [command]) {
      const [name, to = '.'] = part.type === 'Command' ? commandWords(part) : [];
      if (name !== 'cd') return folder;
      folder = resolve(folder, to);
    }
  return folder;
}
