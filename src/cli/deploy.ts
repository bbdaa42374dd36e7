import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { inspectDatabase } from '../db/inspect.ts';
import { Problem } from '../errors/problem.ts';
import { packageRoot } from '../files/package-root.ts';
import { refuseAgents } from './backup.ts';
import { readSecret } from './client.ts';
import { doctorRemote, edgeFunctions } from './doctor-remote.ts';
import type { Io } from './io.ts';

// Brings the database, settings and Edge Functions of a clone to a project of Supabase, by Supabase's own command. It says
// what it would do, and does it only with --yes.

/**
 * What is run, with what it needs to be run. `program`: null is Supabase's own command. `missing`: what a person has to see
 * to first.
 */
type Step = {
  name: string;
  what: string;
  program: string | null;
  args: string[];
  missing: string[];
  done: boolean;
};

/** Settings that the functions need too, if they are set here. SUPABASE_… are given to them by the platform. */
const SECRETS = [
  'LORE_KEY',
  'LORE_WAKE_SECRET',
  'DATABASE_URL',
  'GEMINI_API_KEY',
  'GEMINI_MODEL',
  'LORE_EMBEDDING_URL',
  'LORE_EMBEDDING_KEY',
];

const root = fileURLToPath(packageRoot);

/**
 * Prints the steps that bring this version to a project of Supabase, and what each lacks; with `yes`, runs them in order
 * and then checks the project. Returns whether nothing is left to do.
 */
export async function deploy(
  config: Config,
  io: Io,
  options: { projectRef?: string; yes?: boolean },
): Promise<boolean> {
  refuseAgents(io, 'deploy');
  if (!existsSync(join(root, 'supabase/config.toml'))) {
    throw new Problem({
      status: 400,
      title: 'No such folder',
      detail: `${root} has no folder supabase: run this in a clone of Lore (npx lore deploy).`,
    });
  }
  const ref = options.projectRef ?? refIn(config.supabase.url);
  if (ref === undefined) {
    throw new Problem({
      status: 400,
      title: 'Bad option',
      detail: 'Name the project: --project-ref, or SUPABASE_URL (https://<ref>.supabase.co).',
      errors: [{ field: 'project-ref', message: 'is not given' }],
    });
  }
  const cli = config.supabaseCli;
  const folder = mkdtempSync(join(tmpdir(), 'lore-deploy-'));
  try {
    const secrets = secretsOf(config, io);
    const file = join(folder, 'secrets.env');
    writeFileSync(
      file,
      Object.entries(secrets)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
        .join(''),
      { mode: 0o600 },
    );
    const steps = await stepsOf(config, ref, { file, names: Object.keys(secrets) });
    const found = await versionOf(io, cli);
    const blocked =
      found === null ? [`${cli} does not run: npm install --global supabase, or LORE_SUPABASE_CLI`] : [];
    if (!options.yes) {
      show(io, { cli, version: found, blocked, steps });
      return false;
    }
    const lacking = [
      ...blocked,
      ...steps.flatMap(({ name, missing }) => missing.map((what) => `${name}: ${what}`)),
    ];
    if (lacking.length > 0)
      throw new Problem({
        status: 400,
        title: 'Cannot be deployed yet',
        detail: `${lacking.join('. ')}. Nothing was changed.`,
      });
    await runAll(io, cli, steps);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return doctorRemote(config, io);
}

const refIn = (url: string | undefined): string | undefined =>
  /^https:\/\/([a-z]{20})\.supabase\.(?:co|in|red)\b/.exec(url ?? '')?.[1];

function secretsOf(config: Config, { env }: Io): Record<string, string> {
  const secret = readSecret(config);
  const set = SECRETS.flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  return Object.fromEntries([...(secret === null ? [] : [['LORE_SECRET', secret]]), ...set]);
}

async function stepsOf(
  config: Config,
  ref: string,
  secrets: { file: string; names: string[] },
): Promise<Step[]> {
  const remote = `--remote=${ref}`;
  const database = config.migrateUrl ?? config.databaseUrl;
  const migrations = config.databaseUrl
    ? (await inspectDatabase({ ...config, databaseUrl: database })).find(({ name }) => name === 'migrations')
    : undefined;
  const settings = readFileSync(join(root, 'supabase/config.toml'), 'utf8');
  const step = (name: string, what: string, args: string[], missing: string[] = [], done = false): Step => ({
    name,
    what,
    program: null,
    args: [...args, '--yes', '--workdir', root],
    missing,
    done,
  });
  const unset =
    database === undefined
      ? ['set DATABASE_URL, or LORE_MIGRATE_URL, to an address of the role postgres']
      : [];
  return [
    step(
      'database',
      'applies the migrations that are missing',
      ['db', 'push', `--remote=${database ?? '$DATABASE_URL'}`],
      unset,
      migrations?.ok,
    ),
    step('settings', 'sets what supabase/config.toml declares: auth, API, realtime', [
      'config',
      'push',
      remote,
    ]),
    step(
      'secrets',
      `gives the functions ${secrets.names.join(', ') || 'nothing'}`,
      ['secrets', 'set', '--env-file', secrets.file, remote],
      [
        ...(secrets.names.includes('LORE_SECRET')
          ? []
          : ['set LORE_SECRET, or LORE_HOME to the data folder of the server that decides with you']),
        ...(secrets.names.includes('LORE_WAKE_SECRET')
          ? []
          : ['set LORE_WAKE_SECRET, with which the database starts work and nightly: openssl rand -hex 32']),
      ],
    ),
    {
      name: 'bundle',
      what: 'puts all that the functions need into one file',
      program: process.execPath,
      args: [join(root, 'scripts/build-functions.js')],
      missing: [],
      done: false,
    },
    ...edgeFunctions().map((name) =>
      step(
        `function ${name}`,
        'bundles it at Supabase, and replaces the one before',
        ['functions', 'deploy', name, '--use-api', remote],
        settings.includes(`[functions.${name}]`) ? [] : [`supabase/config.toml has no [functions.${name}]`],
      ),
    ),
  ];
}

const versionOf = ({ env }: Io, cli: string): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(cli, ['--version'], { env }, (error, stdout) => resolve(error ? null : stdout.trim()));
  });

