import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import webPush from 'web-push';
import type { Config } from '../../base/config.ts';
import { badRequest, Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/log.ts';
import { shorten } from '../../base/text/clip.ts';
import type { InBackground } from '../../base/timing/loop.ts';
import { asUser, type Claims } from '../../db/as-user.ts';
import type { Erased, Erasure } from '../../db/erasure.ts';
import { type Database, query, type Tx } from '../../db/open.ts';
import { reasonOf } from '../../db/queue.ts';
import { askSystem } from '../../db/system.ts';
import { isLoopback } from '../../http/addresses.ts';
import type { Caller } from '../../http/env.ts';
import { served } from '../../http/serve.ts';
import { type KeyPair, type Message, refusal, type Subscription, sendPush } from './send.ts';

// Tells a person's devices what waits for them, also those that sleep (sql/tenancy/push.sql, sql/realtime/waiting_commands.sql).

export type Push = ReturnType<typeof createPush>;

/** What the service worker is told of a blocked command. The text leaves this machine, so it holds no more than it needs. */
type Told = {
  /** waits: for a decision; kept, allowed: a person has decided; gone: nobody can use the answer any more */
  state: 'waits' | 'kept' | 'allowed' | 'gone';
  code: string;
  /** the name of the project, without its folders */
  project: string;
  /** the command as the page shows it, shortened */
  command: string;
};

const MAX_COMMAND = 160;
const MAX_PROJECT = 60;
/** So many at once at most: a phone shows no more, and the page shows all. */
const MAX_NEW = 5;

/** Returns the key by which push services know this installation. It is made at the first use. */
export async function pushKey(db: Database): Promise<KeyPair> {
  const read = sql`select public_key as "publicKey", private_key as "privateKey" from lore.push_key`;
  const [known] = await query<KeyPair>(db.drizzle, read);
  if (known) return known;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const values = sql`values (${publicKey}, ${privateKey}) on conflict do nothing`;
  await askSystem(db)`insert into lore.push_key (public_key, private_key) ${values}`;
  // another server may have been first
  return pushKey(db);
}

/** Returns a {@link Push}. */
export function createPush(services: {
  db: Database;
  log: Log;
  config: Pick<Config, 'url' | 'pushServices'>;
  inBackground: InBackground;
}) {
  const { db, log, config, inBackground } = services;
  const ending = new AbortController();
  const { signal } = ending;

  async function tell(userId: string): Promise<void> {
    const claims: Claims = { userId, role: 'member' };
    const { devices, told } = await asUser(db, claims, takeNews);
    if (told.length === 0) return;
    const { url, pushServices } = config;
    const from = { keys: await pushKey(db), contact: contactOf(url), services: pushServices, signal };
    const send = async (device: Subscription, one: Told) => {
      const about = { service: new URL(device.endpoint).origin };
      try {
        const status = await sendPush(device, toMessage(one), from);
        if (status === 404 || status === 410)
          await asUser(db, claims, (tx) => unsubscribe(tx, sql`endpoint = ${device.endpoint}`));
        else if (status >= 300) log.warn({ ...about, status }, 'a push was refused');
      } catch (error) {
        if (!signal.aborted) log.warn({ ...about, reason: reasonOf(error) }, 'a push was not sent');
      }
    };
    await Promise.all(devices.flatMap((device) => told.map((one) => send(device, one))));
  }

  return {
    /**
     * Says that a user's blocked commands may have changed. Behind the answers, what is new is sent to the user's devices,
     * and what no longer waits is taken back. Of two looks at a time only one takes a row.
     */
    look: (userId: string) => inBackground('push', () => tell(userId)),
    /** Sends no more. */
    stop: () => ending.abort(),
  };
}

/** Returns the devices of the caller, and what they are to be told. Of several servers only one gets it. */
async function takeNews(tx: Tx): Promise<{ devices: Subscription[]; told: Told[] }> {
  const devices = await query<Subscription>(tx)`select endpoint, p256dh, auth from push_subscriptions`;
  if (devices.length === 0) return { devices, told: [] };
  const fresh = await query<Told>(tx)`
    with told as (
      insert into push_told (code)
      select w.code from waiting_commands() w order by w.code
      on conflict do nothing returning code)
    select 'waits' as state, w.code, w.project, w.command
    from waiting_commands() w join told t on t.code = w.code order by w.checked_at desc`;
  const over = await query<Told>(tx)`
    with over as (
      delete from push_told t where not exists (select from waiting_commands() w where w.code = t.code)
      returning code)
    select o.code, coalesce(p.name, k.cwd) as project, k.command,
      case v.decision when 'deny' then 'kept' when 'allow' then 'allowed' else 'gone' end as state
    from over o
    join lateral (
      select * from command_checks c where c.code = o.code order by c.id desc limit 1) k on true
    left join sessions s on s.id = k.session_id
    left join projects p on p.id = s.project_id
    left join command_cache v on v.key = k.key and v.checked_by = 'person'`;
  return { devices, told: [...fresh.slice(0, MAX_NEW), ...over] };
}

function toMessage({ state, code, ...told }: Told): Message {
  const project = shorten(told.project.split('/').at(-1) ?? '', MAX_PROJECT);
  const command = shorten(told.command, MAX_COMMAND);
  const text = JSON.stringify({ state, code, project, command } satisfies Told);
  return { text, topic: code, urgent: state === 'waits' };
}

/** Who a push service may turn to. It asks for an address that is not of this machine, and uses it only for complaints. */
const contactOf = (url: string): string =>
  url.startsWith('https:') && !isLoopback(new URL(url).hostname) ? url : 'mailto:owner@lore.invalid';

/**
 * Lets what comes to wait from now on be sent to the device with this key. It has one address: a new one takes the place
 * of the one before.
 */
export async function subscribe(tx: Tx, keyId: string, to: Subscription): Promise<void> {
  const known = await endpointOf(tx, keyId);
  // the browser may have been signed in with another key before
  await unsubscribe(tx, sql`key_id = ${keyId} or endpoint = ${to.endpoint}`);
  await query(tx)`
    insert into push_subscriptions (key_id, endpoint, p256dh, auth)
    values (${keyId}, ${to.endpoint}, ${to.p256dh}, ${to.auth})`;
  // the person sees what waits already. A page that renews its pushes may not show it yet.
  const told = sql`insert into push_told (code) select code from waiting_commands() on conflict do nothing`;
  if (known === null) await query(tx, told);
}

/** Sends nothing more to those of the caller's devices. */
export async function unsubscribe(tx: Tx, which: SQL): Promise<void> {
  await query(tx)`delete from push_subscriptions where ${which}`;
}

/** Returns the endpoint of a device; null if nothing is sent to it. */
export async function endpointOf(tx: Tx, keyId: string): Promise<string | null> {
  const [row] = await query<{ endpoint: string }>(tx)`
    select endpoint from push_subscriptions where key_id = ${keyId}`;
  return row?.endpoint ?? null;
}

/** Erases what devices were told of before an instant. Their addresses stay until they are signed out, as their keys do. */
export async function erase(tx: Tx, { before }: Erasure): Promise<Erased> {
  const gone = await query(tx)`delete from push_told where told_at < ${before}::timestamptz returning 1`;
  return { pushes: gone.length };
}

/** as a browser's PushSubscription tells it */
const Subscribed = z
  .strictObject({
    endpoint: z.url({ protocol: /^https?$/ }).max(2_000),
    keys: z.strictObject({
      p256dh: z.string().regex(/^[\w-]{87}=?$/, 'must be a key of a browser: 65 bytes in base64url'),
      auth: z.string().regex(/^[\w-]{22}(?:==)?$/, 'must be a secret of a browser: 16 bytes in base64url'),
    }),
  })
  .openapi('PushSubscription');

/** `publicKey`: the installation's (VAPID). `endpoint` null: nothing is sent to this device. */
const State = z.object({ publicKey: z.string(), endpoint: z.string().nullable() }).openapi('Push');

/** Returns the key of the device that asks. @throws Problem (403) for somebody who signed in without one */
function deviceOf({ keyId }: Caller): string {
  if (keyId !== null) return keyId;
  throw new Problem({
    status: 403,
    title: 'Push needs a paired device',
    detail: 'Pushes go to a device until its key is revoked, and who signed in has none. Pair it: lore pair.',
  });
}

/** Returns the routes of `/v1/push`. */
type Services = { db: Database; config: Pick<Config, 'pushServices'> };

export const pushRoutes = served((route, services: Services) => {
  route(
    'GET /v1/push',
    'The key to subscribe for, and where pushes to this device go',
    { answer: State },
    async ({ caller, as }) => {
      const keyId = deviceOf(caller);
      const { publicKey } = await pushKey(services.db);
      return { publicKey, endpoint: await as((tx) => endpointOf(tx, keyId)) };
    },
  );
  route(
    'PUT /v1/push',
    'Send what comes to wait for the caller to this device',
    { body: Subscribed },
    async ({ caller, as, body: { endpoint, keys } }) => {
      const message = refusal(endpoint, services.config.pushServices);
      if (message !== null)
        throw badRequest('endpoint', `${message}. LORE_PUSH_SERVICES names a push service of your own`);
      const keyId = deviceOf(caller);
      await as((tx) => subscribe(tx, keyId, { endpoint, ...keys }));
    },
  );
  route('DELETE /v1/push', 'Send nothing more to this device', {}, async ({ caller, as }) => {
    const keyId = deviceOf(caller);
    await as((tx) => unsubscribe(tx, sql`key_id = ${keyId}`));
  });
});
