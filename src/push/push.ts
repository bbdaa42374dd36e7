import { sql } from 'drizzle-orm';
import type { Config } from '../config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { reasonOf } from '../db/queue.ts';
import { askSystem } from '../db/system.ts';
import { isLoopback } from '../http/addresses.ts';
import type { Log } from '../log.ts';
import { shorten } from '../text/clip.ts';
import type { InBackground } from '../timing/loop.ts';
import { type KeyPair, newKeyPair } from './message.ts';
import { type Message, sendPush } from './send.ts';
import { forgetEndpoint, listSubscriptions, type Subscription } from './subscriptions.ts';

// Tells a person's devices what waits for them, also those that sleep (sql/tenancy/push.sql, sql/realtime/waiting_commands.sql).

export type Push = {
  /**
   * Says that a user's blocked commands may have changed. Behind the answers, what is new is sent to the user's devices,
   * and what no longer waits is taken back.
   */
  look(userId: string): void;
  /** Sends no more. */
  stop(): void;
};

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
/** how long a blocked command can be answered, as in `waiting_commands` */
const ANSWERABLE_S = 24 * 3_600;

/** Returns the key by which push services know this installation. It is made at the first use. */
export async function pushKey(db: Database): Promise<KeyPair> {
  const read = () =>
    askSystem<KeyPair>(
      db,
      sql`select public_key as "publicKey", private_key as "privateKey" from lore.push_key`,
    );
  const [known] = await read();
  if (known) return known;
  const { publicKey, privateKey } = newKeyPair();
  await askSystem(
    db,
    sql`insert into lore.push_key (public_key, private_key) values (${publicKey}, ${privateKey})
        on conflict do nothing`,
  );
  // another server may have been first
  const [made] = await read();
  if (!made) throw new Error('lore.push_key has no row');
  return made;
}

/** Returns a {@link Push}. */
export function createPush(services: {
  db: Database;
  log: Log;
  config: Pick<Config, 'url' | 'pushServices'>;
  inBackground: InBackground;
}): Push {
  const { db, log, config, inBackground } = services;
  const ending = new AbortController();
  /** users who are looked at; true: once more after that */
  const looking = new Map<string, boolean>();

  async function send(claims: Claims, devices: Subscription[], messages: Message[]): Promise<boolean> {
    const from = {
      keys: await pushKey(db),
      contact: contactOf(config.url),
      services: config.pushServices,
      signal: ending.signal,
    };
    let arrived = false;
    const sent = devices.flatMap((device) =>
      messages.map(async (message) => {
        const { origin } = new URL(device.endpoint);
        try {
          const status = await sendPush(device, message, from);
          if (status === 404 || status === 410)
            await asUser(db, claims, (tx) => forgetEndpoint(tx, device.endpoint));
          else if (status >= 300) log.warn({ service: origin, status }, 'a push was refused');
          else arrived = true;
        } catch (error) {
          if (!ending.signal.aborted)
            log.warn({ service: origin, reason: reasonOf(error) }, 'a push was not sent');
        }
      }),
    );
    await Promise.all(sent);
    return arrived;
  }

  async function tell(userId: string): Promise<void> {
    const claims: Claims = { userId, role: 'member' };
    const { devices, fresh, over } = await asUser(db, claims, takeNews);
    const messages = [...fresh.slice(0, MAX_NEW).map(toMessage), ...over.map(toMessage)];
    if (devices.length === 0 || messages.length === 0) return;
    if (await send(claims, devices, messages)) return;
    // nobody has heard of it, so it is told again with the next
    await asUser(db, claims, (tx) => untell(tx, fresh));
  }

  return {
    look(userId) {
      if (looking.has(userId)) {
        looking.set(userId, true);
        return;
      }
      looking.set(userId, false);
      inBackground('push', async () => {
        try {
          do {
            looking.set(userId, false);
            await tell(userId);
          } while (looking.get(userId) && !ending.signal.aborted);
        } finally {
          looking.delete(userId);
        }
      });
    },
    stop: () => ending.abort(),
  };
}

/** Returns the devices of the caller, and what they are to be told. Of several servers only one gets it. */
async function takeNews(tx: Tx): Promise<{ devices: Subscription[]; fresh: Told[]; over: Told[] }> {
  const devices = await listSubscriptions(tx);
  if (devices.length === 0) return { devices, fresh: [], over: [] };
  const fresh = await query<Told>(
    tx,
    sql`with told as (
          insert into push_told (code)
          select w.code from waiting_commands() w order by w.code
          on conflict do nothing returning code)
        select 'waits' as state, w.code, w.project, w.command
        from waiting_commands() w join told t on t.code = w.code order by w.checked_at desc`,
  );
  const over = await query<Told>(
    tx,
    sql`with over as (
          delete from push_told t where not exists (select from waiting_commands() w where w.code = t.code)
          returning code)
        select o.code, coalesce(p.name, k.cwd) as project, k.command,
          case v.decision when 'deny' then 'kept' when 'allow' then 'allowed' else 'gone' end as state
        from over o
        join lateral (
          select * from command_checks c where c.code = o.code order by c.id desc limit 1) k on true
        left join sessions s on s.id = k.session_id
        left join projects p on p.id = s.project_id
        left join command_cache v on v.key = k.key and v.checked_by = 'person'`,
  );
  return { devices, fresh, over };
}

async function untell(tx: Tx, told: Told[]): Promise<void> {
  const codes = told.map(({ code }) => code);
  await query(tx, sql`delete from push_told where code = any(${sql.param(codes)}::text[])`);
}

function toMessage({ state, code, project, command }: Told): Message {
  const shown = {
    state,
    code,
    project: shorten(project.split('/').at(-1) ?? '', MAX_PROJECT),
    command: shorten(command, MAX_COMMAND),
  } satisfies Told;
  return { text: JSON.stringify(shown), topic: code, ttlSeconds: ANSWERABLE_S, urgent: state === 'waits' };
}

/** Who a push service may turn to. It asks for an address that is not of this machine, and uses it only for complaints. */
const contactOf = (url: string): string =>
  url.startsWith('https:') && !isLoopback(new URL(url).hostname) ? url : 'mailto:owner@lore.invalid';
