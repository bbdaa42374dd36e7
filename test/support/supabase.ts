import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import postgres from 'postgres';
import { afterAll } from 'vitest';
import { temporaryFolder } from './left-behind.ts';
import { needs } from './needs.ts';
import { emptyDatabase } from './process.ts';

/** The genuine command of Supabase, if LORE_SUPABASE_CLI says where it is. */
export const supabaseCli = process.env.LORE_SUPABASE_CLI;
export const withSupabase = needs('the Supabase CLI (LORE_SUPABASE_CLI)', supabaseCli);
export const supabaseOnPostgres = needs(
  'the Supabase CLI (LORE_SUPABASE_CLI) and PostgreSQL 17',
  supabaseCli && process.env.TEST_DATABASE_URL,
);

/** Runs a few statements as the superuser of TEST_DATABASE_URL, in the database of `url`. */
export async function admin(url: string, work: (client: postgres.Sql) => Promise<unknown>): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Returns SQL for what a hosted project's database has before any migration, as far as it matters to Lore. `role` stands
 * for its `postgres`: no superuser, and neither `auth` nor the extensions are its own.
 */
const supabaseDatabase = (role: string, name: string): string =>
  readFileSync('test/fixtures/supabase-project.sql', 'utf8')
    .replaceAll(':role', role)
    .replaceAll(':name', name);

/** Runs the command with a home of its own, and without anything that calls elsewhere. Rejects when it fails. */
export function supabase(args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    HOME: temporaryFolder(),
    SUPABASE_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    SUPABASE_NO_UPDATE_NOTIFIER: '1',
    PGSSLMODE: 'disable',
  };
  return new Promise((resolve, reject) => {
    execFile(supabaseCli as string, args, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}`)) : resolve({ stdout, stderr }),
    );
  });
}

const projects: { name: string; roles: string[] }[] = [];
afterAll(async () => {
  if (projects.length === 0) return;
  await admin(process.env.TEST_DATABASE_URL as string, async (superuser) => {
    for (const { name } of projects) await superuser.unsafe(`drop database ${name} with (force)`);
    for (const role of projects.flatMap(({ roles }) => roles))
      await superuser.unsafe(`drop owned by ${role}; drop role ${role}`);
  });
});

/**
 * Makes a database as a hosted project's, which is dropped after the file. Returns its address for the superuser, for
 * `postgres`, and for a role that owns nothing.
 */
export async function project() {
  const url = (await emptyDatabase()) as string;
  const name = new URL(url).pathname.slice(1);
  const id = Math.random().toString(36).slice(2, 10);
  const [owner, login] = [`lore_test_owner_${id}`, `lore_test_login_${id}`];
  await admin(url, async (superuser) => {
    await superuser.unsafe(supabaseDatabase(owner, name));
    await superuser.unsafe(`create role ${login} login`);
  });
  projects.push({ name, roles: [login, owner] });
  const as = (user: string) => Object.assign(new URL(url), { username: user }).href;
  return { superuser: url, url: as(owner), owner, login, loginUrl: as(login) };
}
