import { expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });
const CWD = '/home/dev/app';

/** Returns a user's session and its events, without row level security. */
async function sessionOf(userId: string, clientId: string) {
  const [session] = await server.rows(
    `select * from sessions where user_id = '${userId}' and client_session_id = '${clientId}'`,
  );
  const events = await server.rows(
    `select event, dedup_key, tool_name, tool_use_id, agent_id, target, payload, occurred_at from events
     where session_id = '${session.id}' order by id`,
  );
  return { session, events };
}

const bash = (session: string, call: number, more: object = {}) => ({
  hook_event_name: 'PostToolUse',
  session_id: session,
  cwd: CWD,
  tool_name: 'Bash',
  tool_use_id: `call-${call}`,
  tool_input: { command: `make part${call}` },
  tool_response: { stdout: 'done', stderr: '', interrupted: false },
  ...more,
});

test('each event of a session is stored and counted once, however often it is delivered', async () => {
  const { key, userId } = await server.member();
  const plain = { session_id: 's', cwd: CWD };
  const start = { hook_event_name: 'SessionStart' };
  const on = { root: CWD, deliveryId: 'one' };
  const story = [
    { ...plain, ...start, source: 'startup', transcript_path: '/t/1.jsonl', lore: { ...on, branch: 'main' } },
    { ...plain, hook_event_name: 'UserPromptSubmit', prompt_id: 'p0', prompt: '<task-notification> done' },
    { ...plain, hook_event_name: 'UserPromptSubmit', prompt_id: 'p1', prompt: 'Build it\nall of it' },
    { ...plain, hook_event_name: 'UserPromptSubmit', prompt_id: 'p2', prompt: 'Now test it' },
    bash('s', 1, { agent_id: 'sub' }),
    bash('s', 2),
    bash('s', 3, { hook_event_name: 'PreToolUse' }),
    bash('s', 3, { hook_event_name: 'PostToolUseFailure', error: 'Exit code 2\nError: no rule' }),
    bash('s', 4, { tool_name: 'Write', tool_input: { file_path: `${CWD}/b.ts`, content: '1' } }),
    bash('s', 5, { tool_name: 'Write', tool_input: { file_path: `${CWD}/a.ts`, content: '1' } }),
    bash('s', 6, { tool_name: 'Edit', tool_input: { file_path: `${CWD}/a.ts`, new_string: '2' } }),
    { ...plain, hook_event_name: 'Stop', prompt_id: 'p2', last_assistant_message: 'Built.' },
    { ...plain, hook_event_name: 'SessionEnd', reason: 'logout' },
  ];
  for (const event of story) {
    await server.hook(event, key);
    await server.settled();
    const once = await sessionOf(userId, 's');
    await server.hook(event, key);
    expect(await sessionOf(userId, 's')).toEqual(once);
  }
  const { session, events } = await sessionOf(userId, 's');
  expect(events.length).toBe(story.length);
  expect(events[4]).toMatchObject({
    event: 'PostToolUse',
    dedup_key: 'PostToolUse:call-1',
    tool_name: 'Bash',
    tool_use_id: 'call-1',
    agent_id: 'sub',
    target: 'make part1',
    payload: bash('s', 1, { agent_id: 'sub' }),
  });
  expect(session).toMatchObject({
    // `make part3` failed, and nothing answered it
    status: 'failed',
    outcome: 'logout',
    starts: 1,
    branch: 'main',
    transcript_path: '/t/1.jsonl',
    task_description: 'Build it\nall of it',
    short_title: 'Build it',
    summary: 'Built.',
    errors_encountered: 1,
    tools_used: { Bash: 3, Write: 2, Edit: 1 },
    ended_at: events.at(-1).occurred_at,
    last_activity: events.at(-1).occurred_at,
  });
  expect(session.files_modified.toSorted()).toEqual([`${CWD}/a.ts`, `${CWD}/b.ts`]);

  // A session resumed on another branch is active again, and can end again.
  const again = { source: 'resume', lore: { root: CWD, branch: 'topic', deliveryId: 'two' } };
  await server.hook({ ...plain, ...start, ...again }, key);
  expect((await sessionOf(userId, 's')).session).toMatchObject({
    status: 'active',
    ended_at: null,
    starts: 2,
    branch: 'topic',
    transcript_path: '/t/1.jsonl',
  });
  await server.hook({ ...plain, hook_event_name: 'SessionEnd', reason: 'logout' }, key);
  expect((await sessionOf(userId, 's')).session.status).toBe('completed');
});

test.each([
  ['Let us go on. Never use ramda here.', 'Never use ramda here'],
  ['Never use remix here. Please keep going.', 'Never use remix here'],
  ['Thanks! Keep going. Add a test for the cart.', 'Add a test for the cart'],
  ['Keep going', 'Keep going'],
])('a session is named by what says most: %s', async (prompt, short_title) => {
  const { key, userId } = await server.member();
  const own = { session_id: 's', cwd: CWD, hook_event_name: 'UserPromptSubmit' };
  await server.hook({ ...own, prompt, prompt_id: 'p' }, key);
  await server.settled();
  expect((await sessionOf(userId, 's')).session).toMatchObject({ short_title });
});

test('two users whose clients chose the same session id have a session each', async () => {
  const [ann, bob] = [await server.member('ann'), await server.member('bob')];
  await Promise.all([1, 2, 3].flatMap((n) => [server.hook(bash('same', n), ann.key)]));
  await Promise.all([1, 2].flatMap((n) => [server.hook(bash('same', n), bob.key)]));
  const [anns, bobs] = [await sessionOf(ann.userId, 'same'), await sessionOf(bob.userId, 'same')];
  expect(anns.session.id).not.toBe(bobs.session.id);
  expect([anns.session.tools_used, bobs.session.tools_used]).toEqual([{ Bash: 3 }, { Bash: 2 }]);
  expect([anns.events.length, bobs.events.length]).toEqual([3, 2]);
});
