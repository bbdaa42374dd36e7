import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { idPrefix, theOne } from '../base/text/short-id.ts';
import { NO_PROJECT } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { linkStated } from '../search/amendments.ts';
import { findProject, idOfProject, theProject } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { inField, kindOf, type Row } from './kind.ts';
import { decisions, facts, relations, TIERS, type Tier } from './schema.ts';

// Facts, relations and decisions, each on two clocks. SQL makes the changes: sql/temporal.

type Given = Record<string, unknown>;
/** A statement as it is shown; times are ISO 8601 in UTC. */
type Statement = Row & { tier: Tier; validFrom: string; validUntil: string | null };

/** A kind of statement as data. */
export type Kind = ReturnType<typeof kindOf<Statement>>;
/** A kind whose statements are put by what they are about. */
export type Keyed = Kind & {
  /** what it is about, as texts by the names of their columns, in the order of the subject */
  names(given: Given): Record<string, string>;
  /** the field that a new statement changes */
  value: 'value' | 'attributes';
};

type Entity = { type: string; key: string };
const entity = (end: 'from' | 'to') => ({
  as: z.object({ type: z.string(), key: z.string() }),
  sql: sql.raw(`json_build_object('type', t.${end}_type, 'key', t.${end}_key)`),
});
const HIDDEN = ['scopeId', 'subject'];

export const fact: Keyed = {
  ...kindOf<Statement>('fact', facts, HIDDEN, { value: { as: z.unknown(), sql: sql`t.value` } }),
  names: ({ type, key }) => ({ type, key }) as Entity,
  value: 'value',
};
const ENDS = [...HIDDEN, 'fromType', 'fromKey', 'toType', 'toKey', 'fromEntity', 'toEntity'];
export const relation: Keyed = {
  ...kindOf<Statement>('relation', relations, ENDS, { from: entity('from'), to: entity('to') }),
  names(given) {
    const { from, relation, to } = given as { from: Entity; relation: string; to: Entity };
    return { from_type: from.type, from_key: from.key, relation, to_type: to.type, to_key: to.key };
  },
  value: 'attributes',
};
export const decision: Kind = kindOf('decision', decisions, [...HIDDEN, 'statedUntil', 'source'], {
  learnedFrom: { as: z.string().nullable(), sql: sql`t.source` },
});

/** Where a statement comes from and when it holds. Times are ISO 8601 in UTC. */
type Provenance = Partial<
  Record<'project' | 'validFrom' | 'validUntil' | 'source' | 'evidence' | 'agent', string | undefined> & {
    /** a session, by Lore's id or the client's */
    session: string | undefined;
  }
> & { tier: Tier };

/** The two times of a question: when something was true, and when Lore believed it. Default: now. */
export type Instants = { asOf?: string | undefined; recordedAsOf?: string | undefined };

const subjectOf = (parts: string[]): SQL =>
  sql`temporal_subject(${sql.join(
    parts.map((part) => sql`${part}::text`),
    sql`, `,
  )})`;

/** Returns rows in the order in which Lore learned them. */
const learned = (kind: Kind, tx: Tx, where: SQL, limit = 500) =>
  kind.read(tx, where, sql`order by t.recorded_at, t.valid_from limit ${limit}::int`);

/** SQL for whether a row `t` was believed at an instant; not given: now. */
const believedAt = (at: string | undefined): SQL =>
  at === undefined
    ? sql`t.recorded_until is null`
    : sql`tstzrange(t.recorded_at, t.recorded_until) @> ${at}::timestamptz`;
/** SQL for whether a row `t` was true at an instant; not given: now. */
const trueAt = (at: string | undefined): SQL => {
  const instant = sql`coalesce(${at ?? null}::timestamptz, now())`;
  return sql`tstzrange(t.valid_from, t.valid_until) @> ${instant} and t.valid_from <= ${instant}`;
};

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
export function prepareStatement<G extends Given>(kind: Keyed, stated: G): G {
  const names = Object.entries(kind.names(stated));
  const secret = names.find(([, name]) => redactText(name) !== name);
  if (secret)
    throw badRequest(secret[0].replace('_', '.'), 'holds what looks like a secret; choose a name without it');
  const { type, key, from, relation, to } = stated;
  const about = Object.entries({ type, key, from, relation, to }).filter(([, value]) => value !== undefined);
  return { ...redactValue(stated, WHOLE), ...Object.fromEntries(about) };
}

