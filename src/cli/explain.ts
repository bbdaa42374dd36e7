import { tmpdir } from 'node:os';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { placeIn } from '../base/files/place-in.ts';
import { objectIn } from '../base/text/json.ts';
import type { ShownCheck, ShownVerdict, Stop } from '../base/wire/routes.ts';
import type { Answer } from '../base/wire/wire.ts';
import { openFiles, workTreeAround } from '../commands/files.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import { policyFor, shownRules } from '../commands/rule-files.ts';
import { projectIn, rootHere } from './client.ts';
import {
  bytesOf,
  confirmed,
  hint,
  type Io,
  plain,
  refuseAgents,
  refuseUnlessPerson,
  short,
  visible,
  warn,
} from './io.ts';
import { type Action, type Cli, wrongUsage } from './rows.ts';
import { list, table } from './table.ts';

/** Returns the rules in force here, and what judges a line by them. Each line has its own limits on reading files. */
export function rulesHere({ home: personal, port }: Config, { cwd, home }: Io) {
  const root = workTreeAround(cwd) ?? cwd;
  const inForce = policyFor({ root, personal, port }, openFiles());
  const judge = (line: string) =>
    judgeByPolicy(line, { cwd, root, home, tmp: tmpdir(), read: openFiles().read }, inForce.policy);
  return { inForce, judge };
}

/** How many commands are asked about at once. */
const AT_ONCE = 500;

/** Returns for each command what of the project here would stop it besides the safety rules: a person's rule or a lesson. */
async function stopsHere({ config, io, call }: Cli, commands: string[]): Promise<Stop[]> {
  const found: Stop[] = [];
  const { branch } = placeIn(io.cwd);
  const place = { project: await projectIn(config, io.cwd), cwd: io.cwd, root: rootHere(io) };
  for (let at = 0; at < commands.length; at += AT_ONCE) {
    const body = { ...place, ...(branch !== null && { branch }), commands: commands.slice(at, at + AT_ONCE) };
    found.push(...(await call('POST /v1/commands/stops', { body })).stops);
  }
  return found;
}

/** Returns what the server says; null, with a warning, if it does not answer. */
async function asked<T>(io: Io, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    warn(io, [`only the safety rules are told, and not your own rules and verdicts: ${error.detail}`]);
    return null;
  }
}

const STOPS = {
  deny: 'Your rule denies it',
  ask: 'Your rule has you asked about it',
  hold: 'It failed before, so a lesson stops it once, and it passes when it is run again',
  none: 'Your rule is told and stops nothing, because it would stop too many of the past calls',
};
const BY: Partial<Record<Answer<'POST /v1/commands/check'>['source'], string>> = {
  person: 'a person said so',
  model: 'the model said so',
  shape: 'a person let its shape run before',
};
const citedAs = ({ lessonId }: NonNullable<Stop>) => `lore:${short(lessonId)}`;

/**
 * Prints how a command line is judged here: what the rules say of each simple command, what git or the server says of it,
 * and the code with which a person overrules that.
 *
 * @throws Problem (400, wrong usage) when there is no command, or when it is not one word
 */
