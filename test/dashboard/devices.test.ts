import { expect, test } from 'vitest';
import { inBrowser, openPage } from '../support/browser.ts';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

const server = await sharedServer({ model: false });

test('a revoked device loses its live connection, is signed out and stays out', async () => {
  const { key } = await server.member();
  const lost = await openPage(server, {
    key,
    size: 'desktop',
    // what it asks afterwards is refused, and its socket is closed
    allow: [/ 401$/, /WebSocket/],
  });
  // it says when it was live
  await expect.poll(() => lost.page.evaluate(`localStorage.getItem('lore.seen')`)).not.toBeNull();
  const [socket] = lost.sockets;
  const closed = new Promise((resolve) => socket?.on('close', resolve));
  const { page } = await openPage(server, { key, size: 'cover', path: '/devices' });
  const others = page.getByRole('list', { name: 'Other devices' });
  await others.getByRole('button', { name: 'Revoke' }).click();
  // it asks first
  await others.getByText('signed out at once').waitFor();
  await others.getByRole('button', { name: 'Revoke it' }).click();
  await lost.page.getByRole('heading', { name: 'Pair this device with Lore' }).waitFor();
  await closed;
  await page.getByText('No other device').waitFor();
  await lost.page.reload();
  await lost.page.getByRole('heading', { name: 'Pair this device with Lore' }).waitFor();
  expect(await lost.page.evaluate('localStorage.getItem("lore.key")')).toBeNull();
});

test('another device is paired by the code that a device shows, once', async () => {
  const { key } = await server.member();
  const { page } = await openPage(server, { key, path: '/devices' });
  await page.getByText('No other device').waitFor();
  await page.getByRole('button', { name: 'Show a code' }).click();
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  const link = await page.getByText('#pair=').innerText();
  const other = await openPage(server, { key: null });
  await other.page.getByRole('heading', { name: 'Pair this device with Lore' }).waitFor();
  // pasted into the tab that is open: only what stands behind the # changes
  await other.page.evaluate(`location.hash = '${new URL(link).hash}'`);
  await other.page.getByRole('navigation').waitFor();
  expect(other.page.url()).not.toContain('pair=');
  await page.getByRole('list', { name: 'Other devices' }).getByRole('listitem').waitFor();

  const third = await openPage(server, { key: null, path: `/${new URL(link).hash}`, allow: [/redeem 404$/] });
  await third.page.getByRole('alert').getByText('was used').waitFor();
});

test('signing out here ends the key of this device', async () => {
  const { key } = await server.member();
  const { page } = await openPage(server, { key, path: '/devices' });
  const own = await page.evaluate('localStorage.getItem("lore.key")');
  await page.getByRole('button', { name: 'Sign out here' }).click();
  await page.getByRole('heading', { name: 'Pair this device with Lore' }).waitFor();
  await expect
    .poll(async () => (await server.request('GET', '/v1/me', { key: own as string })).status)
    .toBe(401);
});

test('the theme that is chosen holds, also after the page is loaded again', async () => {
  const { page } = await openPage(server, { path: '/devices', theme: 'light' });
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Dark' }).click();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
  expect(await ground()).toBe(dark);
});

test('what Lore may answer is set for all projects, and for one', async () => {
  const { key } = await server.member();
  const { cwd, start } = hookSession(server, { key });
  await start();
  await server.stored();
  const { page } = await openPage(server, { key, size: 'cover', path: '/devices' });
  const settings = async () => (await server.request('GET', '/v1/settings', { key })).body;
  const all = page.getByRole('group', { name: 'In all projects' });
  await all.getByRole('button', { name: 'Deny only' }).click();
  await page.getByText('Everything else stays the client’s question').waitFor();
  expect((await settings()).permissions).toBe('deny-only');
  const one = page.getByRole('group', { name: cwd.split('/').at(-1) as string });
  await one.getByRole('button', { name: 'Judge only' }).click();
  await expect.poll(async () => (await settings()).projectPermissions).toEqual({ [cwd]: 'judge-only' });
  await one.getByRole('button', { name: 'As in all' }).click();
  await expect.poll(async () => (await settings()).projectPermissions).toEqual({});
});
