import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });
const ERROR = 'Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5432';

/** A member with a project of their own, and sessions in it. */
async function person() {
  const { key, userId } = await server.member();
  const cwd = `/home/dev/${randomUUID()}`;
  const open = (branch = 'main') => hookSession(server, { key, cwd, branch });
  const start = async (source = 'startup', branch = 'main') => {
    const session = open(branch);
    const text = contextOf(await session.start(source));
    await server.stored();
    return { session, text };
  };
  return { key, userId, cwd, open, start };
}

type Session = ReturnType<typeof hookSession>;

/** Returns the lines of a frame, without the frame. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .slice(2, -1)
    .map((line) => line.trim());

/** A session with a red end. */
async function work(one: ReturnType<typeof hookSession>, ends = true) {
  await one.start();
  await one.prompt(
    'Do not ask me anything. Could you please fix the flaky checkout test in the shop for me? It fails at night.',
  );
  await one.edit(`${one.cwd}/src/checkout.ts`, 'a', 'b');
  await one.bashFails('npm run seed', ERROR);
  await one.stop(
    'The test waits for the cart now. The seed fails without a database. More to come tomorrow.',
  );
  if (ends) await one.end();
  await server.stored();
}

const SUBJECTS =
  'billing catalogue delivery export forecast gateway history invoice journal kitchen ledger mailbox network orders parser'.split(
    ' ',
  );

