import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { approveAll } from '../learnings/mend.ts';
import { inBrowser, openPage, untilLive } from '../support/browser.ts';
import { hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

// The page “Safety” in a real browser.

const server = await sharedServer({ model: false });

/** Returns what has an agent of a project try commands, and tells what is decided. */
async function agentIn(key: string, cwd: string) {
  const { start, decisionOn } = hookSession(server, { key, cwd });
  await start();
  return decisionOn;
}

/** An agent that was stopped by what a person had said. */
async function heldAgent(approved: boolean) {
  const { key } = await server.member();
  const session = await startedSession(server, { key, cwd: '/home/ann/shop' });
  await session.prompt('Never run `npm publish` here.');
  await session.rest('Understood.');
  if (approved) await approveAll(server, key);
  const told = await session.before('npm publish');
  await server.settled();
  return { key, told };
}

const push = (n: number) => `git push --force origin branch-${n}`;
const items = (page: Page, list: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem');

test('denied commands are listed page by page and by project, and decided there', async () => {
  const ann = await server.member();
  const [shop, site] = [await agentIn(ann.key, '/home/ann/shop'), await agentIn(ann.key, '/home/ann/site')];
  for (let n = 0; n < 25; n++) await shop(push(n));
  await site('terraform destroy -auto-approve');
  const { page } = await openPage(server, { key: ann.key, path: '/safety' });
  await untilLive(page);
  await expect.poll(() => items(page, 'Blocked').count()).toBe(20);
  await page.getByRole('button', { name: 'Show 6 more' }).click();
  await expect.poll(() => items(page, 'Blocked').count()).toBe(26);

  await page.getByRole('combobox', { name: 'Project' }).selectOption('site');
  await expect.poll(() => items(page, 'Blocked').count()).toBe(1);
  await page.getByRole('button', { name: 'More answers: terraform destroy -auto-approve' }).click();
  await page.getByRole('button', { name: 'Always allow here: terraform destroy -auto-approve' }).click();
  await items(page, 'Blocked').getByText('Always allowed', { exact: true }).waitFor();
  // what is said of it and can be taken back stands at the command, and only there
  expect(await page.getByRole('button', { name: /^Take back/ }).count()).toBe(1);
  await page.reload();
  await page.getByRole('combobox', { name: 'Project' }).selectOption('site');
  const { body } = await server.request('GET', '/v1/commands/checks?project=%2Fhome%2Fann%2Fsite', {
    key: ann.key,
  });
  await page.goto(`${server.url}/safety?check=${body.checks[0].code}`);
  await items(page, 'Decide').getByText('Always allowed', { exact: true }).waitFor();
  await items(page, 'Blocked').first().waitFor();
  expect(await page.getByRole('button', { name: /^Take back/ }).count()).toBe(1);
  expect(await site('terraform destroy -auto-approve')).toBe('allow');
});

test('what nobody could verify is allowed or denied beforehand', async () => {
  const ann = await server.member();
  const agent = await agentIn(ann.key, '/home/ann/shop');
  for (const command of ['frobnicate --now', 'frobnicate --never'])
    expect(await agent(command)).not.toBe('deny');
  const { page } = await openPage(server, { key: ann.key, path: '/safety', size: 'desktop' });
  await page.getByText('Nothing is blocked').waitFor();
  await page.getByRole('combobox', { name: 'Which commands' }).selectOption('ask');
  await page.getByRole('button', { name: 'More answers: frobnicate --now' }).click();
  await page.getByRole('button', { name: 'Always allow here: frobnicate --now' }).click();
  await items(page, 'Left to the client').getByText('Always allowed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Block: frobnicate --never' }).click();
  await items(page, 'Left to the client').getByText('Stays blocked', { exact: true }).waitFor();
  expect(await agent('frobnicate --now')).toBe('allow');
  expect(await agent('frobnicate --never')).toBe('deny');
  // who decided says what they decided
  for (const [kind, list, who] of [
    ['allow', 'Allowed', 'You allowed it'],
    ['deny', 'Blocked', 'You blocked it'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Which commands' }).selectOption(kind);
    await items(page, list).getByText(who).waitFor();
  }
});

test('what nobody can allow has no answer in the list, and what keeping means is said once', async () => {
  const ann = await server.member();
  const agent = await agentIn(ann.key, '/home/ann/shop');
  for (const command of ['rm -rf /', push(1), push(2)]) await agent(command);
  const { page } = await openPage(server, { key: ann.key, path: '/safety' });
  const grave = items(page, 'Blocked').filter({ hasText: 'Nobody can overrule this' });
  await grave.waitFor();
  expect(await grave.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Keep blocked/ }).count()).toBe(2);
});

test('of a call that a rule of theirs stopped, a person reads their own words and is asked one thing', async () => {
  // what was read in a prompt asks until they approve it
  const { key, told } = await heldAgent(true);
  // the agent is told who can lift it
  expect(told.permissionDecisionReason).toContain('lore allow');
  const { page } = await openPage(server, { key, path: '/safety?kind=held' });
  const held = items(page, 'Held');
  await held.getByText('You said: “Never run npm publish here.”').waitFor();
  expect(await held.innerText()).not.toMatch(/lore allow|A person|lore:/);
  const buttons = () => held.getByRole('button').allInnerTexts();
  expect(await buttons()).toEqual(['Yes', 'No', 'Allow …']);
  await held.getByRole('button', { name: 'Allow …: npm publish' }).click();
  await held.getByRole('button', { name: 'Allow once: npm publish' }).click();
  await held.getByText('Allowed once', { exact: true }).waitFor();
  expect(await buttons()).toEqual(['Take back', 'Yes', 'No']);

  await held.getByRole('link', { name: 'See the rule' }).click();
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  await expect.poll(() => region('When it acts').innerText()).toMatch(/acted once/);
});

test('a person says with one tap whether a hold was right, and Metrics counts it', async () => {
  const { key } = await heldAgent(false);
  const held = async () =>
    (await server.request('GET', '/v1/commands/checks?decision=held', { key })).body.checks;
  const [check] = await held();
  expect([check.command, check.source, check.judged]).toEqual(['npm publish', 'guard', null]);

  const { page } = await openPage(server, { key, path: '/safety?kind=held' });
  const question = page.getByRole('group', { name: 'Was it right to stop this: npm publish' });
  await question.getByRole('button', { name: 'No' }).click();
  await question.getByRole('button', { name: 'No', pressed: true }).waitFor();
  expect((await held())[0].judged).toBe('wrong');
  await question.getByRole('button', { name: 'Yes' }).click();
  await question.getByRole('button', { name: 'Yes', pressed: true }).waitFor();
  expect(await question.getByRole('button', { pressed: true }).count()).toBe(1);

  await page.goto(`${server.url}/metrics`);
  const holds = page.getByRole('link', { name: '1: you said 1 right, 0 wrong' });
  const { body } = await server.request('GET', '/v1/metrics', { key });
  expect(body.commands).toMatchObject({ held: 1, heldRight: 1, heldWrong: 0 });

  // the same tap takes it back
  await holds.click();
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect.poll(async () => (await held())[0].judged).toBe(null);
});
