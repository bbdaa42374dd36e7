import { expect, test, vi } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { inBrowser, openPage } from '../support/browser.ts';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

// The pages of facts, decisions, findings and the other records in a real browser.

vi.setConfig({ testTimeout: 180_000 });
const server = await sharedServer({ model: false });
const PROJECT = '/home/ann/shop';

/** Sends requests as a new member. */
async function member() {
  const { key, userId } = await server.member();
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await server.request(method, path, { key, ...(body !== undefined && { body }) });
    expect([path, answer.status < 300 ? 'ok' : answer.body]).toEqual([path, 'ok']);
    return answer.body;
  };
  return { key, userId, ask };
}

test('facts are shown as they were on a day, with their history, and can be ended', async () => {
  const { key, ask } = await member();
  const session = hookSession(server, { key, cwd: PROJECT });
  await session.start();
  await session.prompt('Where does the gateway listen?');
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
  const { page } = await openPage(server, { key, path: '/records' });
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
  await page.getByRole('link', { name: /^Facts/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Facts' }).waitFor();
  expect(await page.title()).toContain('Facts');
  const list = page.getByRole('list', { name: 'Facts' });
  await list.getByText('gateway.port: 9090').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(1);

  await page.getByLabel('As of').fill('2026-01-20');
  await list.getByText('gateway.port: 8080').waitFor();
  await page.getByLabel('As of').fill('2026-01-04');
  await page.getByText('No fact is like that').waitFor();
  await page.getByLabel('As of').fill('');
  await list.getByRole('link', { name: /gateway.port: 9090/ }).click();

  await page.getByRole('heading', { level: 1, name: 'Fact' }).waitFor();
  await page.getByText('still valid').waitFor();
  await page.getByText('read in compose.yaml').waitFor();
  const history = page.getByRole('list', { name: 'History' });
  await history.getByText('8080').first().waitFor();
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

test('decisions and relations end, findings are closed and reopened', async () => {
  const { key, ask } = await member();
  await ask('POST', '/v1/decisions', {
    project: PROJECT,
    condition: 'when the tests need a database',
    action: 'use the one in compose.yaml',
  });
  const edge = {
    from: { type: 'service', key: 'web' },
    relation: 'calls',
    to: { type: 'service', key: 'api' },
  };
  await ask('PUT', '/v1/relations', edge);
  const blocked = await ask('POST', '/v1/findings', {
    project: PROJECT,
    title: 'The cache is never cleared',
  });
  const found = await ask('POST', '/v1/findings', {
    project: PROJECT,
    title: 'The pool has no limit',
    severity: 'high',
    file: 'src/pool.ts',
    line: 12,
    blocks: [blocked.id],
  });
  const { page } = await openPage(server, { key, path: '/records/decision' });
  for (const [path, row, list] of [
    ['decision', /use the one in compose.yaml/, '/v1/decisions'],
    ['relation', /web calls api/, '/v1/relations'],
  ] as const) {
    await page.goto(`${server.url}/records/${path}`);
    await page.getByRole('link', { name: row }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByText('Ended', { exact: true }).waitFor();
    expect((await ask('GET', list))[`${path}s`]).toEqual([]);
  }

  await page.goto(`${server.url}/records/finding`);
  await page.getByRole('link', { name: /The pool has no limit.*src\/pool.ts:12/ }).click();
  await page.getByText('src/pool.ts:12').waitFor();
  await page
    .getByRole('list', { name: 'Blocks' })
    .getByRole('link', { name: /The cache/ })
    .waitFor();
  await page.getByRole('button', { name: 'Close …' }).click();
  await page.getByLabel('How it was settled, if you like').fill('It is 20 now');
  await page.getByRole('button', { name: 'Resolved' }).click();
  await page.getByText('It is 20 now').waitFor();
  expect(await ask('GET', `/v1/findings/${found.id}`)).toMatchObject({
    status: 'resolved',
    resolution: 'It is 20 now',
  });
  await page.getByRole('link', { name: 'Back to Findings' }).click();
  await page.getByText('The cache is never cleared').waitFor();
  await page.getByText('The pool has no limit').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Resolved' }).click();
  await page.getByRole('link', { name: /The pool has no limit/ }).click();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('button', { name: 'Close …' }).waitFor();
  expect((await ask('GET', `/v1/findings/${found.id}`)).status).toBe('open');
});

test('notes, skills, patterns and earlier work have pages; search leads to them', async () => {
  const { key, userId, ask } = await member();
  const note = await ask('POST', '/v1/notes', {
    project: PROJECT,
    agent: 'coder',
    content: 'The sandbox of the bank refuses 500 euro',
    metadata: { breadcrumbs: { modified_files: ['src/bank.ts'] } },
  });
  const first = await ask('PUT', '/v1/skills/release-notes', {
    file: 'Collect the merged pull requests.\nSort them.',
  });
  await ask('PUT', '/v1/skills/release-notes', {
    file: 'Collect them.\nSort them by label.',
  });
  const session = hookSession(server, { key, cwd: PROJECT });
  await session.start();
  await session.prompt('Fix the login');
  await session.bashWorks('npm test', '42 passed');
  await session.stop('The login works again.');
  await session.end();
  await server.settled();
  const [{ project }] = await server.rows(`select id as project from projects where user_id = '${userId}'`);
  await server.rows(
    `insert into patterns (id, user_id, project_id, type, form, name, triggers, template, episodes, sessions, successes,
       failures, last_used, evidence)
     values (gen_random_uuid(), '${userId}', '${project}', 'tool_sequence', 'k', 'Generate, then test', '{gen}',
       '{"steps": ["Run the generator", "Run the tests"], "commonFiles": ["src/gen.ts"], "typicalTools": ["Bash"]}',
       6, 4, 5, 1, now(), (select array_agg(id) from sessions where user_id = '${userId}'))`,
  );
  const { page } = await openPage(server, { key, path: '/search?q=sandbox%20of%20the%20bank' });
  await page.getByRole('link', { name: /sandbox of the bank/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Note' }).waitFor();
  expect(page.url()).toContain(`/records/note/${note.id}`);
  await page.getByRole('list', { name: 'Modified files' }).getByText('src/bank.ts').waitFor();

  // an id of an earlier version leads to the skill
  await page.goto(`${server.url}/records/skill/${first.id}`);
  await page.getByText('Sort them by label.').waitFor();
  expect(await page.getByRole('list', { name: 'History' }).getByRole('listitem').count()).toBe(2);

  await page.goto(`${server.url}/records/pattern`);
  await page.getByRole('link', { name: /Generate, then test/ }).click();
  await page.getByRole('list', { name: 'Steps' }).getByText('Run the generator').waitFor();
  const seen = page.getByRole('list', { name: 'Seen in' }).getByRole('link');
  expect(await seen.first().getAttribute('href')).toMatch(/^\/sessions\/[0-9a-f-]{36}$/);
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.getByText('Pinned').waitFor();
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('button', { name: 'Reject it' }).click();
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByText('Active', { exact: true }).waitFor();

  await page.goto(`${server.url}/records/episode`);
  await page.getByRole('link', { name: /Fix the login/ }).click();
  await page
    .getByRole('list', { name: 'Steps' })
    .getByText(/npm test/)
    .waitFor();
  await page.goto(`${server.url}/records/nothing`);
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
});

test('your rules say what they are about and how often they acted, and can be edited', async () => {
  const { key, ask } = await member();
  const session = hookSession(server, { key, cwd: PROJECT });
  await session.start();
  await session.prompt('Never run `npm publish` here.');
  await session.stop('Understood.');
  await server.settled();
  const { page } = await openPage(server, {
    key,
    path: '/records/rule',
    allow: [/refused: PUT .*\/v1\/guards\/.* 4\d\d/],
  });
  await page.getByRole('link', { name: /npm publish/ }).click();
  const card = page.getByRole('region', { name: 'When it acts' });
  await card.getByText('no call yet', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Edit' }).click();
  await card.getByRole('button', { name: 'Ask me' }).click();
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByRole('button', { name: 'Pause' }).waitFor();
  const [guard] = (await ask('GET', '/v1/guards')).guards;
  expect([guard.rule.then, guard.source]).toEqual(['ask', 'person']);

  // what does not fit its own examples is refused, and says why
  await card.getByRole('button', { name: 'Edit' }).click();
  const rule = JSON.parse(await card.getByLabel('The rule as data').inputValue());
  await card.getByLabel('The rule as data').fill(JSON.stringify({ ...rule, keeps: rule.breaks }));
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByRole('alert').waitFor();
  await card.getByLabel('The rule as data').fill('{');
  expect(await card.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
});

test('a page without records says the three first steps, until there is a project', async () => {
  const { key, ask } = await member();
  const { page } = await openPage(server, { key, size: 'desktop' });
  for (const path of ['/records/fact', '/records/skill', '/plans', '/learnings', '/sessions', '/nights']) {
    await page.goto(`${server.url}${path}`);
    await page.getByText('Attach Lore to a project').waitFor();
  }
  await page.goto(`${server.url}/records/fact`);
  await page.getByText('Attach Lore to a project').waitFor();
  expect(await seriousFindings(page, {})).toEqual([]);
  await ask('POST', '/v1/findings', { project: PROJECT, title: 'The pool has no limit' });
  await page.goto(`${server.url}/records/fact`);
  await page.getByText('Say it while you work').waitFor();
  expect(await page.getByText('Attach Lore to a project').count()).toBe(0);
});
