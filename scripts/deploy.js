// Brings database, settings and Edge Functions of this clone to a project of Supabase, by Supabase's own command
// (docs/supabase.md). `lore deploy` runs it: node scripts/deploy.js <ref> [--yes] [--json]. Each step may be repeated.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [ref, ...flags] = process.argv.slice(2);
const { env } = process;
const root = fileURLToPath(new URL('..', import.meta.url));
const supabase = env.LORE_SUPABASE_CLI ?? 'supabase';
const NEEDED = ['DATABASE_URL', 'LORE_SECRET', 'LORE_WAKE_SECRET'];
/** What the functions get; the platform gives them SUPABASE_… itself. */
const SECRETS = [
  ...NEEDED,
  'LORE_KEY',
  'GEMINI_API_KEY',
  'GEMINI_MODEL',
  'LORE_EMBEDDING_URL',
  'LORE_EMBEDDING_KEY',
];

const functions = readdirSync(join(root, 'edge-functions'), { withFileTypes: true })
  .flatMap((one) => (one.isDirectory() ? [one.name] : []))
  .sort();

/** The steps. What only this process may know is shown by a name. */
const steps = (database, secrets) => {
  const by = (...words) => [supabase, ...words, '--yes', '--workdir', root];
  const remote = `--remote=${ref}`;
  return [
    by('db', 'push', `--remote=${database}`),
    by('config', 'push', remote),
    by('secrets', 'set', remote, `--env-file=${secrets}`),
    ['node', join(root, 'scripts/build-functions.js')],
    ...functions.map((name) => by('functions', 'deploy', name, '--use-api', remote)),
  ];
};
const shown = steps('$DATABASE', '$SECRETS');

/** What a person has to see to first. */
const lacking = NEEDED.filter((name) => !env[name]);
if (spawnSync(supabase, ['--version'], { env }).status !== 0)
  lacking.unshift('Supabase’s command on the PATH, or its place in LORE_SUPABASE_CLI');

if (!flags.includes('--yes')) {
  if (flags.includes('--json')) console.log(JSON.stringify({ steps: shown, lacking }, null, 2));
  else {
    for (const step of shown) console.log(step.join(' '));
    for (const what of lacking) console.log(`lacking: ${what}`);
    console.log('Nothing was changed: npx lore deploy --yes runs this.');
  }
  if (lacking.length > 0) process.exitCode = 1;
} else if (lacking.length > 0)
  fail(`Cannot be deployed yet. It lacks ${lacking.join(', ')}. Nothing was changed.`);
else run();

function run() {
  const folder = mkdtempSync(join(tmpdir(), 'lore-deploy-'));
  const secrets = join(folder, 'secrets.env');
  try {
    const set = SECRETS.flatMap((name) => (env[name] ? [`${name}=${JSON.stringify(env[name])}\n`] : []));
    writeFileSync(secrets, set.join(''), { mode: 0o600 });
    for (const [i, [program, ...words]] of steps(
      env.LORE_MIGRATE_URL || env.DATABASE_URL,
      secrets,
    ).entries()) {
      const stdio = ['ignore', flags.includes('--json') ? 2 : 1, 2];
      if (spawnSync(program, words, { env, stdio }).status === 0) continue;
      return fail(
        `Deploying stopped. ${shown[i].join(' ')} failed. What is done stays; the steps may be repeated.`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fail(detail) {
  console.error(`lore: ${detail}`);
  process.exitCode = 1;
}
