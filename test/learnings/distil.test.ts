import { describe, expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { incidents, judgements, learnings, MESSAGE, mend } from './mend.ts';

const server = await sharedServer();

test('what a person says in one breath is judged in its order', async () => {
  const { key, userId } = await server.member();
  const session = await startedSession(server, { key });
  const rules = ['use pnpm', 'never push to main', 'squash all commits', 'no default exports'];
  // stored in one transaction
  for (const rule of rules) await session.prompt(`From now on: ${rule}.`);
  await session.rest('Understood.');
  const asked = await server.rows(
    `select candidate ->> 'lesson' as lesson, created_at::text as at from learning_requests
     where user_id = '${userId}' and candidate is not null order by created_at`,
  );
  expect(asked.map(({ lesson }) => lesson.toLowerCase())).toEqual(
    rules.map((rule) => expect.stringContaining(rule)),
  );
  expect(new Set(asked.map(({ at }) => at)).size).toBe(rules.length);
});

describe('resolved incidents are queued', () => {
  test('at the end of the turn, with what the assistant said, and judged by the rules', async () => {
    const { key } = await server.member();
    const session = await mend(server, { key, branch: 'fix/pool' });
    expect(await judgements(server, key)).toEqual([]);
    expect(await session.stop(MESSAGE)).toEqual({});
    await server.settled();
    expect(await learnings(server, key)).toMatchObject([
      {
        lesson:
          "Before `node check.js`, first run `npm run gen`. Otherwise it fails with “Error: Cannot find module './config.json' (pool size 2)”.",
        why: null,
        context: 'Running `node check.js` in /home/dev/app',
        appliesTo: ['node'],
        keywords: expect.arrayContaining(['./config.json']),
        sourceError: expect.stringContaining('Cannot find module'),
        evaluatedBy: 'rules',
      },
    ]);
    const evidence = { kind: 'fixed', shape: 'script first' };
    const judged = { event: 'Stop', decision: 'stored', evaluator: 'rules', evidence };
    expect(await judgements(server, key)).toMatchObject([{ ...judged, incidentId: expect.any(String) }]);
  });

  test("quoting the cause that a test's name hides, without the folder of this machine", async () => {
    const { key } = await server.member();
    const error = `Exit code 1
TAP version 13
# Subtest: rates are read
not ok 1 - rates are read
  ---
  duration_ms: 2.350406
  location: '/home/dev/app/test/rates.test.js:4:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  error: "ENOENT: no such file or directory, open '/home/dev/app/rates.json'"
  code: 'ENOENT'
  ...
1..1
# fail 1`;
    const session = await mend(server, { key, command: 'node --test', error });
    await session.rest(MESSAGE);
    const [lesson] = await learnings(server, key);
    expect(lesson.lesson).toContain('Before `node --test`, first run `npm run gen`. Otherwise it fails with');
    expect(lesson.lesson).toContain("ENOENT: no such file or directory, open 'rates.json'");
    expect(lesson.keywords).toContain('rates.json');
    expect(lesson.keywords).not.toContain('exitcode');
    expect(lesson.sourceError).not.toContain('exitCode');
  });

  test('once, when nothing runs in the background any more, however many turns follow', async () => {
    const { key } = await server.member();
    const session = await mend(server, { key });
    await session.send('Stop', {
      last_assistant_message: 'Waiting.',
      background_tasks: [{ id: 'b1', type: 'shell', status: 'running' }],
    });
    expect(await judgements(server, key)).toEqual([]);
    await session.stop(MESSAGE);
    await session.finish('And more.');
    expect(await judgements(server, key)).toHaveLength(1);
    expect((await incidents(server, key))[0].resolution.lastMessage).toBe(MESSAGE);
  });

  test('at the session end at the latest, without a word from the assistant', async () => {
    const { key } = await server.member();
    const session = await mend(server, { key });
    await session.finish();
    expect(await judgements(server, key)).toMatchObject([{ event: 'SessionEnd', decision: 'stored' }]);
    expect(await learnings(server, key)).toHaveLength(1);
  });
});
