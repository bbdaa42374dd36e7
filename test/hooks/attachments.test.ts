import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attach, detach, placeIn } from '../../src/cli/attach/attach.ts';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

// A project whose hooks are gone sends nothing any more. So the person hears of it elsewhere.

const server = await startTestServer({ LORE_MODEL_DIR: '' });

/** What the person is told at the start of a session in another project; undefined for nothing. */
async function toldAtStart(key = server.key): Promise<string | undefined> {
  return (await hookSession(server, { key }).start()).systemMessage;
}
const onPage = async (key = server.key) =>
  (await server.request('GET', '/v1/dashboard', { key })).body.unchecked;

type Settings = { hooks: Record<string, unknown> };

test('hooks that are gone or changed are told to the owner at the next start, and on the page', async () => {
  const dir = temporaryFolder();
  const file = join(dir, '.claude', 'settings.local.json');
  const person = { home: '/nonexistent', env: {} };
  const place = placeIn('claude', dir, server.home, person);
  const attached = () => attach(place, { url: server.url, key: 'k'.repeat(24) }, person);
  const beside = (settings: object) =>
    writeFileSync(join(dir, '.claude', 'settings.json'), JSON.stringify(settings));
  const change = (to: object) =>
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...to }));
  attached();
  expect(await toldAtStart()).toBeUndefined();
  expect(await onPage()).toEqual([]);

  const { PreToolUse: _, ...others } = (JSON.parse(readFileSync(file, 'utf8')) as Settings).hooks;
  const cases: [string, () => void][] = [
    ['is gone', () => rmSync(join(dir, '.claude'), { recursive: true })],
    ['is not valid JSON', () => writeFileSync(file, '{')],
    ['switches all hooks off', () => change({ disableAllHooks: true })],
    ['holds no hook of Lore for PreToolUse', () => change({ hooks: others })],
    ['no longer holds the hooks', () => change({ hooks: {} })],
    ['no longer holds the key', () => change({ env: {} })],
    ['settings.json switches all hooks off', () => beside({ disableAllHooks: true })],
    ['whose allowedDomains do not hold', () => change({ sandbox: { enabled: true } })],
    [
      'settings.json hold 127.0.0.1',
      () => beside({ sandbox: { enabled: true, network: { deniedDomains: ['127.*'] } } }),
    ],
    ['allowedHttpHookUrls in', () => beside({ allowedHttpHookUrls: ['https://ci.example/*'] })],
    ['httpHookAllowedEnvVars in', () => beside({ httpHookAllowedEnvVars: ['CI_KEY'] })],
  ];
  const member = await server.member();
  for (const [said, harm] of cases) {
    harm();
    expect(await toldAtStart()).toContain(said);
    expect(await onPage()).toMatchObject([{ where: file, why: expect.stringContaining(said), at: null }]);
    expect(await toldAtStart(member.key)).toBeUndefined();
    expect(await onPage(member.key)).toEqual([]);
    rmSync(join(dir, '.claude'), { recursive: true, force: true });
    attached();
    expect(await toldAtStart()).toBeUndefined();
  }

  // what a person adds does no harm
  beside({
    ...{ sandbox: { enabled: true }, httpHookAllowedEnvVars: ['LORE_*'] },
    allowedHttpHookUrls: ['https://ci.example/*', 'http://127.0.0.1:*/v1/hooks'],
  });
  expect(await toldAtStart()).toBeUndefined();
  change({ model: 'x' });
  expect(await toldAtStart()).toBeUndefined();
  detach(place, person);
  expect(await toldAtStart()).toBeUndefined();
  mkdirSync(join(dir, '.claude'), { recursive: true });
  expect(await toldAtStart()).toBeUndefined();
});
