import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { project } from '../learnings/guards/support.ts';
import { inBrowser, openPage, untilLive } from '../support/browser.ts';
import { hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

// The page “Now” in a real browser, while hooks stream in.

const server = await sharedServer({ model: false });
const FORCED = 'git push --force origin main';

/** A session at work in a project of its own. */
async function atWork(key: string, cwd = `/home/ann/${randomUUID().slice(0, 8)}`) {
  const session = await startedSession(server, { key, cwd }, 'Fix the login');
  return { ...session, name: cwd.split('/').at(-1) as string, tries: session.decisionOn };
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const waiting = (page: Page) => card(page, 'Needs you');

describe('what waits', () => {
  test('a command denied while the page is open is allowed there, once', async () => {
    const ann = await server.member();
    const { page } = await openPage(server, { key: ann.key });
    await waiting(page).getByText('Nothing needs you.').waitFor();
    await untilLive(page);

    const agent = await atWork(ann.key);
    expect(await agent.tries(FORCED)).toBe('deny');
    await waiting(page).getByText(FORCED, { exact: true }).waitFor();
    await waiting(page).getByText('The agent was told instead: git push --force-with-lease').waitFor();
    await expect.poll(() => page.title()).toBe('(1) Lore');
    await page.getByRole('link', { name: 'Now 1 that need you' }).waitFor();

    await page.getByRole('button', { name: `Allow once: ${FORCED}` }).click();
    await page.getByText('Allowed once: the agent’s next try passes.').waitFor();
    await expect.poll(() => page.title()).toBe('Lore');
    // an allowance is used up by the database, which must answer within a second
    await server.settled();
    expect(await agent.tries(FORCED)).toBe('allow');
    await page.getByText('Allowed once, and used: the agent has run it.').waitFor();
    expect(await page.getByText('the agent’s next try passes').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0);
    expect(await agent.tries(FORCED)).toBe('deny');
    await page.getByRole('button', { name: `Allow once: ${FORCED}` }).waitFor();
  });

  test('of the answers the safe one comes first, and none of them invites', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key);
    await agent.tries(FORCED);
    const { page } = await openPage(server, { key: ann.key });
    const answers = waiting(page).getByRole('listitem').getByRole('button');
    await answers.first().waitFor();
    expect(await answers.allInnerTexts()).toEqual(['Keep blocked', 'Allow once', '…']);
    const looks = await page.evaluate(
      "[...document.querySelectorAll('#needs-you li button')].map((one) => getComputedStyle(one).backgroundColor)",
    );
    expect(new Set(looks as string[]).size).toBe(1);
  });

  test('what its session can no longer use is gone, and the next session is not asked to mend it', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key);
    await agent.tries(FORCED);
    const { page } = await openPage(server, { key: ann.key });
    await page.getByRole('button', { name: `Keep blocked: ${FORCED}` }).waitFor();
    await untilLive(page);
    await agent.stop('I could not push.');
    await agent.end();
    await waiting(page).getByText('Nothing needs you.').waitFor();
    // what was stopped is still told, with a link to the decision
    await card(page, 'Today')
      .getByRole('link', { name: `Stopped ${FORCED}: overwrites` })
      .click();
    await page
      .getByRole('button', { name: `Keep blocked: ${FORCED}` })
      .first()
      .waitFor();
    await server.settled();
    const next = hookSession(server, { key: ann.key, cwd: agent.cwd });
    expect(JSON.stringify(await next.start())).not.toMatch(/open error/i);
  });

  test('a client that asks for permission is told of, with its command', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key);
    const { page } = await openPage(server, { key: ann.key });
    await untilLive(page);
    await agent.send('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'make deploy' } });
    await waiting(page).getByText('Wants to use Bash').waitFor();
    await waiting(page).getByText('make deploy', { exact: true }).waitFor();
  });
});

test('what an agent proposes waits for the person, who sees what it is for', async () => {
  const ann = await server.member();
  const { cwd } = await atWork(ann.key);
  const { page } = await openPage(server, { key: ann.key });
  await waiting(page).getByText('Nothing needs you.').waitFor();
  await untilLive(page);
  const body = { project: cwd, agent: 'coder', error: 'TypeError: pool is null', do: 'Run `npm run gen`' };
  await server.request('POST', '/v1/proposals', { key: ann.key, body });
  const glance = page.getByRole('region', { name: 'At a glance' });
  await glance.getByText('1 lesson waits for you.').waitFor();
  await waiting(page).getByRole('link', { name: '1 lesson waits for you.' }).click();
  await page.getByRole('region', { name: 'The error that it answers' }).getByText('pool is null').waitFor();
  await page.goto(`${server.url}/learnings?state=proposed`);
  await page.getByText('For: TypeError: pool is null').waitFor();
});

