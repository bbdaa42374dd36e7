import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey } from '../accounts/keys.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';

/** The permission bits of a file's group and of all others. */
const OTHERS = 0o077;

/**
 * Creates the data folder, for this user only, if it does not exist. A folder that was there keeps its mode, because it
 * may be shared on purpose; a warning says if others may enter it. Returns a function that removes the folder and
 * everything in it, but only if this call created it.
 *
 * @throws Problem (500) when the folder cannot be created or written to
 */
export function prepareHome(home: string, log: Log): () => void {
  try {
    const made = mkdirSync(home, { recursive: true, mode: 0o700 });
    const { mode } = statSync(home);
    if (made === undefined && (mode & OTHERS) !== 0) {
      const octal = (mode & 0o777).toString(8);
      log.warn({ home, mode: octal }, 'other users may enter the data folder; chmod 700 keeps them out');
    }
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
