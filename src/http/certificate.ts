import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../base/errors/problem.ts';
import { readText } from '../base/files/read-text.ts';
import { writeAtomically } from '../base/files/write-atomically.ts';
import { lanAddresses } from './addresses.ts';

// A certificate that this machine signs itself, by openssl, for https in a network without names. Nobody vouches for it:
// whoever connects compares its fingerprint.

/** Apple's devices accept no more than 825 days. It is made anew a month before its end. */
const DAYS = 820;
const RENEW_MS = 30 * 24 * 3_600_000;

/**
 * Returns the key and the certificate in the data folder, in PEM; made for this machine's names and addresses of now. It
 * stays the same when addresses change, since others know it by its fingerprint.
 *
 * @throws Problem (500) where openssl is missing, or the file is damaged
 */
export function certificateIn(home: string): string {
  const file = join(home, 'tls.pem');
  const known = readText(file);
  try {
    if (known !== null && Date.parse(new X509Certificate(known).validTo) - Date.now() > RENEW_MS)
      return known;
    const names = new Set(['localhost', hostname().toLowerCase(), '127.0.0.1', ...lanAddresses()]);
    const alternatives = [...names].map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`).join(',');
    const how = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${DAYS} -subj /CN=Lore -keyout - -addext extendedKeyUsage=serverAuth -addext subjectAltName=${alternatives}`;
    const made = execFileSync('openssl', how.split(' '), { encoding: 'utf8', stdio: 'pipe' });
    writeAtomically(file, made, { mode: 0o600 });
    return made;
  } catch (cause) {
    const detail = `${(cause as Error).message}. It is made by openssl; ${file} may be deleted to get a new one.`;
    throw new Problem({ status: 500, title: 'No certificate', detail, cause });
  }
}

/** Returns the fingerprint of a certificate, as browsers show it. */
export const fingerprintOf = (pem: string): string => new X509Certificate(pem).fingerprint256;
