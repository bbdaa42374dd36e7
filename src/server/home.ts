import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey } from '../accounts/keys.ts';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';

/**
 * Creates the data folder if it does not exist. Returns a function that removes the folder and everything in it, but
 * only if this call created it.
 *
 * @throws Problem (500) when the folder cannot be created or written to
 */
export function prepareHome(home: string): () => void {
  try {
    const made = mkdirSync(home, { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    // Check that the folder is writable: openDatabase would fail later and less clearly.
    const probe = join(home, '.writable');
    writeFileSync(probe, '');
    rmSync(probe);
    return () => {
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
    };
  } catch (cause) {
    throw new Problem({
      status: 500,
      title: 'Data folder cannot be used',
      detail: `${home}: ${cause instanceof Error ? cause.message : cause}. Set LORE_HOME to a folder you may write to.`,
      cause,
    });
  }
}

/**
 * Returns the owner's key: LORE_KEY, else the key in the data folder, else a new key, which is written to the data
 * folder so that only this user can read it (mode 0600).
 *
 * @throws Problem (500) when the key file holds no key
 */
export function ownerKey(config: Config): string {
  const file = join(config.home, 'key');
  if (config.key !== undefined) return config.key;
  if (existsSync(file)) {
    const key = readFileSync(file, 'utf8').trim();
    if (key.length >= 20) return key;
    throw new Problem({
      status: 500,
      title: 'Key file is damaged',
      detail: `${file} holds no key. Restore it, or delete it to get a new key (then run lore init again).`,
    });
  }
  const key = newKey();
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/**
 * Returns the secret that keys the codes of verdicts: LORE_SECRET, else the one in the data folder, else a new one of 32
 * random bytes, which is written to the data folder so that only this user can read it (mode 0600).
 *
 * @throws Problem (500) when the file holds no secret
 */
export function serverSecret(config: Pick<Config, 'home' | 'secret'>): string {
  if (config.secret !== undefined) return config.secret;
  const file = join(config.home, 'secret');
  if (existsSync(file)) {
    try {
      const secret = readFileSync(file, 'utf8').trim();
      if (secret.length >= 32) return secret;
    } catch {
      // not a file, or no right to read it
    }
    throw new Problem({
      status: 500,
      title: 'Secret file is damaged',
      detail: `${file} holds no secret. Restore it, or delete it to get a new one (then verdicts given by lore allow and lore deny no longer hold).`,
    });
  }
  const secret = randomBytes(32).toString('base64url');
  // a kill or a power cut must not leave half a secret under the name
  writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return secret;
}
