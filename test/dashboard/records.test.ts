import { expect, test } from 'vitest';
import { lessonRecord } from '../learnings/mend.ts';
import { inBrowser, openPage, untilLive } from '../support/browser.ts';
import { startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

// The lists and the pages of records of all kinds in a real browser, while hooks stream in.

const server = await sharedServer({ model: false });
const PROJECT = '/home/ann/shop';

/** A user, what they ask with their own key, and what they import. */
async function person() {
  const { key, userId } = await server.member();
  const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await server.request(method, path, { key, body });
    expect([path, answer.status < 300 ? 'ok' : answer.body]).toEqual([path, 'ok']);
    return answer.body;
  };
  const imported = async (records: object[]) =>
    expect((await ask('POST', '/v1/import', { records })).failed).toEqual([]);
  return { key, userId, ask, imported };
}

const lesson = (n: number, fields: Record<string, unknown> = {}) => ({
  ...lessonRecord(
    `Start emulator number ${n} with \`npm run emulator\` before the integration tests`,
    new Date(Date.now() - n * 60_000),
  ),
  project: PROJECT,
  ...fields,
});

/** A session in which something fails and is mended. */
async function mends(key: string, cwd = PROJECT) {
  const session = await startedSession(server, { key, cwd }, 'Mend the cart total when a line has no price');
  await session.bashFails(
    'npm test -- cart',
    "Exit code 1\nTypeError: Cannot read properties of undefined (reading 'total')",
  );
  await session.edit(`${cwd}/src/cart.ts`, 'line.price.total', 'line.price?.total ?? 0');
  await session.bashWorks('npm test -- cart', 'Tests 12 passed');
  await session.rest('Lines without a price have no total; cart.ts now counts them as 0.');
  return session;
}

test('each kind has a list, and each of its records a page', async () => {
  const { key, userId, ask, imported } = await person();
  await mends(key);
  await imported([lesson(1)]);
  const service = { project: PROJECT, type: 'service', key: 'gateway.port' };
  await ask('PUT', '/v1/facts', { ...service, value: 8080 });
  await ask('PUT', '/v1/relations', {
    project: PROJECT,
    from: { type: 'service', key: 'web' },
    relation: 'calls',
    to: { type: 'service', key: 'api' },
  });
  await ask('POST', '/v1/decisions', {
    project: PROJECT,
    condition: 'when the tests need a database',
    action: 'use the one in compose.yaml',
  });
  await ask('POST', '/v1/findings', { project: PROJECT, title: 'The pool has no limit', severity: 'high' });
  await ask('POST', '/v1/notes', {
    project: PROJECT,
    agent: 'coder',
    content: 'The bank refuses 500 euro',
    metadata: { breadcrumbs: { modified_files: ['src/bank.ts'] } },
  });
  await ask('PUT', '/v1/skills/release-notes', {
    file: 'Collect the merged pull requests.\nSort them.',
  });
  await ask('POST', '/v1/plans', {
    project: PROJECT,
    goal: 'New provider',
    steps: [{ description: 'Read' }],
  });
  // a night would close the pattern, which nobody counted
  await ask('POST', '/v1/consolidation/runs');
  await server.settled();
  const [{ project }] = await server.rows(`select id as project from projects where user_id = '${userId}'`);
  await server.rows(
    `insert into patterns (id, user_id, project_id, type, form, name, triggers, template, episodes, sessions, successes,
       failures, last_used, evidence)
     values (gen_random_uuid(), '${userId}', '${project}', 'tool_sequence', 'k', 'Generate, then test', '{gen}',
       '{"steps": ["Run the generator", "Run the tests"], "commonFiles": ["src/gen.ts"], "typicalTools": ["Bash"]}',
       6, 4, 5, 1, now(), (select array_agg(id) from sessions where user_id = '${userId}'))`,
  );
  const { page } = await openPage(server, { key, path: '/records', size: 'open' });
  const rows: [list: string, heading: string, row: RegExp, shown: string | RegExp][] = [
    ['Lessons', 'Lesson', /Start emulator number 1/, '80 %'],
    ['Decisions', 'Decision', /use the one in compose.yaml/, 'the tests need a database'],
    ['Facts', 'Fact', /gateway.port: 8080/, 'still valid'],
    ['Relations', 'Relation', /web calls api/, 'service web'],
    ['Findings', 'Finding', /The pool has no limit/, 'high'],
    ['Notes', 'Note', /The bank refuses/, 'src/bank.ts'],
    ['Errors', 'Session', /Cannot read properties/, 'What went wrong'],
    ['Plans', 'Plan', /New provider/, '1. Read'],
    ['Sessions', 'Session', /Mend the cart total/, 'What was said'],
    ['Earlier work', 'Earlier work', /Mend the cart total/, /npm test -- cart/],
    ['Patterns', 'Pattern', /Generate, then test/, 'Run the generator'],
    ['Skills', 'Skill', /release-notes/, 'Collect the merged pull requests.'],
    ['Nights', 'Night', /\d{4}/, 'Began'],
  ];
  for (const [list, heading, row, shown] of rows) {
    await page.goto(`${server.url}/records`);
    await page
      .getByRole('list', { name: 'Kinds of records' })
      .getByRole('link', { name: new RegExp(`^${list}`) })
      .click();
    await page.getByRole('heading', { level: 1, name: list, exact: true }).waitFor();
    expect(await page.title()).toContain(list);
    await page.locator('main').getByRole('link', { name: row }).first().click();
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await page.locator('main').getByText(shown).first().waitFor();
  }
  await page.goto(`${server.url}/records/nothing`);
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
});

