import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey } from '../accounts/keys.ts';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';

/**
 * Makes the data folder. Returns a function that removes it again with all that is in it, but only if it was not there
 * before.
 *
 * @throws Problem (500) when it cannot be made or written to
 */
export function prepareHome(home: string): () => void {
  try {
    const made = mkdirSync(home, { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    // openDatabase would fail late and less clearly
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
 * Returns the owner's key: LORE_KEY, else the one kept in the data folder, else a new one, kept there for this user
 * alone (mode 0600).
 *
 * @throws Problem (500) when the file holds no key
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
