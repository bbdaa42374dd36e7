import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { readCommand, surroundings } from '../commands/check.ts';
import { openFiles, workTreeAround } from '../commands/files.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import { decide } from '../commands/precedence.ts';
import { policyFor, shownRules } from '../commands/rule-files.ts';
import { codeOf, type KnownVerdict, type Learned, sentenceOf } from '../commands/verdict.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { readLine } from '../shell/line.ts';
import { objectIn } from '../text/json.ts';
import type { ShownVerdict, Stop } from '../wire/routes.ts';
import { readSecret } from './client.ts';
import type { Cli, Define } from './commands.ts';
import { bytesOf } from './file-problem.ts';
import { branchHere, projectHere, rootHere } from './here.ts';
import type { Io } from './io.ts';
import { wrongUsage } from './options.ts';
import { asCalled, hint, plain, short, warn } from './print.ts';
import { table } from './table.ts';

/** Returns the folder that a command would run in, the files there, and the rules in force. */
export function rulesHere(config: Config, { cwd, home }: Io) {
  const files = openFiles();
  const root = workTreeAround(cwd) ?? cwd;
  const place = { cwd, root, home, tmp: tmpdir(), read: files.read };
  const inForce = policyFor({ root, personal: config.home, port: config.port }, files);
  return { place, inForce };
}

const explain: Define = (command, cli) =>
  command
    .argument('<command>', 'in quotes')
    // so that a line without quotes is told what it lacks
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (_command, _options, { args }: Command) => explainLine(cli, args));

const STOPS = {
  deny: 'Your rule denies it',
  ask: 'Your rule has you asked about it',
  hold: 'It failed before, so a lesson stops it once, and it passes when it is run again',
};
const BY = {
  person: 'a person said so',
  model: 'the model said so',
  shape: 'a person let its shape run before',
};

const citedAs = ({ lessonId }: NonNullable<Stop>) => `lore:${short(lessonId)}`;

/**
 * Prints how a command line is judged here: the rules' verdict on each simple command, the
 * verdict of a person or the model on the whole line, and the code with which a person overrules it.
 *
 * @throws Problem (400, wrong usage) when there is no command, or when it is not one word
 */
async function explainLine(cli: Cli, words: string[]): Promise<void> {
  const { config, io } = cli;
  const [command = '', ...more] = words;
  if (command.trim() === '' || more.length > 0) {
    const meant = words.join(' ').trim() || 'npm test';
    throw wrongUsage(`Write the command in quotes, as one word: lore explain ${quoted(meant)}.`);
  }
  const secret = readSecret(config);
  const line = readLine(command);
  const asked = { command, line, place: surroundings(io.cwd, workTreeAround(io.cwd)) };
  const { judged } = await readCommand({ config, secret: secret ?? '' }, asked, true);
  warn(io, judged.problems);
  const { verdict: rules, covered } = judged;
  const key = secret === null ? null : judged.key;
  const code = key === null ? null : codeOf(key);
  const known = code === null ? null : await rememberedUnder(cli, code);
  const shaped = secret === null || known ? null : await allowedAsShapes(cli, judged.shapes);
  const given = { rules, covered, known: known ?? undefined, shapes: shaped?.shapes ?? null };
  const decided = decide(given, config);
  const remembered = decided?.source === 'shape' ? (shaped?.first ?? null) : decided?.cached ? known : null;
  // what the hook leaves to the client is not called allowed here either
  const sentence = decided ? sentenceOf(decided) : 'left';
  const asks = decided?.decision === 'ask' && decided.source === 'policy';
  const judgedAs = asks ? 'ask' : sentence;
  // what a person said of this very command, and what is denied, no rule of theirs and no lesson stops once more
  const settled = judgedAs === 'deny' || decided?.source === 'person';
  const [stoppedBy = null] = settled || secret === null ? [] : await stopsHere(cli, [command]);
  const decision = stoppedBy?.decision ?? judgedAs;
  if (io.json) {
    const about = { sentence, outward: decided?.outward ?? null, rules: rules.decision, parts: rules.parts };
    return io.print({ decision, remembered, stoppedBy, key, code, ...about });
  }
  const rows = rules.parts.map((part) => [
    ...[part.decision, part.text, part.via.join(' › ')],
    part.rule ? `${part.reason} (${part.rule}); instead: ${part.instead}` : part.reason,
  ]);
  io.log(table(io, ['verdict', 'command', 'inside', 'why'], rows));
  if (stoppedBy) io.log(plain(`${STOPS[stoppedBy.decision]}: “${stoppedBy.lesson}” (${citedAs(stoppedBy)})`));
  else if (decided?.outward) io.log(`The client still asks about it: it ${decided.outward}.`);
  const why = remembered
    ? ` (${BY[remembered.checkedBy]}${remembered.once ? ', for the next time' : ''}; the rules: ${rules.decision}; ${asCalled('lore verdicts drop')} ${remembered.code} takes it back)`
    : '';
  const said = code ?? 'unknown here: no server has run with this data folder';
  io.log(`${decision}${why}   code ${said}`);
  const isCatastrophic = rules.parts.some(
    (part) => part.decision === 'deny' && part.severity === 'catastrophic',
  );
  if (stoppedBy?.decision === 'hold')
    hint(io, `lore lessons retire ${short(stoppedBy.lessonId)} ends the lesson.`);
  else if (stoppedBy)
    hint(io, `lore guards pause ${short(stoppedBy.lessonId)} lifts the rule for all calls.`);
  else if (decision === 'deny' && code !== null)
    hint(
      io,
      isCatastrophic
        ? 'Nobody can allow it: if it is really meant, run it yourself in a terminal of your own.'
        : `Once an agent was denied it here, lore allow ${code} lets it run, with --once the next time only. A person does so in a terminal of their own.`,
    );
}

