import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookSession, startedSession } from '../support/hook-session.ts';
import { transcriptFolder } from '../support/left-behind.ts';
import { recordedSession } from '../support/recorded-session.ts';
import { startTestServer } from '../support/server.ts';

// The rows of “Commands that are not checked” in docs/hooks.md that the server sees. What a start says is in
// session-start.test.ts, what settings do in attachments.test.ts, the client's sandbox in test/e2e/sandbox.test.ts.

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const root = transcriptFolder();

type Unchecked = { where: string; why: string; remedy: string | null; at: string | null };
const unchecked = async (key = server.key): Promise<Unchecked[]> =>
  (await server.request('GET', '/v1/hooks/unchecked', { key })).body.unchecked;

describe('calls of which no hook told', () => {
  /** Starts a session of a recording's project. Returns what the person is told with their prompt. */
  async function start({ folder, cwd }: { folder: string; cwd: string }, sessionId: string = randomUUID()) {
    const transcript = join(folder, `${sessionId}.jsonl`);
    const session = hookSession(server, { sessionId, transcript, cwd, branch: 'main' });
    expect(await session.start()).not.toHaveProperty('systemMessage');
    await server.settled();
    return (await session.prompt('Go on, please.')).systemMessage;
  }
  /** Plays a session that began by a hook, and left a transcript. */
  async function play(r: ReturnType<typeof recordedSession>, hooks: object[]) {
    expect(await start(r, r.id)).toBeUndefined();
    for (const one of hooks) await server.hook(one as Record<string, unknown>);
    await server.settled();
    // a recording lies in the past
    await server.rows(
      `update events set occurred_at = occurred_at - interval '1 day' where event = 'SessionStart'`,
    );
    r.write();
  }

  test('are told with the first prompt of the next session, listed, and forgotten after a session without any', async () => {
    const r = recordedSession(root);
    await play(r, []);
    expect(await start(r)).toMatch(
      /^Lore: \d of \d calls of the last session here were not checked: .*lore doctor/,
    );
    await server.settled();
    const here = async () => (await unchecked()).filter(({ where }) => where === r.cwd);
    const [one] = await here();
    expect(one).toMatchObject({ where: r.cwd, why: expect.stringContaining('9 of 9 calls') });
    expect((await server.request('GET', '/v1/dashboard')).body.unchecked).toContainEqual(one);

    const next = await startedSession(server, { cwd: r.cwd });
    await next.bashWorks('npm test');
    await next.finish();
    expect(await here()).toEqual([]);
    expect(await start(r)).toBeUndefined();
  });

  test('are told of a session that went by without any server, where an earlier one had one', async () => {
    const r = recordedSession(root);
    const earlier = await startedSession(server, { cwd: r.cwd });
    await earlier.bashWorks('npm test');
    await earlier.finish();
    await server.rows(
      `with s as (update sessions set last_activity = last_activity - interval '1 day' where client_session_id = '${earlier.session_id}' returning id)
       update events set occurred_at = occurred_at - interval '1 day' where session_id in (select id from s)`,
    );
    r.write();
    expect(await start(r)).toContain('9 of 9 calls of the last session here were not checked');
  });

  test('are none where all hooks came, and none from before Lore was there', async () => {
    const whole = recordedSession(root);
    await play(whole, whole.hooks);
    expect(await start(whole)).toBeUndefined();
    const before = recordedSession(root);
    before.write();
    expect(await start(before)).toBeUndefined();
    await server.settled();
    expect(await start(before)).toBeUndefined();
    const projects = (await unchecked()).map(({ where }) => where);
    for (const { cwd } of [whole, before]) expect(projects).not.toContain(cwd);
  });
});
