import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support/json-lines.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { sharedServer, startTestServer, type TestServer } from '../support/server.ts';
import { played, tableOf } from '../support/tables.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const elsewhere = await sharedServer();

const APP = '/home/dev/app';

async function member(on: TestServer = server) {
  const { key, ask } = await on.member();
  const contents = async (): Promise<string[]> =>
    (await ask('GET', '/v1/notes?limit=500')).body.notes.map((note: { content: string }) => note.content);
  const env = { LORE_HOME: on.home, LORE_URL: on.url, LORE_KEY: key };
  /** Runs the command and returns its exit code and output. */
  const lore = (args: string[], input = '') => runLore(args, { env, input });
  const loreJson = async (args: string[], input = '') =>
    JSON.parse((await lore([...args, '--json'], input)).stdout);
  return { ask, contents, lore, loreJson };
}

/** Somebody who has kept something of each kind, and what is exported of it. */
async function lived() {
  const who = await member();
  await played(tableOf('lived'), who.ask);
  const { records } = (await who.ask('GET', '/v1/export?limit=500')).body;
  return { ...who, records };
}

const folder = temporaryFolder();
let files = 0;
/** Writes a file with this text and returns its path. */
function file(text: string | Uint8Array, name = `file-${files++}.jsonl`): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const jsonl = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

describe('lore export and import', () => {
  test('carry everything over, through a file or a pipe', async () => {
    const [ann, other, third] = [await lived(), await member(elsewhere), await member(elsewhere)];
    const { records } = ann;
    const all = records.length;
    expect(all).toBeGreaterThan(15);
    const path = join(folder, 'all.jsonl');
    expect(await ann.lore(['export', path])).toMatchObject({
      code: 0,
      stdout: `${all} records in ${path}.\n`,
      stderr: '',
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const piped = await ann.lore(['export']);
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(piped.stdout).toBe(readFileSync(path, 'utf8'));
    expect(rowsOf(piped.stdout)).toEqual(records);
    expect(await other.lore(['import', path])).toMatchObject({
      code: 0,
      stdout: `${all} imported, 0 already there, 0 refused.\n`,
      stderr: '',
    });
    expect(await other.lore(['import', path])).toMatchObject({
      code: 0,
      stdout: `0 imported, ${all} already there, 0 refused.\n`,
    });
    expect(await third.loreJson(['import', '-'], piped.stdout)).toEqual({
      imported: all,
      skipped: 0,
      failed: [],
    });
  });

  test('into a folder for git, which is the same each time, and is imported as one', async () => {
    const [ann, other] = [await lived(), await member(elsewhere)];
    const dir = join(folder, 'for-git');
    const before = await ann.loreJson(['export', '--dir', dir]);
    const texts = () => before.files.map((name: string) => readFileSync(join(dir, name), 'utf8'));
    const first = texts();
    expect(first.join('').trim().split('\n')).toHaveLength(ann.records.length);
    expect(await ann.loreJson(['export', '--dir', dir])).toEqual(before);
    expect(texts()).toEqual(first);
    expect(await other.loreJson(['import', dir])).toEqual({
      imported: ann.records.length,
      skipped: 0,
      failed: [],
    });
  });

  test('import of JSON lines: plain notes', async () => {
    const ann = await member();
    const whole = { content: 'whole', project: '/home/dev/own', confidence: 0.7, key: 'mine' };
    const path = file(`\ufeff${jsonl(whole)}\r\n\n${jsonl({ content: 'of the project given' })}\n`);
    expect(await ann.loreJson(['import', path, '-p', APP])).toEqual({ imported: 2, skipped: 0, failed: [] });
    expect(await ann.loreJson(['import', path, '-p', APP])).toEqual({ imported: 0, skipped: 2, failed: [] });
    const { notes } = (await ann.ask('GET', '/v1/notes')).body;
    expect(notes).toHaveLength(2);
    expect(notes).toContainEqual(expect.objectContaining(whole));
  });

  test('a refused line is named with its number and the reason, the others are imported', async () => {
    const ann = await member();
    const good = (text: string) => JSON.stringify({ content: text, project: APP });
    const text = [
      good('a'),
      'not json',
      '[1]',
      JSON.stringify({ content: 'no project' }),
      JSON.stringify({ project: APP }),
      JSON.stringify({ content: 'x', project: APP, confidence: 7, supersedes: 'nothing' }),
      JSON.stringify({ content: 'x', project: APP, createdAt: 'yesterday' }),
      JSON.stringify({ content: 'x', project: APP, supersedes: crypto.randomUUID() }),
      JSON.stringify({ type: 'learning', id: 'x' }),
      good('b'),
    ].join('\n');
    const { code, stdout, stderr } = await ann.lore(['import', '-'], text);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '2 imported, 0 already there, 8 refused.\n' });
    const said = stderr.trim().split('\n').sort();
    expect(said).toEqual([
      'line 2: is not a JSON object',
      'line 3: is not a JSON object',
      'line 4: names no project: say which with --project',
      expect.stringMatching(/^line 5: content: /),
      expect.stringMatching(/^line 6: confidence: .*; supersedes: /),
      expect.stringMatching(/^line 7: createdAt: must be an ISO 8601 instant/),
      expect.stringMatching(/^line 8: supersedes: You have no note/),
      expect.stringMatching(/^line 9: .*\bid: /),
    ]);
    expect(await ann.contents()).toEqual(['b', 'a']);
  });
});

