import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { lanAddresses } from './addresses.ts';

// A certificate that this machine signs itself, for TLS in a network without names. Nobody vouches for it: whoever connects
// compares its fingerprint. Node reads certificates and makes none, so the few fields are put together here (RFC 5280, in DER).

export type Certificate = {
  /** both in PEM */
  key: string;
  cert: string;
  /** SHA-256 of the certificate, as browsers show it: `AB:CD:…` */
  fingerprint: string;
};

/** Apple's devices accept no more than 825 days. */
const VALID_DAYS = 820;
const DAY_MS = 24 * 3_600_000;
/** It is made anew when it is valid for no longer than this. */
const RENEW_MS = 30 * DAY_MS;

/**
 * Returns the certificate in the data folder, or makes it: for this machine's names and its addresses of now. It stays the
 * same when addresses change, since others know it by its fingerprint.
 *
 * @throws Problem (500) when the file holds no certificate
 */
export function certificateIn(home: string): Certificate {
  const file = join(home, 'tls.pem');
  if (existsSync(file)) {
    const known = read(file);
    if (Date.parse(known.validTo) - Date.now() > RENEW_MS) return known;
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const name = hostname().toLowerCase();
  const names = ['localhost', name, `${name.split('.')[0]}.local`, '127.0.0.1', ...lanAddresses()];
  const cert = selfSigned([...new Set(names)], spki, key, new Date());
  writeAtomically(file, key + cert, { mode: 0o600 });
  return read(file);
}

/** Returns the fingerprint of the certificate in a data folder; null if there is none. */
export const fingerprintIn = (home: string): string | null => {
  const file = join(home, 'tls.pem');
  return existsSync(file) ? read(file).fingerprint : null;
};

function read(file: string): Certificate & { validTo: string } {
  try {
    const text = readFileSync(file, 'utf8');
    const [cert = ''] = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/.exec(text) ?? [];
    const { fingerprint256: fingerprint, validTo } = new X509Certificate(cert);
    const key = createPrivateKey(text).export({ type: 'pkcs8', format: 'pem' }) as string;
    return { key, cert, fingerprint, validTo };
  } catch (cause) {
    throw new Problem({
      status: 500,
      title: 'Certificate file is damaged',
      detail: `${file} holds no key and certificate. Delete it to get a new one; other machines then need its fingerprint.`,
      cause,
    });
  }
}

/** Returns a certificate in PEM, for a server with these names and addresses. */
function selfSigned(names: string[], spki: Buffer, key: string, from: Date): string {
  const until = new Date(from.getTime() + VALID_DAYS * DAY_MS);
  const ecdsaSha256 = sequence(objectId('2a8648ce3d040302'));
  const subject = sequence(set(sequence(objectId('550403'), der(0x0c, Buffer.from('Lore')))));
  // a number that no other certificate has; its first bit is not set, as it would be negative
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const isAuthority = sequence();
  const use = sequence(objectId('2b06010505070301'));
  const digitalSignature = der(0x03, Buffer.of(7, 0x80));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    ecdsaSha256,
    subject,
    sequence(instant(from), instant(until)),
    subject,
    spki,
    der(
      0xa3,
      sequence(
        extension('551d13', isAuthority, { critical: true }),
        extension('551d0f', digitalSignature, { critical: true }),
        extension('551d25', use),
        extension('551d11', sequence(...names.map(generalName))),
      ),
    ),
  );
  const signature = sign('sha256', body, key);
  const whole = sequence(body, ecdsaSha256, der(0x03, Buffer.of(0), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Returns a value of DER: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const size = length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
  return Buffer.concat([Buffer.of(tag), size, content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const set = (...parts: Buffer[]) => der(0x31, ...parts);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

/** `20260131235959Z`; years before 2050 are written with two digits. */
function instant(at: Date): Buffer {
  const text = `${at.toISOString().replace(/[-:T]|\..*/g, '')}Z`;
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

const extension = (id: string, value: Buffer, { critical = false } = {}) =>
  sequence(objectId(id), ...(critical ? [der(0x01, Buffer.of(0xff))] : []), der(0x04, value));

const generalName = (name: string) =>
  isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));
