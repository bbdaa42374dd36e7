import { describe, expect, test } from 'vitest';
import { numberedIn } from '../../src/base/text/numbered.ts';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { classify } from '../../src/plans/intent.ts';
import { contextOf, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { tablesOf } from '../support/tables.ts';

const server = await sharedServer();
const tables = tablesOf('prompts');

test.each(tables.classified ?? [])('a prompt is classified: %s', (prompt = '', intent) => {
  expect(classify(prompt).intent).toBe(intent);
});

test.each(tables.steps ?? [])(
  'the steps that a person numbers are taken to the letter: %s',
  (prompt = '', ...expected) => {
    const list = numberedIn(prompt);
    expect([list?.before || '-', list?.items.length, list?.after || '-']).toEqual(
      expected.map((x, i) => (i === 1 ? Number(x) : x)),
    );
  },
);

test.each(tables['no steps'] ?? [])('what is no list of things to do has no steps: %s', (prompt = '') => {
  expect(numberedIn(prompt)).toBeNull();
});

const COMPLEX =
  'Refactor the authentication module to use dependency injection, and update all callers and tests';

async function member() {
  const { key, ask, keyOf } = await server.member();
  const session = await startedSession(server, { key });
  const hooks = await keyOf('hooks');
  /** Makes a plan as the session's agent does. */
  const make = (plan: object, about: object = { session: session.session_id }) =>
    server.request('POST', '/v1/plans', {
      key: hooks,
      body: {
        project: session.cwd,
        goal: 'Take the config apart',
        steps: [{ description: 'x' }],
        ...about,
        ...plan,
      },
    });
  const plans = async () => {
    await server.settled();
    const { body } = await ask('GET', '/v1/plans');
    const all = body.plans.map(({ id }: { id: string }) => ask('GET', `/v1/plans/${id}`));
    return (await Promise.all(all)).map((answer) => answer.body);
  };
  return { key, ask, session, make, plans };
}

describe('at a complex prompt', () => {
  test('the agent is asked for its plan, which is then that of its session', async () => {
    const { session, ask, plans } = await member();
    const told = contextOf(await session.prompt(COMPLEX));
    expect(told).toContain('Lore asks: This looks like several steps.');
    expect(told).toContain(`plan make -s ${session.session_id.slice(0, 8)} "goal" "step"`);
    expect(estimateTokens(told)).toBeLessThanOrEqual(110);
    expect(await plans()).toEqual([]);
    const plan = {
      project: session.cwd,
      session: session.session_id.slice(0, 8),
      goal: 'Inject what the authentication module depends on, in all callers',
      constraints: ['update all callers'],
      steps: [
        { description: 'write the container', assignedTo: 'builder' },
        { description: 'adapt the callers' },
      ],
    };
    expect((await ask('POST', '/v1/plans', plan)).body).toMatchObject({
      sessionId: session.session_id,
      steps: [{ assignedTo: 'builder', status: 'pending' }, { assignedTo: null }],
    });
    const { body } = await ask('GET', `/v1/sessions/${session.session_id}`);
    expect(body).toMatchObject({ taskType: 'complex', mode: 'planned', planId: (await plans())[0].id });
    // a plan about the matter is open
    expect(contextOf(await session.prompt(COMPLEX))).not.toContain('Lore asks');
  });

  test('its constraints are what the person typed, and its goal is the title of the session', async () => {
    const { session, ask, make, plans } = await member();
    await session.prompt(`${COMPLEX}. No breaking changes! Keep the\n  public API.`);
    const refused = [
      await make({ constraints: ['no breaking changes', 'Use the new linter'] }),
      await make({ constraints: ['no breaking changes'] }, {}),
    ];
    expect(refused).toMatchObject(
      Array(2).fill({ status: 400, body: { errors: [{ field: 'constraints' }] } }),
    );
    const constraints = ['No breaking changes.', 'keep the public API'];
    expect((await make({ constraints })).body).toMatchObject({ constraints, draftedBy: 'agent' });
    const { body } = await ask('GET', `/v1/sessions/${session.session_id}`);
    expect(body.shortTitle).toBe('Take the config apart');
    const [{ id }] = await plans();
    expect((await ask('PATCH', `/v1/plans/${id}`, { constraints: ['as a person says'] })).status).toBe(200);
  });

  test('what stands behind a list that it holds is kept to', async () => {
    const { session, plans } = await member();
    await session.prompt(
      'Refactor the login: 1. analyze the flow 2. design the change 3. write tests. No breaking changes.',
    );
    expect(await plans()).toMatchObject([
      { constraints: ['No breaking changes.'], steps: [{}, {}, { description: 'write tests' }] },
    ]);
  });

  test('nobody is asked for one thing to do, in a subagent, or where voice.plan is none', async () => {
    const { session, ask, plans } = await member();
    expect(contextOf(await session.prompt('fix the typo in readme.md'))).toBe('');
    const told = await session.send('UserPromptSubmit', { prompt: COMPLEX, agent_id: 'a1', agent_type: 'x' });
    expect(contextOf(told)).not.toContain('Lore asks');
    await ask('PUT', '/v1/settings', { voice: { plan: 'none' } });
    expect(contextOf(await session.prompt(COMPLEX))).toBe('');
    expect(await plans()).toEqual([]);
  });
});

describe("the client's own list of tasks is the plan", () => {
  const tool = (name: string, n: number, tool_input: object, tool_response: object) => ({
    tool_name: name,
    tool_use_id: `toolu_task_${n}`,
    tool_input,
    tool_response,
  });

  test('TaskCreate and TaskUpdate: its steps in order, and their states', async () => {
    const { session, plans } = await member();
    await session.prompt('Fix the menu\nand its tests');
    let n = 0;
    const send = (name: string, input: object, response: object) =>
      session.send('PostToolUse', tool(name, n++, input, response));
    for (const [i, subject] of ['Remove the menu', 'Remove its labels', 'Update the tests'].entries()) {
      await send('TaskCreate', { subject, description: 'x' }, { task: { id: `${i + 1}`, subject } });
    }
    await send('TaskUpdate', { taskId: '2', status: 'in_progress' }, { success: true });
    await session.stop('More to come.');
    expect(await plans()).toMatchObject([
      {
        goal: 'Fix the menu',
        status: 'in_progress',
        draftedBy: 'orchestrator',
        steps: [
          { number: 1, description: 'Remove the menu', status: 'pending' },
          { number: 2, description: 'Remove its labels', status: 'in_progress', assignedTo: 'orchestrator' },
          { number: 3, description: 'Update the tests', status: 'pending' },
        ],
      },
    ]);
    await send('TaskUpdate', { taskId: '2', subject: 'Remove the labels', status: 'completed' }, {});
    await send('TaskUpdate', { taskId: '2', status: 'completed' }, {});
    await send('TaskUpdate', { taskId: '3', status: 'deleted' }, {});
    expect((await plans())[0].steps).toMatchObject([
      { status: 'pending' },
      { description: 'Remove the labels', status: 'completed' },
      { status: 'completed', outcome: 'Taken off the list.' },
    ]);
    await send('TaskUpdate', { taskId: '1', status: 'completed' }, {});
    expect(await plans()).toMatchObject([{ status: 'completed' }]);
    // it is told to nobody who wrote it
    expect(contextOf(await session.bashWorks('ls', 'a'))).toBe('');
  });

  test('TodoWrite: the whole list each time; that of a subagent is its own', async () => {
    const { session, plans } = await member();
    await session.prompt('Fix the menu');
    const todo = (content: string, status: string) => ({ content, status, activeForm: content });
    const first = [todo('Remove the menu', 'in_progress'), todo('Ask Ann', 'pending')];
    await session.send(
      'PostToolUse',
      tool('TodoWrite', 1, { todos: first }, { oldTodos: [], newTodos: first }),
    );
    const then = [todo('Remove the menu', 'completed'), todo('Update the tests', 'in_progress')];
    await session.send(
      'PostToolUse',
      tool('TodoWrite', 2, { todos: then }, { oldTodos: first, newTodos: then }),
    );
    const sub = { agent_id: 'a1', agent_type: 'x', ...tool('TodoWrite', 3, { todos: first }, {}) };
    await session.send('PostToolUse', sub);
    await session.send('PostToolUse', tool('TodoWrite', 4, { todos: 'x' }, {}));
    expect((await plans()).map(({ steps }) => steps)).toMatchObject([
      [
        { description: 'Remove the menu', status: 'completed' },
        { description: 'Ask Ann', status: 'completed', outcome: 'Taken off the list.' },
        { description: 'Update the tests', status: 'in_progress' },
      ],
    ]);
    await session.end();
    expect((await plans())[0].steps[2]).toMatchObject({ status: 'pending' });
  });

  test('plan mode: its heading is the title of the session', async () => {
    const { session, ask } = await member();
    await session.prompt('think about the menu');
    const input = { plan: '# Plan: Remove the old menu\n\n1. Look\n2. Cut' };
    await session.send('PostToolUse', tool('ExitPlanMode', 1, input, {}));
    await server.settled();
    const { body } = await ask('GET', `/v1/sessions/${session.session_id}`);
    expect(body.shortTitle).toBe('Remove the old menu');
  });

  test('a task moves the step of the plan that it is about', async () => {
    const { session, ask, plans } = await member();
    const steps = [{ description: 'analyze the login flow' }, { description: 'write tests for the login' }];
    const about = { project: session.cwd, session: session.session_id };
    await ask('POST', '/v1/plans', { ...about, goal: 'Improve the login', steps });
    const subject = 'Analyze the login flow first';
    await session.send('PostToolUse', tool('TaskCreate', 1, { subject }, { task: { id: '1', subject } }));
    await session.send('PostToolUse', tool('TaskUpdate', 2, { taskId: '1', status: 'completed' }, {}));
    expect(await plans()).toMatchObject([
      { goal: 'Improve the login', steps: [{ number: 1, status: 'completed' }, { status: 'pending' }] },
    ]);
  });
});
