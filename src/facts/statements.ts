import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { NO_PROJECT } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import type { Title } from '../errors/codes.ts';
import { badRequest, Problem } from '../errors/problem.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { findProject, idOfProject, projectNameOf } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import type { KeyedKind, Kind } from './kinds.ts';
import { TIERS, type Tier } from './schema.ts';

// Facts, relations and decisions, each on two clocks. SQL makes the changes: sql/temporal.

type Shown<Z extends z.ZodObject> = z.output<Z> & { id: string };
type Given = Record<string, unknown>;

/** Where a statement comes from and when it holds. Times are ISO 8601 in UTC. */
export type Provenance = {
  /** name of the project; without one the statement is the user's own */
  project?: string | undefined;
  validFrom?: string | undefined;
  validUntil?: string | undefined;
  tier: Tier;
  source?: string | undefined;
  evidence?: string | undefined;
  /** a session, by Lore's id or the client's */
  session?: string | undefined;
  agent?: string | undefined;
};

/** The two times of a question: when something was true, and when Lore believed it. Default: now. */
export type Instants = { asOf?: string | undefined; recordedAsOf?: string | undefined };

const iso = (column: string) => sql.raw(`to_json(t.${column}) #>> '{}'`);
/** The columns of a row `t` that every statement shows. */
const common = sql`t.id, ${projectNameOf(sql`t.project_id`)} as project, t.tier, t.evidence,
  t.session_id as "sessionId", t.agent, ${iso('valid_from')} as "validFrom", ${iso('valid_until')} as "validUntil",
  ${iso('recorded_at')} as "recordedAt", ${iso('recorded_until')} as "recordedUntil", t.opened_by as "openedBy",
  t.closed_by as "closedBy", ${iso('confirmed_at')} as "confirmedAt", t.confirmations`;
export const columnsOf = (kind: Kind) => sql`${common}, ${kind.columns}`;
const tableOf = (kind: Kind): SQL => sql.raw(`${kind.name}s`);
const subjectOf = (parts: string[]): SQL =>
  sql`temporal_subject(${sql.join(
    parts.map((part) => sql`${part}::text`),
    sql`, `,
  )})`;

/**
 * SQL for the rows of a table that were true at one instant, as believed at another (null: now). It is what
 * sql/temporal/as_of.sql says; of these functions PostgreSQL would read all rows before it looks for one.
 */
export const rowsAsOf = (table: string, at: SQL, recordedAt: SQL): SQL =>
  sql`(select s.* from ${sql.raw(table)} s
       where tstzrange(s.valid_from, s.valid_until) @> ${at} and s.valid_from <= ${at}
         and case when ${recordedAt} is null then s.recorded_until is null
           else tstzrange(s.recorded_at, s.recorded_until) @> ${recordedAt} end)`;
const asOfRows = (kind: Kind, { asOf, recordedAsOf }: Instants): SQL =>
  rowsAsOf(
    `${kind.name}s`,
    sql`coalesce(${asOf ?? null}::timestamptz, now())`,
    sql`${recordedAsOf ?? null}::timestamptz`,
  );

/** Returns SQL for the rows `t` that a question in a project sees: its own and those of no project; without one, all. */
async function inScopeOf(tx: Tx, project: string | undefined): Promise<SQL> {
  if (project === undefined) return sql`true`;
  const found = await findProject(tx, project);
  return sql`(t.project_id = ${found?.id ?? null}::uuid or t.project_id is null)`;
}

/**
 * Returns a statement without secrets, as it may be stored. Call it before a transaction is opened.
 *
 * @throws Problem (400) when what it is about contains a secret: if that were removed, different ones would become equal
 */
export function prepareStatement<G extends Given>(kind: KeyedKind, stated: G): G {
  for (const [column, name] of Object.entries(kind.names(stated))) {
    if (redactText(name) === name) continue;
    throw badRequest(column.replace('_', '.'), 'holds what looks like a secret; choose a name without it');
  }
  const about = Object.keys(kind.about).map((field) => [field, stated[field]]);
  return { ...redactValue(stated, WHOLE), ...Object.fromEntries(about) };
}

