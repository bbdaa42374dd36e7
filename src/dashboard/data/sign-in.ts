import { signal } from '@preact/signals';
import type { Answer } from '../../base/wire/wire.ts';
import { base } from './server.ts';
import { byLink, byPassword, cameByLink, endSession, userKept } from './session-of-auth.ts';

// The key of this device is in this origin's own storage and is sent as a bearer token. It is never in a
// cookie, because the browser would send a cookie with requests of other pages too, and to other ports of the
// same machine.

const KEY = 'lore.key';

export type SignIn =
  /** `who`: whose records are shown. `key`: null if they signed in with Supabase Auth */
  | { state: 'in'; who: string; key: string | null }
  | { state: 'out'; why: string | null }
  | { state: 'pairing' };

const paired = (key: string): SignIn => ({ state: 'in', who: key, key });
const signedIn = (user: string): SignIn => ({ state: 'in', who: user, key: null });

const stored = localStorage.getItem(KEY);
const user = userKept();
/** Whether this browser is signed in, and with which key. */
export const signIn = signal<SignIn>(
  stored ? paired(stored) : user ? signedIn(user) : { state: 'out', why: null },
);

/** Signs in by password, or by the link that the page was opened by. */
async function signInBy(way: () => Promise<string>): Promise<void> {
  signIn.value = { state: 'pairing' };
  try {
    signIn.value = signedIn(await way());
  } catch (error) {
    signIn.value = { state: 'out', why: (error as Error).message };
  }
}

export const signInByPassword = (email: string, password: string): Promise<void> =>
  signInBy(() => byPassword(email, password));

/** Signs in if the page was opened by a link that Supabase Auth has sent. */
export function signInFromAddress(): void {
  if (cameByLink()) void signInBy(byLink);
}

/** Removes a pairing code from the address (`#pair=…`) and signs in with it. */
export function pairFromAddress(): void {
  const code = new URLSearchParams(location.hash.slice(1)).get('pair');
  if (code === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  void pair(code);
}

/** Trades a pairing code for a key of this device. A code works once, for five minutes. */
export async function pair(code: string): Promise<void> {
  const before = signIn.value;
  signIn.value = { state: 'pairing' };
  try {
    const response = await fetch(`${base()}/v1/pairings/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: code.trim(), name: deviceName() }),
    });
    const answer: Answer<'POST /v1/pairings/redeem'> & { detail?: string } = await response.json();
    if (!response.ok) throw new Error(answer.detail ?? `The server answered ${response.status}.`);
    localStorage.setItem(KEY, answer.key);
    signIn.value = paired(answer.key);
  } catch (error) {
    // A person who was signed in stays signed in: an old link must not sign them out.
    signIn.value = before.state === 'in' ? before : { state: 'out', why: (error as Error).message };
  }
}

/** Forgets the key of this device, for example because it was revoked. */
export function signOut(why: string | null = null): void {
  localStorage.clear();
  void forgetPush().catch(() => {});
  signIn.value = { state: 'out', why };
}

/** Ends pushes to this browser, also where the server cannot be told: what is sent there then goes nowhere. */
async function forgetPush(): Promise<void> {
  await takeKeyBack();
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/**
 * Signs this device out and asks the server to end its key. The key is forgotten first, so that it is gone
 * from here even if the server is away, and so that nothing on the page sends requests with a key that has
 * ended.
 */
export async function leave(keyId: string | undefined): Promise<void> {
  const { value: who } = signIn;
  if (who.state === 'in' && who.key === null) {
    signIn.value = { state: 'out', why: null };
    // what it needs for that lies in the storage
    await endSession().catch(() => {});
    return signOut('You were signed out.');
  }
  signOut('This device was signed out.');
  if (who.state !== 'in' || keyId === undefined) return;
  const headers = { authorization: `Bearer ${who.key}` };
  // kept alive: the page may be closed right after
  await fetch(`${base()}/v1/keys/${keyId}`, { method: 'DELETE', headers, keepalive: true }).catch(() => {});
}

/** Returns how this device is called in the list of devices: “Firefox on Android”. */
function deviceName(): string {
  // Edge also says Chrome and Safari, and Android also says Linux: what is named first here counts.
  const first = (names: string[]) => names.find((name) => navigator.userAgent.includes(name)) ?? 'unknown';
  const browser = first(['Edg', 'OPR', 'Firefox', 'SamsungBrowser', 'Chrome', 'Safari']);
  return `${browser} on ${first(['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'])}`;
}

// The service worker answers from a notification while the page is closed, and a worker cannot read the page's storage.
// So as long as pushes come, the key of this device is also where the worker finds it (service-worker.ts).

const CACHE = 'device';
const PATH = '/device-key';

/** Lets the service worker use the key of this device. */
export async function lendKey(key: string): Promise<void> {
  await (await caches.open(CACHE)).put(PATH, new Response(key));
}

/** Takes the key back from the service worker. */
export async function takeKeyBack(): Promise<void> {
  // not every page has caches: they need https or this machine
  if ('caches' in window) await caches.delete(CACHE);
}
