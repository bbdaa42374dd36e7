import type { Context } from 'hono';
import type { Config } from '../config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { dropOldest } from '../drop-oldest.ts';
import { Problem } from '../errors/problem.ts';
import { brokenAttachments } from '../files/attachments.ts';
import type { Env } from '../http/env.ts';
import { uncheckedCalls } from '../sessions/unchecked.ts';
import { objectIn } from '../text/json.ts';

// Where calls are not checked, and why. A hook that is refused or unanswered lets its call run, so somebody must hear of it.

/** A place where calls are not, or were not, checked. */
export type Unchecked = {
  /** a file of settings, a folder, a project */
  where: string;
  why: string;
  /** what to do, as a sentence; null: `lore init` again in that project */
  remedy: string | null;
  /** when it was noticed last; null: it is so now */
  at: Date | null;
};

type Refusal = { userId: string | null; folder: string | null; why: string; count: number; at: Date };

/** The hooks that this server refused, in memory. */
export type Refusals = {
  /** notes a request of a hook that is answered with an error */
  note(c: Context<Env>, error: Error): Promise<void>;
  /** forgets what was refused in a folder, because a hook passed there */
  passed(claims: Claims, folder: string | null | undefined): void;
  of(claims: Claims): Refusal[];
};

const MAX_REFUSALS = 100;
/** Nobody can tell whether a key that was refused is still in use, so that is soon forgotten. */
const FORGET_MS = 3_600_000;
/** Bodies that are longer are not looked into for their folder. */
const MAX_BODY = 1024 * 1024;

export function createRefusals(): Refusals {
  const kept = new Map<string, Refusal>();
  return {
    async note(c, error) {
      const caller = c.get('caller') as Claims | undefined;
      const folder = caller ? folderIn(await c.req.bodyCache.text) : null;
      const why = error instanceof Problem ? error.detail : 'Lore failed to answer; its log says why.';
      const userId = caller?.userId ?? null;
      const id = JSON.stringify([userId, folder, why]);
      const count = (kept.get(id)?.count ?? 0) + 1;
      kept.delete(id);
      kept.set(id, { userId, folder, why, count, at: new Date() });
      dropOldest(kept, MAX_REFUSALS);
    },
    passed({ userId }, folder) {
      if (kept.size === 0) return;
      for (const [id, one] of kept) if (one.userId === userId && one.folder === folder) kept.delete(id);
    },
    of: ({ userId, role }) =>
      [...kept.values()].filter(
        (one) =>
          (one.userId === userId || (one.userId === null && role === 'owner')) &&
          Date.now() - one.at.getTime() < FORGET_MS,
      ),
  };
}

function folderIn(body: unknown): string | null {
  const cwd = typeof body === 'string' && body.length <= MAX_BODY ? objectIn(body)?.cwd : null;
  return typeof cwd === 'string' ? cwd : null;
}

/** Returns where a caller's calls are not, or were not, checked. */
export async function uncheckedOf(
  services: { db: Database; config: Pick<Config, 'home' | 'clientFolder'>; refusals: Refusals },
  claims: Claims,
): Promise<Unchecked[]> {
  const broken = claims.role === 'owner' ? brokenAttachments(services.config) : [];
  const gaps = await asUser(services.db, claims, (tx) => uncheckedCalls(tx), { readOnly: true });
  return [
    ...broken.map(({ file, fault, remedy }) => ({ where: file, why: fault, remedy, at: null })),
    ...services.refusals.of(claims).map(({ folder, why, count, at }) => ({
      where: folder ?? 'A project',
      why: `sent ${count === 1 ? 'a hook that was' : `${count} hooks that were`} refused: ${why.replace(/\.$/, '')}`,
      remedy: START_SAYS,
      at,
    })),
    ...gaps.map(({ project, calls, unchecked, at }) => ({
      where: project,
      why: `had ${unchecked} of ${calls} calls in its last session of which no hook told Lore`,
      remedy: START_SAYS,
      at,
    })),
  ];
}

const START_SAYS = 'A session that starts there says what is wrong, or nothing if all is well.';