/** Rows of its database, and the notes that they become. */
const CLAUDE_MEM = JSON.parse(readFileSync('test/fixtures/claude-mem.json', 'utf8'));

/** Writes a database as it is while claude-mem runs: its last rows are only in the write-ahead log. */
function claudeMemDatabase(): string {
  const path = join(folder, 'claude-mem.db');
  const db = new sqlite.Database(path);
  db.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma wal_autocheckpoint = 0');
  for (const [table, row] of [
    ['observations', CLAUDE_MEM.observation],
    ['session_summaries', CLAUDE_MEM.summary],
  ] as const) {
    const names = Object.keys(row);
    db.exec(`create table ${table} (${names.join(', ')})`);
    db.run(`insert into ${table} values (${names.map(() => '?').join(', ')})`, Object.values(row));
  }
  const bytes = [path, `${path}-wal`].map((name) => readFileSync(name));
  db.close();
  const [main = Buffer.alloc(0), log = Buffer.alloc(0)] = bytes;
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, log);
  expect(log.length).toBeGreaterThan(1000);
  return path;
}

test('claude-mem: its database, once', async () => {
  const ann = await member();
  const database = claudeMemDatabase();
  const before = readFileSync(database);
  expect(await ann.loreJson(['import', database])).toEqual({ imported: 2, skipped: 0, failed: [] });
  expect(await ann.loreJson(['import', database])).toEqual({ imported: 0, skipped: 2, failed: [] });
  expect(readFileSync(database).equals(before)).toBe(true);
  const { notes } = (await ann.ask('GET', '/v1/notes')).body;
  expect(notes.reverse()).toMatchObject(CLAUDE_MEM.notes);
});

describe('memory files of Claude Code', () => {
  const project = join(folder, 'shop');
  const put = (name: string, text: string) => file(text, `shop/${name}`);
  put(
    'CLAUDE.md',
    '# Shop\n\nA web shop.\n\n## Build\n\n- `npm ci`\n\n- `npm run build`\n\n```sh\n# not a heading\n```\n\n## Empty\n',
  );
  put('api/CLAUDE.local.md', 'Never log cards.\n\n- one\n- two\n\n  more of two\n\nLast.\n');
  put('.claude/rules/tests.md', '---\npaths:\n  - "src/**"\n---\n# Tests\n\nUse vitest.\n');
  put('node_modules/x/CLAUDE.md', 'not ours\n');
  put('README.md', '# no memory\n\nA shop.\n');

  test('rules: each section or block is a policy, with its file', async () => {
    const ann = await member();
    expect(await ann.loreJson(['import', project])).toEqual({ imported: 4, skipped: 0, failed: [] });
    const { notes } = (await ann.ask('GET', '/v1/notes')).body;
    type Found = { content: string; metadata: { breadcrumbs: { documentation: string[] } } };
    const found = notes.map((n: Found) => [n.metadata.breadcrumbs.documentation[0], n.content]).sort();
    expect(found).toEqual([
      ['.claude/rules/tests.md', 'Tests\n\nUse vitest.'],
      ['CLAUDE.md', 'Shop\n\nA web shop.'],
      ['CLAUDE.md', 'Shop › Build\n\n- `npm ci`\n\n- `npm run build`\n\n```sh\n# not a heading\n```'],
      ['api/CLAUDE.local.md', 'Never log cards.\n\n- one\n- two\n\n  more of two\n\nLast.'],
    ]);
    for (const note of notes) {
      expect(note).toMatchObject({
        project,
        channel: 'policies',
        messageType: 'policy',
        sender: 'claude-code',
      });
    }
    expect(await ann.loreJson(['import', join(project, 'CLAUDE.md')])).toEqual({
      imported: 0,
      skipped: 2,
      failed: [],
    });
  });
});
