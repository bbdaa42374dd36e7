import { expect, test } from 'vitest';
import { inBrowser, openPage, untilLive } from '../support/browser.ts';
import { startTestServer } from '../support/server.ts';

inBrowser.orSkipFile();

// What the page shows when the server is away. The last test stops it.

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const note = (key: string, project: string) =>
  server.request('POST', '/v1/notes', {
    key,
    body: { project, agent: 'coder', content: 'Cents, never floats' },
  });

test('whoever signs out leaves nothing behind, and the next one sees nothing of it', async () => {
  const [ann, bob] = [await server.member('ann'), await server.member('bob')];
  await note(ann.key, 'hers');
  await note(bob.key, 'his');
  const { page } = await openPage(server, { key: ann.key, allow: [/ 401$/] });
  await page.getByRole('link', { name: 'hers' }).waitFor();
  await expect.poll(() => page.evaluate(`localStorage.getItem('lore.kept') ?? ''`)).toContain('hers');

  const { body } = await server.request('POST', '/v1/pairings', { key: bob.key });
  await page.evaluate(`location.hash = 'pair=${body.code}'`);
  await page.getByRole('link', { name: 'his' }).waitFor();
  expect(await page.getByText('hers').count()).toBe(0);
  await expect.poll(() => page.evaluate(`localStorage.getItem('lore.kept') ?? ''`)).toContain('his');
  expect(await page.evaluate(`localStorage.getItem('lore.kept')`)).not.toContain('hers');

  const { body: listed } = await server.request('GET', '/v1/keys', { key: bob.key });
  for (const { id, scope } of listed.keys) {
    if (scope === 'device') await server.request('DELETE', `/v1/keys/${id}`, { key: bob.key });
  }
  await page.getByRole('heading', { name: 'Pair this device with Lore' }).waitFor();
  expect(await page.evaluate(`JSON.stringify(localStorage)`)).not.toContain('his');
});

test('without the server every page opens, with what was last seen', async () => {
  const ann = await server.member();
  await note(ann.key, '/home/ann/shop');
  const { page } = await openPage(server, { key: ann.key, serviceWorker: true, allow: [/./] });
  await page.getByRole('link', { name: 'shop' }).click();
  await page.getByText('Cents, never floats').waitFor();
  await untilLive(page);
  // until the worker has every file of the page, and what is shown was kept
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  await expect.poll(() => page.evaluate(`localStorage.getItem('lore.kept') ?? ''`)).toContain('floats');

  await server.stop();
  await page.reload();
  await page.getByText('Cents, never floats').waitFor();
  await page.getByText(/Lore cannot be reached · last seen/).waitFor();
  for (const name of ['Plans', 'Lessons', 'Safety', 'More', 'Now']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }
  await page.getByRole('link', { name: 'shop' }).waitFor();
});
