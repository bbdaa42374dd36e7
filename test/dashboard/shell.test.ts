import { expect } from 'vitest';
import { browserTest, openPage } from '../support/browser.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });

browserTest('every page opens from the navigation, under its own heading and title', async () => {
  const { page } = await openPage(server, { size: 'desktop' });
  const ways = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  for (const way of await ways.all()) {
    const name = await way.locator('span').first().innerText();
    await way.click();
    await page.locator('h1').waitFor();
    if (name === 'Now') continue;
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.title()).toContain(name);
  }
});

browserTest('what goes wrong in a page is collected', async () => {
  const { page, problems } = await openPage(server, { allow: [/./] });
  await page.evaluate(`(async () => {
    console.error('said');
    setTimeout(() => { throw new Error('thrown'); });
    const style = document.createElement('style');
    style.textContent = 'body { color: red }';
    document.head.append(style);
    await fetch('/v1/nothing');
    await fetch('http://127.0.0.2:9/').catch(() => {});
  })()`);
  const found = problems.join('\n');
  expect(found).toContain('said');
  expect(found).toContain('thrown');
  expect(found).toContain('Content Security Policy');
  expect(found).toMatch(/refused: GET .*\/v1\/nothing 401/);
});
