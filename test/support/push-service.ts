import { createECDH, type ECDH, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { verify } from 'hono/jwt';
import { afterAll } from 'vitest';
import { listen } from './loopback.ts';

// A push service on loopback: it speaks RFC 8030, and verifies who sends (RFC 8292). Its devices decrypt what comes, as
// a browser does (RFC 8291), by the library that comes with web-push.
const { decrypt } = createRequire(import.meta.url)('http_ece');

type Received = { text: string; topic: string; ttl: number; urgency: string };

/** A browser that somebody can push to. */
export type Device = {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** what has arrived, decrypted */
  received: Received[];
  /** what the service answers to pushes to it; 201 as long as it is there */
  status: number;
};

/** Says what is wrong with who sent a message; null if it is the installation with this key. */
async function wrongVapid(header: string | undefined, to: string, publicKey: string): Promise<string | null> {
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(header ?? '') ?? [];
  if (key !== publicKey) return 'it is not the key that was subscribed for';
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const { aud, exp, sub } = await verify(token, { kty: 'EC', crv: 'P-256', x, y } as never, 'ES256');
  if (aud !== to) return `it is for ${aud}`;
  if (Number(exp) > Date.now() / 1000 + 24 * 3_600) return 'it lasts too long';
  return /^(mailto:.+@|https:\/\/)/.test(String(sub)) ? null : 'nobody to turn to';
}

/** Starts a push service, which stops after the test file. */
export async function startPushService() {
  const devices = new Map<string, Device & { publicKey: string; own: ECDH }>();
  /** requests that were refused, and why */
  const refused: string[] = [];

  async function take({ method, url = '', headers }: IncomingMessage, body: Buffer): Promise<number> {
    const device = devices.get(url);
    if (!device) return 404;
    if (device.status !== 201) return device.status;
    const wrong = await wrongVapid(headers.authorization, origin, device.publicKey);
    if (wrong !== null) {
      refused.push(wrong);
      return 403;
    }
    const { ttl, topic = '', urgency } = headers;
    if (method !== 'POST' || !/^\d+$/.test(String(ttl)) || !/^[\w-]{1,32}$/.test(String(topic))) return 400;
    if (headers['content-encoding'] !== 'aes128gcm' || body.length > 4096) return 400;
    const keys = { privateKey: device.own, authSecret: device.keys.auth };
    const text = decrypt(body, { version: 'aes128gcm', ...keys }).toString();
    device.received.push({ text, topic: String(topic), ttl: Number(ttl), urgency: String(urgency) });
    return 201;
  }

  const { url: origin, close } = await listen(async (request, response) => {
    const status = await take(request, await buffer(request)).catch((error) => {
      refused.push(String(error));
      return 400;
    });
    response.writeHead(status).end();
  });
  afterAll(close);
  return {
    origin,
    refused,
    /** a new device that subscribes for the key of an installation */
    device(publicKey: string): Device {
      const own = createECDH('prime256v1');
      const p256dh = own.generateKeys('base64url');
      const path = `/to/${randomBytes(8).toString('hex')}`;
      const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
      const made = { endpoint: `${origin}${path}`, keys, received: [], status: 201, publicKey, own };
      devices.set(path, made);
      return made;
    },
  };
}
