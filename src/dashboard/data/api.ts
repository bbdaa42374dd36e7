import { signal } from '@preact/signals';
import { QueryClient } from '@tanstack/preact-query';
import { type Answer, addressOf, type Rest, type Route } from '../../base/wire/wire.ts';
import { base } from './server.ts';
import { accessToken } from './session-of-auth.ts';
import { signIn, signOut } from './sign-in.ts';

/** A refusal of the API (RFC 9457). */
class Refused extends Error {
  status: number;
  constructor(status: number, title: string, detail: string | undefined) {
    super(detail ?? title);
    this.status = status;
  }
}

/** Whether the server answered the last request. */
export const reachable = signal(true);

/**
 * Asks the API as this device, and returns what the route answers.
 *
 * @param route by its name in `src/base/wire/routes.ts`, which says what it takes and answers
 * @throws Refused when the server refuses; TypeError when it cannot be reached
 */
export async function api<R extends Route>(
  route: R,
  ...[given]: Rest<R, { signal?: AbortSignal }>
): Promise<Answer<R>> {
  const { value: who } = signIn;
  if (who.state !== 'in') throw new Refused(401, 'Not signed in', undefined);
  const { method, address } = addressOf(route, given);
  const body = given && 'body' in given ? JSON.stringify(given.body) : undefined;
  const token = who.key ?? (await renewed());
  const request = fetch(`${base()}${address}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    ...(given?.signal && { signal: given.signal }),
  });
  const response = await request.catch((error) => {
    if ((error as Error).name !== 'AbortError') reachable.value = false;
    throw error;
  });
  reachable.value = true;
  const text = await response.text();
  const answer = text === '' ? undefined : JSON.parse(text);
  // this and the same line of the CLI are where an answer is taken for what its route says
  if (response.ok) return answer as Answer<R>;
  // if the device has signed out meanwhile, the refusal of its old key says nothing new
  if (response.status === 401 && signIn.value === who) {
    signOut(who.key === null ? answer?.detail : 'This device was signed out. Pair it again to go on.');
  }
  throw new Refused(response.status, answer?.title ?? `Error ${response.status}`, answer?.detail);
}

/**
 * Returns the access token of who signed in with Supabase Auth.
 *
 * @throws Refused when the session has ended; TypeError when Auth cannot be reached
 */
async function renewed(): Promise<string> {
  const { value: who } = signIn;
  const token = await accessToken().catch((error) => {
    reachable.value = false;
    throw error;
  });
  if (token !== null) return token;
  const why = 'Your session has ended. Sign in again.';
  if (signIn.value === who) signOut(why);
  throw new Refused(401, 'Not signed in', why);
}

/**
 * The answers of the API. A query's key begins with the names of the tables whose changes make it stale; the
 * rest says what it is: `[['plans', 'plan_steps'], 'plan', id]` (see live.ts). Without a change nothing is
 * read twice.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      // What was seen stays for a day, so that the page shows it when the server is away.
      gcTime: 24 * 3_600_000,
      // Otherwise the library would wait for `navigator.onLine`, which knows nothing of a server on this machine.
      networkMode: 'always',
      retry: (count, error) => !(error instanceof Refused) && count < 2,
      retryDelay: 500,
    },
    mutations: { networkMode: 'always' },
  },
});
