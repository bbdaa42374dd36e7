import { type SQL, sql } from 'drizzle-orm';
import { NO_PROJECT } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import type { Title } from '../errors/codes.ts';
import { Problem } from '../errors/problem.ts';
import type { Scope } from '../http/key-scope.ts';
import { findProject, idOfProject, projectNameOf } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import { type Change, TIERS, type Tier } from './schema.ts';

// What facts, relations and decisions have in common. The changes themselves are made in SQL (sql/temporal).

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

/**
 * The two times of a question: `asOf`, when something was true, and `recordedAsOf`, when Lore believed it.
 * Default: now.
 */
export type Instants = { asOf?: string | undefined; recordedAsOf?: string | undefined };

/** What every fact, relation and decision tells about itself. */
export type Statement = {
  id: string;
  project: string | null;
  tier: Tier;
  source: string | null;
  evidence: string | null;
  sessionId: string | null;
  agent: string | null;
  validFrom: string;
  validUntil: string | null;
  recordedAt: string;
  recordedUntil: string | null;
  openedBy: Change;
  closedBy: Change | null;
  confirmedAt: string;
  confirmations: number;
};

/** SQL for a time as ISO 8601, to the microsecond. */
const iso = (column: string) => sql.raw(`to_json(t.${column}) #>> '{}'`);

/** The columns of a {@link Statement}, of a row `t`. */
export const statementColumns = sql`t.id, ${projectNameOf(sql`t.project_id`)} as project, t.tier, t.source, t.evidence,
  t.session_id as "sessionId", t.agent, ${iso('valid_from')} as "validFrom", ${iso('valid_until')} as "validUntil",
  ${iso('recorded_at')} as "recordedAt", ${iso('recorded_until')} as "recordedUntil", t.opened_by as "openedBy",
  t.closed_by as "closedBy", ${iso('confirmed_at')} as "confirmedAt", t.confirmations`;

/**
 * Returns the tier of a statement: the claimed one, else the usual one for the scope of the caller's key.
 *
 * @throws Problem (403) when an agent's key claims to be a person
 */
export function tierFor(scope: Scope, claimed: Tier | undefined): Tier {
  if (scope !== 'hooks') return claimed ?? 'person';
  if (claimed !== 'person') return claimed ?? 'agent';
  throw new Problem({
    status: 403,
    title: 'Not a person',
    detail: `tier: a key of scope ${scope} is an agent's, so it may claim observed, agent or inferred. Only a person states as a person, in a terminal of their own.`,
    errors: [{ field: 'tier', message: 'must be observed, agent or inferred with this key' }],
  });
}

/**
 * Returns the columns of a new row that say where it comes from and when it holds. Creates the project on first use.
 *
 * @throws Problem (400) when the caller has no such session
 */
export async function provenanceColumns(tx: Tx, stated: Provenance): Promise<Record<string, unknown>> {
  const { project, session, source = null, evidence = null, agent = null, tier } = stated;
  const { validFrom = null, validUntil = null } = stated;
  const found = session === undefined ? null : await getSession(tx, session);
  if (found === undefined) {
    throw badField('session', `you have no session ${session}; leave it out, or send its id`);
  }
  return {
    project_id: await idOfProject(tx, project),
    valid_from: validFrom,
    valid_until: validUntil,
    tier,
    source,
    evidence,
    session_id: found?.id ?? null,
    agent,
  };
}

/** @returns a Problem (400) about one field of a request */
export const badField = (field: string, message: string): Problem =>
  new Problem({
    status: 400,
    title: 'Bad request',
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });

/**
 * Returns the scope of a subject in the form that the functions in sql/temporal need: the id of a project, or
 * the id that stands for no project.
 *
 * @throws Problem (404) when the caller has no such project
 */
async function scopeOf(tx: Tx, project: string | undefined): Promise<string> {
  if (project === undefined) return (await idOfProject(tx, undefined)) ?? NO_PROJECT;
  const found = await findProject(tx, project);
  if (found) return found.id;
  throw new Problem({ status: 404, title: 'Project not found', detail: `You have no project ${project}.` });
}

/**
 * Returns SQL for the rows `t` that a question in a project sees: its own and those of no project. Without a project it
 * sees all rows.
 */
export async function inScopeOf(tx: Tx, project: string | undefined): Promise<SQL> {
  if (project === undefined) return sql`true`;
  const found = await findProject(tx, project);
  return sql`(t.project_id = ${found?.id ?? null}::uuid or t.project_id is null)`;
}

export type Kind = 'fact' | 'relation' | 'decision';

