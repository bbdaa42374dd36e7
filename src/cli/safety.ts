import { existsSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cacheKey, readScript } from '../commands/cache-key.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import { policyFor } from '../commands/rule-files.ts';
import type { Config } from '../config.ts';
import { treeOf } from '../shell/tree.ts';
import { callServer } from './client.ts';
import { type Output, table } from './print.ts';

/** The folder that a command would run in, and the rules in force there. */
export function here(config: Config) {
  const cwd = process.cwd();
  const place = { cwd, root: projectRoot(cwd), home: homedir(), tmp: tmpdir(), read: readScript };
  const inForce = policyFor({ root: place.root, personal: config.home });
  return { place, inForce };
}

function warnOf(problems: string[]): void {
  for (const problem of problems) console.error(`warning: ${problem}`);
}

/** The folder around this one that is under version control, else this one. */
function projectRoot(cwd: string): string {
  for (let dir = cwd; dir !== dirname(dir); dir = dirname(dir)) if (existsSync(join(dir, '.git'))) return dir;
  return cwd;
}

/** What the rules make of a command line here: the parsed tree, each simple command's verdict, the cache key. */
export function explain(config: Config, output: Output, command: string): void {
  const { place, inForce } = here(config);
  warnOf(inForce.problems);
  const verdict = judgeByPolicy(command, place, inForce.policy);
  const key = cacheKey(command, verdict.invocations, place);
  const tree = treeOf(command);
  if (output.json) {
    console.log(JSON.stringify({ decision: verdict.decision, tree, parts: verdict.parts, key }, null, 2));
    return;
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
  console.log(`${verdict.decision}   cache key ${key}`);
}

/**
 * The rules in force here, with the files that they come from.
 *
 * @returns false when a rule file has a fault, or an example in one comes out otherwise than it says
 */
export function rules(config: Config, output: Output): boolean {
  const { place, inForce } = here(config);
  const failed = inForce.files.flatMap((file) =>
    [
      ...file.rules.map(({ id, examples }) => ({
        name: id,
        not: examples.pass,
        yes: examples.deny,
        is: 'deny',
      })),
      ...file.allow.map(({ about, examples }) => ({
        name: about,
        not: examples.unknown,
        yes: examples.allow,
        is: 'allow',
      })),
    ].flatMap(({ name, yes, not, is }) => {
      const decide = (line: string) => judgeByPolicy(line, place, inForce.policy).decision;
      return [
        ...yes
          .filter((line) => decide(line) !== is)
          .map((line) => `${file.path}: ${name} does not ${is}: ${line}`),
        ...not
          .filter((line) => decide(line) === is)
          .map((line) => `${file.path}: ${name} or another rule does ${is}: ${line}`),
      ];
    }),
  );
  const sourceOf = (id: string): string =>
    inForce.files.find((file) => file.rules.some((rule) => rule.id === id))?.path ?? 'built in';
  const list = inForce.policy.rules.map(({ id, severity, reason, instead }) => ({
    id,
    severity,
    reason,
    instead,
    source: sourceOf(id),
  }));
  const off = inForce.files.flatMap((file) => file.off);
  const problems = [...inForce.problems, ...failed];
  if (output.json) console.log(JSON.stringify({ rules: list, off, problems }, null, 2));
  else {
    console.log(
      table(
        ['rule', 'severity', 'why', 'instead', 'from'],
        list.map((rule) => [rule.id, rule.severity, rule.reason, rule.instead, rule.source]),
      ),
    );
    if (off.length > 0) console.log(`switched off: ${off.join(', ')}`);
    warnOf(problems);
  }
  return problems.length === 0;
}

/** Judges a file of commands (`-` is standard input), one a line or JSON lines with a field `command`, by rules. */
export function check(config: Config, output: Output, file: string): void {
  const lines = readFileSync(file === '-' ? 0 : resolve(file), 'utf8').split('\n');
  const { place, inForce } = here(config);
  warnOf(inForce.problems);
  const counts = { allow: 0, deny: 0, unknown: 0 };
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const command = commandOf(line);
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

function commandOf(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { command } = JSON.parse(line) as { command?: unknown };
    return typeof command === 'string' ? command : line;
  } catch {
    return line;
  }
}

/** A person's verdict on a command that Lore denied or could not judge. */
export async function overrule(
  config: Config,
  output: Output,
  code: string,
  decision: 'allow' | 'deny',
  options: { once?: boolean },
): Promise<void> {
  const once = options.once === true;
  const about = await callServer<{ command: string; cwd: string }>(config, 'POST', '/v1/commands/overrule', {
    code,
    decision,
    once,
  });
  if (output.json) console.log(JSON.stringify({ ...about, decision, once }));
  else
    console.log(
      `${decision === 'allow' ? 'Allowed' : 'Denied'}${once ? ' once' : ''} in ${about.cwd}: ${about.command}`,
    );
}
