import { signal } from '@preact/signals';
import { api } from './api.ts';
import { lendKey, signIn, takeKeyBack } from './sign-in.ts';

// Notifications of this browser, by the server's push, also while the page is closed. Browsers allow them on this machine
// and over https.

const KEY = 'lore.notify';

/** Whether this browser can show notifications to this page. */
export const canNotify = isSecureContext && 'Notification' in window && 'PushManager' in window;

/** Whether the person wants them and the browser lets us. */
export const notifying = signal(
  canNotify && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on',
);

/**
 * Asks for the permission, and lets the server push to this browser. Call it only when the person pressed something.
 *
 * @throws Error where the browser refuses, or has no push service
 */
export async function startNotifying(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('The browser refuses them. Its settings of this page can allow them again.');
  await subscribe();
  localStorage.setItem(KEY, 'on');
  notifying.value = true;
}

export async function stopNotifying(): Promise<void> {
  localStorage.removeItem(KEY);
  notifying.value = false;
  await Promise.allSettled([takeKeyBack(), endSubscription(), api('DELETE /v1/push')]);
}

const subscription = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.ready).pushManager?.getSubscription()) ?? null;

const endSubscription = async () => (await subscription())?.unsubscribe();

async function subscribe(): Promise<void> {
  const { value: who } = signIn;
  if (who.state !== 'in' || who.key === null) throw new Error('They come to paired devices only.');
  const { publicKey } = await api('GET /v1/push');
  // one for another key, or of another person, is of no use
  await endSubscription();
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = made.toJSON();
  await api('PUT /v1/push', { body: { endpoint, keys: { p256dh, auth } } });
  await lendKey(who.key);
}

/** Subscribes again if the browser or the server has lost the subscription. Call it when somebody is signed in. */
export async function renewPush(): Promise<void> {
  const { value: who } = signIn;
  if (!notifying.value || who.state !== 'in' || who.key === null) return;
  const { endpoint } = await api('GET /v1/push');
  if (endpoint === null || (await subscription())?.endpoint !== endpoint) await subscribe();
}
