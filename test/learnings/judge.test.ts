import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { ERROR, judgements, learn, learnings, state } from './mend.ts';

const server = await sharedServer();

const RETRIES = 'Use 5 retries with exponential backoff for calls of the billing API';

/** What an agent states passes the gate; what a person states is kept whatever its form. */
const AGENT = { agent: 'planner' };

describe('the gate discards', () => {
  test.each([
    ['Short lesson', 'a lesson of 20 characters or less', '20 characters'],
    ['Always write tests.', 'a short platitude', '20 characters'],
    ['Always write good tests for your code.', 'a platitude', 'platitude'],
    ['Remember to handle errors properly.', 'a platitude', 'concrete'],
    ['Follow best practices and keep it simple everywhere.', 'a platitude', 'platitude'],
    ['Write tests for the API code', 'a platitude', 'platitude'],
    ['The problem was fixed and it works now', 'a success story', 'platitude'],
    ['It is what it is, you do', 'words without content', 'concrete'],
  ])('“%s”: %s', async (lesson, _what, reason) => {
    const { key } = await server.member();
    const answer = await state(server, key, lesson, AGENT);
    expect(answer).toMatchObject({ status: 200, decision: 'discarded', learning: null });
    expect(answer.reason).toContain(reason);
    expect(await learnings(server, key)).toEqual([]);
    // a person is no candidate: it is kept, and what is missing is said
    const kept = await state(server, key, lesson);
    expect(kept).toMatchObject({ status: 201, decision: 'stored', learning: { status: 'active' } });
    expect(kept.missing).toContain(reason);
  });

  test.each([
    [{ context: '' }, 'no clear context'],
    [{ context: 'in tests' }, 'no clear context'],
    [{ appliesTo: [] }, 'nothing it applies to'],
  ])('a good lesson with %j', async (fields, reason) => {
    const { key } = await server.member();
    const answer = await state(server, key, RETRIES, { ...fields, ...AGENT });
    expect(answer).toMatchObject({ status: 200, decision: 'discarded', learning: null });
    expect(answer.reason).toContain(reason);
    expect(await state(server, key, RETRIES, fields)).toMatchObject({
      status: 201,
      missing: expect.stringContaining(reason),
    });
  });

  test('a success without any fix', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    await session.bashFails('npm test', ERROR);
    await session.bashWorks('cat config.json');
    await session.bashWorks('npm test');
    await session.stop('It passes now, it was flaky.');
    await server.settled();
    expect(await learnings(server, key)).toEqual([]);
    expect(await judgements(server, key)).toMatchObject([
      {
        decision: 'discarded',
        score: expect.any(Number),
        reason: expect.stringContaining('only who understands'),
      },
    ]);
  });

  test("an error of the client's own file tools", async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    const file = '/home/dev/app/a.txt';
    const read = { tool_name: 'Read', tool_input: { file_path: file } };
    await session.send('PostToolUseFailure', { ...read, tool_use_id: 't1', error: 'File does not exist.' });
    await session.edit(file, '', 'x');
    await session.send('PostToolUse', { ...read, tool_use_id: 't2', tool_response: {} });
    await session.stop('Made the file.');
    await server.settled();
    expect(await judgements(server, key)).toMatchObject([{ decision: 'discarded', evaluator: 'rules' }]);
  });
});

