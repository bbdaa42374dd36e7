import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Database, query, type Tx } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import { Problem } from '../errors/problem.ts';
import { hashKey, newKey } from './keys.ts';

// A phone signs in with a code that a person shows it: as a QR code, or as an address to open. The code is
// exchanged for a key of scope `device`, so it works only once, and only for minutes.

/** How long a code is valid. It is enough to take a phone out of the pocket. */
const VALID_MINUTES = 5;
/** 128 random bits: too many to guess, few enough for a QR code that a camera reads at once. */
const CODE_BYTES = 16;
/**
 * Behind them stands what only the server can have made of them. So a code that was made up is refused without a
 * question to the database, and nobody has to be held up for trying many.
 */
const MARK_BYTES = 8;

const markOf = (code: Buffer, secret: string): Buffer =>
  createHmac('sha256', secret).update('pairing ').update(code).digest().subarray(0, MARK_BYTES);

/** Returns whether a server with this secret made the code. */
function isPairingCode(code: string, secret: string): boolean {
  const bytes = Buffer.from(code, 'base64url');
  return (
    bytes.length === CODE_BYTES + MARK_BYTES &&
    timingSafeEqual(bytes.subarray(CODE_BYTES), markOf(bytes.subarray(0, CODE_BYTES), secret))
  );
}

/**
 * Makes a code with which one device of the caller can sign in. Codes of the caller that have expired are
 * removed.
 *
 * @param madeBy the key of the caller's request: if it is revoked, the code is no longer valid
 * @param secret of the server, which marks the code
 */
export async function createPairing(
  tx: Tx,
  madeBy: string,
  secret: string,
): Promise<{ code: string; expiresAt: string }> {
  const random = randomBytes(CODE_BYTES);
  const code = Buffer.concat([random, markOf(random, secret)]).toString('base64url');
  await query(tx, sql`delete from pairings where expires_at <= now()`);
  const [row] = await query<{ expiresAt: string }>(
    tx,
    sql`insert into pairings (code_hash, made_by, expires_at)
        values (${hashKey(code)}, ${madeBy}, now() + make_interval(mins => ${VALID_MINUTES}::int))
        returning to_json(expires_at) as "expiresAt"`,
  );
  return { code, expiresAt: new Date((row as { expiresAt: string }).expiresAt).toISOString() };
}

/**
 * Uses up a code and makes the key for it. The result is the only place where `key` is ever shown.
 *
 * @throws Problem (404), the same for a code that is unknown, used or expired
 */
export async function redeemPairing(
  db: Database,
  { code, name }: { code: string; name: string },
  secret: string,
): Promise<{ key: string; keyId: string; name: string }> {
  if (!isPairingCode(code, secret)) throw doesNotWork();
  const key = newKey();
  const [row] = await askSystem<{ id: string | null }>(
    db,
    sql`select lore.redeem_pairing(${hashKey(code)}, ${name}, ${hashKey(key)}) as id`,
  );
  if (typeof row?.id === 'string') return { key, keyId: row.id, name };
  throw doesNotWork();
}

const doesNotWork = () =>
  new Problem({
    status: 404,
    title: 'Pairing code not valid',
    detail: 'The code is unknown, was used, or is older than five minutes. Run lore pair for a new one.',
  });
