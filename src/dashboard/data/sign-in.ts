import { signal } from '@preact/signals';
import type { Answer } from '../../wire/wire.ts';
import { takeKeyBack } from './device-key.ts';

// The key of this device is in this origin's own storage and is sent as a bearer token. It is never in a
// cookie, because the browser would send a cookie with requests of other pages too, and to other ports of the
// same machine.

const KEY = 'lore.key';

export type SignIn =
  | { state: 'in'; key: string }
  | { state: 'out'; why: string | null }
  | { state: 'pairing' };

const stored = localStorage.getItem(KEY);
/** Whether this browser is signed in, and with which key. */
export const signIn = signal<SignIn>(stored ? { state: 'in', key: stored } : { state: 'out', why: null });

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
    const response = await fetch('/v1/pairings/redeem', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: code.trim(), name: deviceName() }),
    });
    const answer: Answer<'POST /v1/pairings/redeem'> & { detail?: string } = await response.json();
    if (!response.ok) throw new Error(answer.detail ?? `The server answered ${response.status}.`);
    localStorage.setItem(KEY, answer.key);
    signIn.value = { state: 'in', key: answer.key };
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
  signOut('This device was signed out.');
  if (who.state !== 'in' || keyId === undefined) return;
  const headers = { authorization: `Bearer ${who.key}` };
  // kept alive: the page may be closed right after
  await fetch(`/v1/keys/${keyId}`, { method: 'DELETE', headers, keepalive: true }).catch(() => {});
}

/** Returns how this device is called in the list of devices: “Firefox on Android”. */
function deviceName(): string {
  const agent = navigator.userAgent;
  // Edge also says Chrome and Safari, and Android also says Linux: what is named first here counts.
  const first = (names: string[], none: string) => names.find((name) => agent.includes(name)) ?? none;
  const browser = first(['Edg', 'OPR', 'Firefox', 'SamsungBrowser', 'Chrome', 'Safari'], 'Browser');
  const system = first(['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'], 'unknown system');
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', SamsungBrowser: 'Samsung Internet' };
  return `${names[browser] ?? browser} on ${system === 'Mac OS X' ? 'macOS' : system}`;
}