/** Returns a command as a shell takes it for one word, in double quotes where they change nothing. */
const quoted = (command: string): string =>
  /["$`\\!]/.test(command) ? `'${command.replaceAll("'", "'\\''")}'` : `"${command}"`;

/** How many commands are asked about at once. */
const AT_ONCE = 500;

/** Returns for each command what of the project here would stop it besides the safety rules: a person's rule or a lesson. */
async function stopsHere({ config, io, call }: Cli, commands: string[]): Promise<Stop[]> {
  const found: Stop[] = [];
  try {
    const branch = branchHere(io);
    const place = {
      ...{ project: await projectHere(config, io), cwd: io.cwd, root: rootHere(io) },
      ...(branch !== null && { branch }),
    };
    for (let at = 0; at < commands.length; at += AT_ONCE) {
      const body = { ...place, commands: commands.slice(at, at + AT_ONCE) };
      found.push(...(await call('POST /v1/commands/stops', { body })).stops);
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    warn(io, [`your own rules were not asked: ${error.detail}`]);
  }
  return found;
}

/** Returns the shapes if a person has allowed all of them, with the verdict on the first; else null. */
async function allowedAsShapes(cli: Cli, shapes: Learned[] | null) {
  const verdicts: (Remembered | null)[] = [];
  for (const { key } of shapes ?? []) verdicts.push(await rememberedUnder(cli, codeOf(key)));
  const [first = null] = verdicts;
  if (shapes === null || first === null || !verdicts.every((one) => one?.decision === 'allow')) return null;
  // they are listed, but do not hold while the person has turned them off
  return (await cli.call('GET /v1/settings')).shapes === 'on' ? { shapes, first } : null;
}

/** A verdict that holds. */
type Remembered = KnownVerdict & Pick<ShownVerdict, 'code' | 'checkedBy'>;

/** Returns the verdict that holds under a code; null if there is none, or if no server answers. */
async function rememberedUnder({ io, call }: Cli, code: string): Promise<Remembered | null> {
  try {
    const [found] = (await call('GET /v1/commands/verdicts', { query: { code } })).verdicts;
    if (!found) return null;
    const { decision, reason, checkedBy, once } = found;
    return { code, decision, reason, checkedBy, once, expiresAt: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    warn(io, [`only the rules are told, not what a person allowed: ${error.detail}`]);
    return null;
  }
}

/** Judges a file of commands by the safety rules and by the rules of persons for the project here, and prints the verdicts. */
const check: Define = (command, cli) =>
  command
    .argument('<file>', 'one command a line, or JSON lines with a field command; - for standard input')
    .action(async (file) => {
      const { config, io } = cli;
      const lines = (await bytesOf(io, file)).toString().split(/\r?\n/);
      const commands = lines.filter((text) => text.trim() !== '').map(commandOf);
      warn(io, rulesHere(config, io).inForce.problems);
      const stops = readSecret(config) === null ? [] : await stopsHere(cli, commands);
      const counts = { allow: 0, deny: 0, ask: 0, unknown: 0 };
      for (const [i, command] of commands.entries()) {
        // each command has its own limits on reading files
        const { place, inForce } = rulesHere(config, io);
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
      const { allow, deny, ask, unknown } = counts;
      const asked = ask > 0 ? `${ask} to be asked about, ` : '';
      if (!io.json) io.log(`${allow} allowed, ${deny} denied, ${asked}${unknown} not known to the rules`);
      if (deny > 0) cli.exit(1);
    });

function commandOf(line: string): string {
  const command = objectIn(line)?.command;
  return typeof command === 'string' ? command : line;
}

/** Prints the rules in force here, and the examples in rule files that do not get the verdict that they state. */
const rules: Define = (command, cli) =>
  command.action(() => {
    const { config, io } = cli;
    const { inForce } = rulesHere(config, io);
    const failed = inForce.files.flatMap(({ path, rules, allow }) => {
      // each line has its own limits on reading files
      const decide = (line: string) =>
        judgeByPolicy(line, rulesHere(config, io).place, inForce.policy).decision;
      const wrong = (name: string, is: string, yes: string[], not: string[] = []) => [
        ...yes
          .filter((line) => decide(line) !== is)
          .map((line) => `${path}: ${name} does not ${is}: ${line}`),
        ...not
          .filter((line) => decide(line) === is)
          .map((line) => `${path}: ${name} or another rule does ${is}: ${line}`),
      ];
      return [
        ...rules.flatMap(({ id, examples }) => wrong(id, 'deny', examples.deny, examples.pass)),
        ...allow.flatMap(({ about, examples }) => wrong(about, 'allow', examples.allow, examples.unknown)),
      ];
    });
    const shown = shownRules(inForce);
    const off = inForce.files.flatMap((file) => file.off);
    const problems = [...inForce.problems, ...failed];
    if (problems.length > 0) cli.exit(1);
    if (io.json) return io.print({ rules: shown, off, problems });
    const rows = shown.map((rule) => [rule.id, rule.severity, rule.reason, rule.instead, rule.source]);
    io.log(table(io, ['rule', 'severity', 'why', 'instead', 'from'], rows, { drop: ['from', 'severity'] }));
    if (off.length > 0) io.log(`switched off: ${off.join(', ')}`);
    warn(io, problems);
  });

export const commands = { explain, check, rules };