/**
 * SQL for the rows of a table that were true at one instant, as believed at another (null: now). It is what
 * sql/temporal/as_of.sql says; of these functions PostgreSQL would read all rows before it looks for one.
 */
export const rowsAsOf = (table: string, at: SQL, recordedAt: SQL): SQL =>
  sql`(select s.* from ${sql.raw(table)} s
       where tstzrange(s.valid_from, s.valid_until) @> ${at} and s.valid_from <= ${at}
         and case when ${recordedAt} is null then s.recorded_until is null
           else tstzrange(s.recorded_at, s.recorded_until) @> ${recordedAt} end)`;

/** SQL for the rows that were true and believed at the instants of a question. */
export const asOfRows = (kind: Kind, { asOf, recordedAsOf }: Instants): SQL =>
  sql`${rowsAsOf(`${kind}s`, sql`coalesce(${asOf ?? null}::timestamptz, now())`, sql`${recordedAsOf ?? null}::timestamptz`)} t`;

/**
 * Returns the statements that held at the instants of a question. Those that began last come first.
 *
 * @param filter.where SQL condition on the row `t`
 * @param filter.first SQL for an order that comes before this one
 * @param filter.before the id of a row: only the rows after it in this list are returned
 * @throws Problem (400) when `before` is not in the list
 */
export async function listStatements<T extends Statement>(
  tx: Tx,
  kind: Kind,
  columns: SQL,
  filter: Instants & { where: SQL; first?: SQL; before?: string | undefined; limit: number },
): Promise<T[]> {
  const { where, before, limit, first } = filter;
  let after = sql`true`;
  if (before !== undefined) {
    const [last] = await query<{ begins: string }>(
      tx,
      sql`select t.valid_from::text as begins from ${asOfRows(kind, filter)}
          where t.user_id = auth.uid() and t.id = ${before}::uuid`,
    );
    if (!last) throw badField('before', `${before} is no ${kind} that held at this time`);
    after = sql`(t.valid_from, t.id) < (${last.begins}::timestamptz, ${before}::uuid)`;
  }
  return query<T>(
    tx,
    sql`select ${columns} from ${asOfRows(kind, filter)}
        where t.user_id = auth.uid() and ${where} and ${after}
        order by ${first ? sql`${first}, ` : sql``}t.valid_from desc, t.id desc limit ${limit}::int`,
  );
}

/** What the functions in sql/temporal answer to a change. */
export type ChangeResult = {
  outcome:
    | 'opened'
    | 'confirmed'
    | 'ended'
    | 'undone'
    | 'empty'
    | 'outranked'
    | 'nothing'
    | 'unknown'
    | 'undone_before'
    | 'built_on';
  id: string;
  /** the row that stands in the way */
  by?: { tier: Tier };
  replaced?: { id: string } | null;
  later?: number;
};

/** What became of a value that was put. `replaced`: id of what held before, if it is another statement. */
export type Put = { outcome: 'opened' | 'confirmed'; replaced: string | null };

/**
 * Returns what became of a value, from the outcome of a change that was made. Check it with `refuseUnmade`
 * first.
 */
export const putOf = ({ outcome, id, replaced }: ChangeResult): Put => ({
  outcome: outcome as Put['outcome'],
  replaced: replaced && replaced.id !== id ? replaced.id : null,
});

/** Runs a change of sql/temporal and returns its outcome. */
export async function change(tx: Tx, call: SQL): Promise<ChangeResult> {
  const [row] = await query<{ outcome: ChangeResult }>(tx, sql`select ${call} as outcome`);
  return (row as { outcome: ChangeResult }).outcome;
}

/**
 * Returns if a change was made, else throws.
 *
 * @param what what was to be changed, as people call it
 * @throws Problem (400, 404, 409) that says why it was not
 */
export function refuseUnmade(result: ChangeResult, what: string): void {
  const { outcome } = result;
  if (outcome === 'empty') {
    throw badField('validUntil', 'must be later than validFrom, which is now if it is not given');
  }
  const refusal = (status: number, title: Title, detail: string) => new Problem({ status, title, detail });
  if (outcome === 'outranked') {
    const { tier } = result.by as { tier: Tier };
    const weightier =
      tier === 'person' ? 'a person stated' : tier === 'observed' ? 'was observed' : 'an agent stated';
    throw refusal(
      409,
      'Outranked',
      `What holds for ${what} in this period ${weightier} (tier ${tier}), and a lighter tier does not change that: nothing was stored. The tiers are ${TIERS.join(', ')}, the weightiest first. A person can change it.`,
    );
  }
  if (outcome === 'nothing' || outcome === 'unknown') {
    throw refusal(404, 'Nothing there', `Nothing is known of ${what} that this could change.`);
  }
  if (outcome === 'undone_before')
    throw refusal(409, 'Undone before', `This change of ${what} was undone already.`);
  if (outcome === 'built_on') {
    const { later } = result;
    throw refusal(
      409,
      'Later changes stand',
      `${later === 1 ? 'A later change' : `${later} later changes`} of ${what} came after this one and would lose what ${later === 1 ? 'it is' : 'they are'} built on. Undo ${later === 1 ? 'that' : 'those'} first, the last one first.`,
    );
  }
}

