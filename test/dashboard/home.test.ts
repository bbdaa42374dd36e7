import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { attachProject, detachProject } from '../../src/cli/attach/attach.ts';
import { browserTest, openPage, untilLive } from '../support/browser.ts';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

// The page “Now” in a real browser, while hooks stream in.

vi.setConfig({ testTimeout: 60_000 });
const PATIENT = { timeout: 15_000, interval: 25 };
const server = await startTestServer({ LORE_MODEL_DIR: '' });
const FORCED = 'git push --force origin main';

/** A session at work in a project of its own. */
async function atWork(key: string, cwd = `/home/ann/${randomUUID().slice(0, 8)}`) {
  const session = hookSession(server, { key, cwd });
  await session.start();
  await session.prompt('Fix the login');
  return {
    ...session,
    name: cwd.split('/').at(-1) as string,
    /** has the agent try a command, and returns what it is told */
    tries: async (command: string): Promise<string | undefined> => {
      const answer = await session.send('PreToolUse', {
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: `toolu_${randomUUID()}`,
      });
      return answer.hookSpecificOutput?.permissionDecision;
    },
  };
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const waiting = (page: Page) => card(page, 'Waits for you');

browserTest('the owner sees in which project the hooks are gone', async () => {
  const dir = temporaryFolder();
  const hookScript = '/opt/lore/hooks/session-start';
  attachProject({ dir, home: server.home, url: server.url, key: 'k'.repeat(24), hookScript });
  const first = await openPage(server, { key: server.key });
  await waiting(first.page).waitFor();
  expect(await card(first.page, 'Hooks are missing').count()).toBe(0);
  rmSync(join(dir, '.claude'), { recursive: true });
  const { page } = await openPage(server, { key: server.key });
  await card(page, 'Hooks are missing').getByText(join(dir, '.claude')).waitFor();
  detachProject({ dir, home: server.home });
});

describe('what waits', () => {
  browserTest('a command denied while the page is open is allowed there, once', async () => {
    const ann = await server.member();
    const { page } = await openPage(server, { key: ann.key });
    await waiting(page).getByText('Nothing waits for you.').waitFor();
    await untilLive(page);

    const agent = await atWork(ann.key);
    expect(await agent.tries(FORCED)).toBe('deny');
    await waiting(page).getByText(FORCED, { exact: true }).waitFor();
    await waiting(page).getByText('Instead: git push --force-with-lease').waitFor();
    await expect.poll(() => page.title(), PATIENT).toBe('(1) Lore');
    await page.getByRole('link', { name: 'Now 1 waiting for you' }).waitFor();

    await page.getByRole('button', { name: `Allow once: ${FORCED}` }).click();
    await page.getByText('Allowed once: the agent’s next try passes.').waitFor();
    await expect.poll(() => page.title(), PATIENT).toBe('Lore');
    expect(await agent.tries(FORCED)).toBe('allow');
    expect(await agent.tries(FORCED)).toBe('deny');
    await page.getByRole('button', { name: `Allow once: ${FORCED}` }).waitFor();
  });

  browserTest('always holds until it is taken back on the spot; kept, it waits no longer', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key);
    await agent.tries(FORCED);
    const { page } = await openPage(server, { key: ann.key });
    await page.getByRole('button', { name: `Always allow: ${FORCED}` }).click();
    await page.getByText('Always allowed from now on.').waitFor();
    expect(await agent.tries(FORCED)).toBe('allow');
    expect(await agent.tries(FORCED)).toBe('allow');
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => page.getByText('Always allowed from now on.').count(), PATIENT).toBe(0);
    expect(await agent.tries(FORCED)).toBe('deny');

    await page.getByRole('button', { name: `Keep denied: ${FORCED}` }).click();
    await page.getByText('Stays denied.').waitFor();
    expect(await agent.tries(FORCED)).toBe('deny');
    // what is said stands there before the list is read anew
    const again = page.getByRole('button', { name: `Allow once: ${FORCED}` });
    await expect.poll(() => again.count(), PATIENT).toBe(0);
  });

  browserTest('a catastrophic rule says that nobody can overrule it', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key);
    expect(await agent.tries('rm -rf /')).toBe('deny');
    const { page } = await openPage(server, { key: ann.key });
    await waiting(page).getByText('Nobody can overrule this').waitFor();
    await waiting(page).getByText('Deletes the root folder').waitFor();
    expect(await page.getByRole('button', { name: /^(Allow once|Always allow)/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Keep denied: rm -rf /' }).click();
    await waiting(page).getByText('Stays denied.').waitFor();
    await waiting(page).getByText('Nothing waits for you.').waitFor();
  });

  browserTest('the keyboard reaches the decision, and is told what became of it', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key);
    await agent.tries(FORCED);
    const { page } = await openPage(server, { key: ann.key, size: 'desktop' });
    await page.getByRole('button', { name: `Allow once: ${FORCED}` }).waitFor();
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label") ?? ""');
    for (let n = 0; n < 40 && (await focused()) !== `Allow once: ${FORCED}`; n++) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByText('Allowed once: the agent’s next try passes.').waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("role")'), PATIENT)
      .toBe('status');
    expect(await agent.tries(FORCED)).toBe('allow');
  });

  browserTest('a step that waits for a person goes on when they say so', async () => {
    const ann = await server.member();
    const plan = await server.request('POST', '/v1/plans', {
      key: ann.key,
      body: { project: 'shop', goal: 'Payments', steps: [{ description: 'Ask the bank' }] },
    });
    const step = `/v1/plans/${plan.body.id}/steps/1`;
    await server.request('PATCH', step, { key: ann.key, body: { waitingFor: 'API key needed' } });
    const { page } = await openPage(server, { key: ann.key });
    await waiting(page).getByText('Waiting: API key needed').waitFor();
    await card(page, 'Projects').getByText('Waiting: API key needed').waitFor();
    await page.getByRole('button', { name: /^It may go on/ }).click();
    await waiting(page).getByText('Nothing waits for you.').waitFor();
    const { body } = await server.request('GET', `/v1/plans/${plan.body.id}`, { key: ann.key });
    expect(body.steps[0].waitingFor).toBeNull();
  });

  browserTest('a client that asks for permission is told of, with its command', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key);
    const { page } = await openPage(server, { key: ann.key });
    await untilLive(page);
    await agent.send('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'make deploy' } });
    await waiting(page).getByText('Wants to use Bash').waitFor();
    await waiting(page).getByText('make deploy', { exact: true }).waitFor();
    await card(page, 'Projects').getByText('Waiting: permit make deploy').waitFor();
  });

  browserTest('a hidden page notifies, and pressing it leads to the decision', async () => {
    const ann = await server.member();
    const { page, context } = await openPage(server, { key: ann.key, serviceWorker: true });
    await context.grantPermissions(['notifications'], { origin: server.url });
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByRole('button', { name: 'Stop notifying' }).waitFor();
    await untilLive(page);
    // a headless browser hides no page
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`);
    // Chromium forgets a notification when it is asked for those it shows before it shows it
    await page.evaluate(`{
      const { showNotification } = ServiceWorkerRegistration.prototype;
      ServiceWorkerRegistration.prototype.showNotification = async function (...what) {
        await showNotification.apply(this, what);
        window.hasShown = true;
      };
    }`);
    const agent = await atWork(ann.key);
    await agent.tries(FORCED);
    await expect.poll(() => page.evaluate('window.hasShown'), PATIENT).toBe(true);
    type Shown = { title: string; body: string; url: string };
    const shown = () =>
      page.evaluate<Shown[]>(`navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) =>
        all.map(({ title, body, data }) => ({ title, body, url: data.url })))`);
    await expect.poll(shown, PATIENT).toEqual([
      {
        title: `Blocked command · ${agent.name}`,
        body: FORCED,
        url: expect.stringMatching(/^\/safety\?check=[0-9a-f]{16}$/),
      },
    ]);
    const [{ url = '' } = {}] = await shown();
    await page.goto(`${server.url}${url}`);
    await card(page, 'Decide')
      .getByRole('button', { name: `Allow once: ${FORCED}` })
      .click();
    await card(page, 'Decide').getByText('Allowed once').waitFor();
    await expect.poll(shown, PATIENT).toEqual([]);
  });
});

describe('projects', () => {
  browserTest('the cover shows each with how it stands, and opens one on a page of its own', async () => {
    const ann = await server.member();
    const done = await atWork(ann.key);
    await done.stop('Fixed the login');
    await done.end();
    const agent = await atWork(ann.key);
    const { page } = await openPage(server, { key: ann.key });
    await card(page, 'Projects').getByText('Last: Fix the login, now').waitFor();
    await card(page, 'Projects').getByText('Active', { exact: true }).waitFor({ state: 'attached' });
    await untilLive(page);
    const plan = await server.request('POST', '/v1/plans', {
      key: ann.key,
      body: {
        project: agent.cwd,
        goal: 'Payments',
        steps: [{ description: 'Write it' }, { description: 'Test it' }],
      },
    });
    await server.request('POST', `/v1/plans/${plan.body.id}/steps/1/claim`, {
      key: ann.key,
      body: { agent: 'coder' },
    });
    await card(page, 'Projects').getByText('Step 1 of 2').waitFor();
    await page.getByRole('link', { name: agent.name }).click();
    await page.getByRole('heading', { level: 1, name: agent.name }).waitFor();
    await card(page, 'Plan').getByText('1. Write it').waitFor();
    await page.getByRole('link', { name: 'Back to Now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  });

  for (const size of ['open', 'desktop'] as const) {
    browserTest(`${size}: the selected one stands beside them and moves on by itself`, async () => {
      const ann = await server.member();
      const agent = await atWork(ann.key);
      const { page } = await openPage(server, { key: ann.key, size });
      await page.getByRole('heading', { level: 2, name: agent.name }).waitFor();
      await untilLive(page);

      await agent.bashFails('npm test', 'Exit code 1\nError: Cannot find module stripe');
      await card(page, 'Errors and their fixes').getByText('Cannot find module stripe').waitFor();
      await agent.bashWorks('npm install stripe');
      await agent.bashWorks('npm test');
      await agent.stop('The tests pass.');
      await card(page, 'Errors and their fixes').getByText('Fixed by').waitFor();

      const { body: plan } = await server.request('POST', '/v1/plans', {
        key: ann.key,
        body: {
          project: agent.cwd,
          goal: 'Payments',
          steps: [{ description: 'Write' }, { description: 'Test' }],
        },
      });
      await card(page, 'Plan').getByText('0 of 2 steps done').waitFor();
      const act = (n: number, what: string, body: object) =>
        server.request('POST', `/v1/plans/${plan.id}/steps/${n}/${what}`, { key: ann.key, body });
      await act(1, 'claim', { agent: 'coder' });
      await card(page, 'Plan').getByText('coder').waitFor();
      await act(1, 'notes', { agent: 'coder', text: 'Cents, never floats' });
      await card(page, 'Plan').getByText('Cents, never floats').waitFor();
      await act(1, 'complete', { agent: 'coder' });
      await card(page, 'Plan').getByText('1 of 2 steps done').waitFor();

      await server.request('POST', '/v1/notes', {
        key: ann.key,
        body: { project: agent.cwd, agent: 'coder', content: 'The sandbox refuses 500 €' },
      });
      await card(page, 'Notes').getByText('The sandbox refuses 500 €').waitFor();
      expect(await agent.tries(FORCED)).toBe('deny');
      await page.getByRole('button', { name: `Allow once: ${FORCED}` }).click();
      await page.getByText('Allowed once: the agent’s next try passes.').waitFor();
      expect(await agent.tries(FORCED)).toBe('allow');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  }

  browserTest(
    'another project does not appear under the finger when something comes to wait there',
    async () => {
      const ann = await server.member();
      const first = await atWork(ann.key);
      await first.tries(FORCED);
      const { page } = await openPage(server, { key: ann.key, size: 'open' });
      await page.getByRole('heading', { level: 2, name: first.name }).waitFor();
      await untilLive(page);
      const other = await atWork(ann.key);
      await other.tries(FORCED);
      await card(page, 'Projects').getByRole('link', { name: other.name }).getByText('1 waiting').waitFor();
      await page.getByRole('heading', { level: 2, name: first.name }).waitFor();
      await page.getByRole('link', { name: other.name }).click();
      await page.getByRole('heading', { level: 2, name: other.name }).waitFor();
    },
  );

  browserTest('what comes to wait comes below what is shown, and the time stays in sight', async () => {
    const ann = await server.member();
    const agent = await atWork(ann.key, `/home/ann/${'a-long-name-'.repeat(8)}`);
    await agent.tries(FORCED);
    const { page } = await openPage(server, { key: ann.key });
    const button = page.getByRole('button', { name: `Allow once: ${FORCED}` });
    await button.waitFor();
    await untilLive(page);
    const before = await button.boundingBox();
    await agent.tries('git push --force origin release');
    const later = page.getByRole('button', { name: 'Allow once: git push --force origin release' });
    await later.waitFor();
    expect(await button.boundingBox()).toEqual(before);
    expect((await later.boundingBox())?.y).toBeGreaterThan(before?.y ?? Infinity);
    const time = await waiting(page).locator('time').first().boundingBox();
    expect((time?.x ?? Infinity) + (time?.width ?? 0)).toBeLessThan(344);
  });

  browserTest('two browsers of two users see only their own', async () => {
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
      await card(page, 'Projects').getByRole('link', { name: own }).getByText('1 waiting').waitFor();
      await page.getByRole('heading', { level: 2, name: own }).waitFor();
      expect(await page.title()).toBe('(1) Lore');
      expect(await page.getByText(foreign, { exact: true }).count()).toBe(0);
    }
    await hers.getByRole('button', { name: `Allow once: ${FORCED}` }).click();
    await hers.getByText('Allowed once').waitFor();
    expect(await agents[1]?.tries(FORCED)).toBe('deny');
    expect(await agents[0]?.tries(FORCED)).toBe('allow');
  });

  browserTest('with nothing yet, the page says what to do first', async () => {
    const ann = await server.member();
    const { page } = await openPage(server, { key: ann.key });
    await card(page, 'Projects').getByText('lore init').waitFor();
    await card(page, 'Today').getByText('0 unverified').waitFor();
  });
});

describe('the numbers of the day', () => {
  browserTest('count what was allowed, denied and could not be verified', async () => {
    const ann = await server.member();
    const { page } = await openPage(server, { key: ann.key });
    await untilLive(page);
    const agent = await atWork(ann.key);
    for (const command of ['ls', 'git status', 'pwd', FORCED, 'frobnicate --now']) await agent.tries(command);
    const today = card(page, 'Today');
    await today.getByText('3 allowed, 1 denied').waitFor();
    await today.getByText('1 unverified').waitFor();
    await today.getByText('75 %').waitFor();
  });
});
