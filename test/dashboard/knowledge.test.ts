// Longer than 400 lines because all pages of what is known share one server and one browser, which take seconds to start.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { inBrowser, openPage, untilLive } from '../support/browser.ts';
import { SIZES } from '../support/chromium.ts';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

// Lessons, plans, sessions and nights in a browser, while hooks stream in.

vi.setConfig({ testTimeout: 60_000 });

const server = await sharedServer({ model: false });

const lesson = (n: number, fields: Record<string, unknown> = {}) => {
  const at = new Date(Date.now() - n * 60_000).toISOString();
  return {
    type: 'learning',
    id: randomUUID(),
    lineageId: randomUUID(),
    project: 'app',
    status: 'active',
    lesson: `Start emulator number ${n} with \`npm run emulator\` before the integration tests`,
    context: 'when the integration tests cannot connect',
    keywords: ['emulator'],
    appliesTo: ['npm'],
    confidence: 0.8,
    priorConfidence: 0.8,
    evaluatedBy: 'rules',
    validFrom: at,
    lastConfirmedAt: at,
    createdAt: at,
    updatedAt: at,
    ...fields,
  };
};

/** A user, what they ask with their own key, and their rows. */
async function person() {
  const { key, userId } = await server.member();
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.request(method, path, { key, body });
    expect(answer.status, `${method} ${path}`).toBeLessThan(300);
    return answer.body;
  };
  const imported = async (records: object[]) =>
    expect((await ask('POST', '/v1/import', { records })).failed).toEqual([]);
  return { key, userId, ask, imported };
}

/** A session in which something fails and is mended. */
async function mends(key: string, cwd = `/home/dev/${randomUUID()}`) {
  const session = hookSession(server, { key, cwd });
  await session.start();
  await session.prompt('Mend the cart total when a line has no price');
  await session.bashFails(
    'npm test -- cart',
    "Exit code 1\nTypeError: Cannot read properties of undefined (reading 'total')",
  );
  await session.edit(`${cwd}/src/cart.ts`, 'line.price.total', 'line.price?.total ?? 0');
  await session.bashWorks('npm test -- cart', 'Tests 12 passed');
  await session.stop('Lines without a price have no total; cart.ts now counts them as 0.');
  await server.settled();
  return session;
}

/** Sends a session which finds out what its project needs: something that the next session can use as well. */
async function findsOut(key: string, cwd = `/home/dev/${randomUUID()}`) {
  const session = hookSession(server, { key, cwd });
  await session.start();
  await session.prompt('Run the tests of the cart');
  await session.bashFails(
    'npm test -- cart',
    'Exit code 1\nError: ENOENT: no certificate for the payment gateway',
  );
  await session.bashWorks('node make-cert.js');
  await session.bashWorks('npm test -- cart', 'Tests 12 passed');
  await session.stop('The tests pass.');
  await server.settled();
  return session;
}

/** Fails unless a thumb reaches it on both screens of the phone: 44 px high and wide, and nothing lies over it. */
async function canBeTouched(page: Page, button: Locator) {
  const before = page.viewportSize();
  for (const size of ['cover', 'open'] as const) {
    await page.setViewportSize(SIZES[size].viewport);
    await button.click({ trial: true });
    const box = await button.boundingBox();
    expect(box?.height, size).toBeGreaterThanOrEqual(44);
    expect(box?.width, size).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 0), size).toBeLessThanOrEqual(SIZES[size].viewport.width);
  }
  if (before) await page.setViewportSize(before);
}

const isLive = (page: Page) => page.getByText('Connecting').waitFor({ state: 'detached' });

