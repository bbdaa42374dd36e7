import { signal } from '@preact/signals';
import type { Dashboard } from '../../wire/routes.ts';
import { api } from './api.ts';
import { addressOf, type Waiting } from './dashboard.ts';
import { lendKey, takeKeyBack } from './device-key.ts';
import { signIn } from './sign-in.ts';

// Notifications of this browser: by the server's push, also while the page is closed; else by the page while it is open
// but hidden. For a page that came over plain HTTP from another machine, browsers do not have notifications.

const KEY = 'lore.notify';
const PUSH = 'lore.push';

/** Whether this browser can show notifications to this page. */
export const canNotify = isSecureContext && 'Notification' in window && 'serviceWorker' in navigator;

/** Whether the person wants them and the browser lets us. */
export const notifying = signal(
  canNotify && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on',
);
/** Whether the browser refuses, so that only its own settings help. */
export const refused = signal(canNotify && Notification.permission === 'denied');

/** Whether notifications also come while the page is closed. Not every browser has a push service. */
export const pushed = signal(notifying.value && localStorage.getItem(PUSH) === 'on');

/** Asks for the permission. Call it only when the person pressed something. */
export async function startNotifying(): Promise<void> {
  const answer = await Notification.requestPermission();
  refused.value = answer === 'denied';
  notifying.value = answer === 'granted';
  if (!notifying.value) return;
  localStorage.setItem(KEY, 'on');
  await subscribe().catch(() => setPushed(false));
}

export async function stopNotifying(): Promise<void> {
  localStorage.removeItem(KEY);
  notifying.value = false;
  setPushed(false);
  await Promise.allSettled([takeKeyBack(), endSubscription(), api('DELETE /v1/push')]);
}

function setPushed(on: boolean): void {
  if (on) localStorage.setItem(PUSH, 'on');
  else localStorage.removeItem(PUSH);
  pushed.value = on;
}

const subscription = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.ready).pushManager?.getSubscription()) ?? null;

const endSubscription = async () => (await subscription())?.unsubscribe();

/** Lets the server push to this browser. @throws Error where the browser has no push service */
async function subscribe(): Promise<void> {
  const { value: who } = signIn;
  // pushes go to a paired device; who signed in is told while the page is open
  if (who.state !== 'in' || who.key === null) return;
  const { publicKey } = await api('GET /v1/push');
  // one for another key, or of another person, is of no use
  await endSubscription();
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = made.toJSON();
  await api('PUT /v1/push', { body: { endpoint, keys: { p256dh, auth } } });
  await lendKey(who.key);
  setPushed(true);
}

/** Subscribes again if the browser or the server has lost the subscription. Call it when somebody is signed in. */
export async function renewPush(): Promise<void> {
  const { value: who } = signIn;
  if (!notifying.value || who.state !== 'in' || who.key === null) return;
  const { endpoint } = await api('GET /v1/push');
  if (endpoint === null || (await subscription())?.endpoint !== endpoint) await subscribe();
}

/** what waited at the last call; null before the first call, so that nothing is told of what waits already */
let known: Set<string> | null = null;
const MOST = 3;

let last: Promise<void> = Promise.resolve();

/**
 * Shows a notification for each thing that waits since the last call, and closes those of things that no
 * longer wait. It asks the browser one thing after the other: if Chromium is asked for its notifications, it
 * forgets one that it is just about to show.
 */
export function notifyOfNew(now: Dashboard): void {
  last = last.catch(() => {}).then(() => notify(now));
}

async function notify({ waiting, projects }: Dashboard): Promise<void> {
  const before = known;
  known = new Set(waiting.map(({ id }) => id));
  if (!notifying.value || before === null) return;
  const registration = await navigator.serviceWorker.ready;
  for (const shown of await registration.getNotifications()) if (!known.has(shown.tag)) shown.close();
  if (!document.hidden) return;
  const fresh = waiting.filter(({ id }) => !before.has(id));
  for (const one of fresh.slice(0, MOST)) {
    await registration.showNotification(headline(one), {
      body: one.title,
      tag: one.id,
      icon: '/icon-192.png',
      data: { url: addressOf(one, projects) },
    });
  }
}

const headline = ({ kind, project }: Waiting): string =>
  `${{ command: 'Blocked command', step: 'A step waits', client: 'An agent waits' }[kind]}${project ? ` · ${project.split('/').at(-1)}` : ''}`;
