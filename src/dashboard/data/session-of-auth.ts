import type { SupabaseClient } from '@supabase/supabase-js';
import { server } from './server.ts';

// Signing in with Supabase Auth. Its client keeps the session in this origin's storage, and renews it in time.

const KEY = 'lore.session';

type Auth = SupabaseClient['auth'];
let client: Promise<Auth> | undefined;

/** Returns Auth's client. The library is loaded when it is needed: whoever is paired does not need it for this. */
function auth(): Promise<Auth> {
  client ??= import('@supabase/supabase-js').then(({ createClient }) => {
    const { supabase } = server.value;
    if (supabase === null) throw new Error('Nobody signs in here.');
    const options = { storageKey: KEY, flowType: 'pkce', detectSessionInUrl: true } as const;
    return createClient(supabase.url, supabase.key, { auth: options }).auth;
  });
  return client;
}

/** Returns the id of the user who signed in, from what this browser keeps; null: nobody did. */
export function userKept(): string | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null')?.user?.id ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns an access token that is valid for a minute at least; null when the session has ended.
 *
 * @throws Error when it has to be renewed, and Auth cannot be reached
 */
export async function accessToken(): Promise<string | null> {
  const { data, error } = await (await auth()).getSession();
  if (data.session) return data.session.access_token;
  if (error?.name === 'AuthRetryableFetchError') throw new TypeError('Supabase Auth cannot be reached.');
  return null;
}

/**
 * Signs in by password. Returns the user's id.
 *
 * @throws Error that says why not
 */
export async function byPassword(email: string, password: string): Promise<string> {
  const { data, error } = await (await auth()).signInWithPassword({ email, password });
  if (error) throw error;
  return data.user.id;
}

/**
 * Sends a mail with a link that signs this browser in.
 *
 * @throws Error that says why not
 */
export async function sendLink(email: string): Promise<void> {
  const options = { shouldCreateUser: false, emailRedirectTo: `${location.origin}/` };
  const { error } = await (await auth()).signInWithOtp({ email, options });
  if (error) throw error;
}

/** Whether the page was opened by such a link. Only the browser that asked for it can use it. */
export function cameByLink(): boolean {
  if (localStorage.getItem(`${KEY}-code-verifier`) === null) return false;
  const { searchParams } = new URL(location.href);
  return searchParams.has('code') || searchParams.has('error_description');
}

/**
 * Signs in by the link that the page was opened by. Returns the user's id.
 *
 * @throws Error that says why not
 */
export async function byLink(): Promise<string> {
  const why = new URL(location.href).searchParams.get('error_description');
  // the client uses up the code when it begins
  const { data, error } = why ? { data: null, error: new Error(why) } : await (await auth()).getSession();
  history.replaceState(null, '', location.pathname);
  if (error) throw error;
  if (!data?.session) throw new Error('The link did not work. Ask for another one.');
  return data.session.user.id;
}

/** Ends this browser's session at Auth, if it can be reached. */
export async function endSession(): Promise<void> {
  await (await auth()).signOut({ scope: 'local' });
}
