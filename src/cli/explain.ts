import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { readCommand, surroundings } from '../commands/check.ts';
import { workTreeAround } from '../commands/files.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import { decide } from '../commands/precedence.ts';
import { codeOf, type KnownVerdict, type Learned } from '../commands/verdict.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { readLine } from '../shell/line.ts';
import { treeOf } from '../shell/tree.ts';
import type { ShownVerdict, Stop } from '../wire/routes.ts';
import { callServer, readSecret } from './client.ts';
import { fileProblem } from './file-problem.ts';
import { branchHere, projectHere, rootHere } from './here.ts';
import { asCalled, hint } from './hint.ts';
import type { Io } from './io.ts';
import { wrongUsage } from './options.ts';
import { plain } from './print.ts';
import { here, warnOf } from './rules.ts';
import { table } from './table.ts';
import { say } from './wrap.ts';

/**
 * Prints how a command line is judged here: the parsed tree, the rules' verdict on each simple command, the
 * verdict of a person or the model on the whole line, and the code with which a person overrules it.
 *
 * @throws Problem (400, wrong usage) when there is no command, or when it is not one word
 */
export async function explain(config: Config, io: Io, words: string[]): Promise<void> {
  const [command = '', ...more] = words;
  if (command.trim() === '' || more.length > 0) {
    const meant = words.join(' ').trim() || 'npm test';
    throw wrongUsage(`Write the command in quotes, as one word: lore explain ${quoted(meant)}.`);
  }
  const secret = readSecret(config);
  const cwd = io.cwd;
  const line = readLine(command);
  const asked = { command, line, place: surroundings(cwd, workTreeAround(cwd)) };
  const { judged } = await readCommand({ config, secret: secret ?? '' }, asked, true);
  warnOf(io, judged.problems);
  const { verdict: rules, covered } = judged;
  const key = secret === null ? null : judged.key;
  const code = key === null ? null : codeOf(key);
  const known = code === null ? null : await rememberedUnder(config, io, code);
  const shaped = secret === null || known ? null : await allowedAsShapes(config, io, judged.shapes);
  const decided = decide(
    { rules, covered, known: known ?? undefined, shapes: shaped?.shapes ?? null },
    config,
  );
  const source = decided?.source;
  const remembered = source === 'shape' ? (shaped?.first ?? null) : decided?.cached ? known : null;
  const judgedAs = decided?.decision ?? 'unknown';
  // what a person said of this very command, and what is denied, no rule of theirs and no lesson stops once more
  const settled = judgedAs === 'deny' || source === 'person';
  const [stoppedBy = null] = settled || secret === null ? [] : await stopsHere(config, io, [command]);
  const decision = stoppedBy?.decision ?? judgedAs;
  const tree = treeOf(line);
  if (io.json) {
    const outward = decided?.outward ?? null;
    return io.print({
      decision,
      outward,
      rules: rules.decision,
      remembered,
      stoppedBy,
      tree,
      parts: rules.parts,
      key,
      code,
    });
  }
  io.log(tree.join('\n'));
  io.log(
    table(
      io,
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
  const why = `${by}${remembered?.once ? ', for the next time' : ''}; the rules: ${rules.decision}; ${asCalled('lore verdicts drop')} ${remembered?.code} takes it back`;
  if (stoppedBy)
    say(io, plain(`${STOPS[stoppedBy.decision]}: “${stoppedBy.lesson}” (${citedAs(stoppedBy)})`));
  else if (decided?.outward) io.log(`The client still asks about it: it ${decided.outward}.`);
  io.log(`${decision}${remembered ? ` (${why})` : ''}   code ${said}`);
  if (stoppedBy?.decision === 'hold')
    return hint(io, `lore lessons retire ${stoppedBy.lessonId.slice(0, 8)} ends the lesson.`);
  if (stoppedBy)
    hint(io, `lore guards pause ${stoppedBy.lessonId.slice(0, 8)} lifts the rule for all calls.`);
  if (decision !== 'deny' || code === null) return;
  const never = rules.parts.some((part) => part.decision === 'deny' && part.severity === 'catastrophic');
  hint(
    io,
    never
      ? 'Nobody can allow it: if it is really meant, run it yourself in a terminal of your own.'
      : `Once an agent was denied it here, lore allow ${code} lets it run, with --once the next time only. A person does so in a terminal of their own.`,
  );
}

/** Returns a command as a shell takes it for one word, in double quotes where they change nothing. */
const quoted = (command: string): string =>
  /["$`\\!]/.test(command) ? `'${command.replaceAll("'", "'\\''")}'` : `"${command}"`;

const STOPS = {
  deny: 'Your rule denies it',
  ask: 'Your rule has you asked about it',
  hold: 'It failed before, so a lesson stops it once, and it passes when it is run again',
};

const citedAs = ({ lessonId }: NonNullable<Stop>) => `lore:${lessonId.slice(0, 8)}`;

/** How many commands are asked about at once. */
const AT_ONCE = 500;

/** Returns for each command what of the project here would stop it besides the safety rules: a person's rule or a lesson. */
async function stopsHere(config: Config, io: Io, commands: string[]): Promise<Stop[]> {
  const found: Stop[] = [];
  try {
    const branch = branchHere(io);
    const place = {
      project: await projectHere(config, io),
      cwd: io.cwd,
      root: rootHere(io),
      ...(branch !== null && { branch }),
    };
    for (let at = 0; at < commands.length; at += AT_ONCE) {
      const body = { ...place, commands: commands.slice(at, at + AT_ONCE) };
      found.push(...(await callServer(config, 'POST /v1/commands/stops', { body })).stops);
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    io.error(`warning: your own rules were not asked: ${error.detail}`);
  }
  return found;
}

const BY = {
  person: 'a person said so',
  model: 'the model said so',
  shape: 'a person let its shape run before',
};

/** Returns the shapes if a person has allowed all of them, with the verdict on the first; else null. */
async function allowedAsShapes(config: Config, io: Io, shapes: Learned[] | null) {
  const verdicts: (Remembered | null)[] = [];
  for (const { key } of shapes ?? []) verdicts.push(await rememberedUnder(config, io, codeOf(key)));
  const [first = null] = verdicts;
  if (shapes === null || first === null || !verdicts.every((one) => one?.decision === 'allow')) return null;
  // they are listed, but do not hold while the person has turned them off
  const { shapes: on } = await callServer(config, 'GET /v1/settings');
  return on === 'on' ? { shapes, first } : null;
}

/** A verdict that holds. */
type Remembered = KnownVerdict & Pick<ShownVerdict, 'code' | 'checkedBy'>;

/** Returns the verdict that holds under a code; null if there is none, or if no server answers. */
async function rememberedUnder(config: Config, io: Io, code: string): Promise<Remembered | null> {
  try {
    const { verdicts } = await callServer(config, 'GET /v1/commands/verdicts', { query: { code } });
    const [found] = verdicts;
    if (!found) return null;
    const { decision, reason, checkedBy, once } = found;
    return { code, decision, reason, checkedBy, once, expiresAt: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    io.error(`warning: only the rules are told, not what a person allowed: ${error.detail}`);
    return null;
  }
}

/**
 * Judges a file of commands by the safety rules and by the rules of persons for the project here, and prints the verdicts.
 * The file has one command per line, or JSON lines with a field `command`; `-` is standard input. Returns whether none
 * was denied.
 */
export async function check(config: Config, io: Io, file: string): Promise<boolean> {
  const lines = (await textOf(io, file)).split(/\r?\n/);
  const commands = lines.filter((text) => text.trim() !== '').map(commandOf);
  warnOf(io, here(config, io).inForce.problems);
  const stops = readSecret(config) === null ? [] : await stopsHere(config, io, commands);
  const counts = { allow: 0, deny: 0, ask: 0, unknown: 0 };
  for (const [i, command] of commands.entries()) {
    // each command has its own limits on reading files
    const { place, inForce } = here(config, io);
    const verdict = judgeByPolicy(command, place, inForce.policy);
    const found = verdict.decision === 'deny' ? null : stops[i];
    // what a lesson holds passes the second time
    const stop = found && found.decision !== 'hold' ? { ...found, decision: found.decision } : null;
    const decision = stop?.decision ?? verdict.decision;
    counts[decision] += 1;
    const part = verdict.parts.find((p) => p.decision === verdict.decision);
    const { rule, reason } = stop ? { rule: citedAs(stop), reason: stop.lesson } : (part ?? {});
    if (io.json) io.log(JSON.stringify({ command, decision, rule, reason }));
    else io.log(`${decision.padEnd(8)} ${command}${rule ? `   [${rule}]` : ''}`);
  }
  const asked = counts.ask > 0 ? `${counts.ask} to be asked about, ` : '';
  if (!io.json)
    io.log(
      `${counts.allow} allowed, ${counts.deny} denied, ${asked}${counts.unknown} not known to the rules`,
    );
  return counts.deny === 0;
}

/** @throws Problem (400) when the file cannot be read */
async function textOf({ stdin, cwd }: Io, file: string): Promise<string> {
  try {
    return file === '-' ? await text(stdin) : readFileSync(resolve(cwd, file), 'utf8');
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
