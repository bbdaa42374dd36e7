import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Command, ParsedScript, SyntaxNode } from 'unbash';
import { clip } from '../base/text/clip.ts';
import { programs } from './names.ts';
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
const LIMITS_TIME = /^(?:(?:time|g?timeout(?: -\S+(?: \d\S*)?)* \d\S*) )+/;

/** Returns a command as it is written, without what only changes how its output looks: colours, a time limit, redirections. */
function plainText(node: Command, text: string): string {
  const runs = outputKind(toStep(node)) === 'runs';
  const prefix = node.prefix.filter(
    (part) => !(node.name && part.type === 'Assignment' && COSMETIC.test(part.name)),
  );
  return [...prefix, ...(node.name ? [node.name] : []), ...node.suffix]
    .filter((part) => part.type !== 'Redirect' || !isOutput(part) || (!runs && writesFile(part)))
    .map((part) => text.slice(part.pos, part.end))
    .join(' ')
    .replace(LIMITS_TIME, '');
}

/** Whether a command only prepares, or only tells or shows how another one went: `cd x`, `echo $?`, `tail log`. */
function isAside(node: Command, begun: boolean, runs: boolean): boolean {
  if (!node.name)
    return node.prefix.every((part) => part.type === 'Assignment' && /\$\?|PIPESTATUS/.test(part.text));
  const name = node.name.value;
  if (/^(cd|pushd|set)$/.test(name)) return !begun && node.prefix.length === 0;
  const tells = /^(echo|printf|true|:|exit)$/.test(name) || (runs && programs('filters').has(name));
  return (
    tells &&
    [...node.prefix, ...node.suffix].every((part) =>
      part.type === 'Word' ? !/\$\(|`|<\(/.test(part.text) : part.type === 'Redirect' && !writesFile(part),
    )
  );
}

/** Returns the key of a list of commands; null when it has a here-document. */
function keyOfList({ text, pipelines }: Read, statements: ParsedScript['commands']): string | null {
  const runs = (pipelines ?? []).some(({ steps }) => steps.some((step) => outputKind(step) === 'runs'));
  const parts: { said: string; joint: string; aside: boolean; statement: number }[] = [];
  for (const [statement, { command }] of statements.entries()) {
    const [nodes, operators] =
      command.type === 'AndOr' ? [command.commands, command.operators] : [[command], []];
    for (const [i, node] of nodes.entries()) {
      const stages: readonly SyntaxNode[] = node.type === 'Pipeline' ? node.commands : [node];
      const whole = text.slice(node.pos, node.end);
      const commands = stages.filter((one) => one.type === 'Command');
      const plain = commands.length === stages.length;
      const documents = commands.some((one) => one.redirects.some(({ type }) => type === 'HereDoc'));
      if (documents || (!plain && whole.includes('<<'))) return null;
      const begun = parts.some((one) => !one.aside);
      const [first] = commands;
      // filters at the end go; of what is run for its output, only a pager is one
      const filters = first && outputKind(toStep(first)) === 'runs' ? programs('filters') : PAGERS;
      const last = commands.findLastIndex((one) => one === first || !filters.has(one.name?.value ?? ''));
      const said = commands.slice(0, last + 1).map((one) => plainText(one, text));
      parts.push({
        said: plain ? (/^!/.test(whole) ? '! ' : '') + said.join(' | ') : whole,
        joint: ` ${operators[i - 1] ?? '&&'} `,
        aside: plain && commands.every((one) => isAside(one, begun, runs)),
        statement,
      });
    }
  }
  const acting = parts.filter((one) => !one.aside);
  const kept = acting.length > 0 ? acting : parts;
  const ends = statements.map(({ background }) => (background ? ' & ' : '; '));
  const said = kept.map((one, i) => {
    const before = kept[i - 1]?.statement;
    const joint = before === one.statement ? one.joint : before === undefined ? '' : ends[before];
    return joint + one.said;
  });
  return said.join('') + (ends[kept.at(-1)?.statement ?? 0] === ' & ' ? ' &' : '');
}

/**
 * Returns a key that is equal for two commands that do the same and differ only in cosmetics: whitespace, comments, a
 * leading `cd x &&`, `time` and `timeout N`, redirected output, filters (`| tail -20`, `; tail log`), `; echo done`,
 * `|| true`, colour variables. Everything else stays, in its order. If a command is run for its output (`cat`, `git log |
 * grep x`), files and filters stay too. Loops stay as they are, and of here-documents only the whitespace is collapsed.
 *
 * The key has at most 617 characters; a longer one is cut and ends in a hash of the whole. The key of a key is the key
 * itself. Never throws.
 *
 * @example readLine('cd web && npm test 2>&1 | tail -20; echo done').key // 'npm test'
 */
export function commandKey(line: Read): string {
  if (/^.{599,600}…[0-9a-f]{16}$/s.test(line.text)) return line.text;
  let statements = line.tree?.commands ?? [];
  const [only] = statements;
  if (only && statements.length === 1 && !only.background && only.command.type === 'Subshell')
    statements = only.command.body.commands;
  // Postgres takes no NUL in text
  const whole = line.text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
  const key = (line.tree && keyOfList(line, statements)) || whole;
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
