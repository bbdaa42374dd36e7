import { expect, test } from 'vitest';
import { inBrowser, openPage } from '../support/browser.ts';
import { startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

const server = await sharedServer({ model: false });

test('every page opens from the navigation, under its own heading and title', async () => {
  const { page } = await openPage(server, { size: 'desktop' });
  const ways = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  const names = await ways.allInnerTexts();
  expect(names.slice(0, 4)).toEqual(['Now', 'Plans', 'Lessons', 'Safety']);
  await page.getByRole('navigation').getByText('Lore', { exact: true }).waitFor();
  for (const name of [...names, 'Records', 'Nights', 'Console']) {
    if (!names.includes(name)) await ways.filter({ hasText: 'More' }).click();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    if (name !== 'Now') expect(await page.title()).toContain(name);
  }
});

test('an address that leads nowhere says so; the one of the lessons has two names', async () => {
  const { page } = await openPage(server, {
    path: '/lessons?status=proposed',
    allow: [/deadbeef.* 404$/],
  });
  await page.getByRole('heading', { level: 1, name: 'Lessons' }).waitFor();
  expect(page.url()).toBe(`${server.url}/learnings?status=proposed`);
  await page.goto(`${server.url}/nowhere/at/all`);
  await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
  await page.getByRole('link', { name: 'See what goes on now' }).click();
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  await page.goto(`${server.url}/sessions/deadbeef`);
  await page.getByRole('link', { name: 'See all sessions' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
});

test('with text at 200 %, no word stands letter by letter, and every page can be reached', async () => {
  const { key } = await server.member();
  const session = await startedSession(server, { key, cwd: '/home/ann/shop' });
  await session.prompt('Make the checks of the checkout pass');
  await session.before('git push --force origin main');
  for (const size of ['cover', 'open'] as const) {
    const { page } = await openPage(server, { key, size });
    for (const path of ['/', '/safety', '/sessions', '/plans', '/learnings']) {
      await page.goto(`${server.url}${path}`);
      await page.locator('h1').waitFor();
      await page.locator('main .pulse-slow[aria-hidden]').first().waitFor({ state: 'detached' });
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      const narrow = await page.evaluate(`(() => {
        const found = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const text = node.data.trim();
          if (text.length < 6 || node.parentElement.closest('.sr-only, dialog')) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
          if (lines > 2 && text.length / lines < 4) found.push(text);
        }
        return found;
      })()`);
      expect([size, path, narrow]).toEqual([size, path, []]);
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([size, path, await page.evaluate(wider)]).toEqual([size, path, 0]);
    }
    const last = page.getByRole('navigation', { name: 'Pages' }).getByRole('link').last();
    await last.click();
    await page.locator('h1').waitFor();
  }
});

test('the keyboard skips to the content, moves in lists, searches, and shows its keys', async () => {
  const { key } = await server.member();
  for (const lesson of ['Run `npm run gen` before `npm test`', 'Use `pnpm` to install packages here'])
    await server.request('POST', '/v1/learnings', {
      key,
      body: {
        project: '/home/ann/shop',
        lesson: `${lesson}, because the other way fails`,
        context: 'when working on the shop',
        appliesTo: ['npm'],
        keywords: ['shop'],
      },
    });
  const { page } = await openPage(server, { key, size: 'desktop', path: '/learnings' });
  const lessons = page.getByRole('list', { name: 'Lessons' }).getByRole('link');
  await expect.poll(() => lessons.count()).toBe(2);
  await page.keyboard.press('Tab');
  await page.evaluate('document.activeElement.blur()');
  await page.evaluate('document.body.focus()');
  const focused = (what: string) => page.evaluate(`document.activeElement.${what}`);
  await page.getByRole('link', { name: 'Skip to the content' }).focus();
  await page.keyboard.press('Enter');
  expect(await focused('id')).toBe('page');
  await page.keyboard.press('j');
  const first = await focused('href');
  await page.keyboard.press('j');
  expect(await focused('href')).not.toBe(first);
  await page.keyboard.press('k');
  expect(await focused('href')).toBe(first);
  await page.keyboard.press('/');
  expect(await focused('type')).toBe('search');
  // in a field they are letters
  await page.keyboard.type('j?');
  expect(await focused('value')).toBe('j?');
  // they can be turned off
  await page.goto(`${server.url}/devices`);
  await page.getByRole('button', { name: 'Keys off' }).click();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('j');
  expect(await focused('tagName')).toBe('BODY');
  await page.getByRole('button', { name: 'Keys on' }).click();

  await page.goto(String(first));
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  expect(page.url()).toBe(first);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Lessons' }).waitFor();
});