describe('learnings', () => {
  test('a new one appears by itself; an edit and a rejection reach the database', async () => {
    const { key, userId } = await person();
    const { page } = await openPage(server, { key, path: '/learnings' });
    await page.getByText('Nothing learned yet').waitFor();
    await isLive(page);
    const session = await findsOut(key);
    await page.getByRole('link', { name: 'One proposed, not yet proven' }).click();
    await page.getByRole('link', { name: /npm test -- cart/ }).waitFor();
    const [{ id }] = await server.rows(`select id from learnings where user_id = '${userId}'`);
    await page.goto(`${server.url}/learnings/${id}`);
    await page.getByRole('link', { name: /^[0-9a-f]{8}$/ }).waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Lesson', { exact: true }).fill('Lines without a price count as 0 in `cart.ts`');
    await page.getByLabel(/Keywords/).fill('cart, price');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Rewritten by you').waitFor();
    const versions = await server.rows(
      `select id, lesson, keywords, valid_until from learnings where user_id = '${userId}' order by valid_from`,
    );
    expect(versions).toMatchObject([
      { id, valid_until: expect.anything() },
      {
        lesson: 'Lines without a price count as 0 in `cart.ts`',
        keywords: ['cart', 'price'],
        valid_until: null,
      },
    ]);
    expect(page.url()).toContain(versions[1].id);

    // on the day before nobody knew it
    const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('sv');
    await page.getByLabel('What it said on a day').fill(yesterday);
    await page.getByText('It was not active').waitFor();
    const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString('sv');
    await page.getByLabel('What it said on a day').fill(tomorrow);
    await page.getByRole('status').filter({ hasText: 'count as 0' }).waitFor();

    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByLabel('Why, if you like').fill('prices are never missing now');
    await page.getByRole('button', { name: 'Reject it' }).click();
    await page.getByText('No agent is told this any more.').waitFor();
    await page.getByText('prices are never missing now').waitFor();
    expect(
      await server.rows(`select 1 from learnings where user_id = '${userId}' and valid_until is null`),
    ).toEqual([]);
    await page.goto(`${server.url}/sessions/${session.session_id}`);
    await page.getByText('What resolved it').waitFor();
  });

  test('of many only those in view are drawn; back leads to the same place', async () => {
    const { key, imported } = await person();
    await imported(Array.from({ length: 400 }, (_, n) => lesson(n)));
    const { page } = await openPage(server, { key, path: '/learnings' });
    const rows = page.getByRole('list', { name: /Lessons/ }).getByRole('listitem');
    await rows.first().waitFor();
    const last = page.getByText('emulator number 399');
    for (let n = 0; n < 100 && !(await last.isVisible()); n++) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await page.waitForTimeout(50);
      expect(await rows.count()).toBeLessThan(60);
    }
    await last.click();
    await page.getByRole('heading', { name: 'Lesson', exact: true }).waitFor();
    await page.goBack();
    await last.waitFor();
    // one that comes meanwhile stands at the top
    await isLive(page);
    await imported([lesson(-1)]);
    await page.evaluate('scrollTo(0, 0)');
    await page.getByText('emulator number -1').waitFor();
  });

  test('are found, filtered, and decided on where they are listed', async () => {
    const { key, userId, imported } = await person();
    await imported([
      lesson(1, { lesson: 'The ledger of the billing service listens on port 5433', project: 'billing' }),
      lesson(2),
      lesson(3, { status: 'proposed', lesson: 'Perhaps the flag `--force` is needed for the deployment' }),
      lesson(4, { status: 'proposed', lesson: 'Perhaps the cache must be emptied before the deployment' }),
    ]);
    await server.settled();
    const { page } = await openPage(server, { key, size: 'open', path: '/learnings' });
    await page.getByLabel('Search').fill('port of the ledger');
    await page
      .getByRole('list', { name: /best fitting/ })
      .getByText('port 5433')
      .waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Project').selectOption('billing');
    await page.getByText('emulator number 2').waitFor({ state: 'detached' });
    await page.getByText('port 5433').waitFor();
    await page.getByLabel('Project').selectOption('');
    await page.getByRole('link', { name: '2 proposed, not yet proven' }).click();
    const flag = page.getByRole('listitem').filter({ hasText: '--force' });
    await flag.getByRole('button', { name: 'Confirm' }).click();
    await flag.waitFor({ state: 'detached' });
    const cache = page.getByRole('listitem').filter({ hasText: 'cache' });
    await cache.getByRole('button', { name: 'Reject' }).click();
    await cache.getByRole('button', { name: 'Reject it' }).click();
    await page.getByText('Nothing is proposed').waitFor();
    const decided = await server.rows(
      `select status, valid_until is null as current from learnings where user_id = '${userId}' and lesson like 'Perhaps%' order by lesson desc`,
    );
    expect(decided).toEqual([
      { status: 'active', current: true },
      { status: 'proposed', current: false },
    ]);
  });
});

