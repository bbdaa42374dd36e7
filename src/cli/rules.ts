import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readScript } from '../commands/cache-key.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import { policyFor } from '../commands/rule-files.ts';
import type { Config } from '../config.ts';
import { type Output, table } from './print.ts';

/** Returns the folder that a command would run in, and the rules in force there. */
export function here(config: Config) {
  const cwd = process.cwd();
  const place = { cwd, root: projectRoot(cwd), home: homedir(), tmp: tmpdir(), read: readScript };
  const inForce = policyFor({ root: place.root, personal: config.home });
  return { place, inForce };
}

export function warnOf(problems: string[]): void {
  for (const problem of problems) console.error(`warning: ${problem}`);
}

/** Returns the nearest folder above that is under version control, or else this one. */
function projectRoot(cwd: string): string {
  for (let dir = cwd; dir !== dirname(dir); dir = dirname(dir)) if (existsSync(join(dir, '.git'))) return dir;
  return cwd;
}

/**
 * Prints the rules in force here, with the files that they come from.
 *
 * @returns false if a rule file has a fault, or if an example in it gets another verdict than it says
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
  const rulesInForce = inForce.policy.rules.map(({ id, severity, reason, instead }) => ({
    id,
    severity,
    reason,
    instead,
    source: sourceOf(id),
  }));
  const off = inForce.files.flatMap((file) => file.off);
  const problems = [...inForce.problems, ...failed];
  if (output.json) console.log(JSON.stringify({ rules: rulesInForce, off, problems }, null, 2));
  else {
    console.log(
      table(
        ['rule', 'severity', 'why', 'instead', 'from'],
        rulesInForce.map((rule) => [rule.id, rule.severity, rule.reason, rule.instead, rule.source]),
      ),
    );
    if (off.length > 0) console.log(`switched off: ${off.join(', ')}`);
    warnOf(problems);
  }
  return problems.length === 0;
}