test('facts are shown as they were on a day, with their history, and can be ended', async () => {
  const { key, ask } = await person();
  const session = await startedSession(server, { key, cwd: PROJECT }, 'Where does the gateway listen?');
  await server.settled();
  const fact = { type: 'service', key: 'gateway.port', project: PROJECT };
  await ask('PUT', '/v1/facts', { ...fact, value: 8080, validFrom: '2026-01-05T00:00:00Z' });
  await ask('PUT', '/v1/facts', {
    ...fact,
    value: 9090,
    validFrom: '2026-02-05T00:00:00Z',
    session: session.session_id,
    evidence: 'read in compose.yaml',
  });
  const { page } = await openPage(server, { key, path: '/records/fact' });
  const list = page.getByRole('list', { name: 'Facts' });
  await list.getByText('gateway.port: 9090').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(1);
  await page.getByLabel('As of').fill('2026-01-20');
  await list.getByText('gateway.port: 8080').waitFor();
  await page.getByLabel('As of').fill('2026-01-04');
  await page.getByText('No fact is like that').waitFor();
  await page.getByLabel('As of').fill('');
  await list.getByRole('link', { name: /gateway.port: 9090/ }).click();

  await page.getByText('read in compose.yaml').waitFor();
  await page.getByRole('list', { name: 'History' }).getByText('8080').first().waitFor();
  await page.getByRole('link', { name: /^[0-9a-f]{8}$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'End it' }).click();
  await page.getByRole('button', { name: 'End it' }).click();
  await page.getByText('Ended', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'End it' }).count()).toBe(0);
  expect((await ask('GET', '/v1/facts')).facts).toEqual([]);
  await page.getByRole('link', { name: 'Back to Facts' }).click();
  await page.getByText('No fact yet').waitFor();
});

test('lessons appear by themselves, are found, decided on where they are listed, edited and rejected', async () => {
  const { key, ask, imported } = await person();
  const { page } = await openPage(server, { key, path: '/learnings', size: 'open' });
  await page.getByText('No lesson yet').waitFor();
  await untilLive(page);
  await imported([
    lesson(1, { lesson: 'The ledger of the billing service listens on port 5433' }),
    lesson(2),
    lesson(3, { status: 'proposed', lesson: 'Perhaps the flag `--force` is needed for the deployment' }),
    lesson(4, { status: 'proposed', lesson: 'Perhaps the cache must be emptied before the deployment' }),
  ]);
  await page.getByText('emulator number 2').waitFor();
  await page.getByLabel('Search').fill('ledger');
  await page.getByText('emulator number 2').waitFor({ state: 'detached' });
  await page.getByText('port 5433').waitFor();
  await page.getByLabel('Search').fill('');
  await page.getByText('emulator number 2').waitFor();
  await page.getByRole('button', { name: 'Proposed' }).click();
  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await row('--force').getByRole('button', { name: 'Confirm' }).click();
  await row('--force').waitFor({ state: 'detached' });
  await row('cache').getByRole('button', { name: 'Reject' }).click();
  await row('cache').getByRole('button', { name: 'Reject it' }).click();
  await page.getByText('No lesson is like that').waitFor();

  await page.getByRole('button', { name: 'Active' }).click();
  await page.getByRole('link', { name: /emulator number 2/ }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Lesson', { exact: true }).fill('Lines without a price count as 0 in `cart.ts`');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Rewritten by you').waitFor();
  const { learnings } = await ask('GET', '/v1/learnings?q=cart.ts');
  expect(learnings).toHaveLength(1);
  expect(page.url()).toContain(learnings[0].id);
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Why, if you like').fill('prices are never missing now');
  await page.getByRole('button', { name: 'Reject it' }).click();
  await page.getByText('prices are never missing now').waitFor();
  expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
});

