import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

const PLAN = {
  goal: 'Move the shop to the new pricing service',
  steps: [
    { description: 'add the client for the pricing service' },
    { description: 'use the client in the cart', dependencies: [1] },
    { description: 'remove the old price tables', dependencies: [2] },
  ],
};

async function working() {
  const { key, ask } = await server.member();
  const session = await startedSession(server, { key });
  const { body: first } = await ask('POST', '/v1/plans', {
    ...PLAN,
    project: session.cwd,
    session: session.session_id,
  });
  await server.settled();
  const plan = async () => (await ask('GET', `/v1/plans/${first.id}`)).body;
  let n = 0;
  const bash = (event: string, agent: { agent_id: string }, command: string, more: object = {}) => {
    const call = {
      tool_name: 'Bash',
      tool_use_id: `toolu_${agent.agent_id}_${n++}`,
      tool_input: { command },
    };
    return session.send(event, { ...agent, ...call, ...more });
  };
  /** Starts agents at once, as the client does, and returns what each was told. */
  const agents = async (...prompts: string[]) => {
    const calls = prompts.map((text) => ({
      tool_name: 'Agent',
      tool_use_id: `toolu_agent_${n}`,
      tool_input: { description: 'part', prompt: text, subagent_type: 'general-purpose' },
      agent: { agent_id: `agent${n++}`, agent_type: 'general-purpose' },
    }));
    const before: string[] = [];
    for (const { agent: _, ...call } of calls) before.push(contextOf(await session.send('PreToolUse', call)));
    const started: string[] = [];
    for (const { agent } of calls) started.push(contextOf(await session.send('SubagentStart', agent)));
    for (const { agent, ...call } of calls) {
      await session.send('PostToolUse', {
        ...call,
        tool_response: { isAsync: true, agentId: agent.agent_id, resolvedModel: `claude-${agent.agent_id}` },
      });
    }
    await server.settled();
    return calls.map(({ agent, tool_use_id }, i) => ({
      before: before[i] as string,
      started: started[i] as string,
      tool_use_id,
      call: () => bash('PostToolUse', agent, 'npm test', { tool_response: { stdout: 'ok', stderr: '' } }),
      tries: (command: string) => bash('PreToolUse', agent, command),
      asksPermission: () => bash('PermissionRequest', agent, 'npm publish', { tool_use_id: undefined }),
      stop: async (message: string) => {
        const end = { last_assistant_message: message, background_tasks: [] };
        await session.send('SubagentStop', { ...agent, ...end });
        await server.settled();
      },
    }));
  };
  const id = first.id.slice(0, 4);
  return { key, session, ask, plan, agents, id };
}

test('an open plan is told when a session starts', async () => {
  const { key, session, id, agents } = await working();
  await agents(`Add the client [plan ${id} step 1]`);
  await server.settled();
  const next = hookSession(server, { key, cwd: session.cwd });
  expect(contextOf(await next.start())).toContain(`Plan ${id}: Move the shop`);
});

