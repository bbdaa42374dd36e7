// Longer than 400 lines because all cases share the sessions that they are mined from.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { minePatterns } from '../../src/patterns/mine.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// Patterns at the front door: what a session is offered, what becomes of it, and what a person may do with them.

const server = await sharedServer();
const CWD = '/home/dev/till';
const { key, userId } = await server.member('ann');
const claims: Claims = { userId, role: 'member' };
const ERROR = 'Exit code 1\nError: the ledger lock is stale: held by a process that is gone';

type Fields = { type: string; description: string; steps: string[]; files?: string[]; outcome?: string };

/** Stores an episode of a session as it is cut from its events. */
const episode = (sessionId: string, { type, description, steps, files = [], outcome = 'success' }: Fields) =>
  asUser(server.db, claims, (tx) =>
    query(
      tx,
      sql`insert into episodes (project_id, session_id, start_key, description, type, complexity, steps, tools_used,
            files_modified, outcome, started_at, ended_at)
          select s.project_id, s.id, ${`planted ${randomUUID()}`}, ${description}, ${type}, 'medium',
            ${JSON.stringify(
              steps.map((step) => {
                const [tool, targetKind = null] = step.split(':');
                return { thought: null, action: step, tool, targetKind, ok: true };
              }),
            )}::jsonb, '{"Edit": 1}', ${sql.param(files)}::text[], ${outcome}, s.started_at, now()
          from sessions s where s.client_session_id = ${sessionId}`,
    ),
  );

/** Mines what was planted: what the server cut from the same sessions would be mined, too. */
const mine = async () => {
  await server.settled();
  await server.rows(`delete from episodes where user_id = '${userId}' and start_key not like 'planted %'`);
  await minePatterns(server.db, claims);
};
const session = () => hookSession(server, { key, cwd: CWD });
const patternsOf = async (filter = '') =>
  (await server.request('GET', `/v1/patterns?project=${encodeURIComponent(CWD)}${filter}`, { key })).body
    .patterns;
/** Returns the pattern of a type; of templates that of the endpoints: what else is alike may be one too. */
const ofType = async (type: string) =>
  (await patternsOf(`&type=${type}`)).find(
    ({ triggers }: { triggers: string[] }) => type !== 'task_template' || triggers[0] === 'feature',
  );
const noise = (i: number) =>
  [['Glob', 'Read:docs'], ['Grep', 'Read:config'], ['Bash:search'], ['Read:docs', 'Bash:git']][i % 4] ?? [];
/** So that the steps are no sequence. */
const inSomeOrder = (steps: string[], i: number) => {
  const turned = [...steps.slice(i % 5), ...steps.slice(0, i % 5)];
  return i % 2 === 0 ? turned : turned.reverse();
};
const SEQUENCE = ['Edit:schema', 'Bash:generate', 'Edit:migration', 'Bash:migrate'];
const VOUCHER = 'Add an endpoint that lists the vouchers to the public API';

beforeAll(async () => {
  for (let i = 0; i < 6; i++) {
    const { session_id: id, start, end, bashFails, bashWorks, stop, prompt } = session();
    await start();
    await prompt('Have a look around');
    if (i < 3) {
      await bashFails('node till.js', ERROR);
      await bashWorks('rm -f /tmp/till.lock', '');
      await bashWorks('node till.js', 'open');
    }
    await stop('The lock was stale, so I took it away.');
    await server.rows('select 1');
    const around = noise(i);
    await episode(id, {
      type: 'investigation',
      description: `Look at ${['rain', 'snow', 'hail', 'fog', 'wind', 'sun'][i]} ${i}`,
      steps: [...around, ...SEQUENCE, ...noise(i + 1)],
    });
    await episode(id, {
      type: 'feature',
      description: `Add an endpoint that lists the ${['orders', 'invoices', 'refunds', 'coupons', 'payouts', 'baskets'][i]} to the public API`,
      steps: inSomeOrder(['Read:source', 'Write:source', 'Edit:routes', 'Write:test-file', 'Bash:test'], i),
      files: [`src/api/thing${i}.ts`, 'src/routes.ts'],
      outcome: i === 5 ? 'error' : 'success',
    });
    await episode(id, {
      type: 'refactor',
      description: `Split the till module ${i} into smaller files`,
      steps: inSomeOrder(['Bash:lint', 'Read:source', 'Write:source', 'Edit:source', 'Bash:test'], i),
      files: [`src/core/part${i}.ts`],
    });
    await end();
  }
  await server.settled();
  // lessons outrank what was merely counted: here it is looked at without any
  await server.rows(`delete from learnings where user_id = '${userId}'`);
  await mine();
  await server.settled();
}, 120_000);

