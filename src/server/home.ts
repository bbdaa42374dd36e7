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

/** Returns what a file of the data folder holds; a new one is made, for this user only. @throws Problem (500) if it is damaged */
function keptIn(home: string, name: 'key' | 'secret', least: number, make: () => string, after: string) {
  const file = join(home, name);
  if (!existsSync(file)) writeAtomically(file, `${make()}\n`, { mode: 0o600 });
  const text = statSync(file).isFile() ? readFileSync(file, 'utf8').trim() : '';
  if (text.length >= least) return text;
  const title = name === 'key' ? 'Key file is damaged' : 'Secret file is damaged';
  const detail = `${file} holds no ${name}. Restore it, or delete it to get a new one (then ${after}).`;
  throw new Problem({ status: 500, title, detail });
}

/** Returns the key to start with: LORE_KEY, else the one in the data folder. @throws Problem (500) if that file holds none */
export function ownerKey({ home, key }: Config): OwnerKey {
  const file = join(home, 'key');
  const there = key !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  if (key !== undefined) return { key, source: 'LORE_KEY', inFolder: there };
  const inFolder = keptIn(home, 'key', 20, newKey, 'run lore init again');
  return { key: inFolder, source: 'key file', inFolder };
}

/** Returns the secret that keys the codes of verdicts: LORE_SECRET, else the one in the data folder. @throws Problem (500) as above */
export const serverSecret = ({ home, secret }: Pick<Config, 'home' | 'secret'>): string =>
  secret ??
  keptIn(
    home,
    'secret',
    32,
    () => randomBytes(32).toString('base64url'),
    'verdicts of persons no longer hold',
  );
