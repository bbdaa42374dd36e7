import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../http/addresses.ts';
import { type BrowserKeys, encrypt, type KeyPair, vapid } from './message.ts';

// Sends a push to the address that a browser named. Whoever has a key names it, so it must not lead the server to hosts
// that only the server reaches: of a push service that is not the server's own, https at a public address is asked.

/** IPv4 addresses that are not of the public network. */
const NOT_PUBLIC = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/');
  NOT_PUBLIC.addSubnet(address, Number(bits), 'ipv4');
}
/** What IPv6 gives out publicly, without the part that leads to IPv4. */
const PUBLIC_6 = new BlockList();
PUBLIC_6.addSubnet('2000::', 3, 'ipv6');
const TO_IPV4 = new BlockList();
TO_IPV4.addSubnet('2002::', 16, 'ipv6');

const isPublic = (address: string): boolean =>
  isIP(address) === 4
    ? !NOT_PUBLIC.check(address, 'ipv4')
    : PUBLIC_6.check(address, 'ipv6') && !TO_IPV4.check(address, 'ipv6');

/**
 * Returns why a push may not be sent to an address; null if it may. Where a name leads is only known when it is sent.
 *
 * @param services origins of push services of the person's own, which may be anywhere
 */
export function refusal(endpoint: string, services: readonly string[]): string | null {
  const { protocol, hostname, port, origin, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return 'must hold no password';
  if (services.includes(origin)) return null;
  if (protocol !== 'https:' || port !== '') return 'must be https, at the usual port';
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const inside = isIP(address) === 0 ? isLoopback(hostname) || !hostname.includes('.') : !isPublic(address);
  return inside ? 'must be the address of a public push service' : null;
}

/** Resolves a name like `lookup`, but fails if it leads to an address that is not public. */
const lookupPublic: LookupFunction = (hostname, options, answer) =>
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const refused = found?.find(({ address }) => !isPublic(address));
    const failed =
      error ?? (refused ? new Error(`${hostname} leads to ${refused.address}, which is not public`) : null);
    const [first] = found ?? [];
    if (failed || !first) answer(failed ?? new Error(`${hostname} leads nowhere`), '', 0);
    else if (options.all) answer(null, found);
    else answer(null, first.address, first.family);
  });

/** Something to tell a device. */
export type Message = {
  /** what the service worker is told, as JSON */
  text: string;
  /** a later message under the same topic takes the place of one that waits at the push service */
  topic: string;
  /** how long the push service keeps it for a device that is off */
  ttlSeconds: number;
  /** whether a device is woken for it */
  urgent: boolean;
};

const MAX_ANSWER_MS = 10_000;

/**
 * Sends a message to a device, and returns the status that its push service answers.
 *
 * @throws Error when the push service cannot be reached, or may not be
 */
export function sendPush(
  to: BrowserKeys & { endpoint: string },
  { text, topic, ttlSeconds, urgent }: Message,
  from: { keys: KeyPair; contact: string; services: readonly string[]; signal: AbortSignal },
): Promise<number> {
  const refused = refusal(to.endpoint, from.services);
  if (refused !== null) return Promise.reject(new Error(`The address ${refused}.`));
  const url = new URL(to.endpoint);
  const isOwn = from.services.includes(url.origin);
  const body = encrypt(text, to);
  const options = {
    method: 'POST',
    agent: false as const,
    signal: AbortSignal.any([from.signal, AbortSignal.timeout(MAX_ANSWER_MS)]),
    ...(!isOwn && { lookup: lookupPublic }),
    headers: {
      authorization: vapid(to.endpoint, from.keys, from.contact),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': body.length,
      ttl: String(ttlSeconds),
      topic,
      urgency: urgent ? 'high' : 'normal',
    },
  };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      // redirects are not followed, and what it says is of no use
      response.resume().on('error', () => {});
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end(body);
  });
}