/**
 * Returns the columns of a new row that say where it comes from and when it holds. Creates the project on first use.
 *
 * @throws Problem (400) when the caller has no such session
 */
export async function provenanceColumns(tx: Tx, stated: Provenance): Promise<Given> {
  const { project, session, source = null, evidence = null, agent = null, tier } = stated;
  const found = session === undefined ? null : await getSession(tx, session);
  if (found === undefined)
    throw badRequest('session', `you have no session ${session}; leave it out, or send its id`);
  return {
    ...{ project_id: await idOfProject(tx, project), session_id: found?.id ?? null },
    ...{ valid_from: stated.validFrom ?? null, valid_until: stated.validUntil ?? null },
    ...{ tier, source, evidence, agent },
  };
}

/** What became of a value that was put. `replaced`: id of what held before, if it is another statement. */
export type Put = { outcome: 'opened' | 'confirmed'; replaced: string | null };

/**
 * States what holds (see sql/temporal/temporal_put.sql for what becomes of what held before and after it). The same
 * again confirms it.
 *
 * @throws Problem (409) when what holds comes from a weightier tier; then nothing is stored
 */
export async function putStatement<Z extends z.ZodObject>(
  tx: Tx,
  kind: KeyedKind<Z>,
  stated: Provenance & Given,
): Promise<Shown<Z> & Put> {
  const names = kind.names(stated);
  const row = { ...(await provenanceColumns(tx, stated)), ...names, [kind.value]: stated[kind.value] };
  const subject = subjectOf(Object.values(names));
  const { id, outcome, replaced } = await change(
    tx,
    sql`temporal_put(${`${kind.name}s`}, ${subject}, ${JSON.stringify(row)}::jsonb, ${kind.value})`,
    Object.values(names).join(' '),
  );
  const put = {
    outcome: outcome as Put['outcome'],
    replaced: replaced && replaced.id !== id ? replaced.id : null,
  };
  return { ...((await openStatement(tx, kind, id)) as Shown<Z>), ...put };
}

/**
 * Returns the statements that held at the instants of a question, those that began last first. Of one key, the
 * project's own comes first.
 *
 * @param filter.by values of the kind's filters
 * @param filter.before the id of a row: only the rows after it in this list are returned
 * @throws Problem (400) when `before` is not in the list
 */
export async function listStatements<Z extends z.ZodObject>(
  tx: Tx,
  kind: Kind<Z> & Partial<Pick<KeyedKind, 'filters' | 'indexed'>>,
  filter: Instants & {
    project?: string | undefined;
    before?: string | undefined;
    limit: number;
    by?: Record<string, string | undefined>;
  },
): Promise<Shown<Z>[]> {
  const { before, limit, by = {} } = filter;
  const rows = sql`${asOfRows(kind, filter)} t where t.user_id = auth.uid()`;
  const where = [await inScopeOf(tx, filter.project)];
  for (const [column, fields] of Object.entries(kind.indexed ?? {})) {
    const parts = fields.flatMap((field) => by[field] ?? []);
    if (parts.length === fields.length) where.push(sql`t.${sql.raw(column)} = ${subjectOf(parts)}`);
  }
  for (const [field, { column }] of Object.entries(kind.filters ?? {}))
    if (by[field] !== undefined) where.push(sql`t.${sql.raw(column)} = ${by[field]}`);
  if (before !== undefined) {
    const [last] = await query<{ begins: string }>(
      tx,
      sql`select t.valid_from::text as begins from ${rows} and t.id = ${before}::uuid`,
    );
    if (!last) throw badRequest('before', `${before} is no ${kind.name} that held at this time`);
    where.push(sql`(t.valid_from, t.id) < (${last.begins}::timestamptz, ${before}::uuid)`);
  }
  return query<Shown<Z>>(
    tx,
    sql`select ${columnsOf(kind)} from ${rows} and ${sql.join(where, sql` and `)}
        order by ${by.key === undefined ? sql`` : sql`t.project_id is null, `}t.valid_from desc, t.id desc
        limit ${limit}::int`,
  );
}