test('a plan is a graph and a list of steps, follows its agents, and takes what a person says', async () => {
  const { key, ask } = await person();
  const plan = await ask('POST', '/v1/plans', {
    project: 'app',
    goal: 'Move to the new provider',
    steps: [
      { description: 'Read the old code' },
      { description: 'Get the key', dependencies: [1] },
      { description: 'Switch over', dependencies: [1, 2] },
    ],
  });
  const { page } = await openPage(server, { key, size: 'open', path: '/plans' });
  await page.getByRole('link', { name: /Move to the new provider/ }).click();
  const boxes = page.getByRole('region', { name: 'Graph of the steps' }).getByRole('button');
  await expect.poll(() => boxes.count()).toBe(3);
  const step = (n: number) => page.locator(`#step-${n}`);
  await step(1).getByText('Ready').waitFor();
  await isLive(page);
  // an agent works on it
  await ask('POST', `/v1/plans/${plan.id}/steps/1/claim`, { agent: 'scout' });
  await step(1).getByText('Running').waitFor();
  await page.getByRole('button', { name: /Step 1 · Running/ }).waitFor();
  await ask('POST', `/v1/plans/${plan.id}/steps/1/complete`, {
    agent: 'scout',
    outcome: 'Two places call it',
  });
  await step(1).getByText('Two places call it').waitFor();
  await ask('PATCH', `/v1/plans/${plan.id}/steps/2`, { waitingFor: 'a person: the key' });
  await step(2).getByText('Waits for a person: the key').waitFor();

  await page.getByRole('button', { name: /^Step 2 ·/ }).click();
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('step-2');
  await step(2)
    .getByRole('button', { name: /^Add note/ })
    .click();
  await step(2).getByLabel('Note on step 2').fill('It lies in the vault');
  await step(2).getByRole('button', { name: 'Save note' }).click();
  await step(2).getByRole('list', { name: 'Notes' }).getByText('It lies in the vault').waitFor();
  await step(2).getByRole('button', { name: 'Unblock' }).click();
  await step(2).getByText('Ready').waitFor();
  const now = await ask('GET', `/v1/plans/${plan.id}`);
  expect(now.steps[1]).toMatchObject({
    waitingFor: null,
    notes: [{ text: 'It lies in the vault', agent: 'person' }],
  });

  await page.getByRole('button', { name: 'Show every change' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Step 1 was claimed' }).waitFor();
});

test('a proposed step is accepted, and a failed one is tried again', async () => {
  const { key, ask } = await person();
  const plan = await ask('POST', '/v1/plans', {
    project: 'app',
    goal: 'Move to the new provider',
    steps: [{ description: 'Read the old code' }, { description: 'Mend the old tests too', proposed: true }],
  });
  const at = `/v1/plans/${plan.id}/steps/1`;
  await ask('POST', `${at}/claim`, { agent: 'scout' });
  await ask('POST', `${at}/fail`, { agent: 'scout', outcome: 'The repository cannot be read' });
  const { page } = await openPage(server, { key, path: `/plans/${plan.id}` });
  const step = (n: number) => page.locator(`#step-${n}`);
  await page.getByText('0 of 1 steps done').first().waitFor();
  const accept = step(2).getByRole('button', { name: 'Accept step' });
  await canBeTouched(page, accept);
  await accept.click();
  await accept.waitFor({ state: 'detached' });
  await step(2).getByText('Ready').waitFor();
  await page.getByText('0 of 2 steps done').first().waitFor();

  await step(1).getByText('The repository cannot be read').waitFor();
  const again = step(1).getByRole('button', { name: 'Try again' });
  await canBeTouched(page, again);
  await again.click();
  await again.waitFor({ state: 'detached' });
  await step(1).getByText('Ready').waitFor();
  const { steps } = await ask('GET', `/v1/plans/${plan.id}`);
  expect(steps).toMatchObject([
    { status: 'pending', assignedTo: null },
    { status: 'pending', proposed: false },
  ]);
  // an agent may take it
  await ask('POST', `${at}/claim`, { agent: 'another' });
  await step(1).getByText('Running').waitFor();
});

test('a plan is renamed, and given up', async () => {
  const { key, ask } = await person();
  const plan = await ask('POST', '/v1/plans', {
    project: 'app',
    goal: 'Move',
    steps: [{ description: 'Do it' }],
  });
  const { page } = await openPage(server, { key, path: `/plans/${plan.id}` });
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('What the plan is for').fill('Move to the new provider');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Move to the new provider').first().waitFor();
  const abandon = page.getByRole('button', { name: 'Abandon' });
  await canBeTouched(page, abandon);
  await abandon.click();
  await page.getByText('Abandoned').waitFor();
  await abandon.waitFor({ state: 'detached' });
  expect(await ask('GET', `/v1/plans/${plan.id}`)).toMatchObject({
    goal: 'Move to the new provider',
    status: 'failed',
  });
});

test('a change neither breaks off a further page that is being read, nor gets lost by it', async () => {
  const { key, ask } = await person();
  const goal = (n: number) => `Goal number ${n}`;
  const make = (n: number) =>
    ask('POST', '/v1/plans', { project: 'app', goal: goal(n), steps: [{ description: 'Do it' }] });
  for (let n = 0; n < 41; n++) await make(n);
  const { page } = await openPage(server, { key, path: '/plans' });
  const plans = page.getByRole('list', { name: 'Open plans' }).getByRole('listitem');
  await expect.poll(() => plans.count()).toBe(40);
  await untilLive(page);
  // the server takes its time with one answer of the list, until it is let go
  const holdNext = (of: RegExp) => {
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      void page.route(
        of,
        async (route) => {
          const answer = await route.fetch();
          resolve();
          await new Promise<void>((release) => {
            go = release;
          });
          // whoever asked may have gone
          await route.fulfill({ response: answer }).catch(() => {});
        },
        { times: 1 },
      );
    });
    return { held, go: () => go() };
  };

  const further = holdNext(/\/v1\/plans\?.*before=/);
  await page.getByRole('button', { name: 'Older plans' }).click();
  await further.held;
  const told = page.waitForResponse((answer) => answer.url().includes('/v1/dashboard'));
  await make(41);
  // the page knows of the change now
  await told;
  further.go();
  await page.getByText(goal(0), { exact: true }).waitFor();
  await page.getByText(goal(41), { exact: true }).waitFor();

  // the other way round: somebody asks for a page while a change is being read
  await page.getByLabel('Project').selectOption('app');
  await expect.poll(() => plans.count()).toBe(40);
  const reading = holdNext(/\/v1\/plans\?(?!.*before=)/);
  await make(42);
  await reading.held;
  await page.getByRole('button', { name: 'Older plans' }).click();
  await page.getByText(goal(0), { exact: true }).waitFor();
  await page.getByText(goal(42), { exact: true }).waitFor();
  reading.go();
});

