import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { firstSentences } from '../../src/hooks/hand-off.ts';
import { titleOf } from '../../src/sessions/title.ts';
import { estimateTokens } from '../../src/tokens.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
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

/** A session with a red end. */
async function work(one: ReturnType<typeof hookSession>, ends = true) {
  await one.start();
  await one.prompt('Could you please fix the flaky checkout test in the shop for me? It fails at night.');
  await one.edit(`${one.cwd}/src/checkout.ts`, 'a', 'b');
  await one.bashFails('npm run seed', ERROR);
  await one.stop(
    'The test waits for the cart now. The seed fails without a database. More to come tomorrow.',
  );
  if (ends) await one.end();
  await server.stored();
}

describe('a session that begins', () => {
  test('is told how the last one of its project and branch ended, within 150 tokens', async () => {
    const { key, open, start } = await person();
    const before = open();
    await work(before);
    const { session, text } = await start();
    expect(text).toContain(
      'Last session here (main, just now): “Fix the flaky checkout test in the shop…”. It ended with an open error.',
    );
    expect(text).toContain(
      'It ended with: The test waits for the cart now. The seed fails without a database.',
    );
    expect(text).not.toContain('tomorrow');
    expect(text).toContain('Open error: npm run seed: Error: connect ECONNREFUSED');
    expect(text).toContain('Files changed: src/checkout.ts');
    const offers = await server.rows(
      `select kind, tokens, source_id from offers where kind = 'hand-off' and user_id = (
         select user_id from sessions where client_session_id = '${session.session_id}')`,
    );
    const { body } = await server.request('GET', `/v1/sessions/${before.session_id}`, { key });
    expect(offers).toEqual([{ kind: 'hand-off', tokens: expect.any(Number), source_id: body.id }]);
    expect(offers[0].tokens).toBeLessThanOrEqual(150);
  });

  test('at once after a /clear is told of the session that was left', async () => {
    const { open } = await person();
    const before = open();
    await before.start();
    await before.prompt('tidy the menu');
    await before.bashWorks('npm test');
    await before.stop('The menu is tidy.');
    await before.send('SessionEnd', { reason: 'clear' });
    expect(contextOf(await open().start('clear'))).toContain('“Tidy the menu”.\n');
  });

  test.each(['resume', 'compact'])('by %s is told nothing of it', async (source) => {
    const { open, start } = await person();
    await work(open());
    expect((await start(source)).text).not.toContain('Last session');
  });

  test('on another branch or in another project is told nothing, and pays nothing', async () => {
    const [one, other] = [await person(), await person()];
    await work(one.open());
    expect((await one.start('startup', 'feature')).text).toBe('');
    expect((await other.start()).text).toBe('');
  });

  test('after one that only talked is told of the one before that', async () => {
    const { open, start } = await person();
    const first = open();
    await first.start();
    await first.prompt('hello?');
    await first.stop('Hello!');
    await first.end();
    expect((await start()).text).toBe('');
    await work(open());
    const talk = open();
    await talk.start();
    await talk.prompt('hello again');
    await talk.end();
    expect((await start()).text).toContain('flaky checkout');
  });

  test('after one that broke off is told so', async () => {
    const { open, start } = await person();
    await work(open(), false);
    expect((await start()).text).toContain('No end of it was recorded; it stopped with an open error.');
  });

  test('is told nothing any more of a session that was erased, nor does anybody else keep it', async () => {
    const { key, open, start, userId } = await person();
    const before = open();
    await work(before);
    expect((await start()).text).toContain('checkout');
    const erased = await server.request('POST', '/v1/erase', { key, body: { session: before.session_id } });
    expect(erased.body.erased).toMatchObject({ turns: 1 });
    expect((await start()).text).toBe('');
    for (const table of ['offers', 'turns', 'search_documents'])
      expect(await server.rows(`select 1 from ${table} where user_id = '${userId}'`)).toEqual([]);
  });

  test('keeps its budget, however much there is to tell', async () => {
    const { key, cwd, open, start } = await person();
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
    const { text } = await start();
    expect(text).toContain('Hand-off:');
    expect(text.match(/\[finding/g)).toHaveLength(3);
    expect(estimateTokens(text)).toBeLessThanOrEqual(705);
  });
});

describe('the last commits', () => {
  test('raise the lessons that are about the same', async () => {
    const { key, cwd, open } = await person();
    const lessons = [
      'Keep `invoice.pdf` immutable once it was sent',
      'Install packages with `pnpm add`, never by hand',
      'Call the bank only from `src/worker.ts`',
      'Name routes in kebab-case, as `order-items` is',
    ];
    for (const lesson of lessons) {
      const body = { project: cwd, lesson, context: 'When working in this project', appliesTo: ['src'] };
      expect((await server.request('POST', '/v1/learnings', { key, body })).body).toMatchObject({
        decision: 'stored',
      });
    }
    await server.settled();
    const told = async (commits?: string[]) =>
      [...contextOf(await open().start('startup', commits)).matchAll(/^\d+\. \[\w+\] (.*)$/gm)].map(
        ([, text]) => text,
      );
    for (const lesson of lessons) {
      const words = lesson.split(' ').slice(2).join(' ');
      const shown = await told([`feat(shop): ${words}`, 'Merge branch', `key is AKIA${'IOSFODNN7EXAMPLE'}`]);
      expect(shown[0]).toBe(lesson);
      expect(shown).toHaveLength(3);
    }
    expect(await told(['Add tests', 'fix: use it'])).toEqual(await told());
    expect(
      JSON.stringify(await server.rows("select payload from events where event = 'SessionStart'")),
    ).not.toContain('IOSFODNN7EXAMPLE');
  });
});

test.each([
  ['Could you please fix the flaky checkout test?', 'Fix the flaky checkout test?'],
  ['please, add a CSV export.', 'Add a CSV export'],
  ["Hi! I'd like you to rename `foo` to bar. Then run the tests.", 'Rename `foo` to bar'],
  ['one two three four five six seven eight nine', 'One two three four five six seven eight…'],
  ['Make the checks pass\nand more', 'Make the checks pass'],
  ['please', 'Please'],
  ['src/app.ts is broken', 'Src/app.ts is broken'],
])('the title of “%s” is “%s”', (prompt, title) => expect(titleOf(prompt)).toBe(title));

test.each([
  ['All done. It works. Really.', 'All done. It works.'],
  ['## Summary\n\n- Changed a.ts\n- Tests pass\n', 'Changed a.ts. Tests pass.'],
  ['```\ncode\n```\nVersion 1.2 is out. Use it.', 'Version 1.2 is out. Use it.'],
  ['', ''],
])('the first sentences of %j are %j', (message, sentences) =>
  expect(firstSentences(message, 2)).toBe(sentences),
);