describe('the gate admits', () => {
  test('a specific lesson of an agent on trial, and of a person as active, with at most 0.9 confidence', async () => {
    const { key } = await server.member();
    const fields = { confidence: 1, why: 'It fails often.' };
    const made = {
      lesson: RETRIES,
      why: 'It fails often.',
      confidence: expect.closeTo(0.9, 5),
      usageCount: 0,
      successRate: null,
      supersedes: null,
      validUntil: null,
    };
    const agents = await state(server, key, RETRIES, { ...fields, ...AGENT });
    expect(agents).toMatchObject({
      status: 201,
      decision: 'stored',
      learning: { ...made, status: 'trial', evaluatedBy: 'agent', sourceSubagent: 'planner' },
    });
    expect(agents.score).toBeGreaterThanOrEqual(0.75);
    const persons = await state(server, key, RETRIES, { ...fields, project: 'other' });
    expect(persons).toMatchObject({
      decision: 'stored',
      missing: null,
      learning: { ...made, status: 'active', evaluatedBy: 'person', sourceSubagent: null },
    });
  });

  test.each([
    '前端依赖用pnpm安装，不要用npm',
    '数据库迁移之前必须先停止队列，否则任务会丢失',
    '배포하기 전에 스테이징 토큰을 먼저 갱신해야 한다',
  ])('a lesson in a script whose characters say more: %s', async (lesson) => {
    const { key } = await server.member();
    const fields = { context: '安装前端依赖的时候', appliesTo: ['web'] };
    expect(await state(server, key, lesson, { ...fields, ...AGENT })).toMatchObject({ decision: 'stored' });
    expect(await state(server, key, lesson, { ...fields, project: 'other' })).toMatchObject({
      decision: 'stored',
      missing: null,
      learning: { status: 'active' },
    });
  });

  test('a lesson that begins like a platitude but names a thing', async () => {
    const { key } = await server.member();
    const answer = await state(server, key, 'Run `npm run codegen` before the tests.');
    expect(answer).toMatchObject({ decision: 'stored' });
  });

  test('a lesson with evidence, at the confidence of its writer', async () => {
    const { key } = await server.member();
    await learn(server, { key });
    expect(await learnings(server, key)).toMatchObject([
      { confidence: expect.closeTo(0.8, 5), evaluatedBy: 'rules', status: 'trial' },
    ]);
  });

  test('a way around a safeguard for review: it is told to nobody and not found until a person approves it', async () => {
    const { key } = await server.member();
    const forced = 'Push the release branch with `git push --force` when the mirror has diverged';
    const report = { lesson: forced, context: 'Pushing to the mirror', appliesTo: ['git push'] };
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    await session.send('SubagentStop', {
      agent_id: 'sub',
      agent_type: 'general-purpose',
      last_assistant_message: `\`\`\`json\n${JSON.stringify({ verdict: 'success', learnings: [{ ...report, confidence: 0.9 }], errorsFound: [], recommendedNextSteps: [] })}\n\`\`\``,
    });
    await server.settled();
    const [kept] = await learnings(server, key);
    expect(kept).toMatchObject({ status: 'review', lesson: forced });
    const found = async () =>
      (await server.request('POST', '/v1/search', { key, body: { query: forced, kinds: ['learning'] } })).body
        .results;
    expect(await found()).toEqual([]);
    await server.request('POST', `/v1/learnings/${kept.id}/approve`, { key });
    expect(await found()).toMatchObject([{ id: kept.id }]);
  });
});

