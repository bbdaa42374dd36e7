import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { type Database, query } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import { isLoopback, lanAddresses, listensEverywhere } from '../http/addresses.ts';
import { time } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { AccountName } from './account-name.ts';
import { hashKey, newKey } from './keys.ts';

// A phone signs in with a code that a person shows it: as a QR code, or as an address to open. The code is exchanged for
// a key of scope `device`, so it works only once, and only for minutes.

/** How long a code is valid. It is enough to take a phone out of the pocket. */
const VALID_MINUTES = 5;
/** 128 random bits: too many to guess, few enough for a QR code that a camera reads at once. */
const CODE_BYTES = 16;

const Pairing = z
  .object({
    code: z.string(),
    expiresAt: time,
    /** the page, with the code behind a #: what follows that is sent to no server */
    url: z.string(),
  })
  .openapi('Pairing');
const Paired = z.object({ key: z.string(), keyId: z.string(), name: z.string() }).openapi('Paired');

type PublicAddress = Pick<Config, 'url' | 'host' | 'port' | 'tlsPort'>;

/** The route that makes codes. If the key of its request is revoked, the code is no longer valid. */
export const pairingRoutes = served((route, services: { config: PublicAddress }) =>
  route(
    'POST /v1/pairings',
    'A code that signs a device of the caller in: once, within five minutes; it is shown this once',
    { answer: Pairing, created: true, problems: { 403: 'Only with a key' } },
    async ({ as, caller: { keyId }, url }) => {
      if (keyId === null)
        throw new Problem({
          status: 403,
          title: 'Sign in on the device itself',
          detail: 'A code is worth as much as the key that it was made with. Who signed in has none.',
        });
      const code = randomBytes(CODE_BYTES).toString('base64url');
      const expiresAt = await as(async (tx) => {
        await query(tx)`delete from pairings where expires_at <= now()`;
        const [row] = await query<{ at: string }>(tx)`
          insert into pairings (code_hash, made_by, expires_at)
          values (${hashKey(code)}, ${keyId}, now() + make_interval(mins => ${VALID_MINUTES}::int))
          returning to_json(expires_at) as at`;
        return row?.at ?? '';
      });
      return { code, expiresAt, url: `${publicBase(services.config, new URL(url))}/#pair=${code}` };
    },
  ),
);

/**
 * Returns the address under which a phone finds the page: LORE_URL, unless it names only this machine; else an address in
 * the local network, if the server listens there; else the address of the caller's request.
 */
function publicBase({ url, host, port, tlsPort }: PublicAddress, asked: URL): string {
  if (!isLoopback(new URL(url).hostname)) return url;
  const [address] = tlsPort || listensEverywhere(host) ? lanAddresses() : [];
  if (address === undefined) return asked.origin;
  return tlsPort ? `https://${address}:${tlsPort}` : `http://${address}:${port || asked.port}`;
}

/** The route that exchanges a code for a key. It needs no key itself. */
export const redeemRoutes = served((route, { db }: { db: Database }) =>
  route(
    'POST /v1/pairings/redeem',
    'Get a key of scope device for a code; the key is shown this once',
    {
      body: z.strictObject({
        code: z.string().regex(/^[\w-]{1,100}$/, 'must be a code as lore pair shows it'),
        /** name of the device in its user's list of devices */
        name: AccountName,
      }),
      answer: Paired,
      created: true,
      problems: { 404: 'The code is unknown, used or expired' },
      open: true,
    },
    async ({ body: { code, name } }) => {
      const key = newKey();
      const [row] = await askSystem<{ id: string | null }>(db)`
        select lore.redeem_pairing(${hashKey(code)}, ${name}, ${hashKey(key)}) as id`;
      if (typeof row?.id === 'string') return { key, keyId: row.id, name };
      // the same for a code that is unknown, used or expired
      throw new Problem({
        status: 404,
        title: 'Pairing code not valid',
        detail: 'The code is unknown, was used, or is older than five minutes. Run lore pair for a new one.',
      });
    },
  ),
);
