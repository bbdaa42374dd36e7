import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import webPush from 'web-push';
import { isLoopback } from '../../http/addresses.ts';

// Sends a push to the address that a browser named. Whoever has a key names it, so it must not lead the server to hosts
// that only the server reaches: of a push service that is not the server's own, https at a public address is asked.

const INSIDE_4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3';
/** All but what IPv6 gives out publicly, and the part of that which leads to IPv4. */
const INSIDE_6 = '::/3 4000::/2 8000::/1 2002::/16';
const INSIDE = new BlockList();
for (const [networks, family] of [
  [INSIDE_4, 'ipv4'],
  [INSIDE_6, 'ipv6'],
] as const)
  for (const network of networks.split(' ')) {
    const [address = '', bits] = network.split('/');
    INSIDE.addSubnet(address, Number(bits), family);
  }
const isInside = (address: string): boolean => INSIDE.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

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
  const inside = isIP(address) === 0 ? isLoopback(hostname) || !hostname.includes('.') : isInside(address);
  return inside ? 'must be the address of a public push service' : null;
}

/** Resolves a name like `lookup`, but fails if it leads to an address that is not public. */
const lookupPublic: LookupFunction = (hostname, options, answer) =>
  lookup(hostname, { ...options, all: true }, (error, found = []) => {
    const refused = found.find(({ address }) => isInside(address));
    const [first] = found;
    if (error || refused || !first)
      answer(error ?? new Error(`${hostname} leads to no public address`), '', 0);
    else if (options.all) answer(null, found);
    else answer(null, first.address, first.family);
  });

/** Where pushes to a device go: the address at the push service, and the browser's keys, in base64url. */
export type Subscription = { endpoint: string; p256dh: string; auth: string };

/** The installation's own key pair, in base64url. */
export type KeyPair = { publicKey: string; privateKey: string };

/** Something to tell a device. A later message under the same topic takes the place of one that waits. */
export type Message = { text: string; topic: string; urgent: boolean };

/** how long a blocked command can be answered, as in `waiting_commands` */
const ANSWERABLE_S = 24 * 3_600;
const MAX_ANSWER_MS = 10_000;

/**
 * Sends a message to a device, encrypted for its browser, and returns the status that its push service answers.
 *
 * @param from.contact an address for complaints: `https:` or `mailto:`
 * @throws Error when the push service cannot be reached, or may not be
 */
export async function sendPush(
  { endpoint, ...keys }: Subscription,
  { text, topic, urgent }: Message,
  from: { keys: KeyPair; contact: string; services: readonly string[]; signal: AbortSignal },
): Promise<number> {
  const refused = refusal(endpoint, from.services);
  if (refused !== null) throw new Error(`The address ${refused}.`);
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, text, {
    vapidDetails: { subject: from.contact, ...from.keys },
    TTL: ANSWERABLE_S,
    topic,
    urgency: urgent ? 'high' : 'normal',
  });
  const url = new URL(endpoint);
  const options = {
    method: 'POST',
    headers,
    agent: false as const,
    signal: AbortSignal.any([from.signal, AbortSignal.timeout(MAX_ANSWER_MS)]),
    ...(!from.services.includes(url.origin) && { lookup: lookupPublic }),
  };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // redirects are not followed, and what it says is of no use
    request(url, options, (response) => resolve(response.resume().statusCode ?? 0))
      .on('error', reject)
      .end(body);
  });
}