test('a day of which there is more to load is not counted', async () => {
  const { key } = await person();
  for (let n = 0; n < 41; n++) {
    const session = hookSession(server, { key, cwd: '/home/ann/shop' });
    await session.prompt(`Task ${n}`);
  }
  await server.settled();
  const { page } = await openPage(server, { key, path: '/sessions' });
  const today = page.getByRole('region', { name: 'Today' });
  await expect.poll(() => today.getByRole('listitem').count()).toBe(40);
  expect(await today.getByText(/^\d+ sessions$/).count()).toBe(0);
  await page.getByRole('button', { name: 'Older sessions' }).click();
  await today.getByText('41 sessions').waitFor();
});

test('sessions appear by day as hooks stream in, each with its tasks and what went wrong', async () => {
  const { key } = await person();
  const { page } = await openPage(server, { key, path: '/sessions' });
  await page.getByText('No session yet').waitFor();
  await isLive(page);
  const session = await mends(key);
  const item = page.getByRole('region', { name: 'Today' }).getByRole('link', { name: /Mend the cart/ });
  await item.waitFor();
  await expect.poll(() => item.innerText()).toContain('1 error');
  await item.click();
  await page.getByText('Cannot read properties').first().waitFor();
  await page.getByText('What resolved it').waitFor();
  const task = page.getByRole('region', { name: 'Tasks' }).locator('summary');
  await task.filter({ hasText: 'tests passed' }).click();
  await page.getByRole('list', { name: 'Steps' }).getByText('npm test').first().waitFor();
  // it fails once more, and the page tells so
  await session.bashFails('make', 'Exit code 2\nmake: *** No rule to make target');
  await page.getByText('No rule to make target').waitFor();
  // a model is to look back on it, and has not yet
  await server.rows(`insert into session_audits (user_id, project_id, session_id)
      select user_id, project_id, id from sessions where client_session_id = '${session.session_id}'`);
  const { page: fresh } = await openPage(server, { key, path: `/sessions/${session.session_id}` });
  await fresh.getByText('No rule to make target').waitFor();
  expect(await fresh.getByRole('region', { name: 'Looking back' }).count()).toBe(0);
});