describe('a duplicate', () => {
  const AGAIN = 'Use 5 retries with exponential backoff for all calls of the billing API';

  test('is merged: the stored lesson gains confidence, keywords and a confirmation', async () => {
    const { key } = await server.member();
    const first = await state(server, key, RETRIES, { keywords: ['billing'] });
    const second = await state(server, key, AGAIN, { keywords: ['retry'], appliesTo: ['src/billing.ts'] });
    expect(second).toMatchObject({
      status: 200,
      decision: 'merged',
      learning: {
        supersedes: first.learning.id,
        // a person's newest words
        lesson: AGAIN,
        successCount: 1,
        keywords: ['billing', 'retry'],
        appliesTo: ['config.json', 'src/billing.ts'],
      },
    });
    expect(second.learning.confidence).toBeGreaterThan(first.learning.confidence);
    expect(await learnings(server, key)).toHaveLength(1);
  });

  test('of the same rule in other words is one rule with its newest words, seen five times', async () => {
    const { key } = await server.member();
    const said = [
      'Always run make lint before you commit.',
      'Before committing, always run `make lint`.',
      'Never commit without running make lint first.',
      'I told you: run make lint before every commit!',
      'Please remember to run make lint before you commit.',
    ];
    for (const lesson of said) await state(server, key, lesson);
    const [rule, ...others] = await learnings(server, key);
    expect(others).toEqual([]);
    expect(rule).toMatchObject({ lesson: said.at(-1), status: 'active', successCount: 4 });
    expect(rule.confidence).toBeGreaterThan(0.85);
  });

  test('is stored once when it arrives ten times at the same time', async () => {
    const { key } = await server.member();
    const answers = await Promise.all(Array.from({ length: 10 }, () => state(server, key, RETRIES)));
    const decisions = answers.map((answer) => answer.decision).sort();
    expect(decisions).toEqual([...Array(9).fill('merged'), 'stored']);
    expect(await learnings(server, key)).toMatchObject([{ successCount: 9 }]);
  });

  test('in another project is a lesson of its own', async () => {
    const { key } = await server.member();
    await state(server, key, RETRIES);
    expect(await state(server, key, RETRIES, { project: 'other' })).toMatchObject({ decision: 'stored' });
  });

  test.each([
    ['Run npm ci in packages/web before building', 'Run npm ci in packages/api before building'],
    [
      'When `go test` fails with “undefined: foo”: edit a.go. Then it passes.',
      'When `go test` fails with “undefined: bar”: edit b.go. Then it passes.',
    ],
  ])('is not a lesson that only sounds similar: %s, %s', async (a, b) => {
    const { key } = await server.member();
    await state(server, key, a);
    expect(await state(server, key, b)).toMatchObject({ decision: 'stored' });
    expect(await learnings(server, key)).toHaveLength(2);
  });

  test('is learned again from the same error and fix, though its numbers differ', async () => {
    const { key } = await server.member();
    await learn(server, { key });
    const again = await learn(server, {
      key,
      error: ERROR.replace('size 2', 'size 3').replace('3:9', '7:1'),
    });
    // the session was offered the lesson, so it counts when it has ended
    await again.end();
    await server.settled();
    expect(await learnings(server, key)).toMatchObject([{ successCount: 1 }]);
    expect((await judgements(server, key)).map((j: { decision: string }) => j.decision)).toEqual([
      'promoted',
      'merged',
      'stored',
    ]);
  });
});