describe('projects', () => {
  test('all that waits is on one page; a project has a page that moves on by itself', async () => {
    const ann = await server.member();
    const done = await atWork(ann.key);
    await done.stop('Fixed the login');
    await done.end();
    const [agent, other] = [await atWork(ann.key), await atWork(ann.key)];
    await other.tries(FORCED);
    expect(await agent.tries('git push --force origin release')).toBe('deny');
    const { page } = await openPage(server, { key: ann.key });
    await card(page, 'Projects').getByText('Last: Fix the login').waitFor();
    for (const command of [FORCED, 'git push --force origin release'])
      await page.getByRole('button', { name: `Keep blocked: ${command}` }).waitFor();
    await card(page, 'Projects').getByRole('link', { name: agent.name }).click();
    await page.getByRole('heading', { level: 1, name: agent.name }).waitFor();
    expect(await page.getByRole('button', { name: `Keep blocked: ${FORCED}` }).count()).toBe(0);
    await untilLive(page);

    await agent.bashFails('npm test', 'Exit code 1\nError: Cannot find module stripe');
    await card(page, 'Errors').getByText('Cannot find module stripe').waitFor();
    await agent.bashWorks('npm install stripe');
    await agent.bashWorks('npm test');
    await agent.stop('The tests pass.');
    await card(page, 'Errors').getByText('Fixed by').waitFor();

    const { body: plan } = await server.request('POST', '/v1/plans', {
      key: ann.key,
      body: {
        project: agent.cwd,
        goal: 'Payments',
        steps: [{ description: 'Write' }, { description: 'Test' }],
      },
    });
    await card(page, 'Plans').getByText('0 of 2 steps done').waitFor();
    const act = (n: number, what: string, body: object) =>
      server.request('POST', `/v1/plans/${plan.id}/steps/${n}/${what}`, { key: ann.key, body });
    await act(1, 'claim', { agent: 'coder' });
    await card(page, 'At work').getByText('Step 1 of 2').waitFor();
    await card(page, 'At work').getByText('coder').waitFor();
    await act(1, 'complete', { agent: 'coder' });
    await card(page, 'Plans').getByText('1 of 2 steps done').waitFor();

    await server.request('POST', '/v1/notes', {
      key: ann.key,
      body: { project: agent.cwd, agent: 'coder', content: 'The sandbox refuses 500 €' },
    });
    await card(page, 'Notes').getByText('The sandbox refuses 500 €').waitFor();
    await page.getByRole('button', { name: 'Allow once: git push --force origin release' }).click();
    await page.getByText('Allowed once: the agent’s next try passes.').waitFor();
    expect(await agent.tries('git push --force origin release')).toBe('allow');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('link', { name: 'Back to Now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  });

  test('two browsers of two users see only their own', async () => {
    const [ann, bob] = [await server.member('ann'), await server.member('bob')];
    const { page: hers } = await openPage(server, { key: ann.key, size: 'open' });
    const { page: his } = await openPage(server, { key: bob.key, size: 'open' });
    await Promise.all([untilLive(hers), untilLive(his)]);
    const agents = [await atWork(ann.key, '/home/ann/hers'), await atWork(bob.key, '/home/bob/his')];
    await Promise.all(agents.map((agent) => agent.tries(FORCED)));
    for (const [page, own, foreign] of [
      [hers, 'hers', 'his'],
      [his, 'his', 'hers'],
    ] as const) {
      await card(page, 'Projects').getByRole('link', { name: own }).getByText('1 needs you').waitFor();
      expect(await page.title()).toBe('(1) Lore');
      expect(await page.getByText(foreign, { exact: true }).count()).toBe(0);
    }
    await hers.getByRole('button', { name: `Allow once: ${FORCED}` }).click();
    await hers.getByText('Allowed once').waitFor();
    expect(await agents[1]?.tries(FORCED)).toBe('deny');
    expect(await agents[0]?.tries(FORCED)).toBe('allow');
  });
});

describe('what Lore did today', () => {
  test('counts what it stopped and told, each a link to where it was', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key);
    const { page } = await openPage(server, { key: ann.key });
    const glance = page.getByRole('region', { name: 'At a glance' });
    await glance.getByText('Today nothing had to be stopped, and no lesson was needed.').waitFor();
    await untilLive(page);
    for (const command of ['ls', 'git status', FORCED, 'frobnicate --now']) await agent.tries(command);
    await glance.getByRole('link', { name: 'Today Lore stopped 1 call.' }).waitFor();
    await agent.bashFails('npm test', "Exit code 1\nError: Cannot find module './pool.json'");
    await agent.bashWorks('npm run gen', 'written');
    await agent.bashWorks('npm test', '42 checks passed');
    await agent.finish('pool.json is not in git, so I generated it.');
    // a rule is told at every start, and is no lesson that could help
    await project(server, ann.key, agent.cwd).state('Use `npm ci` here, never `npm install`');
    const next = hookSession(server, { key: ann.key, cwd: agent.cwd });
    expect(JSON.stringify(await next.start())).toContain('never `npm install`');
    await next.prompt('Make the tests pass');
    await next.bashFails('npm test', "Exit code 1\nError: Cannot find module './pool.json'");
    await server.settled();
    await page.reload();
    await glance.getByText('Today Lore stopped 1 call and told 1 lesson.').waitFor();
    const toldRow = card(page, 'Today').getByRole('link').filter({ hasText: 'An agent was told this.' });
    // the whole advice: what fails, and what to do first
    await toldRow.getByText('npm run gen').waitFor();
    await toldRow.click();
    await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
    const told = card(page, 'What it was told');
    await told.getByText('Cannot find module').first().waitFor();
    await told.getByRole('link', { name: 'Lesson' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Lesson' }).waitFor();
    const lesson = page.url();

    // the session that taught it leads to the same lesson
    await page.goto(`${server.url}/sessions/${agent.session_id}`);
    await card(page, 'What it taught').getByRole('link').filter({ hasText: 'npm run gen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lesson' }).waitFor();
    expect(page.url()).toBe(lesson);
  });
});