test('a lesson lists each session that was told it once, as it counts them and names them', async () => {
  const { key, userId, imported } = await person();
  const told = lesson(1);
  await imported([told]);
  for (const _ of [1, 2]) await hookSession(server, { key, cwd: '/home/dev/told' }).start();
  await server.settled();
  await server.rows(`insert into offers
      (user_id, session_id, dedup_key, event, position, kind, source_id, text, tokens, offered_at, outcome)
    select user_id, id, 'k' || n, (array['SessionStart', 'UserPromptSubmit'])[n], n, 'lesson', '${told.id}', 'a lesson', 5,
      started_at + n * interval '1 second', 'helped'
    from sessions cross join generate_series(1, 2) n
    where user_id = '${userId}' and (n = 1 or id = (select min(id::text)::uuid from sessions where user_id = '${userId}'))`);
  const { page } = await openPage(server, { key, path: `/learnings/${told.id}` });
  const rows = page.getByRole('region', { name: 'Who was told' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.getByText('helped', { exact: true }).count()).toBe(2);
  await rows.getByText('at its start, with a prompt').waitFor();
  const counts = await page.getByRole('region', { name: 'How sure' }).innerText();
  expect(counts).toMatch(/Told\s+in 2 sessions\s+Helped\s+in 2 sessions\s+Did not help\s+never/);
  // by the ids that `lore sessions` prints
  const sessions = await server.rows(
    `select left(id::text, 8) as id from sessions where user_id = '${userId}'`,
  );
  const links = await rows.getByRole('link').allInnerTexts();
  expect(links.map((text) => /Session (\S+)/.exec(text)?.[1]).sort()).toEqual(
    sessions.map(({ id }) => id).sort(),
  );
  await rows.getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
});

test('a long name in a lesson goes to the next line at its own marks, not within a word', async () => {
  const { key, imported } = await person();
  const word = 'AUTHENTICATION_TOKEN_SIGNING_KEY_ROTATION_INTERVAL_SECONDS=86400';
  await imported([lesson(1, { lesson: `Set \`${word}\`` })]);
  const { page } = await openPage(server, { key, path: '/learnings' });
  await page.getByText(word).waitFor();
  const lines = await page.evaluate(`(() => {
    const walk = document.createTreeWalker(document.querySelector('main li code'), NodeFilter.SHOW_TEXT);
    const lines = [];
    while (walk.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walk.currentNode);
      lines.push(range.getClientRects().length);
    }
    return lines;
  })()`);
  // Preact leaves empty texts around the pieces
  expect((lines as number[]).filter((n) => n > 0)).toEqual(word.split(/(?<=[_=])/).map(() => 1));
});

test('a night is begun, read and undone', async () => {
  const { key, userId, imported } = await person();
  await imported([
    lesson(1, { lesson: 'Start the ledger emulator before the integration tests run', confidence: 0.3 }),
    lesson(2, { lesson: 'Use pnpm in this repository, never npm', confidence: 0.3 }),
    lesson(3),
  ]);
  const current = () =>
    server.rows(
      `select lesson from learnings where user_id = '${userId}' and valid_until is null order by 1`,
    );
  const before = await current();
  const { page } = await openPage(server, { key, path: '/nights' });
  await page.getByText('No night yet').waitFor();
  await isLive(page);
  await page.getByRole('button', { name: 'What would it do?' }).click();
  await page.getByText('It would change 2 records').waitFor();
  expect(await current()).toEqual(before);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Run now' }).click();
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await expect.poll(() => changes.count(), { timeout: 20_000 }).toBe(2);
  expect(await current()).toHaveLength(1);

  const pnpm = changes.filter({ hasText: 'Use pnpm' });
  await pnpm.getByRole('button', { name: 'Undo' }).click();
  await pnpm.getByRole('button', { name: 'Undo it' }).click();
  await pnpm.getByText('Undone').waitFor();
  expect((await current()).map((row) => row.lesson)).toContain('Use pnpm in this repository, never npm');
  const ledger = changes.filter({ hasText: 'Start the ledger' });
  await ledger.getByRole('button', { name: 'Undo' }).click();
  await ledger.getByRole('button', { name: 'Undo it' }).click();
  await ledger.getByText('Undone').waitFor();
  expect(await current()).toEqual(before);

  // what was undone stays so; another night has other work, and is undone as a whole
  await imported([
    lesson(4, { lesson: 'Restart the ledger when a balance looks wrong', confidence: 0.3 }),
    lesson(5, { lesson: 'Never write the year with two digits', confidence: 0.3 }),
  ]);
  const present = await current();
  await page.getByRole('button', { name: 'Run now' }).click();
  await changes.filter({ hasText: 'two digits' }).waitFor();
  expect(await current()).toEqual(before);
  const undo = page.getByRole('button', { name: 'Undo the whole night' });
  await canBeTouched(page, undo);
  await undo.click();
  await page.getByText('All 2 changes are undone').waitFor();
  const yes = page.getByRole('button', { name: 'Undo the night' });
  await canBeTouched(page, yes);
  await yes.click();
  await expect.poll(() => changes.getByText('Undone').count()).toBe(2);
  expect(await current()).toEqual(present);
  // there is nothing left to undo
  await undo.waitFor({ state: 'detached' });
});

test('nothing is wider than the screen, with words as long as they come', async () => {
  const { key, ask, imported } = await person();
  const long = `/home/dev/${'a-folder-without-end/'.repeat(12)}file.ts`;
  const one = lesson(1, { lesson: `Before \`${long}\`, first run it`, appliesTo: [long], project: long });
  await imported([one]);
  const plan = await ask('POST', '/v1/plans', {
    project: long,
    goal: long,
    steps: Array.from({ length: 9 }, (_, n) => ({ description: long, dependencies: n === 0 ? [] : [1] })),
  });
  const session = await mends(key, `/home/dev/${'b'.repeat(200)}`);
  for (const size of ['cover', 'open', 'desktop'] as const) {
    const { page } = await openPage(server, { key, size });
    for (const path of [
      '/learnings',
      `/learnings/${one.id}`,
      '/plans',
      `/plans/${plan.id}`,
      '/sessions',
      `/sessions/${session.session_id}`,
      '/nights',
    ]) {
      await page.goto(server.url + path);
      await page.locator('main section').first().waitFor();
      await page.locator('main .pulse-slow[aria-hidden]').first().waitFor({ state: 'detached' });
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      // less is the place of the scroll bar
      expect(Number(tooWide), `${size} ${path}`).toBeLessThanOrEqual(0);
    }
  }
});
