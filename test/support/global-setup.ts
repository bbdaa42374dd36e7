import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { buildDist, buildPage } from '../../scripts/build.js';
import { buildFunctions } from '../../scripts/build-functions.js';
import { buildModel } from '../../scripts/build-model.js';
import { pageIsStale } from '../../scripts/stale.js';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { fastFolder } from './fast-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** folder of the embedding model that the build makes */
    modelDir: string;
    /** folder with a migrated embedded database to copy; '' on PostgreSQL */
    snapshot: string;
    /** folder with an empty embedded database to copy: to make one takes seconds */
    emptySnapshot: string;
    /** folders for what the files of a test process share: a usual one, and one where many files are written fast */
    lasting: { folder: string; fast: string };
    /** name of a migrated PostgreSQL database to copy; '' on PGlite */
    template: string;
  }
}

/**
 * Makes once what all test files use: the built CLI and page, the model and a migrated database. The database is of PGlite, or
 * of the PostgreSQL at TEST_DATABASE_URL, so that one suite runs on both engines.
 */
export default async function setup(project: TestProject) {
  const url = process.env.TEST_DATABASE_URL;
  // this process makes two databases and then none: to compile PGlite a second time, with care, would not pay
  setFlagsFromString('--liftoff-only');
  await buildAll();
  const databases = await kept('databases', ['src/db', 'drizzle'], makeDatabases);
  project.provide('modelDir', join(root, 'dist/model'));
  project.provide('emptySnapshot', join(databases, 'empty'));
  project.provide('snapshot', url ? '' : join(databases, 'pgdata'));
  project.provide('template', url ? await makeTemplate(url) : '');
  const folder = mkdtempSync(join(tmpdir(), 'lore-lasting-'));
  const fast = mkdtempSync(join(fastFolder, 'lore-lasting-'));
  project.provide('lasting', { folder, fast });
  return async () => {
    // a database may still write while its process ends
    for (const made of [folder, fast]) rmSync(made, { recursive: true, force: true, maxRetries: 10 });
    if (url) await dropDatabases(url);
  };
}

async function buildAll() {
  await buildDist();
  await buildFunctions();
  if (pageIsStale()) await buildPage();
  await buildModel(join(root, 'dist/model'));
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(root, 'node_modules/.cache/lore-tests');
const UNUSED_MS = 86_400_000;

/**
 * Returns a folder that lasts from run to run: it is made anew only when what it is made from has changed, which is the
 * text of `sources` (folders) and the versions of all packages. Nobody may change what is in it.
 */
async function kept(
  name: string,
  sources: string[],
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const source of sources) {
    const entries = readdirSync(join(root, source), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(relative(root, file)).update(readFileSync(file));
  }
  const folder = join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`);
  mkdirSync(CACHE, { recursive: true });
  if (!existsSync(folder)) {
    // under another name at first, so that what is half made is never taken for it
    const unfinished = mkdtempSync(join(CACHE, 'unfinished-'));
    await make(unfinished);
    // another run may have been faster
    if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true });
    else renameSync(unfinished, folder);
  }
  const now = new Date();
  utimesSync(folder, now, now);
  for (const other of readdirSync(CACHE)) {
    const path = join(CACHE, other);
    if (now.getTime() - statSync(path).mtimeMs > UNUSED_MS) rmSync(path, { recursive: true, force: true });
  }
  return folder;
}

/** Makes two embedded databases: `empty`, as it is at a first start, and `pgdata`, which is migrated. */
async function makeDatabases(folder: string): Promise<void> {
  const home = { home: folder, databaseUrl: undefined };
  const first = await openDatabase(home);
  await first.close();
  cpSync(join(folder, 'pgdata'), join(folder, 'empty'), { recursive: true });
  const db = await openDatabase(home);
  await migrateDatabase(db, undefined);
  await db.close();
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