async function explainLine(cli: Cli, words: string[]): Promise<void> {
  const { config, io, call } = cli;
  const [command = '', ...more] = words;
  if (command.trim() === '' || more.length > 0) {
    const meant = words.join(' ').trim() || 'npm test';
    throw wrongUsage(`Write the command in quotes, as one word: lore explain ${quoted(meant)}.`);
  }
  const { judge, inForce } = rulesHere(config, io);
  warn(io, inForce.problems);
  const rules = judge(command);
  const said = await asked(io, async () => {
    // to ask the server again would use up what a person allowed once
    const { verdicts } = await call('GET /v1/commands/verdicts', { query: { limit: 500 } });
    const once = verdicts.find((one) => one.once && one.command === command && one.cwd === io.cwd);
    if (once)
      return { checked: { ...once, source: once.checkedBy, sentence: once.decision, outward: undefined } };
    const checked = await call('POST /v1/commands/check', {
      body: { command, cwd: io.cwd, root: workTreeAround(io.cwd) ?? io.cwd },
    });
    // what a person said of this very command, and what is denied, no rule of theirs and no lesson stops once more
    const settled = checked.decision === 'deny' || checked.source === 'person';
    return { checked, stop: settled ? null : (await stopsHere(cli, [command]))[0] };
  });
  const [checked, found] = [said?.checked, said?.stop ?? null];
  const stop = found?.decision === 'none' ? null : found;
  const isLeft = checked?.decision === 'ask' && checked.source !== 'policy';
  const decision = stop?.decision ?? (isLeft ? checked.sentence : checked?.decision) ?? rules.decision;
  const { source, code, outward } = checked ?? {};
  const remembered = source && BY[source] ? { checkedBy: source } : null;
  if (io.json) return io.print({ decision, remembered, stoppedBy: found, code, parts: rules.parts });
  const rows = rules.parts.map((part) => [
    ...[part.decision, part.text, part.via.join(' › ')],
    part.rule ? `${part.reason} (${part.rule}); instead: ${part.instead}` : part.reason,
  ]);
  io.log(table(io, ['verdict', 'command', 'inside', 'why'], rows));
  const by = source && BY[source];
  if (found) io.log(plain(`${STOPS[found.decision]}: “${found.lesson}” (${citedAs(found)})`));
  else if (outward) io.log(`The client still asks about it: it ${outward}.`);
  else if (checked && !by && !rules.parts.some(({ reason }) => checked.reason.includes(reason)))
    io.log(checked.reason);
  const why = by && !stop ? ` (${by}; the rules: ${rules.decision})` : '';
  io.log(`${decision}${why}${code === undefined ? '' : `   code ${code}`}`);
  if (stop?.decision === 'hold') hint(io, `lore lessons retire ${short(stop.lessonId)} ends the lesson.`);
  else if (stop) hint(io, `lore guards pause ${short(stop.lessonId)} lifts the rule for all calls.`);
  else if (found) hint(io, `lore guards resume ${short(found.lessonId)} lets the rule act.`);
  else if (rules.parts.some((one) => one.decision === 'deny' && one.severity === 'catastrophic'))
    hint(io, 'Nobody can allow it: if it is really meant, run it yourself in a terminal of your own.');
  else if (by) hint(io, `lore verdicts drop ${code} takes it back.`);
  else if (decision === 'deny' && code)
    hint(io, `lore allow ${code} lets it run here: in a terminal of your own.`);
}

/** Returns a command as a shell takes it for one word, in double quotes where they change nothing. */
const quoted = (command: string): string =>
  /["$`\\!]/.test(command) ? `'${command.replaceAll("'", "'\\''")}'` : `"${command}"`;

/** Judges a file of commands by the safety rules and by the rules of persons for the project here, and prints the verdicts. */
const check: Action = async ({ file }: { file: string }, cli) => {
  const { config, io } = cli;
  const lines = (await bytesOf(io, file)).toString().split(/\r?\n/);
  const commands = lines
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const { command } = objectIn(text) ?? {};
      return typeof command === 'string' ? command : text;
    });
  const { inForce, judge } = rulesHere(config, io);
  warn(io, inForce.problems);
  const stops = (await asked(io, () => stopsHere(cli, commands))) ?? [];
  const counts = { allow: 0, deny: 0, ask: 0, unknown: 0 };
  for (const [i, command] of commands.entries()) {
    const verdict = judge(command);
    // what a lesson holds passes the second time
    const acts = stops[i]?.decision === 'deny' || stops[i]?.decision === 'ask';
    const stop = verdict.decision !== 'deny' && acts ? stops[i] : null;
    const decision = (stop?.decision as 'deny' | 'ask' | undefined) ?? verdict.decision;
    counts[decision] += 1;
    const part = verdict.parts.find((p) => p.decision === verdict.decision);
    const { rule, reason } = stop ? { rule: citedAs(stop), reason: stop.lesson } : (part ?? {});
    if (io.json) io.log(JSON.stringify({ command, decision, rule, reason }));
    else io.log(`${decision.padEnd(8)} ${command}${rule ? `   [${rule}]` : ''}`);
  }
  const { allow, deny, ask, unknown } = counts;
  const toAsk = ask > 0 ? `${ask} to be asked about, ` : '';
  if (!io.json) io.log(`${allow} allowed, ${deny} denied, ${toAsk}${unknown} not known to the rules`);
  if (deny > 0) cli.exit(1);
};

/** Prints the rules in force here, and the examples in rule files that do not get the verdict that they state. */
const rules: Action = (_, cli) => {
  const { config, io } = cli;
  const { inForce, judge } = rulesHere(config, io);
  const failed = inForce.files.flatMap(({ path, rules, allow }) => {
    const wrong = (name: string, lines: readonly string[] = [], is: string, holds: boolean) =>
      lines
        .filter((line) => (judge(line).decision === is) !== holds)
        .map((line) => `${path}: ${name} ${holds ? 'does not' : 'or another rule does'} ${is}: ${line}`);
    const denies = rules.map(({ id, examples }) => [id, 'deny', examples.deny, examples.pass] as const);
    const allows = allow.map(
      ({ about, examples }) => [about, 'allow', examples.allow, examples.unknown] as const,
    );
    return [...denies, ...allows].flatMap(([name, is, yes, no]) => [
      ...wrong(name, yes, is, true),
      ...wrong(name, no, is, false),
    ]);
  });
  const shown = shownRules(inForce);
  const off = inForce.files.flatMap((file) => file.off);
  const problems = [...inForce.problems, ...failed];
  if (problems.length > 0) cli.exit(1);
  if (io.json) return io.print({ rules: shown, off, problems });
  const rows = shown.map((rule) => [rule.id, rule.severity, rule.reason, rule.instead, rule.source]);
  io.log(table(io, ['rule', 'severity?', 'why', 'instead', 'from?'], rows));
  if (off.length > 0) io.log(`switched off: ${off.join(', ')}`);
  warn(io, problems);
};

