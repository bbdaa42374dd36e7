import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cacheKey } from '../commands/cache-key.ts';
import { askWhatIsLost } from '../commands/discards.ts';
import { ABSENT } from '../commands/files.ts';
import { openHeld } from '../commands/held.ts';
import { judgeByPolicy, judgeLine } from '../commands/judge.ts';
import { shapesOf } from '../commands/shapes.ts';
import { codeOf } from '../commands/verdict.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { readLine } from '../shell/line.ts';
import { treeOf } from '../shell/tree.ts';
import { callServer, readSecret } from './client.ts';
import { fileProblem } from './file-problem.ts';
import { type Output, print, table } from './print.ts';
import { here, warnOf } from './rules.ts';

type Verdict = {
  code: string;
  decision: 'allow' | 'deny';
  checkedBy: 'person' | 'model' | 'shape';
  once: boolean;
};

/**
 * Prints how a command line is judged here: the parsed tree, the rules' verdict on each simple command, the
 * verdict of a person or the model on the whole line, and the code with which a person overrules it.
 *
 * @throws Problem (400) when there is no command
 */
export async function explain(config: Config, output: Output, command: string): Promise<void> {
  if (command.trim() === '') {
    const detail = 'Write the command as one word: lore explain "npm test".';
    throw new Problem({ status: 400, title: 'No command', detail });
  }
  const line = readLine(command);
  const { place: around, files, inForce } = here(config);
  warnOf(inForce.problems);
  // what is read counts for the key, as it does in the server
  const ran = new Set<string>();
  const read = (path: string) => {
    ran.add(path);
    return files.read(path);
  };
  const place = {
    ...around,
    read,
    real: (path: string) => files.real(path),
    list: files.list,
    exists: (path: string) => ![ABSENT, 'ENOTDIR'].includes(files.stamp(path)),
    held: openHeld(),
  };
  const verdict = await askWhatIsLost(judgeLine(line, place, inForce.policy), place);
  const secret = readSecret(config);
  const key = secret === null ? null : cacheKey(secret, command, verdict.invocations, place, files, ran);
  const code = key === null ? null : codeOf(key);
  const onLine = code === null ? null : await rememberedUnder(config, code);
  const shapes = secret === null ? null : shapesOf(secret, verdict, place.root, files);
  const remembered = onLine ?? (shapes && (await allowedAsShapes(config, shapes)));
  // a deny by any rule outranks the model, and a person all but the catastrophic rules, which nobody can allow
  const holds = remembered?.checkedBy === 'person' || verdict.decision === 'unknown' ? remembered : null;
  const decision = holds?.decision ?? verdict.decision;
  const tree = treeOf(line);
  if (output.json) {
    return print({
      decision,
      rules: verdict.decision,
      remembered: holds,
      tree,
      parts: verdict.parts,
      key,
      code,
    });
  }
  console.log(tree.join('\n'));
  console.log(
    table(
      ['verdict', 'command', 'inside', 'why'],
      verdict.parts.map((part) => [
        part.decision,
        part.text,
        part.via.join(' › '),
        part.rule ? `${part.reason} (${part.rule}); instead: ${part.instead}` : part.reason,
      ]),
    ),
  );
  const said = code === null ? 'unknown here: no server has run with this data folder' : code;
  const by = holds ? BY[holds.checkedBy] : '';
  const why = `${by}${holds?.once ? ', for the next time' : ''}; the rules: ${verdict.decision}; lore verdicts drop ${holds?.code} takes it back`;
  console.log(`${decision}${holds ? ` (${why})` : ''}   code ${said}`);
}

const BY = {
  person: 'a person said so',
  model: 'the model said so',
  shape: 'a person let its shape run before',
};

/** Returns the first of the shapes as a verdict if all are allowed; else null. */
async function allowedAsShapes(config: Config, shapes: { key: string }[]): Promise<Verdict | null> {
  const known: (Verdict | null)[] = [];
  for (const { key } of shapes) known.push(await rememberedUnder(config, codeOf(key)));
  return known.every((one) => one !== null) ? (known[0] ?? null) : null;
}

/** Returns the verdict that holds under a code; null if there is none, or if no server answers. */
async function rememberedUnder(config: Config, code: string): Promise<Verdict | null> {
  try {
    const { verdicts } = await callServer(config, 'GET /v1/commands/verdicts', { query: { code } });
    const [found] = verdicts;
    return found ? { code, decision: found.decision, checkedBy: found.checkedBy, once: found.once } : null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(`warning: only the rules are told, not what a person allowed: ${error.detail}`);
    return null;
  }
}

/**
 * Judges a file of commands by the rules and prints the verdicts. The file has one command per line, or JSON lines with
 * a field `command`; `-` is standard input.
 */
export function check(config: Config, output: Output, file: string): void {
  const lines = textOf(file).split(/\r?\n/);
  warnOf(here(config).inForce.problems);
  const counts = { allow: 0, deny: 0, unknown: 0 };
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const command = commandOf(line);
    // each command has its own limits on reading files
    const { place, inForce } = here(config);
    const verdict = judgeByPolicy(command, place, inForce.policy);
    counts[verdict.decision] += 1;
    const part = verdict.parts.find((p) => p.decision === verdict.decision);
    if (output.json) {
      console.log(
        JSON.stringify({ command, decision: verdict.decision, rule: part?.rule, reason: part?.reason }),
      );
    } else {
      console.log(`${verdict.decision.padEnd(8)} ${command}${part?.rule ? `   [${part.rule}]` : ''}`);
    }
  }
  if (!output.json)
    console.log(`${counts.allow} allowed, ${counts.deny} denied, ${counts.unknown} not known to the rules`);
}

/** @throws Problem (400) when the file cannot be read */
function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : resolve(file), 'utf8');
  } catch (error) {
    throw fileProblem(error, file) ?? error;
  }
}

function commandOf(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { command } = JSON.parse(line) as { command?: unknown };
    return typeof command === 'string' ? command : line;
  } catch {
    return line;
  }
}
