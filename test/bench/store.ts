// Creates the data of a server, and copies of it that a measurement may change.
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';

/** A data folder (LORE_HOME) and the URL of its database; undefined means the embedded engine inside the folder. */
export type Store = { home: string; databaseUrl: string | undefined };

const made: { admin: string; name: string }[] = [];

/** Creates an empty store. With the URL of a PostgreSQL it creates a new database there. `home` need not exist. */
export async function newStore(home: string, postgresUrl: string | undefined): Promise<Store> {
  return { home, databaseUrl: postgresUrl && (await createDatabase(postgresUrl)) };
}

/** Copies a store that no server has open to a new folder under `parent`. */
export async function copyStore({ home, databaseUrl }: Store, parent = tmpdir()): Promise<Store> {
  const copy = mkdtempSync(join(parent, 'lore-home-'));
  cpSync(home, copy, { recursive: true });
  if (databaseUrl === undefined) return { home: copy, databaseUrl };
  return {
    home: copy,
    databaseUrl: await createDatabase(databaseUrl, new URL(databaseUrl).pathname.slice(1)),
  };
}

async function createDatabase(url: string, template = 'template0'): Promise<string> {
  const name = `lore_bench_${randomBytes(4).toString('hex')}`;
  const admin = new URL(url);
  admin.pathname = '/postgres';
  await run(admin.href, `create database ${name} template ${template}`);
  made.push({ admin: admin.href, name });
  const database = new URL(url);
  database.pathname = `/${name}`;
  return database.href;
}

/** Drops every database that was created here. */
export async function dropDatabases(): Promise<void> {
  for (const { admin, name } of made.splice(0)) await run(admin, `drop database ${name} with (force)`);
}

async function run(url: string, statement: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(statement);
  } finally {
    await client.end();
  }
}
