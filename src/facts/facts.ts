import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import type { Tier } from './schema.ts';
import {
  badField,
  change,
  endStatement,
  type Instants,
  inScopeOf,
  listStatements,
  openStatement,
  type Provenance,
  type Put,
  provenanceColumns,
  putOf,
  refuseUnmade,
  type Statement,
  statementColumns,
  undoStatement,
  wholeStatement,
} from './statements.ts';

// Facts: what holds, with two clocks. SQL makes every change, also of relations and decisions: sql/temporal.

export type Fact = Statement & { type: string; key: string; value: unknown };

/** What a fact is about. Without a project it is the user's own. */
export type FactKey = { type: string; key: string; project?: string | undefined };
export type StatedFact = FactKey & Provenance & { value: unknown };

const columns = sql`${statementColumns}, t.type, t.key, t.value`;
const subjectOf = ({ type, key }: { type: string; key: string }) =>
  sql`temporal_subject(${type}::text, ${key}::text)`;
const nameOf = ({ type, key }: FactKey) => `${type} ${key}`;

/**
 * Returns a fact without secrets, as it may be stored. Call it before a transaction is opened.
 *
 * @throws Problem (400) when its type or key contains a secret: if that were removed, different keys would
 *   become equal
 */
export function prepareFact(stated: StatedFact): StatedFact {
  for (const field of ['type', 'key'] as const) {
    if (redactText(stated[field]) !== stated[field]) throw holdsSecret(field);
  }
  return redactValue(stated, WHOLE);
}

/** Returns the refusal (400) of a statement whose field, such as its key, contains a secret. */
export const holdsSecret = (field: string) =>
  badField(field, 'holds what looks like a secret; choose a name without it');

/**
 * States a fact (see sql/temporal/temporal_put.sql for what becomes of the values before and after it). The same value
 * again confirms it.
 *
 * @throws Problem (409) when what holds comes from a weightier tier; then nothing is stored
 */
export async function putFact(tx: Tx, stated: StatedFact): Promise<Fact & Put> {
  const { type, key, value } = stated;
  const row = { ...(await provenanceColumns(tx, stated)), type, key, value };
  const made = await change(
    tx,
    sql`temporal_put('facts', ${subjectOf(stated)}, ${JSON.stringify(row)}::jsonb, 'value')`,
  );
  refuseUnmade(made, nameOf(stated));
  return { ...((await openStatement<Fact>(tx, 'fact', columns, made.id)) as Fact), ...putOf(made) };
}

/**
 * Returns the facts that held at the instants of a question. For each key, the project's own fact comes
 * first.
 */
export async function listFacts(
  tx: Tx,
  filter: Instants & {
    type?: string | undefined;
    key?: string | undefined;
    project?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Fact[]> {
  const { type, key, project } = filter;
  const scope = await inScopeOf(tx, project);
  const about =
    type !== undefined && key !== undefined
      ? sql`t.subject = ${subjectOf({ type, key })}`
      : sql`(${type ?? null}::text is null or t.type = ${type ?? null})
          and (${key ?? null}::text is null or t.key = ${key ?? null})`;
  return listStatements<Fact>(tx, 'fact', columns, {
    ...filter,
    where: sql`${about} and ${scope}`,
    ...(key !== undefined && { first: sql`t.project_id is null` }),
  });
}

/**
 * Returns every row of a key, in the order in which Lore learned them: what was believed, from when until
 * when, and for which period. With instants, returns only the rows that were believed, or that were true, at
 * those times.
 */
export async function factHistory(tx: Tx, asked: FactKey & Instants & { limit: number }): Promise<Fact[]> {
  const { project, asOf, recordedAsOf, limit } = asked;
  return query<Fact>(
    tx,
    sql`select ${columns} from facts t
        where t.user_id = auth.uid() and t.subject = ${subjectOf(asked)} and ${await inScopeOf(tx, project)}
          and (${asOf ?? null}::timestamptz is null
            or tstzrange(t.valid_from, t.valid_until) @> ${asOf ?? null}::timestamptz)
          and (${recordedAsOf ?? null}::timestamptz is null
            or tstzrange(t.recorded_at, t.recorded_until) @> ${recordedAsOf ?? null}::timestamptz)
        order by t.recorded_at, t.valid_from limit ${limit}::int`,
  );
}

/**
 * Returns a fact by its id or the beginning of it, with all that was ever believed of the same.
 *
 * @throws Problem (404) if there is none, (409) if the beginning fits several
 */
export const getFact = (tx: Tx, reference: string): Promise<Fact & { history: Fact[] }> =>
  wholeStatement<Fact>(tx, 'fact', columns, reference);

/**
 * Ends what holds of a key, without a successor.
 *
 * @param asked.at when it ends; default now
 * @returns what is left of it; null if it ends where it began
 * @throws Problem (404) when nothing holds then, (409) when that comes from a weightier tier
 */
export const endFact = (
  tx: Tx,
  { at, tier, ...key }: FactKey & { at?: string | undefined; tier: Tier },
): Promise<Fact | null> => endStatement<Fact>(tx, 'fact', columns, { ...aboutOf(key), at, tier });

/**
 * Undoes the last change of a key that still stands, so that its earlier history stands again.
 *
 * @param asked.id the change to undo is the one that stated this fact
 * @returns the values of the key that are believed now, in the order of their periods
 * @throws Problem (404) when there is no such change, (409) when it was undone, or later ones were built on it
 */
export const undoFact = (tx: Tx, { id, ...key }: FactKey & { id?: string | undefined }): Promise<Fact[]> =>
  undoStatement<Fact>(tx, 'fact', columns, { ...aboutOf(key), id });

const aboutOf = (key: FactKey) => ({ project: key.project, subject: subjectOf(key), name: nameOf(key) });
