import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../base/errors/problem.ts';
import { packageRoot } from '../base/files/package-root.ts';
import { edgeFunctions, remoteChecks, report } from './doctor.ts';
import { hint, type Io } from './io.ts';
import { type Action, wrongUsage } from './rows.ts';

// Brings database, settings and Edge Functions of a clone to a project of Supabase, by Supabase's own command
// (docs/supabase.md). Each step may be repeated.

const root = fileURLToPath(packageRoot);
const NEEDED = ['DATABASE_URL', 'LORE_SECRET', 'LORE_WAKE_SECRET'];
/** What the functions get; the platform gives them SUPABASE_… itself. */
const SECRETS = [
  ...[...NEEDED, 'LORE_KEY', 'GEMINI_API_KEY', 'GEMINI_MODEL'],
  ...['LORE_EMBEDDING_URL', 'LORE_EMBEDDING_KEY'],
];

/** Returns the steps, as they are shown: what begins with $ stands for what only the process may know. */
function stepsTo(ref: string, supabase: string): string[][] {
  const by = (...words: string[]) => [supabase, ...words, '--yes', '--workdir', root];
  const remote = `--remote=${ref}`;
  return [
    by('db', 'push', '--remote=$DATABASE'),
    by('config', 'push', remote),
    by('secrets', 'set', remote, '--env-file=$SECRETS'),
    ['node', join(root, 'scripts/build-functions.js')],
    ...edgeFunctions().map((name) => by('functions', 'deploy', name, '--use-api', remote)),
  ];
}

/** Returns what a person has to see to first. */
function lackingFor({ env }: Io, supabase: string): string[] {
  const lacking = NEEDED.filter((name) => !env[name]);
  if (spawnSync(supabase, ['--version'], { env }).status !== 0)
    lacking.unshift('Supabase’s command on the PATH, or its place in LORE_SUPABASE_CLI');
  if (!existsSync(join(root, 'supabase/config.toml')))
    lacking.unshift('a clone of Lore: what is installed from npm holds nothing to deploy');
  return lacking;
}

const deploy: Action = async ({ ref: given, yes }: { ref?: string; yes?: boolean }, cli) => {
  const { io, exit, config } = cli;
  const ref = given ?? /^https:\/\/(\w+)\.supabase\./.exec(config.supabase.url ?? '')?.[1];
  if (ref === undefined) throw wrongUsage('Name the project: lore deploy <ref>, or SUPABASE_URL.');
  const supabase = io.env.LORE_SUPABASE_CLI ?? 'supabase';
  const steps = stepsTo(ref, supabase);
  const lacking = lackingFor(io, supabase);
  if (!yes) {
    if (lacking.length > 0) exit(1);
    if (io.json) return io.print({ steps, lacking });
    for (const step of steps) hint(io, step.join(' '), '  ');
    for (const what of lacking) hint(io, `lacking: ${what}`, '  ');
    return hint(io, 'Nothing was changed: lore deploy --yes runs this.');
  }
  if (lacking.length > 0) {
    const detail = `It lacks ${lacking.join(', ')}. Nothing was changed.`;
    throw new Problem({ status: 400, title: 'Cannot be deployed yet', detail });
  }
  await run(io, steps);
  if (!report(await remoteChecks(config), io)) exit(4);
};

/** @throws Problem (500) that names the step that failed */
async function run(io: Io, steps: string[][]): Promise<void> {
  const { env } = io;
  const folder = mkdtempSync(join(tmpdir(), 'lore-deploy-'));
  try {
    const values: Record<string, string> = {
      $DATABASE: env.LORE_MIGRATE_URL || (env.DATABASE_URL as string),
      $SECRETS: join(folder, 'secrets.env'),
    };
    const set = SECRETS.flatMap((name) => (env[name] ? [`${name}=${JSON.stringify(env[name])}\n`] : []));
    writeFileSync(values.$SECRETS as string, set.join(''), { mode: 0o600 });
    for (const step of steps) {
      const words = step.map((word) => word.replace(/\$[A-Z]+$/, (name) => values[name] ?? name));
      const [program = '', ...others] = words;
      const child = spawn(program, others, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const said of [child.stdout, child.stderr])
        said.pipe(io.json ? io.stderr : io.stdout, { end: false });
      if ((await once(child, 'close'))[0] === 0) continue;
      const detail = `${step.join(' ')} failed. What is done stays; the steps may be repeated.`;
      throw new Problem({ status: 500, title: 'Deploying stopped', detail });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const actions = { deploy };