/** Returns the columns of a new row that say where it comes from and when it holds. Creates the project on first use. */
async function provenanceColumns(tx: Tx, stated: Provenance): Promise<Given> {
  const { project, session, source, evidence, agent, tier, validFrom, validUntil } = stated;
  const found = session === undefined ? null : await getSession(tx, session);
  if (found === undefined)
    throw badRequest('session', `you have no session ${session}; leave it out, or send its id`);
  return {
    ...{ project_id: await idOfProject(tx, project), session_id: found?.id ?? null },
    ...{ valid_from: validFrom, valid_until: validUntil, tier, source, evidence, agent },
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
export async function putStatement(
  tx: Tx,
  kind: Keyed,
  stated: Provenance & Given,
): Promise<Statement & Put> {
  const names = kind.names(stated);
  const row = { ...(await provenanceColumns(tx, stated)), ...names, [kind.value]: stated[kind.value] };
  const subject = subjectOf(Object.values(names));
  const { id, outcome, replaced } = await change(
    tx,
    sql`temporal_put(${kind.many}, ${subject}, ${JSON.stringify(row)}::jsonb, ${kind.value})`,
    Object.values(names).join(' '),
  );
  const before = replaced && replaced.id !== id ? replaced.id : null;
  return {
    ...((await openStatement(tx, kind, id)) as Statement),
    outcome: outcome as Put['outcome'],
    replaced: before,
  };
}

/**
 * Returns the statements that held at the instants of a question, those that began last first; as history, every row in
 * the order in which Lore learned them, with instants only those of these times.
 *
 * @param filter.by values of columns
 */
export async function listStatements(
  tx: Tx,
  kind: Kind,
  filter: Instants & {
    project?: string | undefined;
    limit: number;
    by: Record<string, string | undefined>;
    history?: boolean;
  },
): Promise<Statement[]> {
  const { asOf, recordedAsOf, project, limit, by, history } = filter;
  const where = [await inScopeOf(tx, project)];
  if (!history || recordedAsOf) where.push(believedAt(recordedAsOf));
  if (!history || asOf) where.push(trueAt(asOf));
  for (const [column, value] of Object.entries(by))
    if (value !== undefined) where.push(sql`t.${sql.raw(column)} = ${value}`);
  const { type, key } = by;
  const one = type !== undefined && key !== undefined;
  if (one) where.push(sql`t.subject = ${subjectOf([type, key])}`);
  const all = sql.join(where, sql` and `);
  if (history) return learned(kind, tx, all, limit);
  // of one key, the project's own comes first
  const order = sql`${one ? sql`t.project_id is null, ` : sql``}t.valid_from desc, t.id desc`;
  return kind.read(tx, all, sql`order by ${order} limit ${limit}::int`);
}

/**
 * Returns a statement by its id or the beginning of it (8 characters or more), believed or not, with all that was ever
 * believed of the same.
 *
 * @param then with `recordedAsOf`, as it was believed then; with `asOf`, only if it was true then
 * @throws Problem (404) if there is none, (409) if the beginning fits several
 */
export async function getStatement(
  tx: Tx,
  kind: Kind,
  given: string,
  { asOf, recordedAsOf }: Instants = {},
): Promise<Statement & { history: Statement[] }> {
  const prefix = idPrefix(given)?.replaceAll('-', '');
  const believed = asOf || recordedAsOf ? believedAt(recordedAsOf) : sql`true`;
  const then = sql`${believed} and ${asOf ? trueAt(asOf) : sql`true`}`;
  const end = (filler: '0' | 'f') => sql`${prefix?.padEnd(32, filler) ?? null}::uuid`;
  const found = prefix
    ? await query<Statement>(
        tx,
        sql`select distinct on (t.id) ${kind.columns} from ${kind.table} t
            where t.user_id = auth.uid() and t.id between ${end('0')} and ${end('f')} and ${then}
            order by t.id, t.recorded_until desc nulls first, t.recorded_at desc limit 2`,
      )
    : [];
  const one = theOne(found, kind.name, given);
  return { ...one, history: await learned(kind, tx, sameSubject(kind, one.id)) };
}

/** SQL for the rows `t` of what a statement is about. */
export const sameSubject = (kind: Kind, id: string): SQL =>
  sql`(t.scope_id, t.subject) in (
    select o.scope_id, o.subject from ${kind.table} o where o.user_id = auth.uid() and o.id = ${id}::uuid)`;

/** Returns a statement as it is believed now; null if it is not believed any more. */
async function openStatement(tx: Tx, kind: Kind, id: string | null): Promise<Statement | null> {
  return (await kind.read(tx, sql`t.id = ${id}::uuid and t.recorded_until is null`))[0] ?? null;
}

type About = Given & { project?: string | undefined };

/** Returns what is to be changed, as people call it and in the form that the functions in sql/temporal need. */
async function subjectIn(tx: Tx, kind: Keyed, asked: About) {
  const names = Object.values(kind.names(asked));
  const { project } = asked;
  const found = project === undefined ? undefined : await theProject(tx, project);
  const scope = found?.id ?? (await idOfProject(tx, undefined)) ?? NO_PROJECT;
  return { what: names.join(' '), scope: sql`${scope}::uuid`, subject: subjectOf(names) };
}

/**
 * Ends what holds, without a successor; `at`: when, default now.
 *
 * @returns what is left of it; null if it ends where it began
 * @throws Problem (404) when nothing holds then, (409) when that comes from a weightier tier
 */
export async function endStatement(
  tx: Tx,
  kind: Keyed,
  asked: About & { at?: string | undefined; tier: Tier },
): Promise<Statement | null> {
  const { what, scope, subject } = await subjectIn(tx, kind, asked);
  const { at = null, tier } = asked;
  const call = sql`temporal_end(${kind.many}, ${scope}, ${subject}, ${at}::timestamptz, ${tier}::text)`;
  return openStatement(tx, kind, (await change(tx, call, what)).id);
}

/**
 * Undoes the last change that still stands, or the one that made statement `id`, so that the earlier history stands again.
 *
 * @returns what is believed now, in the order of the periods
 * @throws Problem (404) when there is no such change, (409) when it was undone, or later ones were built on it
 */
export async function undoStatement(
  tx: Tx,
  kind: Keyed,
  asked: About & { id?: string | undefined },
): Promise<Statement[]> {
  const { what, scope, subject } = await subjectIn(tx, kind, asked);
  await change(tx, sql`temporal_undo(${kind.many}, ${scope}, ${subject}, ${asked.id ?? null}::uuid)`, what);
  const stands = sql`t.scope_id = ${scope} and t.subject = ${subject} and t.recorded_until is null`;
  return kind.read(tx, stands, sql`order by t.valid_from`);
}

type Changed = {
  outcome: string;
  id: string;
  by?: { tier: Tier };
  replaced?: { id: string } | null;
  later?: number;
};

/** Runs a change of sql/temporal. `what`: as people call it. @throws Problem (400, 404, 409) if it was not made */
async function change(tx: Tx, call: SQL, what: string): Promise<Changed> {
  const [row] = await query<{ made: Changed }>(tx, sql`select ${call} as made`);
  const { made } = row as { made: Changed };
  const refusals: Record<string, () => Problem> = {
    empty: () => badRequest('validUntil', 'must be later than validFrom, which is now if it is not given'),
    late: () => badRequest('validFrom', 'must be later than the beginning of what it supersedes'),
    outranked: () => outranked(what, made.by?.tier as Tier),
    nothing: () => refusal(404, 'Nothing there', `Nothing is known of ${what} that this could change.`),
    undone_before: () => refusal(409, 'Undone before', `This change of ${what} was undone already.`),
    built_on: () => {
      const detail = `Later changes of ${what} (${made.later}) would lose what they are built on. Undo those first, the last one first.`;
      return refusal(409, 'Later changes stand', detail);
    },
  };
  const refused = refusals[made.outcome === 'unknown' ? 'nothing' : made.outcome];
  if (refused) throw refused();
  return made;
}

const refusal = (status: number, title: string, detail: string) => new Problem({ status, title, detail });
const outranked = (what: string, tier: Tier) =>
  refusal(
    409,
    'Outranked',
    `What holds for ${what} in this period is of tier ${tier}, and a lighter tier does not change that: nothing was stored. The tiers are ${TIERS.join(', ')}, the weightiest first. A person can change it.`,
  );

/** @throws Problem (409) when a change of this tier is lighter than the decision */
function refuseLighter(tier: Tier, { condition, tier: its }: Statement): void {
  if (TIERS.indexOf(tier) > TIERS.indexOf(its)) throw outranked(`“${condition}”`, its);
}

/**
 * States a decision. If a decision with the same condition and the same action is in force, it is confirmed. With
 * `supersedes`, a link to the other decision is made, and that decision ends when this one begins
 * (sql/temporal/settle_decision.sql).
 *
 * @throws Problem (400) when there is no such decision or it begins later, (409) when it comes from a weightier tier
 */
export async function makeDecision(
  tx: Tx,
  stated: Provenance & {
    condition: string;
    action: string;
    confidence: number;
    learnedFrom?: string | undefined;
    supersedes?: string | undefined;
  },
): Promise<Statement & Pick<Put, 'outcome'>> {
  const { condition, action, confidence, learnedFrom: source, supersedes } = stated;
  const older = supersedes ? await inField('supersedes', getStatement(tx, decision, supersedes)) : null;
  if (older) refuseLighter(stated.tier, older);
  const row = { ...(await provenanceColumns(tx, { ...stated, source })), condition, action, confidence };
  const after = older?.validFrom ?? null;
  const make = sql`make_decision(${JSON.stringify(row)}::jsonb, ${after}::timestamptz)`;
  const { id, outcome } = await change(tx, sql`(select to_jsonb(m) from ${make} m)`, `“${condition}”`);
  if (older !== null) await linkStated(tx, 'decision', id, older.id);
  return { ...((await openStatement(tx, decision, id)) as Statement), outcome: outcome as Put['outcome'] };
}

/** Ends a decision, without a successor. @throws Problem (409) when it is weightier, or does not hold then */
export async function endDecision(
  tx: Tx,
  given: string,
  asked: { at?: string | undefined; tier: Tier },
): Promise<Statement> {
  const one = await getStatement(tx, decision, given);
  refuseLighter(asked.tier, one);
  const [row] = await query<{ ended: boolean }>(
    tx,
    sql`select end_decision(${one.id}::uuid, ${asked.at ?? null}::timestamptz) as ended`,
  );
  if (row?.ended) return (await openStatement(tx, decision, one.id)) as Statement;
  const detail = `It holds from ${one.validFrom} until ${one.validUntil ?? 'now and on'}; choose an instant within.`;
  throw refusal(409, 'Decision not current at that time', detail);
}

/** Walks relations from an entity, up to three hops (sql/temporal/neighbourhood.sql), the nearest first. */
export async function neighbourhood(
  tx: Tx,
  asked: Instants &
    Entity & { hops: number; direction: 'out' | 'in' | 'both'; project?: string | undefined; limit: number },
): Promise<{ relations: (Statement & { hop: number })[]; truncated: boolean }> {
  const { type, key, hops, direction, project, asOf = null, recordedAsOf = null, limit } = asked;
  // for a project that does not exist yet, only what belongs to no project is visible
  const scope = project === undefined ? null : ((await findProject(tx, project))?.id ?? NO_PROJECT);
  const rows = await query<Statement & { hop: number }>(
    tx,
    sql`select n.hop, ${relation.columns}
        from neighbourhood(${type}, ${key}, ${hops}::int, ${direction}, ${scope}::uuid,
            coalesce(${asOf}::timestamptz, now()), ${recordedAsOf}::timestamptz, ${limit + 1}::int) n,
          lateral (select (n.edge).*) t
        order by n.hop, t.valid_from desc, t.id`,
  );
  return { relations: rows.slice(0, limit), truncated: rows.length > limit };
}
