import { expect, test, vi } from 'vitest';
import { inBrowser, openPage, untilLive } from '../support/browser.ts';
import { hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

inBrowser.orSkipFile();

// What the page shows when the server is away. The last test stops it.

vi.setConfig({ testTimeout: 60_000 });
const PATIENT = { timeout: 15_000, interval: 25 };
const server = await startTestServer({ LORE_MODEL_DIR: '' });
const FORCED = 'git push --force origin main';
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
  await expect
    .poll(() => page.evaluate(`localStorage.getItem('lore.kept') ?? ''`), PATIENT)
    .toContain('hers');

  const { body } = await server.request('POST', '/v1/pairings', { key: bob.key });
  await page.evaluate(`location.hash = 'pair=${body.code}'`);
  await page.reload();
  await page.getByRole('link', { name: 'his' }).waitFor();
  expect(await page.getByText('hers').count()).toBe(0);
  await expect.poll(() => page.evaluate(`localStorage.getItem('lore.kept') ?? ''`), PATIENT).toContain('his');
  expect(await page.evaluate(`localStorage.getItem('lore.kept')`)).not.toContain('hers');

  const { body: listed } = await server.request('GET', '/v1/keys', { key: bob.key });
  for (const { id, scope } of listed.keys) {
    if (scope === 'device') await server.request('DELETE', `/v1/keys/${id}`, { key: bob.key });
  }
  await page.getByRole('heading', { name: 'Pair this device with Lore' }).waitFor();
  expect(await page.evaluate(`JSON.stringify(localStorage)`)).not.toContain('his');
});

/** Ann's page, with two blocked commands of a session. */
async function withBlocked() {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  await session.start();
  await session.prompt('Fix the login');
  await session.decisionOn(FORCED);
  const { page, context } = await openPage(server, { key, allow: [/./] });
  const needs = page.getByRole('region', { name: 'Needs you', exact: true });
  await needs.getByText(FORCED).waitFor();
  return { key, session, page, context, needs };
}

test('what is decided while the server is away waits, and is sent when it is back', async () => {
  const { session, page, context, needs } = await withBlocked();
  await needs.getByText('Keep blocked: this very command in this folder.').waitFor();
  await context.setOffline(true);
  await needs.getByRole('button', { name: `Allow once: ${FORCED}` }).click();
  await needs.getByText(/^Not sent yet: Allow once\..* can be used until/).waitFor();
  // it can be taken back as long as nobody knows of it
  await needs.getByRole('button', { name: 'Take back' }).click();
  await needs.getByRole('button', { name: `Allow once: ${FORCED}` }).click();
  await needs.getByText('Not sent yet: Allow once').waitFor();
  expect(await session.decisionOn(FORCED)).toBe('deny');
  await context.setOffline(false);
  await needs.getByText('Allowed once: the agent’s next try passes.').waitFor();
  expect(await page.evaluate(`localStorage.getItem('lore.unsent')`)).toBeNull();
  // until the server has read its verdicts, which takes it a moment on a busy machine
  await server.settled();
  expect(await session.decisionOn(FORCED)).toBe('allow');
});

test('what can no longer be used when the server is back is not sent, and says so', async () => {
  const { key, session, context, needs } = await withBlocked();
  await context.setOffline(true);
  await needs.getByRole('button', { name: `Keep blocked: ${FORCED}` }).click();
  await needs.getByText('Not sent yet: Keep blocked').waitFor();
  await session.end();
  await server.settled();
  await context.setOffline(false);
  await needs
    .getByText('Too late: Keep blocked. It was answered elsewhere, or its session has ended.')
    .waitFor();
  await needs.getByRole('button', { name: 'OK' }).click();
  await needs.getByText('Nothing needs you.').waitFor();
  expect((await server.request('GET', '/v1/commands/verdicts', { key })).body.verdicts).toEqual([]);
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
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null'), PATIENT).toBe(true);
  await expect
    .poll(() => page.evaluate(`localStorage.getItem('lore.kept') ?? ''`), PATIENT)
    .toContain('floats');

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