/** Returns a statement as it is believed now; null if it is not believed any more. */
export async function openStatement<T extends Statement>(
  tx: Tx,
  kind: Kind,
  columns: SQL,
  id: string | null,
): Promise<T | null> {
  const [row] = await query<T>(
    tx,
    sql`select ${columns} from ${tableOf(kind)} t
        where t.user_id = auth.uid() and t.id = ${id}::uuid and t.recorded_until is null`,
  );
  return row ?? null;
}

/**
 * Returns a statement by its id, with all that was ever believed of its subject, in the order in which it was learned. One
 * that is not believed any more is found too. The beginning of the id is enough (8 characters or more).
 *
 * @throws Problem (404) if there is none, (409) if the beginning fits several
 */
export async function wholeStatement<T extends Statement>(
  tx: Tx,
  kind: Exclude<Kind, 'decision'>,
  columns: SQL,
  reference: string,
): Promise<T & { history: T[] }> {
  const prefix = idPrefix(reference);
  const found =
    prefix === null
      ? []
      : await query<T>(
          tx,
          sql`select distinct on (t.id) ${columns} from ${tableOf(kind)} t
              where t.user_id = auth.uid() and t.id between ${idOf(prefix, '0')}::uuid and ${idOf(prefix, 'f')}::uuid
              order by t.id, t.recorded_until desc nulls first, t.recorded_at desc limit 2`,
        );
  const one = theOne(found, kind, reference);
  const history = await query<T>(
    tx,
    sql`select ${columns} from ${tableOf(kind)} t
        where t.user_id = auth.uid() and (t.scope_id, t.subject) = (
          select o.scope_id, o.subject from ${tableOf(kind)} o
          where o.user_id = auth.uid() and o.id = ${one.id}::uuid limit 1)
        order by t.recorded_at, t.valid_from limit 500`,
  );
  return { ...one, history };
}

/** Returns the first or the last id that begins so. */
const idOf = (prefix: string, filler: '0' | 'f') => prefix.replaceAll('-', '').padEnd(32, filler);

/** What is to be ended or undone: its subject as SQL, and its name in error messages. */
type About = { project?: string | undefined; subject: SQL; name: string };

/**
 * Ends what holds of a subject, without a successor.
 *
 * @param about.at when it ends; default now
 * @returns what is left of it; null if it ends where it began
 * @throws Problem (404) when nothing holds then, (409) when that comes from a weightier tier
 */
export async function endStatement<T extends Statement>(
  tx: Tx,
  kind: Kind,
  columns: SQL,
  { project, subject, name, at, tier }: About & { at?: string | undefined; tier: Tier },
): Promise<T | null> {
  const made = await change(
    tx,
    sql`temporal_end(${`${kind}s`}, ${await scopeOf(tx, project)}::uuid, ${subject}, ${at ?? null}::timestamptz,
      ${tier}::text)`,
  );
  refuseUnmade(made, name);
  return openStatement<T>(tx, kind, columns, made.id);
}

/**
 * Undoes the last change of a subject that still stands, so that its earlier history stands again.
 *
 * @param about.id the change to undo is the one that made this statement
 * @returns what is believed of the subject now, in the order of the periods
 * @throws Problem (404) when there is no such change, (409) when it was undone, or later ones were built on it
 */
export async function undoStatement<T extends Statement>(
  tx: Tx,
  kind: Kind,
  columns: SQL,
  { project, subject, name, id }: About & { id?: string | undefined },
): Promise<T[]> {
  const scope = await scopeOf(tx, project);
  const made = await change(
    tx,
    sql`temporal_undo(${`${kind}s`}, ${scope}::uuid, ${subject}, ${id ?? null}::uuid)`,
  );
  refuseUnmade(made, name);
  return query<T>(
    tx,
    sql`select ${columns} from ${tableOf(kind)} t
        where t.user_id = auth.uid() and t.scope_id = ${scope}::uuid and t.subject = ${subject}
          and t.recorded_until is null
        order by t.valid_from`,
  );
}

const tableOf = (kind: Kind): SQL => sql.raw(`${kind}s`);
