import { describe, expect, test } from 'vitest';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_STEP_LEASE_SECONDS: '600' });
const APP = '/home/dev/app';

async function member() {
  const { key, userId, ask } = await server.member();
  /** Makes a plan of steps, each with the numbers of those before it. */
  const plan = async (steps: number[][], fields: object = {}) => {
    const all = steps.map((dependencies, i) => ({ description: `do part ${i + 1}`, dependencies }));
    const about = { project: APP, goal: 'Move the checks to vitest' };
    const answer = await ask('POST', '/v1/plans', { ...about, steps: all, ...fields });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const act = (id: string, step: number, action: string, body: object = {}) =>
    ask('POST', `/v1/plans/${id}/steps/${step}/${action}`, body);
  const get = async (id: string) => (await ask('GET', `/v1/plans/${id}`)).body;
  const statuses = async (id: string) => (await get(id)).steps.map((s: { status: string }) => s.status);
  return { key, userId, ask, plan, act, get, statuses };
}

describe('a plan', () => {
  test('is made with its steps, and found by four characters of its id', async () => {
    const { plan, get, ask } = await member();
    const made = await plan([[], [1]], { constraints: ['no new packages'] });
    expect(made).toMatchObject({
      project: APP,
      status: 'planning',
      constraints: ['no new packages'],
      draftedBy: 'person',
      currentStep: null,
      activeAgents: [],
      steps: [
        { number: 1, status: 'pending', dependencies: [], assignedTo: null },
        { number: 2, status: 'pending', dependencies: [1] },
      ],
    });
    for (const reference of [made.id.slice(0, 4), `lore:${made.id.slice(0, 8)}`, `lore:${made.id}`])
      expect(await get(reference)).toEqual(made);
    const { plans } = (await ask('GET', `/v1/plans?project=${APP}`)).body;
    expect(plans).toMatchObject([{ id: made.id, steps: 2, completed: 0 }]);
  });

  test('refuses circles and unknown dependencies, and keeps nothing', async () => {
    const { ask, plan } = await member();
    const post = (steps: number[][]) => {
      const all = steps.map((dependencies) => ({ description: 'd', dependencies }));
      return ask('POST', '/v1/plans', { project: APP, goal: 'x', steps: all });
    };
    const circle = await post([[3], [1], [2], []]);
    expect(circle.status).toBe(409);
    expect(circle.body.errors).toMatchObject([{ field: 'dependencies' }]);
    expect(circle.body.detail).toContain('1, 2, 3');
    expect((await post([[1]])).status).toBe(409);
    expect((await post([[7]])).body.errors).toMatchObject([{ field: 'dependencies' }]);
    expect((await ask('GET', '/v1/plans')).body.plans).toEqual([]);
    const { id } = await plan([[], [1]]);
    expect((await ask('PATCH', `/v1/plans/${id}/steps/1`, { dependencies: [2] })).status).toBe(409);
    expect((await ask('POST', `/v1/plans/${id}/steps`, { description: 'x', dependencies: [3] })).status).toBe(
      409,
    );
  });

  test('is claimed in the order of its dependencies, and completed with its last step', async () => {
    const { plan, act, get } = await member();
    const { id } = await plan([[], [1], []]);
    const early = await act(id, 2, 'claim', { agent: 'ben' });
    expect(early.status).toBe(409);
    expect(early.body).toMatchObject({
      title: 'Step waits for others',
      current: { step: { status: 'pending' } },
    });
    expect((await act(id, 1, 'claim', { agent: 'ada' })).body).toMatchObject({
      plan: { status: 'in_progress' },
      step: { status: 'in_progress', assignedTo: 'ada', attempts: 1 },
    });
    const second = await act(id, 1, 'claim', { agent: 'ben' });
    expect(second).toMatchObject({ status: 409, body: { current: { step: { assignedTo: 'ada' } } } });
    // the first answer may have been lost
    expect((await act(id, 1, 'claim', { agent: 'ada' })).body.step.attempts).toBe(1);
    expect(await get(id)).toMatchObject({ currentStep: 1, activeAgents: ['ada'] });
    expect((await act(id, 1, 'complete', { agent: 'ben' })).status).toBe(409);
    expect((await act(id, 2, 'complete')).status).toBe(409);
    await act(id, 1, 'notes', { agent: 'ada', text: 'the config moved' });
    await act(id, 1, 'complete', { agent: 'ada', outcome: 'done' });
    await act(id, 3, 'claim', { agent: 'ben' });
    await act(id, 3, 'complete', { agent: 'ben' });
    await act(id, 2, 'claim', { agent: 'ada' });
    expect((await act(id, 2, 'complete', { agent: 'ada' })).body.plan.status).toBe('completed');
    const done = await get(id);
    expect(done).toMatchObject({ status: 'completed', closedAt: expect.any(String) });
    expect(done.steps[0]).toMatchObject({
      outcome: 'done',
      notes: [{ agent: 'ada', text: 'the config moved' }],
    });
    expect((await act(id, 1, 'claim', { agent: 'ada' })).status).toBe(409);
  });

  test('a step that failed or waits blocks what comes after it, and says why', async () => {
    const { plan, act, get, ask } = await member();
    const { id } = await plan([[], [1], [2], []]);
    await act(id, 1, 'claim', { agent: 'ada' });
    await act(id, 1, 'fail', { agent: 'ada', outcome: 'no access' });
    expect(await get(id)).toMatchObject({
      status: 'in_progress',
      blocked: [
        { step: 2, why: 'step 1 failed: no access' },
        { step: 3, why: 'step 1 failed: no access' },
      ],
    });
    await act(id, 1, 'release');
    expect((await get(id)).blocked).toEqual([]);
    await ask('PATCH', `/v1/plans/${id}/steps/1`, { waitingFor: 'the keys from Ann' });
    expect((await get(id)).blocked).toMatchObject([
      { step: 1, why: 'waits for the keys from Ann' },
      { step: 2, why: 'step 1 waits for the keys from Ann' },
      { step: 3 },
    ]);
  });

  test('proposed steps are not claimed, and do not hold the plan up, before they are accepted', async () => {
    const { plan, act, ask, statuses, get } = await member();
    const { id } = await plan([[]]);
    const path = `/v1/plans/${id}/steps`;
    expect((await ask('POST', path, { description: 'more', proposed: true })).status).toBe(201);
    expect((await act(id, 2, 'claim', { agent: 'ada' })).body.title).toBe('Step is only proposed');
    await act(id, 1, 'complete');
    expect((await get(id)).status).toBe('completed');
    await ask('PATCH', `${path}/2`, { proposed: false });
    expect((await get(id)).status).toBe('in_progress');
    expect((await act(id, 2, 'claim', { agent: 'ada' })).status).toBe(200);
    expect(await statuses(id)).toEqual(['completed', 'in_progress']);
  });

  test('a change to an older version is refused with the present state', async () => {
    const { plan, ask } = await member();
    const { id, version } = await plan([[]]);
    const first = await ask('PATCH', `/v1/plans/${id}`, { goal: 'another', version });
    expect(first.body).toMatchObject({ goal: 'another', version: version + 1 });
    const late = await ask('PATCH', `/v1/plans/${id}`, { goal: 'mine', version });
    expect(late.status).toBe(409);
    expect(late.headers.get('content-type')).toContain('application/problem+json');
    expect(late.body.current).toEqual(first.body);
  });

  test('every change is kept as history', async () => {
    const { plan, act, ask } = await member();
    const { id } = await plan([[], [1]]);
    await act(id, 1, 'claim', { agent: 'ada' });
    await act(id, 1, 'notes', { agent: 'ada', text: 'halfway' });
    await act(id, 1, 'complete', { agent: 'ada' });
    await ask('PATCH', `/v1/plans/${id}`, { goal: 'Move the checks, all of them' });
    const { changes } = (await ask('GET', `/v1/plans/${id}/history`)).body;
    const made = changes.map((c: { step: number; action: string }) => `${c.step} ${c.action}`).reverse();
    expect(made.join(', ')).toBe(
      '0 added, 1 added, 2 added, 1 claimed, 0 in_progress, 1 noted, 1 completed, 0 changed',
    );
    expect(changes.map((c: { version: number }) => c.version)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    const page = await ask('GET', `/v1/plans/${id}/history?before=3&limit=1`);
    expect(page.body.changes).toMatchObject([{ version: 2 }]);
  });

  test('a lease that is not renewed ends, and the step is free', async () => {
    const { plan, act, get, userId } = await member();
    const { id } = await plan([[], []]);
    for (const step of [1, 2]) await act(id, step, 'claim', { agent: 'ada' });
    const before = await get(id);
    const seconds = (Date.parse(before.steps[0].leaseUntil) - Date.now()) / 1000;
    expect(seconds > 500 && seconds < 601).toBe(true);
    // as if the lease had gone by; the renewed one goes on
    await server.rows(
      `update plan_steps set lease_until = now() + interval '1 s' where user_id = '${userId}'`,
    );
    expect((await act(id, 2, 'claim', { agent: 'ada' })).status).toBe(200);
    expect((await act(id, 2, 'claim', { agent: 'ben' })).status).toBe(409);
    expect((await get(id)).version).toBe(before.version);
    await server.rows(
      `update plan_steps set lease_until = now() - interval '1 s' where user_id = '${userId}' and number = 1`,
    );
    await server.settled();
    expect((await get(id)).steps).toMatchObject([
      { status: 'pending', assignedTo: null, notes: [{ agent: 'lore' }] },
      { status: 'in_progress', assignedTo: 'ada' },
    ]);
    expect((await act(id, 1, 'claim', { agent: 'ben' })).body.step).toMatchObject({ attempts: 2 });
  });

  test('of many agents that claim at once, each step has exactly one', async () => {
    const { plan, act, get } = await member();
    const { id } = await plan(Array.from({ length: 10 }, () => []));
    const won = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const { status } = await act(id, (i % 10) + 1, 'claim', { agent: `agent ${i}` });
        return status === 200 ? [(i % 10) + 1] : [];
      }),
    );
    expect(won.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
    expect((await get(id)).steps.every(({ attempts }: { attempts: number }) => attempts === 1)).toBe(true);
  });

  test('is exported and imported with its notes, and erased with the project', async () => {
    const { plan, act, get, ask, key } = await member();
    const { id } = await plan([[], [1]], { constraints: ['no new packages'] });
    await act(id, 1, 'claim', { agent: 'ada' });
    await act(id, 1, 'notes', { agent: 'ada', text: 'halfway' });
    await act(id, 1, 'complete', { agent: 'ada', outcome: 'moved' });
    const exported = (await ask('GET', '/v1/export')).body;
    const other = await member();
    const restore = () => other.ask('POST', '/v1/import', { records: exported.records });
    expect((await restore()).body).toMatchObject({ imported: 1, failed: [] });
    expect((await restore()).body).toMatchObject({ imported: 0, skipped: 1 });
    const before = await get(id);
    expect(await other.get(id)).toEqual(before);
    expect((await other.act(id, 2, 'claim', { agent: 'ben' })).body.plan.version).toBe(before.version + 1);

    const erased = await server.request('POST', '/v1/erase', { key, body: { project: APP } });
    expect(erased.body.erased ?? erased.body).toMatchObject({ plans: 1 });
    expect((await ask('GET', `/v1/plans/${id}`)).status).toBe(404);
  });
});
