import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runLore, temporaryFolder } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const server = await startTestServer();
const PROJECT = 'github.com/acme/shop';

async function member() {
  const { key } = await server.member();
  const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: key };
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await server.request(method, path, { key, body });
    expect([path, answer.status]).toEqual([path, expect.toSatisfy((status) => status < 300)]);
    return answer.body;
  };
  return { ask, lore: (...args: string[]) => runLore(args, { env }) };
}

/** Somebody who has a record of every kind that an export holds. */
async function lived() {
  const who = await member();
  const { ask } = who;
  await ask('POST', '/v1/notes', {
    project: PROJECT,
    channel: 'ops',
    agent: 'ann',
    content: 'The queue is Redis',
  });
  await ask('POST', '/v1/notes', { agent: 'ann', content: 'Of no project' });
  await ask('POST', '/v1/learnings', {
    project: PROJECT,
    lesson: 'Run `npm run emulator` before the integration tests, or they cannot reach the database',
    context: 'Running the integration tests of the shop',
    appliesTo: ['npm test'],
  });
  const first = await ask('POST', '/v1/findings', { project: PROJECT, title: 'The pool leaks' });
  await ask('POST', '/v1/findings', { project: PROJECT, title: 'The tests hang', blockedBy: [first.id] });
  await ask('PUT', '/v1/facts', { type: 'service', key: 'port', value: 80 });
  await ask('PUT', '/v1/facts', { type: 'service', key: 'port', value: 81 });
  await ask('PUT', '/v1/relations', {
    from: { type: 'service', key: 'web' },
    relation: 'calls',
    to: { type: 'service', key: 'api' },
    project: PROJECT,
  });
  const old = await ask('POST', '/v1/decisions', {
    project: PROJECT,
    condition: 'tests',
    action: 'use jest',
  });
  await ask('POST', '/v1/decisions', {
    project: PROJECT,
    condition: 'tests',
    action: 'use vitest',
    supersedes: old.id,
  });
  await ask('PUT', '/v1/skills/release', { file: '# How to release' });
  await server.settled();
  return who;
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const linesOf = (folder: string): string[] =>
  filesOf(folder)
    .filter((path) => path.endsWith('.jsonl'))
    .flatMap((path) => readFileSync(join(folder, path), 'utf8').trim().split('\n'))
    .sort();

test('an export is a folder for git, and comes back whole', async () => {
  const [ann, ben] = [await lived(), await member()];
  const [folder, again] = [temporaryFolder(), temporaryFolder()];
  expect(await ann.lore('export', '--dir', folder)).toMatchObject({ code: 0, stderr: '' });
  const files = filesOf(folder);
  const kinds = files.flatMap((path) => (path.includes('/') ? [path.split('/')[0]] : []));
  for (const kind of [
    ...['amendment', 'decision', 'fact', 'finding', 'findingLink', 'learning'],
    ...['note', 'relation', 'skill'],
  ])
    expect(kinds).toContain(kind);
  expect(files).toContain('note/_user.jsonl');
  expect(files.filter((path) => path.startsWith('note/github.com-acme-shop-'))).toHaveLength(1);
  expect(statSync(join(folder, 'note/_user.jsonl')).mode & 0o777).toBe(0o600);
  for (const path of files.filter((name) => name.endsWith('.jsonl'))) {
    const lines = readFileSync(join(folder, path), 'utf8').trim().split('\n');
    expect(lines).toEqual([...lines].sort());
  }

  const lines = linesOf(folder);
  const imported = await ben.lore('import', folder);
  expect([imported.code, imported.stdout, imported.stderr]).toEqual([
    0,
    `${lines.length} imported, 0 already there, 0 refused.\n`,
    '',
  ]);
  expect((await ben.lore('import', folder)).stdout).toBe(
    `0 imported, ${lines.length} already there, 0 refused.\n`,
  );
  expect((await ben.lore('export', '--dir', again)).code).toBe(0);
  // a link between two records gets an id of its own
  const known = (line: string) => line.replace(/^(\{"type":"amendment",)"id":"[\w-]+",/, '$1');
  expect(linesOf(again).map(known)).toEqual(lines.map(known));
});

test('a later export changes only what changed, and leaves other files alone', async () => {
  const { ask, lore } = await member();
  const folder = temporaryFolder();
  for (const name of ['a', 'b']) await ask('POST', '/v1/projects', { name });
  const { notes } = await ask('POST', '/v1/notes', [
    { project: 'a', content: 'one' },
    { project: 'b', content: 'two' },
  ]);
  expect((await lore('export', '--dir', folder)).code).toBe(0);
  writeFileSync(join(folder, 'README.md'), 'ours');
  const before = statSync(join(folder, 'note/a.jsonl')).mtimeMs;
  await ask('DELETE', `/v1/notes/${notes[1].id}`, undefined);
  expect((await lore('export', '--dir', folder)).code).toBe(0);
  expect(existsSync(join(folder, 'note/b.jsonl'))).toBe(false);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('ours');
  expect(statSync(join(folder, 'note/a.jsonl')).mtimeMs).toBe(before);

  expect(await lore('export', 'x.jsonl', '--dir', folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give either'),
  });
  // a listing from elsewhere leads to no other file
  writeFileSync(
    join(folder, 'lore-export.json'),
    JSON.stringify({ files: [{ path: '../../etc/x.jsonl', kind: 'note' }] }),
  );
  rmSync(join(folder, 'README.md'));
  expect((await lore('import', folder)).code).toBe(1);
});
