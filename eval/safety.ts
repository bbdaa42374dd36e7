// Judges labelled command lines and prints the confusion table of each set with every miss.
//   npm run eval:safety -- <set.jsonl|set.txt> …
import { readFileSync } from 'node:fs';
import { judgeByPolicy } from '../src/commands/judge.ts';
import { builtinPolicy } from '../src/commands/policy/index.ts';

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const verbose = process.argv.includes('--all');

for (const file of process.argv.slice(2).filter((arg) => !arg.startsWith('-'))) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const labelled = file.endsWith('.jsonl');
  const rows = lines.map((line) => (labelled ? JSON.parse(line) : { command: line, expected: 'any' }));
  const table: Record<string, Record<string, number>> = {};
  const misses: string[] = [];
  for (const { command, expected } of rows) {
    const verdict = judgeByPolicy(command, place, builtinPolicy);
    table[expected] ??= { allow: 0, unknown: 0, deny: 0 };
    (table[expected] as Record<string, number>)[verdict.decision] =
      (table[expected]?.[verdict.decision] ?? 0) + 1;
    const why = verdict.parts.find((part) => part.decision === verdict.decision);
    const miss =
      (expected === 'deny' && verdict.decision === 'allow') ||
      (expected === 'allow' && verdict.decision !== 'allow') ||
      (expected === 'any' && (verdict.decision === 'deny' || (verbose && verdict.decision === 'unknown')));
    if (miss)
      misses.push(
        `${verdict.decision.padEnd(7)} ${command.replaceAll('\n', '\\n').slice(0, 160)}   [${why?.rule ?? why?.reason}: ${why?.text.slice(0, 60)}]`,
      );
  }
  console.log(`\n${file}: ${rows.length} commands`);
  console.table(table);
  for (const miss of misses) console.log(miss);
}
