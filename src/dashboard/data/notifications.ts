import { signal } from '@preact/signals';
import type { Dashboard } from '../../wire/routes.ts';
import { addressOf, type Waiting } from './dashboard.ts';

// Notifications of this browser, shown while the page is open but hidden. For a page that came over plain
// HTTP from another machine, browsers do not have notifications.

const KEY = 'lore.notify';

/** Whether this browser can show notifications to this page. */
export const canNotify = isSecureContext && 'Notification' in window && 'serviceWorker' in navigator;

/** Whether the person wants them and the browser lets us. */
export const notifying = signal(
  canNotify && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on',
);
/** Whether the browser refuses, so that only its own settings help. */
export const refused = signal(canNotify && Notification.permission === 'denied');

/** Asks for the permission. Call it only when the person pressed something. */
export async function startNotifying(): Promise<void> {
  const answer = await Notification.requestPermission();
  refused.value = answer === 'denied';
  notifying.value = answer === 'granted';
  if (notifying.value) localStorage.setItem(KEY, 'on');
}

export function stopNotifying(): void {
  localStorage.removeItem(KEY);
  notifying.value = false;
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
