import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { startServer } from '../../src/server/compose.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { noEmbedder } from '../support/no-embedder.ts';
import { sharedServer, startTestServer, testDatabase } from '../support/server.ts';

const SECRET = 'a'.repeat(32);
const [one, two, three] = [
  await sharedServer({ model: false }),
  await startTestServer({ LORE_MODEL_DIR: '', LORE_SECRET: SECRET }),
  await startTestServer({ LORE_MODEL_DIR: '', LORE_SECRET: SECRET }),
];

const codeOf = async (server: typeof one) =>
  (await server.request('POST', '/v1/commands/check', { body: { command: 'frobnicate', cwd: '/srv/x' } }))
    .body.code;

describe('the code of a check', () => {
  test('has 64 bits and cannot be computed without the secret of the server', async () => {
    const [a, b, c] = [await codeOf(one), await codeOf(two), await codeOf(three)];
    expect(a).toMatch(/^[0-9a-f]{16}$/);
    expect(b).not.toBe(a);
    expect(c).toBe(b);
  });
});

describe('the secret of a server', () => {
  const start = async (home: string) => {
    const database = await testDatabase();
    const config = readConfig({
      LORE_HOME: home,
      LORE_PORT: '0',
      LORE_LOG_LEVEL: 'silent',
      ...(database.url && { DATABASE_URL: database.url }),
    });
    return startServer(config, { openDatabase: database.open, embedder: noEmbedder('not here') });
  };

  test('is made once, and only its owner may read it', async () => {
    const home = temporaryFolder();
    const file = join(home, 'secret');
    await (await start(home)).stop();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const secret = readFileSync(file, 'utf8').trim();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    await (await start(home)).stop();
    expect(readFileSync(file, 'utf8').trim()).toBe(secret);
  });

  test.each([
    ['is empty', (file: string) => writeFileSync(file, '')],
    ['is a folder', (file: string) => mkdirSync(file)],
  ])('is not silently replaced when its file %s', async (_, damage) => {
    const home = temporaryFolder();
    damage(join(home, 'secret'));
    await expect(start(home)).rejects.toMatchObject({ status: 500, title: 'Secret file is damaged' });
  });
});
