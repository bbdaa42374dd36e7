import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCommand, surroundings } from '../commands/check.ts';
import { workTreeAround } from '../commands/files.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import { decide } from '../commands/precedence.ts';
import { codeOf, type KnownVerdict, type Learned } from '../commands/verdict.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { readLine } from '../shell/line.ts';
import { treeOf } from '../shell/tree.ts';
import type { ShownVerdict } from '../wire/routes.ts';
import { callServer, readSecret } from './client.ts';
import { fileProblem } from './file-problem.ts';
import { hint } from './hint.ts';
import { wrongUsage } from './options.ts';
import { type Output, print } from './print.ts';
import { here, warnOf } from './rules.ts';
import { table } from './table.ts';

/**
 * Prints how a command line is judged here: the parsed tree, the rules' verdict on each simple command, the
 * verdict of a person or the model on the whole line, and the code with which a person overrules it.
 *
 * @throws Problem (400, wrong usage) when there is no command
 */
export async function explain(config: Config, output: Output, command: string): Promise<void> {
  if (command.trim() === '') throw wrongUsage('Write the command as one word: lore explain "npm test".');
  const secret = readSecret(config);
  const cwd = process.cwd();
  const line = readLine(command);
  const asked = { command, line, place: surroundings(cwd, workTreeAround(cwd)) };
  const { judged } = await readCommand({ config, secret: secret ?? '' }, asked, true);
  warnOf(judged.problems);
  const { verdict: rules, covered } = judged;
  const key = secret === null ? null : judged.key;
  const code = key === null ? null : codeOf(key);
  const known = code === null ? null : await rememberedUnder(config, code);
  const shaped = secret === null || known ? null : await allowedAsShapes(config, judged.shapes);
  const decided = decide(
    { rules, covered, known: known ?? undefined, shapes: shaped?.shapes ?? null },
    config,
  );
  const source = decided?.source;
  const remembered = source === 'shape' ? (shaped?.first ?? null) : decided?.cached ? known : null;
  const decision = decided?.decision ?? 'unknown';
  const tree = treeOf(line);
  if (output.json) {
    const outward = decided?.outward ?? null;
    return print({
      decision,
      outward,
      rules: rules.decision,
      remembered,
      tree,
      parts: rules.parts,
      key,
      code,
    });
  }
  console.log(tree.join('\n'));
  console.log(
    table(
      ['verdict', 'command', 'inside', 'why'],
      rules.parts.map((part) => [
        part.decision,
        part.text,
        part.via.join(' › '),
        part.rule ? `${part.reason} (${part.rule}); instead: ${part.instead}` : part.reason,
      ]),
    ),
  );
  const said = code === null ? 'unknown here: no server has run with this data folder' : code;
  const by = remembered ? BY[remembered.checkedBy] : '';
  const why = `${by}${remembered?.once ? ', for the next time' : ''}; the rules: ${rules.decision}; lore verdicts drop ${remembered?.code} takes it back`;
  if (decided?.outward) console.log(`The client still asks about it: it ${decided.outward}.`);
  console.log(`${decision}${remembered ? ` (${why})` : ''}   code ${said}`);
  if (decision !== 'deny' || code === null) return;
  const never = rules.parts.some((part) => part.decision === 'deny' && part.severity === 'catastrophic');
  hint(
    never
      ? 'Nobody can allow it: if it is really meant, run it yourself in a terminal of your own.'
      : `Once an agent was denied it here, lore allow ${code} lets it run, with --once the next time only. A person does so in a terminal of their own.`,
  );
}

const BY = {
  person: 'a person said so',
  model: 'the model said so',
  shape: 'a person let its shape run before',
};

/** Returns the shapes if a person has allowed all of them, with the verdict on the first; else null. */
async function allowedAsShapes(config: Config, shapes: Learned[] | null) {
  const verdicts: (Remembered | null)[] = [];
  for (const { key } of shapes ?? []) verdicts.push(await rememberedUnder(config, codeOf(key)));
  const [first = null] = verdicts;
  if (shapes === null || first === null || !verdicts.every((one) => one?.decision === 'allow')) return null;
  // they are listed, but do not hold while the person has turned them off
  const { shapes: on } = await callServer(config, 'GET /v1/settings');
  return on === 'on' ? { shapes, first } : null;
}

/** A verdict that holds. */
type Remembered = KnownVerdict & Pick<ShownVerdict, 'code' | 'checkedBy'>;

/** Returns the verdict that holds under a code; null if there is none, or if no server answers. */
async function rememberedUnder(config: Config, code: string): Promise<Remembered | null> {
  try {
    const { verdicts } = await callServer(config, 'GET /v1/commands/verdicts', { query: { code } });
    const [found] = verdicts;
    if (!found) return null;
    const { decision, reason, checkedBy, once } = found;
    return { code, decision, reason, checkedBy, once, expiresAt: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(`warning: only the rules are told, not what a person allowed: ${error.detail}`);
    return null;
  }
}

/**
 * Judges a file of commands by the rules and prints the verdicts. The file has one command per line, or JSON lines with
 * a field `command`; `-` is standard input. Returns whether none was denied.
 */
export function check(config: Config, output: Output, file: string): boolean {
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
  return counts.deny === 0;
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
