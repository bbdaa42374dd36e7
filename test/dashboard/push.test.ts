import { randomUUID } from 'node:crypto';
import type { BrowserContext, CDPSession, Worker } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage } from '../support/browser.ts';
import { startedSession } from '../support/hook-session.ts';
import { type Device, startPushService } from '../support/push-service.ts';
import { startTestServer } from '../support/server.ts';

inBrowser.orSkipFile();

// Pushes reach the service worker of a page that is closed. Chromium takes its pushes from Google alone, so here it
// subscribes at a push service on loopback, which decrypts what comes as Chromium would, and DevTools hands it over.

const service = await startPushService();
const server = await startTestServer({ LORE_MODEL_DIR: '', LORE_PUSH_SERVICES: service.origin });
const FORCED = 'git push --force origin main';

type Shown = { title: string; body: string; tag: string; actions: { action: string; title: string }[] };

/** A phone of Ann's whose page asked for notifications, and was closed then; and an agent at work. */
async function sleepingPhone() {
  const { key } = await server.member();
  const { page, context } = await openPage(server, { key, serviceWorker: true });
  await context.grantPermissions(['notifications'], { origin: server.url });
  const { publicKey } = (await server.request('GET', '/v1/push', { key })).body;
  const device = service.device(publicKey);
  await subscribeAt(context, device, publicKey);
  await page.goto(`${server.url}/devices`);
  await page.getByRole('button', { name: 'Turn on notifications' }).click();
  await page.getByRole('button', { name: 'Turn off notifications' }).waitFor();

  const devtools = await context.newPage();
  const cdp = await context.newCDPSession(devtools);
  const registrationId = await registrationOf(cdp);
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no service worker');
  // Chromium forgets a notification when it is asked for those it shows before it shows it
  await worker.evaluate(`{
    self.timesShown = 0;
    const { showNotification } = ServiceWorkerRegistration.prototype;
    ServiceWorkerRegistration.prototype.showNotification = async function (...what) {
      await showNotification.apply(this, what);
      self.timesShown += 1;
    };
  }`);
  const sleep = () => page.close();
  const session = await startedSession(server, { key, cwd: `/home/ann/${randomUUID().slice(0, 8)}` });
  await session.prompt('Fix the login');
  let delivered = 0;
  return {
    page,
    context,
    worker,
    device,
    session,
    sleep,
    /** hands on the next push, once it is there */
    deliver: async () => {
      await expect.poll(() => device.received.length).toBeGreaterThan(delivered);
      const data = device.received[delivered++]?.text ?? '';
      await cdp.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data });
    },
    /** the notifications that stand, once there were this many */
    shown: async (times: number) => {
      await expect.poll(() => worker.evaluate('self.timesShown')).toBe(times);
      return worker.evaluate<Shown[]>(`registration.getNotifications().then((all) =>
        all.map(({ title, body, tag, actions }) => ({ title, body, tag, actions })))`);
    },
  };
}

/** Lets the browser subscribe at the push service on loopback. Everything else the page does itself. */
async function subscribeAt(
  context: BrowserContext,
  { endpoint, keys }: Device,
  publicKey: string,
): Promise<void> {
  await context.addInitScript(`{
    let made = null;
    const { prototype } = PushManager;
    prototype.getSubscription = async () => made;
    prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly || applicationServerKey !== '${publicKey}') throw new Error('not so');
      made = {
        endpoint: '${endpoint}',
        toJSON: () => (${JSON.stringify({ endpoint, expirationTime: null, keys })}),
        unsubscribe: async () => { made = null; return true; },
      };
      return made;
    };
  }`);
}

async function registrationOf(cdp: CDPSession): Promise<string> {
  const known = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(server.url));
      if (own) resolve(own.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  return known;
}

/** Presses a notification, or an action of it. Returns what it opened: a headless browser opens no window for a worker. */
const press = (worker: Worker, action = '') =>
  worker.evaluate(`(async () => {
    const opened = [];
    clients.openWindow = async (url) => { opened.push(url); return null; };
    clients.matchAll = async () => [];
    const [notification] = await registration.getNotifications();
    const waits = [];
    const event = new NotificationEvent('notificationclick', { notification, action: '${action}' });
    event.waitUntil = (work) => waits.push(work);
    dispatchEvent(event);
    await Promise.all(waits);
    return opened;
  })()`);

test('a sleeping phone is told of a blocked command, and its answer lets the next try pass', async () => {
  const { page, context, worker, session, sleep, deliver, shown } = await sleepingPhone();
  await sleep();
  expect(page.isClosed()).toBe(true);
  expect(await session.decisionOn(FORCED)).toBe('deny');
  await deliver();
  const first = await shown(1);
  expect(first).toMatchObject([
    {
      title: `Blocked command · ${session.cwd.split('/').at(-1)}`,
      body: FORCED,
      tag: expect.stringMatching(/^[0-9a-f]{16}$/),
      actions: [{ action: 'keep', title: 'Keep blocked' }],
    },
  ]);
  const [{ tag = '' } = {}] = first;

  const opened = await press(worker);
  expect(opened).toEqual([`/safety?check=${tag}`]);
  const again = await context.newPage();
  await again.goto(`${server.url}${(opened as string[])[0]}`);
  const decide = again.getByRole('region', { name: 'Decide', exact: true });
  await decide.getByRole('button', { name: `Allow once: ${FORCED}` }).click();
  await decide.getByText('Allowed once').waitFor();
  await server.settled();
  expect(await session.decisionOn(FORCED)).toBe('allow');
});

test('a page in view shows what waits itself, without a notification', async () => {
  const { page, session, deliver, shown } = await sleepingPhone();
  await page.bringToFront();
  await page.goto(server.url);
  await session.decisionOn(FORCED);
  await page.getByRole('region', { name: 'Needs you' }).getByText(FORCED).first().waitFor();
  await deliver();
  // the next one comes after it, when nobody looks
  await page.close();
  await session.decisionOn('git push --force origin next');
  await deliver();
  expect(await shown(1)).toMatchObject([{ body: 'git push --force origin next' }]);
});
