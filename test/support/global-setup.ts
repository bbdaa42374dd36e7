import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { buildDist, buildPage } from '../../scripts/build.js';
import { pageIsStale } from '../../scripts/stale.js';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { ensureConvertedModel } from '../../src/embedding/find-model.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** folder of the embedding model, which is converted once */
    modelDir: string;
    /** folder with a migrated embedded database to copy; '' on PostgreSQL */
    snapshot: string;
    /** folder with an empty embedded database to copy: to make one takes seconds */
    emptySnapshot: string;
    /** name of a migrated PostgreSQL database to copy; '' on PGlite */
    template: string;
  }
}

/**
 * Makes once what all test files use: the built CLI and page, the model and a migrated database. The database is of PGlite, or
 * of the PostgreSQL at TEST_DATABASE_URL, so that one suite runs on both engines.
 */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'lore-test-'));
  const url = process.env.TEST_DATABASE_URL;
  // this process makes two databases and then none: to compile PGlite a second time, with care, would not pay
  setFlagsFromString('--liftoff-only');
  await buildDist();
  if (pageIsStale()) await buildPage();
  project.provide('modelDir', await ensureConvertedModel(join(folder, 'model')));
  project.provide('emptySnapshot', await makeEmptySnapshot(folder));
  project.provide('snapshot', url ? '' : await makeSnapshot(folder));
  project.provide('template', url ? await makeTemplate(url) : '');
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    if (url) await dropDatabases(url);
  };
}

async function makeEmptySnapshot(folder: string): Promise<string> {
  const db = await openDatabase({ home: folder, databaseUrl: undefined });
  await db.close();
  const empty = join(folder, 'empty');
  cpSync(join(folder, 'pgdata'), empty, { recursive: true });
  return empty;
}

async function makeSnapshot(folder: string): Promise<string> {
  const db = await openDatabase({ home: folder, databaseUrl: undefined });
  await migrateDatabase(db, undefined);
  await db.close();
  return join(folder, 'pgdata');
}

const TEMPLATE = `lore_test_template_${process.pid}`;

async function makeTemplate(url: string): Promise<string> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${TEMPLATE}`);
  await admin.end();
  await migrateDatabase({ engine: 'postgres' } as Database, databaseUrl(url, TEMPLATE));
  return TEMPLATE;
}

/** Drops the databases of this run. */
async function dropDatabases(url: string) {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  const rows = await admin`select datname from pg_database where datname like ${`${TEMPLATE}%`}`;
  for (const { datname } of rows) await admin.unsafe(`drop database if exists ${datname} with (force)`);
  await admin.end();
}

/** Returns the URL with another database name. */
export function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