// What a person decides about commands that were checked.

const SAID = { allow: 'Allowed', deny: 'Denied' };

const overruling =
  (decision: 'allow' | 'deny'): Action =>
  ({ code, once = false }, cli) =>
    code === undefined ? listDenied(cli, decision) : overrule(cli, code, decision, once);

/**
 * Shows a person the command that a code stands for, asks, and stores their verdict. Only a person may decide this, so it
 * works on a terminal only, and not below an agent's shell.
 *
 * @throws Problem (403) without a terminal or below an agent's shell, (404) when no check has this code
 */
async function overrule({ io, call }: Cli, code: string, decision: 'allow' | 'deny', once: boolean) {
  refuseUnlessPerson(io, decision);
  const [check] = (await call('GET /v1/commands/checks', { query: { code } })).checks;
  if (!check) {
    const detail = `No command was checked under the code ${code}. lore ${decision} lists what was denied last.`;
    throw new Problem({ status: 404, title: 'Unknown code', detail });
  }
  const { verdicts } = await call('GET /v1/commands/verdicts', { query: { code } });
  const held = verdicts.find(({ checkedBy }) => checkedBy === 'person');
  io.log(shown(check, held));
  if (decision === 'allow' && check.severity === 'catastrophic') {
    const detail = 'If it is really meant, run it yourself in a terminal of your own.';
    throw new Problem({ status: 403, title: 'Cannot be allowed', detail });
  }
  const verb = decision === 'allow' ? 'Allow' : 'Deny';
  const question = `${verb} this command in this folder${once ? ', the next time only' : ', from now on'}?`;
  if (!(await confirmed(io, 'A verdict', question))) return io.error('Nothing was changed.');
  const about = await call('POST /v1/commands/overrule', { body: { code, decision, once } });
  io.answer({ ...about, decision, once }, `${SAID[decision]}${once ? ' once' : ''}.`);
}

async function listDenied({ io, call }: Cli, decision: 'allow' | 'deny'): Promise<void> {
  refuseAgents(io, decision);
  const query = decision === 'allow' ? { decision: 'deny' as const } : {};
  const { checks } = await call('GET /v1/commands/checks', { query });
  list(io, checks, 'Nothing was denied.', 'code command project? rule? checked=checkedAt', {
    command: (check) => visible(check.tool === null ? check.command : `${check.tool} ${check.command}`),
    project: (check) => visible(check.project ?? check.cwd),
    rule: (check) => (check.source === 'guard' ? 'your rule' : check.rule),
  });
  if (checks.length > 0 && !io.json) hint(io, `lore ${decision} <code> shows one, and asks.`);
}

/**
 * Returns the text with all that a person needs to decide about a command.
 *
 * @param held what a person said of it, if that still holds
 */
function shown(check: ShownCheck, held: ShownVerdict | undefined): string {
  const { tool, command, whole, cwd, project, reason, severity, source } = check;
  const wasUsed = source === 'person' && held === undefined;
  return [
    `${tool === null ? 'command' : visible(tool).padEnd(7)}   ${visible(command).replaceAll('\n', '\n          ')}`,
    `folder    ${visible(cwd)}`,
    project !== null && `project   ${visible(project)}`,
    `verdict   ${visible(reason)}${wasUsed ? ' the last time; no verdict of a person holds now' : ''}`,
    held &&
      `holds     ${SAID[held.decision].toLowerCase()} by a person${held.once ? ', the next time only' : ''}`,
    !whole && 'Part of the command is private or too long, and is not shown: it cannot be allowed.',
    command.includes('[redacted') && 'Secrets in the command are not shown.',
    severity === 'catastrophic' && 'The rule guards against what cannot be undone: nobody can allow it.',
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}

export const actions: Record<string, Action> = {
  ...{ check, rules, allow: overruling('allow'), deny: overruling('deny') },
  explain: ({ words }, cli) => explainLine(cli, words),
};
