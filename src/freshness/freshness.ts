import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { quote } from '../offers/frame.ts';
import type { InBackground } from '../timing/loop.ts';
import {
  type Citation,
  citationsOf,
  keepLooked,
  type Looked,
  type Stale,
  staleAmong,
  waitingCitations,
} from './citations.ts';
import { headOf, look, type Seen } from './look.ts';

/**
 * Longest look before an answer, in milliseconds. The rest is looked at behind the answer, which tells the
 * last known state.
 */
const MAX_LOOK_MS = 5;
/** How many citations are looked at behind one answer. */
const MAX_BEHIND = 200;

export type FreshnessServices = { db: Database; inBackground: InBackground };

/**
 * Returns whether the server itself can look into a folder: only the owner's files are on this machine, and only the
 * owner's events may name folders that are looked into.
 */
export const isHere = ({ role }: Claims, root: string | null): boolean =>
  role === 'owner' && root !== null && existsSync(root);

/**
 * Returns the stale citations, by the id of their record. For the owner, the server looks at the files now,
 * for at most 5 ms, and at the rest behind the answer. What it sees is stored. For other users it returns
 * what their clients reported last.
 */
export function freshen(
  services: FreshnessServices,
  claims: Claims,
  citations: Citation[],
): Map<string, Stale[]> {
  const seen = new Map<Citation, Seen>();
  const mine = citations.filter(({ root }) => isHere(claims, root));
  const until = performance.now() + MAX_LOOK_MS;
  const rest = mine.filter((citation) => {
    if (performance.now() >= until) return true;
    seen.set(citation, look(citation.root as string, citation.ref));
    return false;
  });
  const stale = staleAmong(citations, seen);
  const changed = [...seen].filter(([citation, now]) => isNews(citation, now));
  if (changed.length > 0 || rest.length > 0) {
    services.inBackground('look at what records cite', async () => {
      const behind: [Citation, Seen][] = [];
      for (const citation of rest.slice(0, MAX_BEHIND)) {
        behind.push([citation, look(citation.root as string, citation.ref)]);
        await setImmediate();
      }
      const looked = [...changed, ...behind.filter(([citation, now]) => isNews(citation, now))].map(toLooked);
      if (looked.length > 0) await asUser(services.db, claims, (tx) => keepLooked(tx, looked));
    });
  }
  return stale;
}

const isNews = (citation: Citation, now: Seen): boolean => {
  const [one] = [...staleAmong([citation], new Map([[citation, now]])).values()].flat();
  return (one?.state ?? (now.state === 'unknown' ? 'unknown' : 'fresh')) !== citation.state;
};

const toLooked = ([{ kind, id, ref, head }, seen]: [Citation, Seen]): Looked => {
  return { kind, id, ref, head, seen };
};

/** Returns the stale citations of records of the caller, by the ids of the records (see {@link freshen}). */
export async function freshnessOf(
  services: FreshnessServices,
  claims: Claims,
  ids: string[],
): Promise<Map<string, Stale[]>> {
  if (ids.length === 0) return new Map();
  const citations = await asUser(services.db, claims, (tx) => citationsOf(tx, ids), { readOnly: true });
  return freshen(services, claims, citations);
}

/**
 * Returns a function that tells an agent in one line which citations of a record are stale (see {@link
 * freshen}).
 */
export function staleLines(
  services: FreshnessServices,
  claims: Claims,
  citations: Citation[],
): (id: string) => string | undefined {
  const stale = freshen(services, claims, citations);
  return (id) => staleLine(stale.get(id));
}

function staleLine(stale: Stale[] | undefined): string | undefined {
  if (!stale || stale.length === 0) return undefined;
  const [first] = stale;
  const named = stale.slice(0, 3).map(({ ref, state }) => {
    const name = quote(ref.replace(/^(file|symbol|commit):/, ''), 40);
    return `${name} ${state === 'gone' ? 'is gone' : 'has changed'}`;
  });
  const more = stale.length > 3 ? ` and ${stale.length - 3} more` : '';
  const since = first?.head ? ` since ${first.head.slice(0, 7)}` : '';
  return `STALE: ${named.join(', ')}${more}${since}`;
}

/** How many baselines are taken in one turn. */
const BATCH = 100;

/**
 * Takes the baselines for the citations of the owner's new records. If the project's folder is not on this
 * machine, a citation waits until a client reports its baseline.
 *
 * @returns whether there may be more
 */
export async function takeBaselines(db: Database, ownerId: string): Promise<boolean> {
  const claims: Claims = { userId: ownerId, role: 'owner' };
  const waiting = await asUser(db, claims, (tx: Tx) => waitingCitations(tx, BATCH), { readOnly: true });
  /** the commit of each folder that is here */
  const heads = new Map<string, string | null>();
  const looked: Looked[] = [];
  for (const { kind, id, ref, root } of waiting) {
    if (root === null || !existsSync(root)) continue;
    const head = heads.has(root) ? heads.get(root) : headOf(root);
    heads.set(root, head ?? null);
    looked.push({ kind, id, ref, seen: look(root, ref), head: head ?? null, root });
    await setImmediate();
  }
  if (looked.length > 0) await asUser(db, claims, (tx) => keepLooked(tx, looked));
  return looked.length === BATCH;
}