test('what was done again and again is listed, with how often it worked', async () => {
  const sequence = await ofType('tool_sequence');
  expect(sequence.template.steps).toEqual(SEQUENCE);
  expect(sequence).toMatchObject({ usageCount: 6, sessions: 6, successes: 6, failures: 0, successRate: 1 });
  // the interval of 6 of 6: Wilson's lower bound is 1 / (1 + 1.96² / 6)
  expect(sequence.rateLow).toBeCloseTo(1 / (1 + 1.959964 ** 2 / 6), 4);
  expect(await ofType('task_template')).toMatchObject({
    usageCount: 6,
    successes: 5,
    failures: 1,
    triggers: ['feature', expect.stringContaining('endpoint')],
    template: { commonFiles: expect.arrayContaining(['src/routes.ts', 'src/api/*.ts']) },
  });
  expect(await ofType('refactor')).toMatchObject({
    usageCount: 6,
    template: { commonFiles: ['src/core/*.ts'] },
  });
  expect(await ofType('error_recovery')).toMatchObject({
    successes: 3,
    template: { steps: ['run rm -f /tmp/till.lock'] },
  });
});

/** Sets how much of the patterns is told. */
const voice = (pattern: string) =>
  server.request('PUT', '/v1/settings', { key, body: { voice: { pattern } } });

