import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startTestServer } from '../support/server.ts';

const event = (n: number, command = `echo ${n}`) => ({
  hook_event_name: 'PostToolUse',
  session_id: 'journal',
  tool_name: 'Bash',
  tool_use_id: `toolu_${n}`,
  tool_input: { command },
  tool_response: { stdout: String(n) },
});

describe('an acknowledged event is not lost', async () => {
  const server = await startTestServer({ LORE_MODEL_DIR: '' });
  /** Text that does not compress, so that an index cannot hold much of it. */
  const noise = (length: number) => {
    let text = '';
    while (text.length < length) text += randomUUID().replaceAll('-', '');
    return text.slice(0, length);
  };
  const refused = async () => (await server.request('GET', '/v1/journal')).body.refused;

  test('however long its folder, transcript, branch, session and ids are', async () => {
    const wide = (length: number) => `${noise(length - 4)}ü漢🙂`;
    const session = randomUUID() + wide(160);
    const cwd = `/${noise(4000)}`;
    const base = { session_id: session, cwd, transcript_path: `/${wide(4000)}` };
    const lore = { root: cwd, repo: wide(500), branch: wide(500), deliveryId: wide(100) };
    await server.hook({ ...base, hook_event_name: 'SessionStart', source: wide(100), lore });
    await server.hook({
      ...base,
      cwd: `${cwd}/a`,
      ...event(1),
      session_id: session,
      tool_use_id: wide(300),
      tool_name: wide(300),
    });
    const call = { tool_use_id: wide(300), agent_id: wide(200), error: `Error: ${wide(5000)}` };
    await server.hook({
      ...base,
      ...event(2, noise(9000)),
      hook_event_name: 'PostToolUseFailure',
      session_id: session,
      ...call,
    });
    await server.hook({ ...base, hook_event_name: wide(100), agent_id: wide(200) });
    await server.hook({
      ...base,
      session_id: randomUUID(),
      hook_event_name: 'Stop',
      lore: { root: `/${wide(4000)}` },
    });
    await server.hook({ ...base, hook_event_name: 'SessionEnd', reason: wide(200) });
    expect(
      (await server.request('GET', `/v1/sessions/${encodeURIComponent(session)}`)).body.events,
    ).toHaveLength(5);
    expect(await refused()).toEqual([]);
    const { body } = await server.request('GET', '/v1/sessions');
    expect(body.sessions[0].cwd).toBe(cwd);
  });

  test('though those of another user cannot be stored now', async () => {
    const other = await server.member('stuck');
    await server.rows(`create function fail_for_now() returns trigger language plpgsql as $$ begin
      if new.user_id = '${other.userId}' then raise 'too slow' using errcode = 'query_canceled'; end if;
      return new; end $$`);
    await server.rows(
      'create trigger fail_for_now before insert on events for each row execute function fail_for_now()',
    );
    const session = { session_id: 'beside-stuck', cwd: '/x' };
    await server.hook({ ...event(1), ...session }, other.key);
    await server.hook({ ...event(2), ...session });
    const { body } = await server.request('GET', '/v1/sessions/beside-stuck?events=100');
    expect(body.events).toHaveLength(1);
    await server.rows('drop trigger fail_for_now on events');
    const stored = () => server.rows(`select tool_use_id from events where user_id = '${other.userId}'`);
    await expect.poll(stored).toEqual([{ tool_use_id: 'toolu_1' }]);
    expect((await server.request('GET', '/v1/journal')).body.stuck).toBe(null);
    expect(await refused()).toEqual([]);
  });

  test('though its session is erased while it is stored', async () => {
    await server.hook({ ...event(1), session_id: 'vanishing', cwd: '/x' });
    // deletes the session at the first try, between reading it and storing the event
    await server.rows('create sequence tries');
    await server.rows(`create function vanish() returns trigger language plpgsql security definer as $$ begin
      if new.tool_use_id = 'toolu_77' and nextval('tries') = 1 then
        delete from sessions where client_session_id = 'vanishing';
      end if;
      return new; end $$`);
    await server.rows('create trigger vanish before insert on events for each row execute function vanish()');
    await server.hook({ ...event(77), session_id: 'vanishing', cwd: '/x' });
    expect(await server.rows(`select 1 from events where tool_use_id = 'toolu_77'`)).toHaveLength(1);
    expect(await refused()).toEqual([]);
    await server.rows('drop trigger vanish on events');
  });
});
