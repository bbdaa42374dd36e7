// Says what each group of command safety is worth: the sets are judged by the rules alone, with all groups and without each one.
// A group that changes fewer than 3 of 1,000 decisions should go.
//   npm run eval:worth            prints the table that is in docs/command-safety.md
//   npm run eval:worth -- 1       judges every line (default: every 24th, about 15 s of CPU)
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { judgeByPolicy } from '../../src/commands/judge.ts';
import type { Policy, PolicyVerdict } from '../../src/commands/types.ts';
import type { clientRuns } from './client-runs.ts';

/** What is replaced in which file of src to switch a group off. */
type Switch = { file: string; from: RegExp; to: string };

/** Makes an exported function return always the same. */
const returns = (file: string, name: string, value: string): Switch => ({
  file,
  from: new RegExp(`export (function|const) ${name}\\b`),
  to: `export const ${name}: any = () => ${value};\n$1 ${name}WhenOn`,
});

const GROUPS: Record<string, Switch[]> = {
  'denials (rules)': [{ file: 'commands/policy/index.ts', from: /^ {2}rules,$/m, to: '  rules: [],' }],
  doubts: [{ file: 'commands/policy/index.ts', from: /doubts: all[^,]*,/, to: 'doubts: [],' }],
  'unknown options': [{ file: 'commands/judge.ts', from: /strange !== null/, to: 'strange === undefined' }],
  'what prints secrets': [returns('commands/secrets.ts', 'showingOf', 'null')],
  'what sends secrets': [returns('commands/secrets.ts', 'sendsSecretTo', 'null')],
  'environment variables': [returns('commands/environment.ts', 'hijackOf', 'null')],
  'hosts that nothing names': [returns('commands/hosts.ts', 'isStranger', 'false')],
  'programs in the line': [returns('shell/inline-code.ts', 'walkCode', 'undefined')],
  'programs that run others': [returns('shell/wrappers.ts', 'insideOf', 'null')],
  'lines inside of words': [returns('shell/arg.ts', 'suspect', 'undefined')],
};
/** Of 1,000 decisions. */
const LEAST = 3;
const SETS = 'test/eval/sets/commands';
const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };

type Row = { command: string; expected: 'allow' | 'deny' | 'any' };
type Engine = { judgeByPolicy: typeof judgeByPolicy; builtinPolicy: Policy; clientRuns: typeof clientRuns };

const every = Number(process.argv[2] ?? 24);
const rows = ['seen', 'unseen']
  .flatMap((folder) => readdirSync(`${SETS}/${folder}`).map((name) => `${SETS}/${folder}/${name}`))
  .sort()
  .flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean))
  .map((line) => JSON.parse(line) as Row)
  .filter((_, i) => i % every === 0);
const folder = mkdtempSync(join(process.cwd(), 'node_modules/.cache/worth-'));

/** Builds the engine with some groups switched off. */
async function engineWithout(groups: string[], name: string): Promise<Engine> {
  const switches = groups.flatMap((group) => GROUPS[group] ?? []);
  const plugin: Plugin = {
    name: 'switch off',
    setup: (bundle) =>
      bundle.onLoad({ filter: /\/src\/(commands|shell)\/.*\.ts$/ }, ({ path }) => {
        let contents = readFileSync(path, 'utf8');
        for (const { file, from, to } of switches.filter((one) => path.endsWith(`/src/${one.file}`))) {
          if (!from.test(contents)) throw new Error(`${file} has no ${from}: mend test/eval/worth.ts`);
          contents = contents.replace(from, to);
        }
        return { contents, loader: 'ts' };
      }),
  };
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: {
      contents: `export { judgeByPolicy } from './src/commands/judge.ts';
        export { builtinPolicy } from './src/commands/policy/index.ts';
        export { clientRuns } from './test/eval/client-runs.ts';`,
      resolveDir: process.cwd(),
    },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    plugins: [plugin],
    logLevel: 'error',
  });
  return (await import(pathToFileURL(outfile).href)) as Engine;
}

type Decision = 'runs' | 'asked' | 'denied';

async function decisionsWithout(groups: string[], name: string): Promise<Decision[]> {
  const { judgeByPolicy, builtinPolicy, clientRuns } = await engineWithout(groups, name);
  const decisionOf = (verdict: PolicyVerdict): Decision => {
    if (verdict.decision === 'deny') return 'denied';
    return verdict.decision === 'allow' || clientRuns(verdict) ? 'runs' : 'asked';
  };
  return rows.map(({ command }) => decisionOf(judgeByPolicy(command, place, builtinPolicy)));
}

const count = (decisions: Decision[], expected: Row['expected'], decision: Decision) =>
  decisions.filter((one, i) => one === decision && rows[i]?.expected === expected).length;

try {
  const base = await decisionsWithout([], 'base');
  const line = (name: string, decisions: Decision[]) => {
    const changed = decisions.filter((one, i) => one !== base[i]).length;
    return {
      without: name,
      'dangerous that run': count(decisions, 'deny', 'runs'),
      'dangerous denied': count(decisions, 'deny', 'denied'),
      'ordinary that run': count(decisions, 'allow', 'runs'),
      'changed of 1,000': Math.round((1000 * changed) / rows.length),
    };
  };
  const table = [line('nothing', base)];
  for (const [i, group] of Object.keys(GROUPS).entries())
    table.push(line(group, await decisionsWithout([group], `group-${i}`)));
  const small = table.slice(1).filter((row) => row['changed of 1,000'] < LEAST);
  console.log(`${rows.length} lines`);
  const names = Object.keys(table[0] ?? {}) as (keyof (typeof table)[number])[];
  console.log(`| ${names.join(' | ')} |\n|${names.map(() => '---|').join('')}`);
  for (const row of table) console.log(`| ${names.map((name) => row[name]).join(' | ')} |`);
  for (const { without } of small) console.log(`changes little: ${without}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