describe('agents of a plan', () => {
  test('receive their steps, do them in order, and the plan shows it', async () => {
    const { agents, plan, id } = await working();
    const [early] = await agents(`Use the client [plan ${id} step 2]`);
    expect(early?.before).toContain('was not claimed: Step 2 waits for steps before it');
    expect(early?.started).not.toContain('You are working on step');
    await early?.stop('ok');

    const [one] = await agents(`[plan ${id} step 1] add the client`);
    expect(one?.before).toBe('');
    expect(one?.started).toContain(
      'You are working on step 1. The goal is: Move the shop to the new pricing service. Previous steps completed: none. Your specific task: add the client for the pricing service',
    );
    expect((await plan()).steps[0]).toMatchObject({
      status: 'in_progress',
      assignedTo: 'general-purpose',
      agentId: 'agent1',
      model: 'claude-agent1',
    });
    await one?.stop(
      'The client stands in src/pricing.ts.\n```json\n{"verdict": "success", "learnings": [], "errorsFound": [], "recommendedNextSteps": ["document the client"]}\n```',
    );
    expect((await plan()).steps).toMatchObject([
      {
        status: 'completed',
        outcome: 'The client stands in src/pricing.ts.',
        report: { verdict: 'success' },
      },
      { status: 'pending' },
      {},
      { number: 4, description: 'document the client', proposed: true, dependencies: [1] },
    ]);
    const [two] = await agents(`Use the client [plan ${id} step 2]`);
    expect(two?.started).toContain('Previous steps completed: 1 add the client');
    expect(two?.started).toContain('step 1 completed: The client stands in src/pricing.ts.');
    expect(estimateTokens(two?.started ?? '')).toBeLessThanOrEqual(600);
    await two?.stop('Done.');
    const [three] = await agents(`[plan ${id} step 3]`);
    await three?.stop('{"verdict": "success"}');
    expect(await plan()).toMatchObject({ status: 'completed', currentStep: null });
  });

  test('that start at once are each told all steps, and bound by their calls', async () => {
    const { agents, plan, ask, id } = await working();
    await ask('PATCH', `/v1/plans/${id}/steps/2`, { dependencies: [] });
    const [a, b] = await agents(`[plan ${id} step 1]`, `[plan ${id} step 2]`);
    for (const agent of [a, b]) {
      expect(agent?.started).toContain('It is yours only if your task names it');
      expect(agent?.started).toContain(`[plan ${id} step 1] You are working on step 1`);
      expect(agent?.started).toContain(`[plan ${id} step 2] You are working on step 2`);
    }
    expect((await plan()).steps).toMatchObject([{ agentId: 'agent0' }, { agentId: 'agent1' }, {}]);
    await b?.stop('No access to orders.\n{"verdict": "failed"}');
    expect((await plan()).steps).toMatchObject([{ status: 'in_progress' }, { status: 'failed' }, {}]);
    // the other one hears of it with its next call, and only once
    expect(contextOf((await a?.call()) ?? {})).toContain('step 2 failed: No access to orders.');
    expect(contextOf((await a?.call()) ?? {})).toBe('');
    await ask('POST', `/v1/plans/${id}/steps/2/notes`, { text: 'asked for access' });
    // not more often than every 30 seconds
    expect(contextOf((await a?.call()) ?? {})).toBe('');
  });

  test('one whose call is answered before it starts receives its step', async () => {
    const { session, id } = await working();
    const input = { description: 'part', prompt: `[plan ${id} step 1]` };
    const call = { tool_use_id: 'toolu_early' };
    await session.asks('Agent', input, call);
    await session.works('Agent', input, { status: 'async_launched', agentId: 'quick' }, call);
    await server.settled();
    const agent = { agent_id: 'quick', agent_type: 'general-purpose' };
    expect(contextOf(await session.send('SubagentStart', agent))).toContain('You are working on step 1');
  });

  test('find their steps by the words of their task', async () => {
    const { agents, plan, id, ask } = await working();
    await ask('PATCH', `/v1/plans/${id}/steps/2`, { dependencies: [] });
    const [a, b, other] = await agents(
      'Step 1: add a client() for the pricing service in src/pricing.ts',
      'Use the client in the cart, and write down what changed.',
      'Look for the places where old prices are read',
    );
    expect((await plan()).steps).toMatchObject([
      { agentId: 'agent0' },
      { agentId: 'agent1' },
      { agentId: null },
    ]);
    expect(other?.before).toBe('');
    await a?.stop('Done.');
    await b?.stop('Done.');
    expect((await plan()).steps.map(({ status }: { status: string }) => status)).toEqual([
      'completed',
      'completed',
      'pending',
    ]);
  });

  test('that end without finishing give their steps back', async () => {
    const { agents, plan, id, session } = await working();
    const [one] = await agents(`[plan ${id} step 1]`);
    await one?.stop('{"verdict": "partial"}');
    expect((await plan()).steps[0]).toMatchObject({ status: 'pending', assignedTo: null });
    // killed: nothing is heard of it, and the turn ends
    await agents(`[plan ${id} step 1]`);
    expect((await plan()).steps[0].status).toBe('in_progress');
    await session.rest('I stopped it.');
    expect((await plan()).steps[0].status).toBe('pending');
    const [four] = await agents(`[plan ${id} step 1]`);
    const killed = { tool_use_id: four?.tool_use_id, is_interrupt: true };
    await session.fails('Agent', {}, 'interrupted', killed);
    await server.settled();
    expect((await plan()).steps[0]).toMatchObject({ status: 'pending', attempts: 3 });
  });

  test('that wait for a person say so, until they go on', async () => {
    const { agents, plan, id, session, ask } = await working();
    const [one] = await agents(`[plan ${id} step 1]`);
    await one?.asksPermission();
    await server.settled();
    expect((await plan()).blocked[0]).toEqual({
      step: 1,
      why: 'waits for a person to permit Bash: npm publish',
    });
    const { body } = await ask('GET', `/v1/sessions/${session.session_id}`);
    expect((body.session ?? body).waitingFor).toContain('npm publish');
    await one?.call();
    await server.settled();
    expect((await plan()).blocked).toEqual([]);
  });
});

test('each agent at work is shown, with its model and what it does', async () => {
  const { agents, ask, session, id } = await working();
  const [, other] = await agents(`[plan ${id} step 1]`, 'Look for the places where old prices are read');
  const at = async () => (await ask('GET', '/v1/dashboard')).body.working;
  const shown = { project: session.cwd, agent: 'general-purpose' };
  const first = { ...shown, agentId: 'agent0', model: 'claude-agent0', plan: { step: 1 } };
  expect(await at()).toHaveLength(2);
  expect(await at()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...first, plan: expect.objectContaining({ step: 1 }) }),
      expect.objectContaining({
        ...shown,
        ...{ agentId: 'agent1', model: 'claude-agent1', title: 'part', plan: null },
      }),
    ]),
  );
  await other?.stop('Found them.');
  expect(await at()).toMatchObject([first]);
});

test('a step whose agent was stopped at each call is stopped, and says so', async () => {
  const { agents, plan, id } = await working();
  const [one] = await agents(`[plan ${id} step 1] add the client`);
  await one?.tries('git push --force origin main');
  await one?.stop('I could not do it: the push was not let through.');
  expect((await plan()).steps[0]).toMatchObject({
    status: 'stopped',
    outcome: 'I could not do it: the push was not let through.',
  });
});
