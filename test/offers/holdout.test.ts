import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { armOf } from '../../src/offers/holdout.ts';
import { approveAll, ERROR, learn, learnings, state } from '../learnings/mend.ts';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_HOLDOUT: '1', LORE_MODEL_DIR: '' });

const offered = (userId: string) =>
  server.rows(
    `select kind, event, withheld, outcome from offers where user_id = '${userId}' order by offered_at, position`,
  );

describe('a session from which offers are withheld', () => {
  test('is told nothing at any event, and what it would have been told is remembered', async () => {
    const { key, userId } = await server.member();
    await learn(server, { key });
    await state(server, key, 'Raise `pool` in config.json to 20 before the checks run in parallel');
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    expect(contextOf(await session.start())).toBe('');
    expect(contextOf(await session.prompt('The checks run in parallel and the pool is exhausted'))).toBe('');
    expect(contextOf(await session.bashFails('node check.js', ERROR))).toBe('');
    await session.bashWorks('npm run gen', 'written');
    await session.bashWorks('node check.js', '42 checks passed');
    await session.finish();
    const rows = await offered(userId);
    expect(rows.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['SessionStart', 'PostToolUseFailure']),
    );
    // nothing is settled: the lesson caused nothing, although what it tells was done
    for (const row of rows) expect(row).toMatchObject({ withheld: true, outcome: null });
    for (const lesson of await learnings(server, key)) {
      expect(lesson).toMatchObject({ usageCount: 0, failureCount: 0 });
      const { body } = await server.request('GET', `/v1/learnings/${lesson.id}`, { key });
      expect(body.injections).toEqual([]);
    }
  });

  test('is held by no lesson; commands are judged as ever, also by what a person said', async () => {
    const { key } = await server.member();
    const first = hookSession(server, { key, cwd: '/home/dev/app' });
    await first.prompt('Remember: never run `make release`, the pipeline does it.');
    await first.bashFails('make deploy', 'Exit code 2\nerror: no such file: dist/shop.tar');
    await first.bashWorks('make dist', 'packed');
    await first.bashWorks('make deploy', 'deployed');
    await first.finish('The archive has to be packed first.');
    const kept = await approveAll(server, key);
    expect(kept).toHaveLength(2);
    const session = await startedSession(server, { key, cwd: '/home/dev/app' });
    const deployed = await session.before('make deploy');
    expect(deployed.permissionDecision).not.toBe('deny');
    expect(deployed.additionalContext).toBeUndefined();
    const rows = await server.rows(
      `select withheld from offers where event = 'PreToolUse' and source_id = '${kept.find(({ lesson }: { lesson: string }) => lesson.includes('make dist')).id}'`,
    );
    expect(rows).toEqual([{ withheld: true }]);
    expect(await session.before('make release')).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('A person said'),
    });
    expect(await session.before('rm -rf /')).toMatchObject({ permissionDecision: 'deny' });
  });

  test('is still told its own working state, notes to its agent, and that what it was asked to remember is kept', async () => {
    const { key } = await server.member();
    const session = await startedSession(server, { key, cwd: '/home/dev/app' });
    const kept = contextOf(await session.prompt('Remember: we deploy with `make release`, never by hand.'));
    expect(kept).toContain('Kept, because the person asked');
    await session.send('PreCompact', { trigger: 'manual' });
    const lore = { root: session.cwd, deliveryId: randomUUID() };
    const restored = contextOf(await session.send('SessionStart', { source: 'compact', lore }));
    expect(restored).toContain('What this session was working on');
    const note = { project: '/home/dev/app', agent: 'lead', content: '@reviewer look at the pool first' };
    await server.request('POST', '/v1/notes', { key, body: note });
    const subagent = { agent_id: 'a1', agent_type: 'reviewer' };
    expect(contextOf(await session.send('SubagentStart', subagent))).toContain('look at the pool first');
  });
});

describe('who is in the holdout', () => {
  const ids = Array.from({ length: 4000 }, (_, i) => `session-${i}`);
  const share = (user: string, of: number) =>
    ids.filter((id) => armOf(user, id, of) === 'withheld').length / ids.length;

  test('is about the share that is wanted, and nobody without one', () => {
    // four standard deviations: a right hash fails here once in 16,000 sets of ids, and these ids stay the same
    expect(Math.abs(share('ann', 0.2) - 0.2)).toBeLessThan(0.026);
    expect(share('ann', 1)).toBe(1);
    expect(ids.every((id) => armOf('ann', id, 0) === null)).toBe(true);
  });

  test('stays the same for a session, is chosen for each user anew, and a larger share only adds to it', () => {
    const both = (id: string) => armOf('ann', id, 0.5) === 'withheld' && armOf('bob', id, 0.5) === 'withheld';
    expect(Math.abs(ids.filter(both).length / ids.length - 0.25)).toBeLessThan(0.03);
    for (const id of ids.slice(0, 500))
      if (armOf('ann', id, 0.2) === 'withheld') expect(armOf('ann', id, 0.4)).toBe('withheld');
  });
});
