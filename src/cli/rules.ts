import { tmpdir } from 'node:os';
import { openFiles, workTreeAround } from '../commands/files.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import { policyFor } from '../commands/rule-files.ts';
import { shownRules } from '../commands/rules-in-force.ts';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import { table } from './table.ts';

/** Returns the folder that a command would run in, the files there, and the rules in force. */
export function here(config: Config, io: Io) {
  const cwd = io.cwd;
  const files = openFiles();
  const root = workTreeAround(cwd) ?? cwd;
  const place = { cwd, root, home: io.home, tmp: tmpdir(), read: files.read };
  const inForce = policyFor({ root, personal: config.home, port: config.port }, files);
  return { place, files, inForce };
}

export function warnOf(io: Io, problems: string[]): void {
  for (const problem of problems) io.error(`warning: ${problem}`);
}

/**
 * Prints the rules in force here, with the files that they come from.
 *
 * @returns false if a rule file has a fault, or if an example in it does not get the verdict that it states
 */
export function rules(config: Config, io: Io): boolean {
  const { inForce } = here(config, io);
  const failed = inForce.files.flatMap((file) =>
    [
      ...file.rules.map(({ id, examples }) => ({
        name: id,
        not: examples.pass ?? [],
        yes: examples.deny,
        is: 'deny',
      })),
      ...file.allow.map(({ about, examples }) => ({
        name: about,
        not: examples.unknown ?? [],
        yes: examples.allow,
        is: 'allow',
      })),
    ].flatMap(({ name, yes, not, is }) => {
      // each line has its own limits on reading files
      const decide = (line: string) => judgeByPolicy(line, here(config, io).place, inForce.policy).decision;
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
  const rulesInForce = shownRules(inForce);
  const off = inForce.files.flatMap((file) => file.off);
  const problems = [...inForce.problems, ...failed];
  if (io.json) io.log(JSON.stringify({ rules: rulesInForce, off, problems }, null, 2));
  else {
    io.log(
      table(
        io,
        ['rule', 'severity', 'why', 'instead', 'from'],
        rulesInForce.map((rule) => [rule.id, rule.severity, rule.reason, rule.instead, rule.source]),
        { drop: ['from', 'severity'] },
      ),
    );
    if (off.length > 0) io.log(`switched off: ${off.join(', ')}`);
    warnOf(io, problems);
  }
  return problems.length === 0;
}
