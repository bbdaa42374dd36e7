import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// Who waits for a person: the page's list, its badge and how the project stands always say the same.

const server = await sharedServer({ model: false });

/** Returns a session at work, and what the page says of it. */
async function atWork() {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  await session.start();
  await session.prompt('Deploy it');
  const page = async () => {
    await server.settled();
    const { body } = await server.request('GET', '/v1/dashboard', { key });
    const [project] = body.projects;
    const { sessions } = (await server.request('GET', '/v1/sessions', { key })).body;
    const waits = body.waiting.map(({ title }: { title: string }) => title);
    expect(body.counts.waiting).toBe(waits.length);
    // one state, wherever it is read
    expect(project.status === 'blocked').toBe(waits.length > 0);
    expect(sessions.some((one: { waitingFor: string | null }) => one.waitingFor !== null)).toBe(
      waits.length > 0,
    );
    return { status: project.status, waits };
  };
  return { key, session, page };
}

const bash = (command: string, id: string, more = {}) => ({
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: id,
  ...more,
});
const asked = ({ tool_use_id: _, ...call }: ReturnType<typeof bash>) => call;
const worked = { tool_response: { stdout: 'ok', stderr: '', interrupted: false, isImage: false } };
const failed = { error: 'Exit code 1', is_interrupt: false };
const DEPLOY = bash('make deploy', 't1');
const WAITS = { status: 'blocked', waits: ['Waits for a person to permit Bash: make deploy'] };
const GOES_ON = { status: 'active', waits: [] };

test('a permission and its answer without a pause leave nothing behind', async () => {
  const { session, page } = await atWork();
  await Promise.all([
    session.send('PreToolUse', DEPLOY),
    session.send('PermissionRequest', asked(DEPLOY)),
    session.send('PostToolUse', { ...DEPLOY, ...worked }),
  ]);
  expect(await page()).toEqual(GOES_ON);
});

test.each<[string, [string, object][], { status: string; waits: string[] }]>([
  ['the answer', [['PostToolUse', { ...DEPLOY, ...worked }]], GOES_ON],
  ['a failure', [['PostToolUseFailure', { ...DEPLOY, ...failed }]], GOES_ON],
  ['a refusal', [['PermissionDenied', { ...DEPLOY, reason: 'no' }]], GOES_ON],
  ['the end of its calls', [['PostToolBatch', { tool_calls: [] }]], GOES_ON],
  ['the same call, made anew', [['PreToolUse', bash('make deploy', 't9')]], GOES_ON],
  ['a prompt', [['UserPromptSubmit', { prompt: 'No, wait' }]], GOES_ON],
  [
    'the end of the turn',
    [['Stop', { last_assistant_message: 'x', background_tasks: [] }]],
    { status: 'idle', waits: [] },
  ],
  ['a failed turn', [['StopFailure', { error: 'rate_limit' }]], { status: 'idle', waits: [] }],
  ['its end', [['SessionEnd', { reason: 'other' }]], { status: 'idle', waits: [] }],
  [
    'another call',
    [
      ['PreToolUse', bash('ls', 't2')],
      ['PostToolUse', { ...bash('ls', 't2'), ...worked }],
    ],
    WAITS,
  ],
  [
    'the call of a subagent',
    [['PostToolUse', { ...bash('make deploy', 't3'), ...worked, agent_id: 'a1' }]],
    WAITS,
  ],
  ['the turn of a subagent', [['SubagentStop', { agent_id: 'a1', agent_type: 'x' }]], WAITS],
  ['a notification', [['Notification', { message: 'Claude needs your permission' }]], WAITS],
])('a call that waits, after %s', async (_, events, expected) => {
  const { session, page } = await atWork();
  await session.send('PreToolUse', DEPLOY);
  await session.send('PermissionRequest', asked(DEPLOY));
  expect(await page()).toEqual(WAITS);
  for (const [name, fields] of events) await session.send(name, fields as Record<string, unknown>);
  expect(await page()).toEqual(expected);
});

test('two agents wait on their own', async () => {
  const { session, page } = await atWork();
  const [one, other] = [
    bash('make one', 't1', { agent_id: 'a1' }),
    bash('make two', 't2', { agent_id: 'a2' }),
  ];
  for (const call of [one, other]) await session.send('PreToolUse', call);
  for (const call of [one, other]) await session.send('PermissionRequest', asked(call));
  expect((await page()).waits).toEqual(['Waits for a person to permit Bash: make one']);
  await session.send('PostToolUse', { ...one, ...worked });
  expect((await page()).waits).toEqual(['Waits for a person to permit Bash: make two']);
  await session.send('SubagentStop', { agent_id: 'a2', agent_type: 'x' });
  expect(await page()).toMatchObject({ waits: [] });
});

test('a question to the person waits for the answer', async () => {
  const { session, page } = await atWork();
  const questions = [{ question: 'Which port?', header: 'Port', options: [] }];
  const call = { tool_name: 'AskUserQuestion', tool_input: { questions }, tool_use_id: 'q1' };
  await session.send('PreToolUse', call);
  await session.send('PermissionRequest', { tool_name: call.tool_name, tool_input: call.tool_input });
  expect(await page()).toEqual({ status: 'blocked', waits: ['Waits for a person to answer: Which port?'] });
  await session.send('PostToolUse', {
    ...call,
    tool_input: { questions, answers: { port: '80' } },
    ...worked,
  });
  expect(await page()).toEqual(GOES_ON);
});

test('an open session in which nothing happened is not active, and the day does not count it', async () => {
  const { key, session, page } = await atWork();
  await session.stop('Done');
  const ghost = hookSession(server, { key, cwd: session.cwd, sessionId: randomUUID() });
  const today = async () => {
    await server.settled();
    const { body } = await server.request('GET', '/v1/dashboard', { key });
    return { sessions: body.today.sessions, active: body.projects[0].activeSessions };
  };
  await Promise.all([ghost.start(), session.start('resume')]);
  expect(await page()).toEqual({ status: 'idle', waits: [] });
  expect(await today()).toEqual({ sessions: 1, active: 0 });
  await session.prompt('Go on');
  expect(await today()).toEqual({ sessions: 1, active: 1 });
  await session.start('compact');
  expect(await today()).toEqual({ sessions: 1, active: 1 });
});