test('your rules say what they are about, pause, and can be edited', async () => {
  const { key, ask } = await person();
  const session = await startedSession(server, { key, cwd: PROJECT }, 'Never run `npm publish` here.');
  await session.rest('Understood.');
  const { page } = await openPage(server, {
    key,
    path: '/records/rule',
    allow: [/refused: PUT .*\/v1\/guards\/.* 4\d\d/],
  });
  await page.getByRole('link', { name: /npm publish/ }).click();
  await page.getByText('at no call yet').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Ask me' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  const [guard] = (await ask('GET', '/v1/guards')).guards;
  expect([guard.rule.then, guard.source]).toEqual(['ask', 'person']);

  // what does not fit its own examples is refused, and says why
  await page.getByRole('button', { name: 'Edit' }).click();
  const rule = JSON.parse(await page.getByLabel('The rule as data').inputValue());
  await page.getByLabel('The rule as data').fill(JSON.stringify({ ...rule, keeps: rule.breaks }));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('main').getByRole('alert').last().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  expect((await ask('GET', '/v1/guards')).guards[0].state).toBe('paused');
});

test('a plan follows its agents, and takes what a person says', async () => {
  const { key, ask } = await person();
  const plan = await ask('POST', '/v1/plans', {
    project: 'app',
    goal: 'Move to the new provider',
    steps: [
      { description: 'Read the old code' },
      { description: 'Get the key', dependencies: [1] },
      { description: 'Mend the old tests too', proposed: true },
    ],
  });
  const at = `/v1/plans/${plan.id}/steps`;
  const { page } = await openPage(server, { key, size: 'open', path: `/plans/${plan.id}` });
  const step = (text: string) =>
    page.getByRole('list', { name: 'Steps' }).getByRole('listitem').filter({ hasText: text });
  await step('Read').getByText('Ready').first().waitFor();
  await untilLive(page);
  await ask('POST', `${at}/1/claim`, { agent: 'scout' });
  await step('Read').getByText('Running · scout').waitFor();
  await ask('POST', `${at}/1/fail`, { agent: 'scout', outcome: 'The repository cannot be read' });
  await step('Read').getByText('The repository cannot be read').first().waitFor();
  await step('Read').getByRole('button', { name: 'Try again' }).click();
  await step('Read').getByText('Ready').first().waitFor();
  await ask('POST', `${at}/1/claim`, { agent: 'scout' });
  await ask('POST', `${at}/1/complete`, { agent: 'scout', outcome: 'Two places call it' });
  await step('Read').getByText('Two places call it').waitFor();
  await page.getByText('1 of 2 steps done').first().waitFor();

  await ask('PATCH', `${at}/2`, { waitingFor: 'a person: the key' });
  await step('Get the key').getByText('Waits for a person: the key').waitFor();
  await step('Get the key').getByRole('button', { name: 'Add note' }).click();
  await page.getByLabel('Note on step 2').fill('It lies in the vault');
  await page.getByRole('button', { name: 'Save note' }).click();
  await step('Get the key').getByText('person: It lies in the vault').waitFor();
  await step('Get the key').getByRole('button', { name: 'Unblock' }).click();
  await step('Get the key').getByText('Ready').first().waitFor();
  await step('old tests').getByRole('button', { name: 'Accept step' }).click();
  await page.getByText('1 of 3 steps done').first().waitFor();

  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('What the plan is for').fill('Move away');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Move away').first().waitFor();
  await page.getByRole('button', { name: 'Abandon' }).click();
  await page.getByRole('button', { name: 'Abandon it' }).click();
  await page.getByText('Abandoned').waitFor();
  expect(await page.getByRole('button', { name: 'Add note' }).count()).toBe(0);
  expect(await ask('GET', `/v1/plans/${plan.id}`)).toMatchObject({ goal: 'Move away', status: 'failed' });
});