/** Returns a command as it is shown: without the password of an address. */
const shown = (cli: string, args: string[]): string =>
  [cli, ...args.map((arg) => arg.replace(/^(--remote=[a-z]+:\/\/[^:@/]*):[^@]*@/, '$1:…@'))].join(' ');

function show(io: Io, plan: { cli: string; version: string | null; blocked: string[]; steps: Step[] }): void {
  const { cli, version, blocked, steps } = plan;
  if (io.json) {
    const plain = steps.map(({ program, args, ...step }) => ({
      ...step,
      command: shown(program ?? 'supabase', args).split(' '),
    }));
    io.print({ cli: { command: cli, version }, blocked, steps: plain });
    return;
  }
  for (const what of blocked) io.log(`PROBLEM ${what}`);
  for (const { name, what, program, args, missing, done } of steps) {
    io.log(`${done ? 'done   ' : missing.length > 0 ? 'PROBLEM' : 'to do  '} ${name}: ${what}`);
    for (const one of missing) io.log(`        ${one}`);
    io.log(`        ${shown(program ?? 'supabase', args)}`);
  }
  io.log(
    'Nothing was changed. Log in with supabase login (or SUPABASE_ACCESS_TOKEN), then: lore deploy --yes',
  );
}

async function runAll(io: Io, cli: string, steps: Step[]): Promise<void> {
  const finished: string[] = [];
  for (const { name, program, args } of steps.filter(({ done }) => !done)) {
    io.error(`lore deploy: ${name}`);
    // what it says goes past standard io, which may be JSON
    const child = spawn(program ?? cli, args, { env: io.env, stdio: ['inherit', 2, 2] });
    const code = await new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(null));
      child.on('close', resolve);
    });
    if (code !== 0) {
      throw new Problem({
        status: 502,
        title: 'Deployed in part',
        detail: `Step “${name}” failed: ${shown(program ?? 'supabase', args)}. Done before it: ${finished.join(', ') || 'nothing'}. Each step can be repeated: mend it and run lore deploy --yes again.`,
      });
    }
    finished.push(name);
  }
}