describe('a contradiction', () => {
  test.each([
    [RETRIES, RETRIES.replace('5 retries', '7 retries')],
    ['Use the shared http client in api/orders.ts', 'Never use the shared http client in api/orders.ts'],
    ['Use dayjs instead of moment in the frontend', 'Use moment instead of dayjs in the frontend'],
    ['Use npm for installs in this repo', 'Use pnpm for installs in this repo'],
    ['Enable strict mode in tsconfig.json', 'Disable strict mode in tsconfig.json'],
    ['Use HTTP for internal service calls', 'Use gRPC for internal service calls'],
  ])('supersedes: %s → %s', async (before, after) => {
    const { key } = await server.member();
    const strong = { context: 'Everywhere in the app package', appliesTo: ['package.json'] };
    const old = await state(server, key, before, strong);
    expect(old.decision).toBe('stored');
    const fresh = await state(server, key, after, strong);
    expect(fresh).toMatchObject({
      status: 201,
      decision: 'superseded',
      reason: expect.stringContaining(`contradicts ${old.learning.id}`),
      learning: { lesson: after, supersedes: old.learning.id },
    });
    expect(await learnings(server, key)).toMatchObject([{ lesson: after }]);
  });

  test('closes the old lesson and deletes nothing: a question about that time still finds it', async () => {
    const { key, userId } = await server.member();
    const old = await state(server, key, RETRIES);
    const then = new Date().toISOString();
    const fresh = await state(server, key, RETRIES.replace('5', '7'));
    const newest = await state(server, key, RETRIES.replace('5', '9'));

    const now = await learnings(server, key);
    expect(now).toMatchObject([{ id: newest.learning.id, validUntil: null }]);
    expect(await learnings(server, key, `?asOf=${then}`)).toMatchObject([
      { id: old.learning.id, lesson: RETRIES },
    ]);
    const kept = (await server.request('GET', `/v1/learnings/${old.learning.id}`, { key })).body;
    expect(kept.validUntil).toBe(fresh.learning.validFrom);

    const rows = await server.rows(`select lineage_id, valid_from, valid_until from learnings
      where user_id = '${userId}' order by valid_from`);
    expect(new Set(rows.map((row) => row.lineage_id)).size).toBe(1);
    expect(rows.map((row) => String(row.valid_until))).toEqual([
      String(rows[1]?.valid_from),
      String(rows[2]?.valid_from),
      'null',
    ]);
    const search = async (asOf?: string) =>
      (await server.request('POST', '/v1/search', { key, body: { query: 'billing API retries', asOf } })).body
        .results;
    expect(await search()).toMatchObject([{ id: newest.learning.id }]);
    expect(await search(then)).toMatchObject([{ id: old.learning.id }]);
  });

  test('of many lessons at once leaves one lesson and an unbroken lineage', async () => {
    const { key } = await server.member();
    await state(server, key, RETRIES);
    const counts = [11, 12, 13, 14, 15, 16];
    const answers = await Promise.all(counts.map((n) => state(server, key, RETRIES.replace('5', String(n)))));
    expect(answers.map((answer) => answer.decision)).toEqual(counts.map(() => 'superseded'));
    expect(await learnings(server, key)).toHaveLength(1);
  });

  test('closes every lesson that it contradicts', async () => {
    const { key } = await server.member();
    await state(server, key, 'Use 5 retries for calls of the billing API');
    await state(server, key, 'Set max_connections to 100 in postgresql.conf');
    await state(
      server,
      key,
      'Use 5 retries for calls of the billing API in src/invoices.ts, which fails most',
    );
    expect(await learnings(server, key)).toHaveLength(3);
    const fresh = await state(server, key, 'Use 7 retries for calls of the billing API in src/invoices.ts');
    expect(fresh.decision).toBe('superseded');
    expect((await learnings(server, key)).map((l: { lesson: string }) => l.lesson).sort()).toEqual([
      'Set max_connections to 100 in postgresql.conf',
      'Use 7 retries for calls of the billing API in src/invoices.ts',
    ]);
  });

  test.each([
    ['Run the migrations before the tests of db/', 'Do not run the tests of db/ before the migrations'],
    ['Use 5 retries for the billing API', 'Keep 7 backups of the billing database'],
    ['Use 3 workers for the image queue', 'Use 5 workers for the mail queue'],
  ])('is not seen in: %s | %s', async (a, b) => {
    const { key } = await server.member();
    const first = await state(server, key, a);
    await state(server, key, b);
    const kept = (await server.request('GET', `/v1/learnings/${first.learning.id}`, { key })).body;
    expect(kept.validUntil).toBeNull();
  });
});

test('every decision is on record with its reason, score, evaluator and evidence', async () => {
  const { key } = await server.member();
  await state(server, key, RETRIES);
  await state(server, key, RETRIES);
  await state(server, key, RETRIES.replace('5', '7'));
  await state(server, key, 'Write good tests', AGENT);
  await learn(server, { key });
  const made = {
    score: expect.any(Number),
    reason: expect.stringMatching(/\w/),
    finishedAt: expect.any(String),
  };
  const person = {
    ...made,
    evaluator: 'person',
    evidence: { kind: 'stated' },
    event: 'api',
    incidentId: null,
  };
  const [learned, ...stated] = await judgements(server, key);
  expect(stated).toMatchObject([
    { ...person, evaluator: 'agent', decision: 'discarded', learningId: null },
    { ...person, decision: 'superseded', candidate: { lesson: RETRIES.replace('5', '7') } },
    { ...person, decision: 'merged' },
    { ...person, decision: 'stored' },
  ]);
  expect(learned).toMatchObject({
    ...made,
    decision: 'stored',
    evaluator: 'rules',
    event: 'Stop',
    evidence: { kind: 'resolved', edits: 0, commands: 1 },
    incidentId: expect.any(String),
  });
  const { body } = await server.request('GET', `/v1/learnings/${learned.learningId}`, { key });
  expect(body.judgements).toMatchObject([{ decision: 'stored', evaluator: 'rules' }]);
  expect(body).toMatchObject({ sourceIncidentId: learned.incidentId, sourceSessionId: expect.any(String) });
});
