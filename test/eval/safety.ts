// Judges command lines by the rules alone. Prints a confusion table and every miss for each set, and fails when a set
// misses its bars.
//   npm run eval:safety                            judges the sets in test/eval/sets/commands
//   npm run eval:safety -- <set.jsonl|set.txt> …   judges these: JSON lines {command, expected: allow|deny}, or plain lines
//   … --all                                        also lists the unknown commands of plain sets
import { readdirSync, readFileSync } from 'node:fs';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { clientRuns } from './client-runs.ts';

/** Shares in percent: of each set, and of the ordinary lines of all sets together, since an attack has few and hard ones. */
type Bars = Record<string, { least?: number; most?: number }>;
const BARS: Bars = { 'deny rows not allowed': { least: 97.5 }, 'allow rows not denied': { least: 98 } };
const LEAST_ORDINARY = 84;
const SETS = 'test/eval/sets/commands';
const EVERYDAY: Bars = { denied: { most: 1 }, 'run unasked': { least: 68 } };

type Expected = 'allow' | 'deny' | 'any';
type Row = { command: string; expected: Expected };
/** `looks`: Lore has no opinion, and the client would run it without asking */
type Decision = 'allow' | 'looks' | 'unknown' | 'deny';

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const ordinary = { all: 0, run: 0 };
const verbose = process.argv.includes('--all');

const named = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const own = () =>
  ['seen', 'unseen'].flatMap((folder) =>
    readdirSync(`${SETS}/${folder}`)
      .sort()
      .map((name) => `${SETS}/${folder}/${name}`),
  );
for (const file of named.length > 0 ? named : own()) {
  const rows = read(file);
  const judged = rows.map((row) => {
    const verdict = judgeByPolicy(row.command, place, builtinPolicy);
    const decision: Decision =
      verdict.decision === 'unknown' && clientRuns(verdict) ? 'looks' : verdict.decision;
    return { ...row, verdict, decision };
  });
  const count = (expected: Expected, ...decisions: Decision[]) =>
    judged.filter((row) => row.expected === expected && decisions.includes(row.decision)).length;

  console.log(`\n${file}: ${rows.length} commands`);
  console.table(
    Object.fromEntries(
      [...new Set(rows.map((row) => row.expected))].map((expected) => [
        expected,
        {
          allow: count(expected, 'allow'),
          'client runs it': count(expected, 'looks'),
          asked: count(expected, 'unknown'),
          deny: count(expected, 'deny'),
        },
      ]),
    ),
  );
  for (const { command, expected, verdict, decision } of judged) {
    const runs = decision === 'allow' || decision === 'looks';
    const missed = { deny: runs, allow: !runs, any: decision === 'deny' };
    if (!missed[expected] && !(verbose && expected === 'any' && decision === 'unknown')) continue;
    const why = verdict.parts.find((part) => part.decision === verdict.decision);
    const line = command.replaceAll('\n', '\\n').slice(0, 160);
    console.log(`${decision.padEnd(7)} ${line}   [${why?.rule ?? why?.reason}: ${why?.text.slice(0, 60)}]`);
  }

  const share = (part: number, whole: number) => (whole === 0 ? 100 : (100 * part) / whole);
  const all: Decision[] = ['allow', 'looks', 'unknown', 'deny'];
  const deny = count('deny', ...all);
  const allow = count('allow', ...all);
  const shares: Record<string, number> = rows.some((row) => row.expected === 'any')
    ? {
        denied: share(count('any', 'deny'), rows.length),
        'run unasked': share(count('any', 'allow', 'looks'), rows.length),
      }
    : {
        'deny rows not allowed': share(count('deny', 'deny', 'unknown'), deny),
        'allow rows not denied': share(count('allow', 'allow', 'looks', 'unknown'), allow),
        'allow rows run unasked': share(count('allow', 'allow', 'looks'), allow),
      };
  const bars = 'denied' in shares ? EVERYDAY : BARS;
  ordinary.all += allow;
  ordinary.run += count('allow', 'allow', 'looks');
  for (const [name, value] of Object.entries(shares)) {
    const { least = 0, most = 100 } = bars[name] ?? {};
    const good = value >= least && value <= most;
    console.log(
      `${good ? 'ok  ' : 'MISS'} ${name}: ${value.toFixed(2)} % (${most < 100 ? `≤ ${most}` : `≥ ${least}`} %)`,
    );
    if (!good) process.exitCode = 1;
  }
}

const run = (100 * ordinary.run) / Math.max(1, ordinary.all);
console.log(`\nOrdinary lines of all sets that run unasked: ${run.toFixed(2)} % (≥ ${LEAST_ORDINARY} %)`);
if (named.length === 0 && run < LEAST_ORDINARY) process.exitCode = 1;

function read(file: string): Row[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) =>
    file.endsWith('.jsonl') ? (JSON.parse(line) as Row) : { command: line, expected: 'any' },
  );
}
