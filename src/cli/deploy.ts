import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { inspectDatabase } from '../db/inspect.ts';
import { Problem } from '../errors/problem.ts';
import { packageRoot } from '../files/package-root.ts';
import { readSecret } from './client.ts';
import type { Define } from './commands.ts';
import { report } from './doctor.ts';
import { badOption, edgeFunctions, remoteChecks } from './doctor-remote.ts';
import { type Io, refuseAgents } from './io.ts';

// Brings the database, settings and Edge Functions of a clone to a project of Supabase, by Supabase's own command, and
// checks a hosted database and project. What is brought is said, and done only with --yes.

/** `program`: default is Supabase's own command. `missing`: what a person has to see to first. */
type Step = {
  name: string;
  what: string;
  program?: string;
  args: string[];
  missing: string[];
  done?: boolean;
};

/** Settings that the functions need too, if they are set here. SUPABASE_… are given to them by the platform. */
const SECRETS = [
  ...['LORE_KEY', 'LORE_WAKE_SECRET', 'DATABASE_URL', 'GEMINI_API_KEY', 'GEMINI_MODEL'],
  ...['LORE_EMBEDDING_URL', 'LORE_EMBEDDING_KEY'],
];

const root = fileURLToPath(packageRoot);

/** Prints the steps that bring this version to a project, and what each lacks; with `yes`, runs them and checks the project. */
const deploy: Define = (command, cli) =>
  command
    .option('--project-ref <ref>', 'the project; default: that of SUPABASE_URL')
    .option('-y, --yes', 'run the steps, and check the project')
    .action(async ({ projectRef, yes }) => {
      const { config, io } = cli;
      refuseAgents(io, 'deploy');
      if (!existsSync(join(root, 'supabase/config.toml'))) {
        const detail = `${root} has no folder supabase: run this in a clone of Lore (npx lore deploy).`;
        throw new Problem({ status: 400, title: 'No such folder', detail });
      }
      const ref =
        projectRef ??
        /^https:\/\/([a-z]{20})\.supabase\.(?:co|in|red)\b/.exec(config.supabase.url ?? '')?.[1];
      const how = 'Name the project: --project-ref, or SUPABASE_URL (https://<ref>.supabase.co).';
      if (ref === undefined) throw badOption('project-ref', how, 'is not given');
      const folder = mkdtempSync(join(tmpdir(), 'lore-deploy-'));
      try {
        const secret = readSecret(config);
        const set = SECRETS.flatMap((name) => (io.env[name] ? [[name, io.env[name]]] : []));
        const secrets = [...(secret === null ? [] : [['LORE_SECRET', secret]]), ...set];
        const file = join(folder, 'secrets.env');
        const lines = secrets.map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
        writeFileSync(file, lines.join(''), { mode: 0o600 });
        const steps = await stepsOf(config, ref, { file, names: secrets.map(([name]) => String(name)) });
        const version = versionOf(io, config.supabaseCli);
        const install = `${config.supabaseCli} does not run: npm install --global supabase, or LORE_SUPABASE_CLI`;
        const blocked = version === null ? [install] : [];
        if (!yes) return show(io, { command: config.supabaseCli, version }, blocked, steps);
        const lacking = steps.flatMap(({ name, missing }) => missing.map((what) => `${name}: ${what}`));
        if (blocked.length + lacking.length > 0) {
          const detail = `${[...blocked, ...lacking].join('. ')}. Nothing was changed.`;
          throw new Problem({ status: 400, title: 'Cannot be deployed yet', detail });
        }
        runAll(io, config.supabaseCli, steps);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      if (!report(await remoteChecks(config), io)) cli.exit(4);
    });

export const commands = { deploy };

async function stepsOf(
  config: Config,
  ref: string,
  secrets: { file: string; names: string[] },
): Promise<Step[]> {
  const remote = `--remote=${ref}`;
  const database = config.migrateUrl ?? config.databaseUrl;
  const found = config.databaseUrl ? await inspectDatabase({ ...config, databaseUrl: database }) : [];
  const settings = readFileSync(join(root, 'supabase/config.toml'), 'utf8');
  const step = (name: string, what: string, args: string[], missing: (string | false)[] = []): Step => ({
    ...{ name, what, args: [...args, '--yes', '--workdir', root] },
    missing: missing.filter((one) => one !== false),
  });
  return [
    {
      ...step(
        'database',
        'applies the migrations that are missing',
        ['db', 'push', `--remote=${database ?? '$DATABASE_URL'}`],
        [
          database === undefined &&
            'set DATABASE_URL, or LORE_MIGRATE_URL, to an address of the role postgres',
        ],
      ),
      done: found.some(({ name, ok }) => name === 'migrations' && ok),
    },
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
        !secrets.names.includes('LORE_SECRET') &&
          'set LORE_SECRET, or LORE_HOME to the data folder of the server that decides with you',
        !secrets.names.includes('LORE_WAKE_SECRET') &&
          'set LORE_WAKE_SECRET, with which the database starts work and nightly: openssl rand -hex 32',
      ],
    ),
    {
      ...{ name: 'bundle', what: 'puts all that the functions need into one file', missing: [] },
      ...{ program: process.execPath, args: [join(root, 'scripts/build-functions.js')] },
    },
    ...edgeFunctions().map((name) =>
      step(
        `function ${name}`,
        'bundles it at Supabase, and replaces the one before',
        ['functions', 'deploy', name, '--use-api', remote],
        [!settings.includes(`[functions.${name}]`) && `supabase/config.toml has no [functions.${name}]`],
      ),
    ),
  ];
}

function versionOf({ env }: Io, cli: string): string | null {
  try {
    return execFileSync(cli, ['--version'], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** Returns a command as it is shown: without the password of an address. */
const shown = ({ program = 'supabase', args }: Step): string[] => [
  program,
  ...args.map((arg) => arg.replace(/^(--remote=[a-z]+:\/\/[^:@/]*):[^@]*@/, '$1:…@')),
];

function show(
  io: Io,
  cli: { command: string; version: string | null },
  blocked: string[],
  steps: Step[],
): void {
  io.answer(
    {
      ...{ cli, blocked },
      steps: steps.map(({ program, args, ...step }) => ({
        ...{ done: false, ...step },
        command: shown({ ...step, args, ...(program && { program }) }),
      })),
    },
    ...blocked.map((what) => `PROBLEM ${what}`),
    ...steps.flatMap((step) => [
      `${step.done ? 'done   ' : step.missing.length > 0 ? 'PROBLEM' : 'to do  '} ${step.name}: ${step.what}`,
      ...[...step.missing, shown(step).join(' ')].map((line) => `        ${line}`),
    ]),
    'Nothing was changed. Log in with supabase login (or SUPABASE_ACCESS_TOKEN), then: lore deploy --yes',
  );
}

function runAll(io: Io, cli: string, steps: Step[]): void {
  const finished: string[] = [];
  for (const step of steps.filter(({ done }) => !done)) {
    io.error(`lore deploy: ${step.name}`);
    // what it says goes past standard io, which may be JSON
    const { status } = spawnSync(step.program ?? cli, step.args, { env: io.env, stdio: ['inherit', 2, 2] });
    if (status !== 0) {
      const detail = `Step “${step.name}” failed: ${shown(step).join(' ')}. Done before it: ${finished.join(', ') || 'nothing'}. Each step can be repeated: mend it and run lore deploy --yes again.`;
      throw new Problem({ status: 502, title: 'Deployed in part', detail });
    }
    finished.push(step.name);
  }
}