/**
 * Returns every row of what is asked about, in the order in which Lore learned them: what was believed, from when until
 * when, and for which period. With instants, only the rows that were believed, or that were true, at those times.
 */
export async function statementHistory<Z extends z.ZodObject>(
  tx: Tx,
  kind: KeyedKind<Z>,
  asked: Given & Instants & { project?: string | undefined; limit: number },
): Promise<Shown<Z>[]> {
  const { asOf = null, recordedAsOf = null } = asked;
  return query<Shown<Z>>(
    tx,
    sql`select ${columnsOf(kind)} from ${tableOf(kind)} t
        where t.user_id = auth.uid() and t.subject = ${subjectOf(Object.values(kind.names(asked)))}
          and ${await inScopeOf(tx, asked.project)}
          and (${asOf}::timestamptz is null or tstzrange(t.valid_from, t.valid_until) @> ${asOf}::timestamptz)
          and (${recordedAsOf}::timestamptz is null
            or tstzrange(t.recorded_at, t.recorded_until) @> ${recordedAsOf}::timestamptz)
        order by t.recorded_at, t.valid_from limit ${asked.limit}::int`,
  );
}

/**
 * Returns a statement by its id or the beginning of it (8 characters or more), believed or not, with all that was ever
 * believed of the same.
 *
 * @param instants with `recordedAsOf`, as it was believed then; with `asOf`, only if it was true then
 * @throws Problem (404) if there is none, (409) if the beginning fits several
 */
export async function getStatement<Z extends z.ZodObject>(
  tx: Tx,
  kind: Kind<Z>,
  reference: string,
  instants: Instants = {},
): Promise<Shown<Z> & { history: Shown<Z>[] }> {
  const prefix = idPrefix(reference);
  const then = Object.values(instants).some((one) => one !== undefined);
  const believed =
    instants.recordedAsOf === undefined
      ? sql`true`
      : sql`tstzrange(t.recorded_at, t.recorded_until) @> ${instants.recordedAsOf}::timestamptz`;
  const end = (filler: '0' | 'f') => sql`${(prefix ?? '').replaceAll('-', '').padEnd(32, filler)}::uuid`;
  const found =
    prefix === null
      ? []
      : await query<Shown<Z>>(
          tx,
          sql`select distinct on (t.id) ${columnsOf(kind)}
              from ${instants.asOf === undefined ? tableOf(kind) : asOfRows(kind, instants)} t
              where t.user_id = auth.uid() and t.id between ${end('0')} and ${end('f')} and ${believed}
              order by t.id, t.recorded_until desc nulls first, t.recorded_at desc limit 2`,
        );
  const one = theOne(found, kind.name, `${reference}${then ? ' at that time' : ''}`);
  const history = await query<Shown<Z>>(
    tx,
    sql`select ${columnsOf(kind)} from ${tableOf(kind)} t where t.user_id = auth.uid() and ${sameSubject(kind, one.id)}
        order by t.recorded_at, t.valid_from limit 500`,
  );
  return { ...one, history };
}

/** SQL for the rows `t` of what a statement is about. */
export const sameSubject = (kind: Kind, id: string): SQL =>
  sql`(t.scope_id, t.subject) in (
    select o.scope_id, o.subject from ${tableOf(kind)} o where o.user_id = auth.uid() and o.id = ${id}::uuid)`;

/** Returns a statement as it is believed now; null if it is not believed any more. */
export async function openStatement<Z extends z.ZodObject>(tx: Tx, kind: Kind<Z>, id: string | null) {
  const [row] = await query<Shown<Z>>(
    tx,
    sql`select ${columnsOf(kind)} from ${tableOf(kind)} t
        where t.user_id = auth.uid() and t.id = ${id}::uuid and t.recorded_until is null`,
  );
  return row ?? null;
}

/**
 * Ends what holds, without a successor.
 *
 * @param asked.at when it ends; default now
 * @returns what is left of it; null if it ends where it began
 * @throws Problem (404) when nothing holds then, (409) when that comes from a weightier tier
 */
