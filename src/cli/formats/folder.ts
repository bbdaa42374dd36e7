import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Item, Source } from './item.ts';
import { readJsonl } from './jsonl.ts';

/** The file in the folder of an export that lists the others, in the order in which they can be imported. */
export const LISTING = 'lore-export.json';

// The listing may come from elsewhere, so its paths must not lead out of the folder.
const Listed = z.object({ path: z.string().regex(/^[\w-]+\/(?!\.)[\w.-]+\.jsonl$/), kind: z.string() });
export type Listed = z.infer<typeof Listed>;
const Listing = z.object({ files: z.array(Listed) });

/** Returns what the listing of a folder says; null if the folder has none, or one that is damaged. */
export function readListing(folder: string): z.infer<typeof Listing> | null {
  try {
    return Listing.parse(JSON.parse(readFileSync(join(folder, LISTING), 'utf8')));
  } catch {
    return null;
  }
}

/** Reads the folder of an export. */
export function readFolder(folder: string): Source {
  const sources = (readListing(folder)?.files ?? []).map(({ path }) => ({
    path,
    ...readJsonl(join(folder, path)),
  }));
  async function* items(): AsyncGenerator<Item> {
    for (const source of sources) {
      for await (const item of source.items) yield { ...item, where: `${source.path} ${item.where}` };
    }
  }
  const sum = (numbers: (number | null)[]) => numbers.reduce<number>((total, n) => total + (n ?? 0), 0);
  return {
    items: items(),
    total: sum(sources.map(({ total }) => total)),
    done: () => sum(sources.map(({ done }) => done())),
  };
}
