import { expect, test } from 'vitest';
import { inBrowser, openPage } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

// The page “Search” in a real browser.

const server = await sharedServer({ model: false });

test('finds by words and by id, and says when nothing is close', async () => {
  const { key } = await server.member();
  const note = await server.request('POST', '/v1/notes', {
    key,
    body: { project: '/home/ann/shop', agent: 'coder', content: 'The sandbox of the bank refuses 500 euro' },
  });
  const { body: stated } = await server.request('POST', '/v1/learnings', {
    key,
    body: {
      project: '/home/ann/shop',
      lesson: 'Run `npm run gen` before `npm test`, because the client is generated',
      context: 'when the tests cannot find the client',
      appliesTo: ['npm test'],
      keywords: ['gen'],
    },
  });
  await server.settled();
  const { page } = await openPage(server, { key, path: '/plans' });
  await page.locator('h1').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search');
  const found = page.getByRole('list', { name: 'Search' }).getByRole('listitem');
  await page.keyboard.type('sandbox of the bank refuses');
  await found.getByText('The sandbox of the bank refuses 500 euro').waitFor();

  const field = page.getByRole('searchbox', { name: 'Search' });
  await field.fill('xyzzy quantum');
  await page.getByText('No result is like that').waitFor();
  expect(await found.count()).toBe(0);

  await field.fill(note.body.id.slice(0, 8));
  await found.getByText('The sandbox of the bank refuses 500 euro').waitFor();
  await field.fill(stated.learning.id.slice(0, 8));
  await found.getByRole('link', { name: /the client is generated/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Lesson' }).waitFor();
});
