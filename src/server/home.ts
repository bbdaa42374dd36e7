import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnerKey } from '../accounts/accounts.ts';
import { newKey } from '../accounts/keys.ts';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { makeFolder } from '../base/files/make-folder.ts';
import { writeAtomically } from '../base/files/write-atomically.ts';

/**
 * Creates the data folder, for this user only, if it does not exist. Returns a function that removes the folder and
 * everything in it, but only if this call created it.
 *
 * @throws Problem (500) when the folder cannot be created or written to
 */
export function prepareHome(home: string): () => void {
  try {
    const made = makeFolder(home);
    accessSync(home, constants.W_OK);
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
 * Returns the key to start with: LORE_KEY, else the key in the data folder, else a new key, which is written to the
 * data folder so that only this user can read it (mode 0600).
 *
 * @throws Problem (500) when the key file holds no key and there is no LORE_KEY
 */
export function ownerKey(config: Config): OwnerKey {
  const file = join(config.home, 'key');
  const inFolder = existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  if (config.key !== undefined) return { key: config.key, source: 'LORE_KEY', inFolder };
  if (inFolder !== null) {
    if (inFolder.length >= 20) return { key: inFolder, source: 'key file', inFolder };
    throw new Problem({
      status: 500,
      title: 'Key file is damaged',
      detail: `${file} holds no key. Restore it, or delete it to get a new key (then run lore init again).`,
    });
  }
  const key = newKey();
  writeAtomically(file, `${key}\n`, { mode: 0o600 });
  return { key, source: 'key file', inFolder: key };
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
  if (!existsSync(file)) {
    const secret = randomBytes(32).toString('base64url');
    writeAtomically(file, `${secret}\n`, { mode: 0o600 });
    return secret;
  }
  const secret = statSync(file).isFile() ? readFileSync(file, 'utf8').trim() : '';
  if (secret.length >= 32) return secret;
  throw new Problem({
    status: 500,
    title: 'Secret file is damaged',
    detail: `${file} holds no secret. Restore it, or delete it to get a new one (then verdicts given by lore allow and lore deny no longer hold).`,
  });
}
