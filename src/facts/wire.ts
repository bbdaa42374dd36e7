import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Database, Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import type { Env } from '../http/env.ts';
import { asCaller } from '../http/router.ts';
import { exactInstant, limit, problem, time } from '../http/schemas.ts';
import { ProjectName } from '../sessions/projects.ts';
import { CHANGES, TIERS } from './schema.ts';
import { storableText } from './values.ts';

// Parts of the routes of facts, relations and decisions that are the same.

export const name = () => storableText(200);
export const key = () => storableText(1000);
/** The name of a project in which something may be stated for the first time. */
export const wellFormed = ProjectName.refine(
  (text) => text.isWellFormed() && !text.includes('\0'),
  'cannot be stored',
);

/** The project of a statement; without one it is the user's own. */
const project = wellFormed.optional();
/** A project that a question is about, by any of its names. */
export const askedProject = z.string().min(1).max(4096).optional();

export const provenance = {
  project,
  /** default: now */
  validFrom: exactInstant().optional(),
  validUntil: exactInstant().optional(),
  /** default: person with a key of a person, else agent */
  tier: z.enum(TIERS).optional(),
  evidence: storableText(4000).optional(),
  /** the session that it was learned in, by Lore's id or the client's */
  session: z.string().min(1).max(200).optional(),
  agent: name().optional(),
};
export const source = storableText(1000).optional();

type Period = { validFrom?: string | undefined; validUntil?: string | undefined };
/** Refines a statement: it must not end before it begins. */
export const inOrder = ({ validFrom, validUntil }: Period) =>
  validFrom === undefined || validUntil === undefined || validFrom < validUntil;
export const notInOrder = { message: 'must be later than validFrom', path: ['validUntil'] };

/** The two clocks of a question: when something was true, and when Lore believed it. */
export const instants = { asOf: exactInstant().optional(), recordedAsOf: exactInstant().optional() };

export const page = {
  /** the last id of the previous page */
  before: z.guid().optional(),
  limit: limit(500, 50),
};

/** What every fact, relation and decision tells about itself. */
export const statement = {
  id: z.string(),
  project: z.string().nullable(),
  tier: z.enum(TIERS),
  evidence: z.string().nullable(),
  sessionId: z.string().nullable(),
  agent: z.string().nullable(),
  validFrom: time,
  validUntil: time.nullable(),
  recordedAt: time,
  recordedUntil: time.nullable(),
  openedBy: z.enum(CHANGES),
  closedBy: z.enum(CHANGES).nullable(),
  confirmedAt: time,
  confirmations: z.number(),
};

/** What becomes of a statement. */
export const outcome = z.enum(['opened', 'confirmed']);
/** What becomes of a value, and the id of what held before, if it is another statement. */
export const put = { outcome, replaced: z.string().nullable() };

export const reference = z.object({ id: z.string().min(8).max(45) });
export const idOnly = z.object({ id: z.string().min(1).max(45) });
export const noSuch = { 404: problem('Nothing there that this could change') };
export const conflict = {
  409: problem('What holds comes from a weightier tier, later changes stand, or others changed it meanwhile'),
};
export const mayNot = { 403: problem('An agent’s key may not claim to be a person') };

/** How often a change is tried, if other changes of the same rows get ahead of it. */
const TRIES = 4;
/** SQLSTATE codes for two changes that meet: overlapping rows, a deadlock, a conflict of snapshots. */
const MET = ['23P01', '40P01', '40001'];

/**
 * Makes a change as the caller of a request. If another change of the same rows gets ahead of it, it is tried again, up
 * to three times.
 *
 * @throws Problem (409) when others got ahead each time
 */
export async function changing<T>(
  services: { db: Database },
  c: Context<Env>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await asCaller(services, c, work);
    } catch (error) {
      const code =
        ((error as Error).cause as { code?: unknown } | undefined)?.code ??
        (error as { code?: unknown }).code;
      if (!MET.includes(String(code))) throw error;
      if (tries < TRIES) continue;
      throw new Problem({
        status: 409,
        title: 'Changed meanwhile',
        detail: 'Others changed the same at the same time, and nothing was stored. Try again.',
        cause: error,
      });
    }
  }
}