describe('a session that begins', () => {
  test('is told in one line with what error the last one of its project and branch ended', async () => {
    const { key, open, start } = await person();
    const before = open();
    await work(before);
    const { session, text } = await start();
    expect(linesOf(text)).toEqual([
      `1. Last session here (main, ${new Date().toISOString().slice(0, 10)}): “Fix the flaky checkout test in the shop…”; ended with an open error: npm run seed: Error: connect ECONNREFUSED 127.0.0.1:5432`,
    ]);
    const offers = await server.rows(
      `select kind, tokens, source_id from offers where kind = 'hand-off' and user_id = (
         select user_id from sessions where client_session_id = '${session.session_id}')`,
    );
    const { body } = await server.request('GET', `/v1/sessions/${before.session_id}`, { key });
    expect(offers).toEqual([{ kind: 'hand-off', tokens: expect.any(Number), source_id: body.id }]);
    expect(offers[0].tokens).toBeLessThanOrEqual(150);
  });

  test('is told the known fix beside the error, and whether it is proven', async () => {
    const { key, open, start, userId } = await person();
    await work(open());
    const stated = await server.request('POST', '/v1/learnings', {
      key,
      body: {
        project: (await server.request('GET', '/v1/projects', { key })).body.projects[0].name,
        lesson: 'Start the database with `docker compose up -d db` before `npm run seed`.',
        context: 'When the seed of the shop cannot reach its database',
        appliesTo: ['npm run seed'],
      },
    });
    expect(stated.body).toMatchObject({ decision: 'stored' });
    const known = (status: string) =>
      server.rows(
        `update learnings set evaluated_by = 'rules', status = '${status}', signature = (
           select signature from incidents where user_id = '${userId}' limit 1) where user_id = '${userId}' returning 1`,
      );
    const fix = 'Start the database with `docker compose up -d db` before `npm run seed`. (lore:';
    await known('active');
    expect((await start()).text).toContain(`ECONNREFUSED 127.0.0.1:5432. Known fix: ${fix}`);
    await known('proposed');
    expect((await start()).text).toContain(`Maybe fixed by (not proven): ${fix}`);
  });

  test.each([
    ['was answered', (s: Session) => s.bashWorks('npm run seed')],
    ['was passed by', (s: Session) => s.bashWorks('npm test', ' Tests  3 passed (3)')],
  ])('is not told of an error that %s', async (_, answer) => {
    const { open, start } = await person();
    const before = open();
    await before.start();
    await before.prompt('tidy the menu of the shop');
    await before.edit(`${before.cwd}/src/menu.ts`, 'a', 'b');
    await before.bashFails('npm run seed', ERROR);
    await answer(before);
    await before.finish(
      'The menu of the shop is tidy now. Shall I commit it to main? Let me know if you want anything else.',
    );
    const { text } = await start();
    expect(linesOf(text)).toEqual([
      `1. Last session here (main, ${new Date().toISOString().slice(0, 10)}): “Tidy the menu of the shop”; left open at its end: Shall I commit it to main?`,
    ]);
    // what was handed on is not handed on again
    expect((await start()).text).toBe('');
  });

  test.each([
    'The menu of the shop is tidy now.',
    'Done. Is there anything else you would like me to do?',
    'I asked myself: is it tidy enough? It is. I ran the tests. All of them pass. The menu is tidy now. Good.',
  ])('that left nothing open is not told: %s', async (last) => {
    const { open, start } = await person();
    const before = open();
    await before.start();
    await before.prompt('tidy the menu of the shop');
    await before.edit(`${before.cwd}/src/menu.ts`, 'a', 'b');
    await before.finish(last);
    expect((await start()).text).toBe('');
  });

  test('keeps its budget, however much there is to tell', async () => {
    const { key, userId, cwd, open, start } = await person();
    const before = open();
    await before.start();
    await before.prompt(`Refactor ${'the long word '.repeat(100)}`);
    for (let n = 0; n < 12; n++) {
      await before.edit(`${cwd}/src/${'deep/'.repeat(20)}file-${n}.ts`, 'a', 'b');
      await before.bashFails(
        `npm run job-${'x'.repeat(200)}-${n}`,
        `Exit code 1\nError: ${'long '.repeat(90)}${n}`,
      );
    }
    await before.stop(`A sentence of ${'very '.repeat(200)}many words. And another one.`);
    await before.end();
    for (let n = 0; n < 3; n++) {
      const body = { project: cwd, title: `Finding ${n} ${'about the pool '.repeat(20)}`, severity: 'high' };
      await server.request('POST', '/v1/findings', { key, body });
    }
    for (const word of SUBJECTS) {
      const rule = `Ask the ${word} team before you change the ${word} of the ${word} module`;
      await state(
        key,
        cwd,
        `${rule}, because \`${word}.lock\` is theirs and ${'nobody else may write it '.repeat(3)}`,
      );
    }
    const { text } = await start();
    const lines = linesOf(text);
    expect(lines[0]).toBe('Rules that a person stated for this project:');
    expect(lines.findIndex((line) => line.includes('more: lore lessons'))).toBeGreaterThan(3);
    expect(text.match(/\[finding/g)).toHaveLength(1);
    expect(lines.at(-1)).toContain('Last session here');
    expect(estimateTokens(text)).toBeLessThanOrEqual(850);
    const rules = await server.rows(
      `select sum(tokens)::int as n from offers where kind = 'rule' and user_id = '${userId}'`,
    );
    expect(rules[0].n).toBeLessThanOrEqual(500);
  });
});

/** States a rule of a project, as a person does. */
async function state(key: string, project: string, lesson: string) {
  const body = { project, lesson, context: 'When working in this project', appliesTo: ['src'] };
  const stated = await server.request('POST', '/v1/learnings', { key, body });
  expect(stated.body).toMatchObject({ decision: 'stored' });
}

describe('the rules of a project', () => {
  const RULES = [
    'Keep `invoice.pdf` immutable once it was sent',
    'Install packages with `pnpm add`, never by hand',
    'Call the bank only from `src/worker.ts`',
    'Name routes in kebab-case, as `order-items` is',
  ];
  const told = (text: string) => linesOf(text).slice(1);

  test('all stand at a start, one plain line each, the newest first, before everything else', async () => {
    const { key, cwd, open, start } = await person();
    await work(open());
    for (const rule of RULES) await state(key, cwd, rule);
    await server.settled();
    const { text } = await start();
    expect(linesOf(text)[0]).toBe('Rules that a person stated for this project:');
    const lines = told(text);
    expect(lines.slice(0, 4).map((line) => line.replace(/\(lore:[0-9a-f]{8}\)$/, '(lore)'))).toEqual(
      [...RULES].reverse().map((rule, i) => `${i + 1}. ${rule} (lore)`),
    );
    // a kind that stands alone gets a title too: it is no rule of a person
    expect(lines.slice(4)).toEqual(['Hand-off:', expect.stringContaining('Last session here')]);
    // a subagent does the work, so it must know them too
    const agent = { agent_id: 'a1', agent_type: 'fixer' };
    const subagent = contextOf(await open().send('SubagentStart', agent));
    for (const rule of RULES) expect(subagent).toContain(rule);
  });
});
