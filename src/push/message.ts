import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto';

// The two standards by which a server sends to a browser through a stranger: what is sent is encrypted for the browser
// (RFC 8291, in the form of RFC 8188), and signed by the server for the push service (VAPID, RFC 8292).

const CURVE = 'prime256v1';

/** A key pair on P-256, both halves raw in base64url. */
export type KeyPair = { publicKey: string; privateKey: string };

/** Makes a key pair. */
export function newKeyPair(): KeyPair {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys('base64url');
  // a private key that begins with zeros comes shorter
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
  return { publicKey, privateKey };
}

/** The keys of a browser, in base64url. */
export type BrowserKeys = { p256dh: string; auth: string };

/** Returns whether these are keys that something can be encrypted for. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  try {
    const own = createECDH(CURVE);
    own.generateKeys();
    own.computeSecret(Buffer.from(p256dh, 'base64url'));
    return Buffer.from(auth, 'base64url').length === 16;
  } catch {
    return false;
  }
}

/** The size of a record, as the header says it. A message is one record. */
const RECORD = 4096;

/** Returns a text of at most 3 kB encrypted for a browser, as the body of a request with `content-encoding: aes128gcm`. */
export function encrypt(text: string, { p256dh, auth }: BrowserKeys): Buffer {
  const browser = Buffer.from(p256dh, 'base64url');
  const own = createECDH(CURVE);
  const ownPublic = own.generateKeys();
  const hkdf = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, length));
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), browser, ownPublic]);
  const secret = hkdf(own.computeSecret(browser), Buffer.from(auth, 'base64url'), about, 32);
  const salt = randomBytes(16);
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdf(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 ends the last record
  const sealed = [cipher.update(text), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD);
  return Buffer.concat([salt, size, Buffer.of(ownPublic.length), ownPublic, ...sealed]);
}

/** A signature may be valid for 24 hours at most; a clock may be wrong by hours. */
const SIGNED_FOR_S = 12 * 3_600;

/**
 * Returns the `authorization` header that tells a push service which installation sends.
 *
 * @param contact an address at which the maker of the push service finds who sends: `https:` or `mailto:`
 */
export function vapid(endpoint: string, { publicKey, privateKey }: KeyPair, contact: string): string {
  const point = Buffer.from(publicKey, 'base64url');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d: privateKey };
  const json = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + SIGNED_FOR_S;
  const claims = json({ aud: new URL(endpoint).origin, exp, sub: contact });
  const signed = `${json({ typ: 'JWT', alg: 'ES256' })}.${claims}`;
  const key = createPrivateKey({ format: 'jwk', key: jwk });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}
