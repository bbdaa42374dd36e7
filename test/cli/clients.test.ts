import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { runLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });
const base = realpathSync(temporaryFolder());

/** A person with a home, a project, and Lore's folder. */
async function person() {
  const folder = mkdtempSync(join(base, 'person-'));
  const { key } = await server.member();
  const place = { home: join(folder, 'home'), dir: join(folder, 'app'), lores: join(folder, 'lore') };
  for (const made of Object.values(place)) mkdirSync(made);
  const env = { HOME: place.home, LORE_HOME: place.lores, LORE_URL: server.url, LORE_KEY: key };
  const init = async (...args: string[]) => {
    const done = await runLore(['init', ...args, place.dir], { env });
    expect(done.code, done.stderr).toBe(0);
    return done;
  };
  const doctor = async () => (await runLore(['doctor'], { env })).stdout;
  return { ...place, key, init, doctor };
}

/** Returns all files below a folder with their content. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((file) => statSync(file).isFile())
      .sort()
      .map((file) => [file, readFileSync(file, 'latin1')]),
  );

const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** What is written, by client: files below the project or, with `user`, below the home; and what a person had in them. */
type Case = { client: string; files?: string[]; userFiles?: string[]; before: (string | null)[] };
const CASES: Case[] = JSON.parse(readFileSync('test/fixtures/clients.json', 'utf8'));

describe.each(CASES)('lore init --client $client', ({ client, before, ...written }) => {
  const user = written.files === undefined;
  const names = written.files ?? written.userFiles ?? [];

  test('writes hooks and the MCP server, twice the same, and takes them away without a trace', async () => {
    const { dir, home, lores, key, init } = await person();
    const empty = [contentOf(dir), contentOf(home)];
    await init('--client', client);
    const files = names.map((name) => join(user ? home : dir, name));
    for (const file of files) expect(existsSync(file), file).toBe(true);
    const [all, folders] = [contentOf(dir), contentOf(home)];
    // the key stands in none of them
    expect(JSON.stringify([all, folders])).not.toMatch(/lore_\w{20}/);
    const [keyFile] = readdirSync(join(lores, 'clients'));
    expect(statSync(join(lores, 'clients', keyFile as string)).mode & 0o777).toBe(0o600);
    const hooksKey = JSON.parse(readFileSync(join(lores, 'clients', keyFile as string), 'utf8')).key;
    const me = (await server.request('GET', '/v1/me', { key: hooksKey })).body;
    expect(me).toMatchObject({ scope: 'hooks' });
    expect((await init('--client', client)).stdout).toContain('Already attached');
    expect([contentOf(dir), contentOf(home)]).toEqual([all, folders]);

    await init('--client', client, '--remove');
    expect([contentOf(dir), contentOf(home)]).toEqual(empty);
    expect(readdirSync(dir)).toEqual([]);
    expect(existsSync(join(lores, 'clients'))).toBe(false);
    expect((await server.request('GET', '/v1/me', { key: hooksKey })).status).toBe(401);
    expect((await init('--client', client, '--remove')).stdout).toContain('Not attached');
    expect((await server.request('GET', '/v1/me', { key })).status).toBe(200);
  });

  test('keeps what a person has in these files; the doctor says where ours are gone', async () => {
    const { dir, home, init, doctor } = await person();
    const root = user ? home : dir;
    const had = names.flatMap((name, i) => {
      const text = before[i];
      return typeof text === 'string' ? [[join(root, name), text] as const] : [];
    });
    for (const [file, text] of had) put(file, text);
    await init('--client', client);
    expect(await doctor()).toMatch(/ok +other clients/);
    for (const [file, text] of had) {
      const now = readFileSync(file, 'utf8');
      expect(now, file).not.toBe(text);
      const later = file.endsWith('.toml') ? `${now}[later]\nx = 1\n` : now.replace('{', '{ "later": 1,');
      writeFileSync(file, later);
    }
    await init('--client', client, '--remove');
    for (const [file, text] of had) {
      const now = readFileSync(file, 'utf8');
      if (file.endsWith('.toml')) expect(now).toBe(`${text}\n[later]\nx = 1\n`);
      else expect(parse(now), file).toEqual({ later: 1, ...(parse(text) as object) });
    }
    await init('--client', client);
    writeFileSync(join(root, names[0] ?? ''), '{}');
    expect(await doctor()).toMatch(
      new RegExp(`PROBLEM other clients .*${names[0]} no longer holds.*lore init --client ${client}`),
    );
  });
});

test('a file that cannot be merged is left, and so are the others', async () => {
  const { dir, lores } = await person();
  put(join(dir, '.cursor', 'mcp.json'), '{ "mcpServers": [');
  const { key } = await server.member();
  const env = { HOME: dir, LORE_HOME: lores, LORE_URL: server.url, LORE_KEY: key };
  const { code, stderr } = await runLore(['init', '--client', 'cursor', dir], { env });
  expect(code).not.toBe(0);
  expect(stderr).toContain('Cannot merge into the settings');
  expect(existsSync(join(dir, '.cursor', 'hooks.json'))).toBe(false);
  const { keys } = (await server.request('GET', '/v1/keys', { key })).body;
  expect(keys.filter(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null)).toHaveLength(1);
});
