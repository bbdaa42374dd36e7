import { signal } from '@preact/signals';
import { signIn, signOut } from './sign-in.ts';

/** A refusal of the API (RFC 9457). */
export class Refused extends Error {
  status: number;
  constructor(status: number, title: string, detail: string | undefined) {
    super(detail ?? title);
    this.status = status;
  }
}

/** Whether the server answered the last request. */
export const reachable = signal(true);

type Query = Record<string, string | number | boolean | null | undefined>;

/**
 * Asks the API as this device, and returns the answer's JSON (`undefined` if it has no body).
 *
 * @param query parameters of the address; what is null or undefined is left out
 * @throws Refused when the server refuses; TypeError when it cannot be reached
 */
export async function api<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { query = {}, body, signal }: { query?: Query; body?: unknown; signal?: AbortSignal } = {},
): Promise<T> {
  const { value: who } = signIn;
  if (who.state !== 'in') throw new Refused(401, 'Not signed in', undefined);
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const request = fetch(search ? `${path}?${search}` : path, {
    method,
    headers: {
      authorization: `Bearer ${who.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const response = await request.catch((error) => {
    if ((error as Error).name !== 'AbortError') reachable.value = false;
    throw error;
  });
  reachable.value = true;
  const text = await response.text();
  const answer = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return answer as T;
  // if the device has signed out meanwhile, the refusal of its old key says nothing new
  if (response.status === 401 && signIn.value === who)
    signOut('This device was signed out. Pair it again to go on.');
  throw new Refused(response.status, answer?.title ?? `Error ${response.status}`, answer?.detail);
}
