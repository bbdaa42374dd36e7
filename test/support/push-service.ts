import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect } from 'vitest';

// A push service on loopback: it speaks RFC 8030, and verifies who sends (RFC 8292). Its devices decrypt what comes, as
// a browser does (RFC 8291).

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

/** Decrypts a message of the coding aes128gcm (RFC 8188) with the keys of a browser (RFC 8291). */
function decrypt(body: Buffer, browser: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + (body[20] ?? 0));
  const sealed = body.subarray(21 + sender.length);
  expect(body.readUInt32BE(16)).toBeGreaterThanOrEqual(sealed.length);
  const hkdf = (key: Buffer, from: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length));
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const secret = hkdf(browser.computeSecret(sender), auth, about, 32);
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const decipher = createDecipheriv('aes-128-gcm', key, hkdf(secret, salt, 'Content-Encoding: nonce\0', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  expect(padded.subarray(end + 1).every((byte) => byte === 0)).toBe(true);
  return padded.subarray(0, end).toString();
}

const json = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** Says what is wrong with the signature of a sender; null if it is the installation's with this key. */
function wrongVapid(header: string | undefined, origin: string, publicKey: string): string | null {
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(header ?? '') ?? [];
  const [head, claims, signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (key !== publicKey) return 'it is not the key that was subscribed for';
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } as never });
  const verifier = { key: jwk, dsaEncoding: 'ieee-p1363' as const };
  const signed = Buffer.from(`${head}.${claims}`);
  if (json(head).alg !== 'ES256') return 'it is not ES256';
  if (!verify('sha256', signed, verifier, Buffer.from(signature, 'base64url'))) return 'the signature';
  const { aud, exp, sub } = json(claims);
  const left = exp - Date.now() / 1000;
  if (aud !== origin) return `it is for ${aud}`;
  if (!(left > 0 && left <= 24 * 3_600)) return 'it is too old or lasts too long';
  return /^(mailto:.+@|https:\/\/)/.test(sub) ? null : 'nobody to turn to';
}

/** Starts a push service, which stops after the test file. */
export async function startPushService() {
  const devices = new Map<string, Device & { publicKey: string; own: ECDH }>();
  /** requests that were refused, and why */
  const refused: string[] = [];
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function take({ method, url = '', headers }: IncomingMessage, body: Buffer): Promise<number> {
    const device = devices.get(url);
    if (!device) return 404;
    if (device.status !== 201) return device.status;
    const wrong = wrongVapid(headers.authorization, origin(), device.publicKey);
    if (wrong !== null) {
      refused.push(wrong);
      return 403;
    }
    const { ttl, topic = '', urgency } = headers;
    if (method !== 'POST' || !/^\d+$/.test(String(ttl)) || !/^[\w-]{1,32}$/.test(String(topic))) return 400;
    if (headers['content-encoding'] !== 'aes128gcm' || body.length > 4096) return 400;
    const text = decrypt(body, device.own, Buffer.from(device.keys.auth, 'base64url'));
    device.received.push({ text, topic: String(topic), ttl: Number(ttl), urgency: String(urgency) });
    return 201;
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const status = await take(request, Buffer.concat(chunks)).catch((error) => {
      refused.push(String(error));
      return 400;
    });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    origin: origin(),
    refused,
    /** a new device that subscribes for the key of an installation */
    device(publicKey: string): Device {
      const own = createECDH('prime256v1');
      const p256dh = own.generateKeys('base64url');
      const path = `/to/${randomBytes(8).toString('hex')}`;
      const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
      const made = { endpoint: `${origin()}${path}`, keys, received: [], status: 201, publicKey, own };
      devices.set(path, made);
      return made;
    },
  };
}
