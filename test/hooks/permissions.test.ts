import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// What the answers to calls may say to the client: in general, and in a project with a setting of its own.

const server = await sharedServer();

type Mode = 'allow' | 'deny-only' | 'judge-only';
const set = async (key: string, body: object) => {
  const answer = await server.request('PUT', '/v1/settings', { key, body });
  expect(answer.status).toBe(200);
  return answer.body;
};
const member = async () => (await server.member()).key;

const HARMLESS = 'git status';
const OUTWARD = ['git push', 'gh pr create --fill', 'npm install left-pad'];
const DENIED = 'git push --force origin main';

async function answers(key: string, cwd: string, lines: string[]): Promise<string[]> {
  const session = await startedSession(server, { key, cwd });
  const said: string[] = [];
  for (const line of lines) said.push(await session.decisionOn(line));
  return said;
}

const stored = async (key: string) => {
  await server.settled();
  return (await server.request('GET', '/v1/commands/checks', { key })).body.checks;
};

describe('what the client is told', () => {
  test.each([
    ['allow', ['allow', 'none', 'none', 'none', 'deny']],
    ['deny-only', ['none', 'none', 'none', 'none', 'deny']],
    ['judge-only', ['none', 'none', 'none', 'none', 'none']],
  ] as [Mode, string[]][])('in mode %s', async (permissions, expected) => {
    const key = await member();
    expect(await set(key, { permissions })).toMatchObject({ permissions });
    expect(await answers(key, `/home/dev/${randomUUID()}`, [HARMLESS, ...OUTWARD, DENIED])).toEqual(expected);
  });
});

describe('what is recorded', () => {
  test('what was left to the client says so, and why', async () => {
    const key = await member();
    await answers(key, `/home/dev/${randomUUID()}`, ['gh pr create --fill']);
    const [check] = await stored(key);
    expect(check).toMatchObject({ decision: 'ask', source: 'none' });
    expect(check.reason).toBe(
      'left to the client, it writes what others see: works with pull requests and issues',
    );
  });

  test('what was only judged names the rule, and is neither a denial nor an error', async () => {
    const key = await member();
    const cwd = `/home/dev/${randomUUID()}`;
    await set(key, { projectPermissions: { [cwd]: 'judge-only' } });
    await answers(key, cwd, [DENIED]);
    const [check] = await stored(key);
    expect(check).toMatchObject({ decision: 'ask', source: 'none', rule: 'git.force-push' });
    expect(check.reason).toContain('only judged, would be denied');
    const { body } = await server.request('GET', '/v1/incidents', { key });
    expect(body.incidents).toEqual([]);
  });
});