export async function endStatement<Z extends z.ZodObject>(
  tx: Tx,
  kind: KeyedKind<Z>,
  asked: Given & { project?: string | undefined; at?: string | undefined; tier: Tier },
): Promise<Shown<Z> | null> {
  const names = Object.values(kind.names(asked));
  const made = await change(
    tx,
    sql`temporal_end(${`${kind.name}s`}, ${await scopeOf(tx, asked.project)}::uuid, ${subjectOf(names)},
      ${asked.at ?? null}::timestamptz, ${asked.tier}::text)`,
    names.join(' '),
  );
  return openStatement(tx, kind, made.id);
}

/**
 * Undoes the last change that still stands, so that the earlier history stands again.
 *
 * @param asked.id the change to undo is the one that made this statement
 * @returns what is believed now, in the order of the periods
 * @throws Problem (404) when there is no such change, (409) when it was undone, or later ones were built on it
 */
export async function undoStatement<Z extends z.ZodObject>(
  tx: Tx,
  kind: KeyedKind<Z>,
  asked: Given & { project?: string | undefined; id?: string | undefined },
): Promise<Shown<Z>[]> {
  const names = Object.values(kind.names(asked));
  const [scope, subject] = [await scopeOf(tx, asked.project), subjectOf(names)];
  await change(
    tx,
    sql`temporal_undo(${`${kind.name}s`}, ${scope}::uuid, ${subject}, ${asked.id ?? null}::uuid)`,
    names.join(' '),
  );
  return query<Shown<Z>>(
    tx,
    sql`select ${columnsOf(kind)} from ${tableOf(kind)} t
        where t.user_id = auth.uid() and t.scope_id = ${scope}::uuid and t.subject = ${subject}
          and t.recorded_until is null
        order by t.valid_from`,
  );
}

/**
 * Returns the scope of a subject in the form that the functions in sql/temporal need.
 *
 * @throws Problem (404) when the caller has no such project
 */
async function scopeOf(tx: Tx, project: string | undefined): Promise<string> {
  if (project === undefined) return (await idOfProject(tx, undefined)) ?? NO_PROJECT;
  const found = await findProject(tx, project);
  if (found) return found.id;
  throw new Problem({ status: 404, title: 'Project not found', detail: `You have no project ${project}.` });
}

type Changed = {
  outcome: string;
  id: string;
  by?: { tier: Tier };
  replaced?: { id: string } | null;
  later?: number;
};

/**
 * Runs a change of sql/temporal and returns its outcome.
 *
 * @param what what is to be changed, as people call it
 * @throws Problem (400, 404, 409) that says why it was not made
 */
async function change(tx: Tx, call: SQL, what: string): Promise<Changed> {
  const [row] = await query<{ made: Changed }>(tx, sql`select ${call} as made`);
  const { made } = row as { made: Changed };
  const refusals: Record<string, () => Problem> = {
    empty: () => badRequest('validUntil', 'must be later than validFrom, which is now if it is not given'),
    outranked: () => outranked(what, made.by?.tier as Tier),
    nothing: () => refusal(404, 'Nothing there', `Nothing is known of ${what} that this could change.`),
    undone_before: () => refusal(409, 'Undone before', `This change of ${what} was undone already.`),
    built_on: () =>
      refusal(
        409,
        'Later changes stand',
        `Later changes of ${what} (${made.later}) would lose what they are built on. Undo those first, the last one first.`,
      ),
  };
  const refused = refusals[made.outcome === 'unknown' ? 'nothing' : made.outcome];
  if (refused) throw refused();
  return made;
}

export const refusal = (status: number, title: Title, detail: string) =>
  new Problem({ status, title, detail });
export const outranked = (what: string, tier: Tier) =>
  refusal(
    409,
    'Outranked',
    `What holds for ${what} in this period is of tier ${tier}, and a lighter tier does not change that: nothing was stored. The tiers are ${TIERS.join(', ')}, the weightiest first. A person can change it.`,
  );
