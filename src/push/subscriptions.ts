import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { BrowserKeys } from './message.ts';

/** Where pushes to a device go. */
export type Subscription = BrowserKeys & { endpoint: string };

/**
 * Lets what comes to wait from now on be sent to the device with this key. It has one address: a new one takes the place
 * of the one before.
 */
export async function subscribe(
  tx: Tx,
  keyId: string,
  { endpoint, p256dh, auth }: Subscription,
): Promise<void> {
  const known = await endpointOf(tx, keyId);
  // the browser may have been signed in with another key before
  await query(tx, sql`delete from push_subscriptions where endpoint = ${endpoint} and key_id <> ${keyId}`);
  await query(
    tx,
    sql`insert into push_subscriptions (key_id, endpoint, p256dh, auth)
        values (${keyId}, ${endpoint}, ${p256dh}, ${auth})
        on conflict (user_id, key_id)
        do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth`,
  );
  // the person sees what waits already. A page that renews its pushes may not show it yet.
  const told = sql`insert into push_told (code) select code from waiting_commands() on conflict do nothing`;
  if (known === null) await query(tx, told);
}

/** Sends nothing more to the device with this key. */
export async function unsubscribe(tx: Tx, keyId: string): Promise<void> {
  await query(tx, sql`delete from push_subscriptions where key_id = ${keyId}`);
}

/** Returns the endpoint of a device; null if nothing is sent to it. */
export async function endpointOf(tx: Tx, keyId: string): Promise<string | null> {
  const [row] = await query<{ endpoint: string }>(
    tx,
    sql`select endpoint from push_subscriptions where key_id = ${keyId}`,
  );
  return row?.endpoint ?? null;
}

/** Returns the caller's subscriptions. */
export const listSubscriptions = (tx: Tx): Promise<Subscription[]> =>
  query<Subscription>(tx, sql`select endpoint, p256dh, auth from push_subscriptions order by created_at`);

/** Forgets an address that the push service says is gone. */
export async function forgetEndpoint(tx: Tx, endpoint: string): Promise<void> {
  await query(tx, sql`delete from push_subscriptions where endpoint = ${endpoint}`);
}