describe('offered', () => {
  test('no sequence unasked, and nothing at all if none is wanted', async () => {
    const s = session();
    await s.start();
    expect(contextOf(await s.prompt('Water the flowers in front of the shop'))).toBe('');
    await voice('none');
    const told = contextOf(await s.prompt('Please refactor the printing of receipts, it is a mess'));
    expect(told).not.toMatch(/\[(such tasks|refactorings|often done) here\]/);
    await voice('few');
  });

  test('if all are wanted, the sequence with the first prompt, only then, and one pattern only', async () => {
    await voice('all');
    const s = session();
    await s.start();
    const first = contextOf(await s.prompt('What is the weather like today in Vienna?'));
    expect(first).toContain(
      '[often done here] Edit schema → Bash generate → Edit migration → Bash migrate, worked 6 of 6',
    );
    expect(first.match(/\(lore:/g)).toHaveLength(1);
    expect(contextOf(await s.prompt('And tomorrow, will it rain in Vienna?'))).toBe('');
    const other = session();
    await other.start();
    expect(contextOf(await other.prompt(VOUCHER))).toContain('files: src/routes.ts, src/api/*.ts');
    await voice('few');
  });

  test('the template for such a task, in one line', async () => {
    const s = session();
    await s.start();
    const told = contextOf(await s.prompt(VOUCHER));
    expect(told).toContain('[such tasks here] feature: ');
    expect(told).toMatch(/: .* → .* → .* → .* → .*, worked 5 of 6 times/);
    for (const step of ['Read source', 'Edit routes', 'Write test file']) expect(told).toContain(step);
    expect(told).not.toContain('files: ');
    expect(told).not.toContain('[often done here]');
  });

  test('how it was refactored here, when asked to refactor', async () => {
    const s = session();
    await s.start();
    const told = contextOf(await s.prompt('Please refactor the printing of receipts, it is a mess'));
    expect(told).toContain('[refactorings here]');
    expect(told).not.toContain('[often done here]');
  });

  test('the recovery at its error, unless a lesson knows the error', async () => {
    const s = session();
    await s.start();
    const told = contextOf(await s.bashFails('node till.js', ERROR));
    expect(told).toContain('[this error before]');
    expect(told).toContain('`run rm -f /tmp/till.lock`, worked 3 of 3 times');
    const [{ signature }] = await server.rows(
      `select signature from patterns where user_id = '${userId}' and type = 'error_recovery' and project_id is not null`,
    );
    await server.rows(`insert into learnings (status, user_id, project_id, lesson, context, evaluated_by, confidence,
        prior_confidence, signature, lineage_id)
      select 'active', '${userId}', id, 'Take the lock away first', 'when it is stale', 'rules', 0.9, 0.9, '${signature}',
        gen_random_uuid() from projects where user_id = '${userId}' and name = '${CWD}'`);
    const next = session();
    await next.start();
    const lesson = contextOf(await next.bashFails('node till.js', ERROR));
    expect(lesson).toContain('Take the lock away first');
    expect(lesson).not.toContain('[this error before]');
    await server.rows(`delete from learnings where user_id = '${userId}'`);
  });
});

describe('what became of an offer', () => {
  const outcomeOf = async (sessionId: string) =>
    (
      await server.rows(`select o.outcome from offers o join sessions s on s.id = o.session_id
        where s.client_session_id = '${sessionId}' and o.kind = 'pattern'`)
    ).map(({ outcome }) => outcome);

  test.each([
    ['followed, and the check passed', SEQUENCE, 'success', 'helped', { followed: 1, helped: 1, failed: 0 }],
    [
      'followed, and the check failed',
      ['Read:docs', ...SEQUENCE],
      'error',
      'failed',
      { followed: 1, helped: 0, failed: 1 },
    ],
    [
      'not followed',
      ['Read:docs', 'Edit:schema'],
      'success',
      'unused',
      { followed: 0, helped: 0, failed: 0 },
    ],
    [
      'followed, nobody knows how it ended',
      SEQUENCE,
      'unknown',
      'unknown',
      { followed: 1, helped: 0, failed: 0 },
    ],
  ])('%s', async (_, steps, outcome, wanted, counts) => {
    const before = await ofType('tool_sequence');
    await voice('all');
    const s = session();
    await s.start();
    expect(contextOf(await s.prompt('Hm, what should we do next week?'))).toContain('[often done here]');
    await voice('few');
    await server.rows('select 1');
    await episode(s.session_id, { type: 'question', description: 'next', steps, outcome });
    await s.end();
    await server.settled();
    expect(await outcomeOf(s.session_id)).toEqual([wanted]);
    const after = await ofType('tool_sequence');
    const gained = (name: string) => after[name] - before[name];
    expect(gained('offered')).toBe(1);
    for (const [name, n] of Object.entries(counts)) expect([name, gained(name)]).toEqual([name, n]);
  });

  test('a recovery helped when its command was run and the error was gone', async () => {
    const s = session();
    await s.start();
    expect(contextOf(await s.bashFails('node till.js', ERROR))).toContain('[this error before]');
    await s.bashWorks('rm -f /tmp/till.lock', '');
    await s.bashWorks('node till.js', 'open');
    await s.stop('Gone.');
    await episode(s.session_id, { type: 'bugfix', description: 'lock', steps: ['Bash:run'] });
    await s.end();
    await server.settled();
    await server.settled();
    expect(await outcomeOf(s.session_id)).toEqual(['helped']);
    await server.rows(`delete from learnings where user_id = '${userId}'`);
  });

  test('what fails again and again fades, is not offered, and is closed by the next mining', async () => {
    const { id } = await ofType('refactor');
    await server.rows(`update patterns set harmed = 5, confidence = pattern_confidence(successes, failures, helped, 5)
      where id = '${id}'`);
    const s = session();
    await s.start();
    const told = contextOf(await s.prompt('Refactor the printing of receipts, please'));
    expect(told).not.toContain('[refactorings here]');
    await server.rows(`update episodes set description = description where user_id = '${userId}'`);
    await mine();
    expect(await ofType('refactor')).toBeUndefined();
    const closed = await patternsOf('&type=refactor&status=closed');
    expect(closed).toMatchObject([{ id, failed: 5, confidence: expect.closeTo(0.39, 1) }]);
  });
});

describe('a person', () => {
  const again = async () => {
    await server.rows(`update episodes set description = description where user_id = '${userId}'`);
    await mine();
  };

  test('words it anew, and mining keeps that', async () => {
    const { id } = await ofType('task_template');
    const renamed = await server.request('PATCH', `/v1/patterns/${id.slice(0, 8)}`, {
      key,
      body: { name: 'New endpoint, token=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB' },
    });
    expect(renamed).toMatchObject({ status: 200, body: { namedBy: 'person' } });
    expect(renamed.body.name).toMatch(/^New endpoint, .*redacted/);
    await again();
    expect(await ofType('task_template')).toMatchObject({ id, name: renamed.body.name, namedBy: 'person' });
  });

  test('pins it: it stays although nothing shows it any more', async () => {
    const { id } = await ofType('error_recovery');
    await server.request('PATCH', `/v1/patterns/${id}`, { key, body: { pinned: true } });
    await server.rows(`update incidents set resolution = null where user_id = '${userId}'`);
    await again();
    expect(await ofType('error_recovery')).toMatchObject({ id, pinned: true, validUntil: null });
    await server.request('PATCH', `/v1/patterns/${id}`, { key, body: { pinned: false } });
    await again();
    expect(await ofType('error_recovery')).toBeUndefined();
  });

  test('rejects it: it is gone and is not mined again', async () => {
    const sequence = await ofType('tool_sequence');
    const template = await ofType('task_template');
    for (const { id } of [sequence, template])
      await server.request('PATCH', `/v1/patterns/${id}`, { key, body: { status: 'rejected' } });
    // so that the template would have another leader
    await server.rows(`delete from episodes where ctid = (select ctid from episodes
      where user_id = '${userId}' and type = 'feature' and outcome = 'success' order by started_at, id limit 1)`);
    await again();
    expect(await ofType('tool_sequence')).toBeUndefined();
    expect(await ofType('task_template')).toBeUndefined();
    expect(await patternsOf('&status=rejected')).toHaveLength(2);
    const pinned = await server.request('PATCH', `/v1/patterns/${sequence.id}`, {
      key,
      body: { pinned: true },
    });
    expect(pinned).toMatchObject({ status: 409, body: { errors: [{ field: 'pinned' }] } });
    await voice('all');
    const s = session();
    await s.start();
    expect(contextOf(await s.prompt('What about the day after tomorrow?'))).toBe('');
    await voice('few');
    const restored = await server.request('PATCH', `/v1/patterns/${sequence.id}`, {
      key,
      body: { status: 'active' },
    });
    expect(restored.body).toMatchObject({ status: 'active', validUntil: null });
  });

  test('and only a person: not the key that an agent sees', async () => {
    const { id } = await ofType('tool_sequence');
    const made = await server.request('POST', '/v1/keys', { key, body: { name: 'hooks', scope: 'hooks' } });
    const own = { key: made.body.key };
    expect((await server.request('GET', `/v1/patterns/${id}`, own)).status).toBe(200);
    for (const body of [{ pinned: true }, { status: 'rejected' }, { name: 'mine' }, { private: true }])
      expect((await server.request('PATCH', `/v1/patterns/${id}`, { ...own, body })).status).toBe(403);
  });
});

test('patterns of two projects hold in all, unless one is private', async () => {
  const shared = async () =>
    (await server.request('GET', '/v1/patterns?type=tool_sequence', { key })).body.patterns.filter(
      ({ project }: { project: string | null }) => project === null,
    );
  expect(await shared()).toEqual([]);
  for (let i = 0; i < 6; i++) {
    const s = hookSession(server, { key, cwd: '/home/dev/other' });
    await s.start();
    await server.rows('select 1');
    await episode(s.session_id, {
      type: 'feature',
      description: `thing ${i}`,
      steps: [...noise(i), ...SEQUENCE, ...noise(i + 2)],
    });
  }
  await mine();
  expect(await shared()).toMatchObject([{ template: { steps: SEQUENCE }, project: null }]);
  const third = hookSession(server, { key, cwd: '/home/dev/third' });
  await third.start();
  await voice('all');
  expect(contextOf(await third.prompt('What is there to be done here?'))).toContain(
    '[often done here] Edit schema',
  );
  await voice('few');
  const { id } = await ofType('tool_sequence');
  await server.request('PATCH', `/v1/patterns/${id}`, { key, body: { private: true } });
  expect(await shared()).toEqual([]);
});

test('exported and imported, they are the same; erased, they are gone', async () => {
  const { records } = (await server.request('GET', '/v1/export?limit=1000', { key })).body;
  const own = records.filter(({ type }: { type: string }) => type === 'pattern');
  expect(own.length).toBeGreaterThan(3);
  const other = await server.member('importer');
  const sent = { key: other.key, body: { records: own } };
  expect((await server.request('POST', '/v1/import', sent)).body).toMatchObject({
    imported: own.length,
    failed: [],
  });
  expect((await server.request('POST', '/v1/import', sent)).body).toMatchObject({
    imported: 0,
    skipped: own.length,
  });
  const back = (await server.request('GET', '/v1/export?limit=1000', { key: other.key })).body.records;
  const sorted = (list: { id: string }[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(sorted(back.filter(({ type }: { type: string }) => type === 'pattern'))).toEqual(sorted(own));

  const { body } = await server.request('POST', '/v1/erase', { key, body: { project: CWD } });
  expect(body.erased.patterns).toBeGreaterThan(2);
  expect(await patternsOf()).toEqual([]);
  const [left] = await server.rows(`select count(*)::int as n from search_documents
    where user_id = '${userId}' and kind = 'pattern' and project_id is not null
      and project_id = (select id from projects where user_id = '${userId}' and name = '${CWD}')`);
  expect(left?.n).toBe(0);
});
