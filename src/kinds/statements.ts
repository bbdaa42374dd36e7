// Longer than 400 lines because the three kinds of statements share what is asked, changed and refused.
import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { NO_PROJECT } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import type { Scope } from '../http/key-scope.ts';
import { exactInstant, limit } from '../http/schemas.ts';
import { type Route, served } from '../http/serve.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { AmendmentShown, linkStated, listAmendments } from '../search/amendments.ts';
import { findProject, idOfProject, theProject } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { eraseKind } from './erase.ts';
import { alone, inField, kindOf, page, type Row } from './kind.ts';
import { decisions, facts, relations, TIERS, type Tier } from './schema.ts';
import { JsonObject, JsonValue, projectToState, storableText } from './values.ts';

// Facts, relations and decisions, each on two clocks. SQL makes the changes: sql/temporal.

type Given = Record<string, unknown>;
/** A statement as it is shown; times are ISO 8601 in UTC. */
type Statement = Row & { tier: Tier; validFrom: string; validUntil: string | null };
type Kind = ReturnType<typeof kindOf<Statement>>;
/** A kind whose statements are put by what they are about. */
type Keyed = Kind & {
  /** what it is about, as texts by the names of their columns, in the order of the subject */
  names(given: Given): Record<string, string>;
  /** the field that a new statement changes */
  value: 'value' | 'attributes';
};

type End = { type: string; key: string };
const end = (which: 'from' | 'to') => ({
  as: z.object({ type: z.string(), key: z.string() }),
  sql: sql.raw(`json_build_object('type', t.${which}_type, 'key', t.${which}_key)`),
});
const HIDDEN = ['scopeId', 'subject'];

export const fact: Keyed = {
  ...kindOf<Statement>('fact', facts, HIDDEN, { value: { as: z.unknown(), sql: sql`t.value` } }),
  names: ({ type, key }) => ({ type, key }) as End,
  value: 'value',
};
const ENDS = ['fromType', 'fromKey', 'toType', 'toKey', 'fromEntity', 'toEntity'];
const relation: Keyed = {
  ...kindOf<Statement>('relation', relations, [...HIDDEN, ...ENDS], { from: end('from'), to: end('to') }),
  names(given) {
    const { from, relation, to } = given as { from: End; relation: string; to: End };
    return { from_type: from.type, from_key: from.key, relation, to_type: to.type, to_key: to.key };
  },
  value: 'attributes',
};
const decision = kindOf<Statement>('decision', decisions, [...HIDDEN, 'statedUntil', 'source'], {
  learnedFrom: { as: z.string().nullable(), sql: sql`t.source` },
});
const Fact = z.object(fact.shape).openapi('Fact');
const Relation = z.object(relation.shape).openapi('Relation');
const Decision = z.object(decision.shape).openapi('Decision');

const name = storableText(200);
const key = storableText(1000);
const Entity = z.strictObject({ type: name, key }).openapi('Entity');
const { project } = page;
const tier = z.enum(TIERS).optional();
/** The two clocks of a question: when something was true, and when Lore believed it. Default: now. */
const instants = { asOf: exactInstant().optional(), recordedAsOf: exactInstant().optional() };
type Instants = Partial<Record<keyof typeof instants, string | undefined>>;
/** `at`: default now */
const toEnd = { at: exactInstant().optional(), tier };
/** Where a statement comes from and when it holds. */
const provenance = {
  /** without one it is the user's own */
  project: projectToState.optional(),
  /** default: now */
  validFrom: exactInstant().optional(),
  validUntil: exactInstant().optional(),
  /** default: person with a key of a person, else agent */
  tier,
  evidence: storableText(4000).optional(),
  /** the session that it was learned in, by Lore's id or the client's */
  session: z.string().min(1).max(200).optional(),
  agent: name.optional(),
};
type Provenance = Omit<Partial<z.output<z.ZodObject<typeof provenance>>>, 'tier'> & {
  tier: Tier;
  source?: string;
};
type About = Given & { project?: string; tier?: Tier; at?: string; id?: string };
const outcome = z.enum(['opened', 'confirmed']);
const params = z.object({ id: z.string().min(1).max(45) });

const noSuch = { 404: 'Nothing there that this could change', 409: 'The id is ambiguous' };
const changes = {
  403: 'An agent’s key may not claim to be a person',
  404: noSuch[404],
  409: 'What holds comes from a weightier tier, later changes stand, or others changed it meanwhile',
};

/** Refines a new statement: it must not end before it begins. */
const inOrder = <S extends z.ZodObject>(schema: S) =>
  schema.refine(
    (stated) => {
      const { validFrom, validUntil } = stated as { validFrom?: string; validUntil?: string };
      return validFrom === undefined || validUntil === undefined || validFrom < validUntil;
    },
    alone('validUntil', 'must be later than validFrom'),
  );

const refusal = (status: number, title: string, detail: string) => new Problem({ status, title, detail });

/**
 * Returns the tier of a statement: the claimed one, else the usual one for the scope of the caller's key.
 *
 * @throws Problem (403) when an agent's key claims to be a person
 */
function tierFor(scope: Scope, claimed: Tier | undefined): Tier {
  if (scope !== 'hooks') return claimed ?? 'person';
  if (claimed !== 'person') return claimed ?? 'agent';
  throw new Problem({
    status: 403,
    title: 'Not a person',
    detail: `tier: a key of scope ${scope} is an agent's, so it may claim observed, agent or inferred. Only a person states as a person, in a terminal of their own.`,
    errors: [{ field: 'tier', message: 'must be observed, agent or inferred with this key' }],
  });
}

/** SQLSTATE codes for two changes that meet: overlapping rows, a deadlock, a conflict of snapshots. */
const MET = ['23P01', '40P01', '40001'];

/** Makes a change, and again up to three times if others get ahead of it. @throws Problem (409) if they always do */
async function changing<T>(
  as: <R>(work: (tx: Tx) => Promise<R>) => Promise<R>,
  work: (tx: Tx) => Promise<T>,
  tries = 4,
): Promise<T> {
  try {
    return await as(work);
  } catch (error) {
    const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
    if (!MET.includes(String(cause?.code ?? code))) throw error;
    if (tries > 1) return changing(as, work, tries - 1);
    const detail = 'Others changed the same at the same time, and nothing was stored. Try again.';
    throw new Problem({ status: 409, title: 'Changed meanwhile', detail, cause: error });
  }
}

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

/** SQL for the rows `t` of one key of a kind. */
const ofKey = ({ type, key }: End): SQL =>
  sql`t.type = ${type} and t.key = ${key} and t.subject = ${subjectOf([type, key])}`;

/**
 * Returns a statement by its id or the beginning of it (8 characters or more), believed or not: as it is believed now or
 * was last.
 *
 * @param then with `recordedAsOf`, as it was believed then; with `asOf`, only if it was true then
 * @throws Problem (404) if there is none, (409) if the beginning fits several
 */
const getStatement = (tx: Tx, kind: Kind, given: string, { asOf, recordedAsOf }: Instants = {}) => {
  const believed = asOf || recordedAsOf ? believedAt(recordedAsOf) : sql`true`;
  const then = sql`${believed} and ${asOf ? trueAt(asOf) : sql`true`}`;
  return kind.get(tx, given, then, sql`, t.recorded_until desc nulls first, t.recorded_at desc`);
};

/** Returns a statement as it is believed now; null if it is not believed any more. */
const openStatement = async (tx: Tx, kind: Kind, id: string | null): Promise<Statement | null> =>
  (await kind.read(tx, sql`t.id = ${id}::uuid and t.recorded_until is null`))[0] ?? null;

/** SQL for the rows `t` of what a statement is about. */
const sameSubject = (kind: Kind, id: string): SQL =>
  sql`(t.scope_id, t.subject) in (
    select o.scope_id, o.subject from ${kind.table} o where o.user_id = auth.uid() and o.id = ${id}::uuid)`;

/** Returns what is to be changed, as people call it and in the form that the functions in sql/temporal need. */
async function subjectIn(tx: Tx, kind: Keyed, asked: About) {
  const names = Object.values(kind.names(asked));
  const { project } = asked;
  const found = project === undefined ? undefined : await theProject(tx, project);
  const scope = found?.id ?? (await idOfProject(tx, undefined)) ?? NO_PROJECT;
  return { what: names.join(' '), scope: sql`${scope}::uuid`, subject: subjectOf(names) };
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
  const [row] = await query<{ made: Changed }>(tx)`select ${call} as made`;
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

/**
 * States what holds (see sql/temporal/temporal_put.sql for what becomes of what held before and after it). The same
 * again confirms it.
 *
 * @returns the statement; `replaced`: id of what held before, if it is another statement
 * @throws Problem (409) when what holds comes from a weightier tier; then nothing is stored
 */
export async function putStatement(tx: Tx, kind: Keyed, stated: Provenance & Given) {
  const names = kind.names(stated);
  const row = { ...(await provenanceColumns(tx, stated)), ...names, [kind.value]: stated[kind.value] };
  const subject = subjectOf(Object.values(names));
  const put = sql`temporal_put(${kind.many}, ${subject}, ${JSON.stringify(row)}::jsonb, ${kind.value})`;
  const { id, outcome, replaced } = await change(tx, put, Object.values(names).join(' '));
  const before = replaced && replaced.id !== id ? replaced.id : null;
  const made = (await openStatement(tx, kind, id)) as Statement;
  return { ...made, outcome: outcome as 'opened' | 'confirmed', replaced: before };
}

/** Ends what holds, without a successor. Returns what is left of it; null if it ends where it began. */
export async function endStatement(tx: Tx, kind: Keyed, asked: About & { tier: Tier }) {
  const { what, scope, subject } = await subjectIn(tx, kind, asked);
  const { at = null, tier } = asked;
  const call = sql`temporal_end(${kind.many}, ${scope}, ${subject}, ${at}::timestamptz, ${tier}::text)`;
  return openStatement(tx, kind, (await change(tx, call, what)).id);
}

/** Undoes the last change that still stands, or the one that made statement `id`. Returns what is believed now. */
export async function undoStatement(tx: Tx, kind: Keyed, asked: About) {
  const { what, scope, subject } = await subjectIn(tx, kind, asked);
  await change(tx, sql`temporal_undo(${kind.many}, ${scope}, ${subject}, ${asked.id ?? null}::uuid)`, what);
  const stands = sql`t.scope_id = ${scope} and t.subject = ${subject} and t.recorded_until is null`;
  return kind.read(tx, stands, sql`order by t.valid_from`);
}

/** The routes of facts, relations and decisions. */
export const statementRoutes = served((route) => {
  const about = { type: name, key };
  addKeyed(route, fact, Fact, about, JsonValue);
  route(
    'GET /v1/facts/history',
    'Every row of a key, in the order in which it was learned: what, of which period, believed from when until when',
    {
      query: z.strictObject({ ...about, project, ...instants, limit: limit(1000, 500) }),
      answer: z.object({ facts: z.array(Fact) }),
    },
    async ({ as, query: { project, asOf, recordedAsOf, limit, ...key } }) => ({
      facts: await as(async (tx) => {
        const where = [ofKey(key), await inScopeOf(tx, project)];
        if (recordedAsOf) where.push(believedAt(recordedAsOf));
        if (asOf) where.push(trueAt(asOf));
        return learned(fact, tx, sql.join(where, sql` and `), limit);
      }),
    }),
  );
  addOne(route, fact, Fact);
  route(
    'GET /v1/relations/neighbourhood',
    'What an entity is related to, up to three hops away: each relation once, the nearest first',
    {
      query: z.strictObject({
        ...about,
        hops: z.coerce.number().int().min(1).max(3).default(1).openapi({ type: 'integer' }),
        direction: z.enum(['out', 'in', 'both']).default('both'),
        ...{ project, ...instants, limit: limit(1000, 200) },
      }),
      // whether there are more relations than `limit`
      answer: z.object({ relations: z.array(Relation.extend({ hop: z.number() })), truncated: z.boolean() }),
    },
    ({ as, query: { type, key, hops, direction, project, asOf = null, recordedAsOf = null, limit } }) =>
      as(async (tx) => {
        // for a project that does not exist yet, only what belongs to no project is visible
        const scope = project === undefined ? null : ((await findProject(tx, project))?.id ?? NO_PROJECT);
        const rows = await query<Statement & { hop: number }>(tx)`
          select n.hop, ${relation.columns}
          from neighbourhood(${type}, ${key}, ${hops}::int, ${direction}, ${scope}::uuid,
              coalesce(${asOf}::timestamptz, now()), ${recordedAsOf}::timestamptz, ${limit + 1}::int) n,
            lateral (select (n.edge).*) t
          order by n.hop, t.valid_from desc, t.id`;
        return { relations: rows.slice(0, limit), truncated: rows.length > limit };
      }),
  );
  const edge = { from: Entity, relation: name, to: Entity };
  addKeyed(route, relation, Relation, edge, JsonObject.default({}));
  addOne(route, relation, Relation);
  route(
    'POST /v1/decisions',
    'State a decision: in this condition, do that; the same again confirms it',
    {
      body: inOrder(
        z.strictObject({
          /** when it applies: “the tests need a database” */
          condition: storableText(2000),
          /** what to do then: “run `npm run emulator` first” */
          action: storableText(4000),
          confidence: z.number().min(0).max(1).default(0.8),
          learnedFrom: storableText(1000).optional(),
          /** id of the decision that this one replaces, or its first 8 characters: it ends when this one begins */
          supersedes: z.string().min(8).max(45).optional(),
          ...provenance,
        }),
      ).openapi('NewDecision'),
      answer: Decision.extend({ outcome }),
      created: 'sometimes',
      wakes: ['embed'],
      problems: changes,
    },
    async ({ as, body, caller, isNew }) => {
      const stated = redactValue({ ...body, tier: tierFor(caller.scope, body.tier) }, WHOLE);
      const { condition, action, confidence, learnedFrom: source, supersedes } = stated;
      const made = await changing(as, async (tx) => {
        const older = supersedes ? await inField('supersedes', getStatement(tx, decision, supersedes)) : null;
        if (older) refuseLighter(stated.tier, older);
        const from = await provenanceColumns(tx, { ...stated, ...(source && { source }) });
        const row = JSON.stringify({ ...from, condition, action, confidence });
        const make = sql`make_decision(${row}::jsonb, ${older?.validFrom ?? null}::timestamptz)`;
        const { id, outcome } = await change(tx, sql`(select to_jsonb(m) from ${make} m)`, `“${condition}”`);
        if (older !== null) await linkStated(tx, 'decision', id, older.id);
        const opened = (await openStatement(tx, decision, id)) as Statement;
        return { ...opened, outcome: outcome as 'opened' | 'confirmed' };
      });
      isNew(made.outcome === 'opened');
      return made;
    },
  );
  addList(route, decision, Decision);
  addOne(route, decision, Decision, { amendments: z.array(AmendmentShown) });
  route(
    'POST /v1/decisions/{id}/end',
    'End a decision, without a successor',
    { params, body: z.strictObject(toEnd).openapi('DecisionToEnd'), answer: Decision, problems: changes },
    ({ as, params, body: { at, tier }, caller }) =>
      changing(as, async (tx) => {
        const one = await getStatement(tx, decision, params.id);
        refuseLighter(tierFor(caller.scope, tier), one);
        const end = sql`select end_decision(${one.id}::uuid, ${at ?? null}::timestamptz) as ended`;
        const [row] = await query<{ ended: boolean }>(tx, end);
        if (row?.ended) return (await openStatement(tx, decision, one.id)) as Statement;
        const detail = `It holds from ${one.validFrom} until ${one.validUntil ?? 'now and on'}; choose an instant within.`;
        throw refusal(409, 'Decision not current at that time', detail);
      }),
  );
});

/** Adds the routes that the kinds which are put by what they are about have in common. */
function addKeyed(
  route: Route,
  kind: Keyed,
  shown: z.ZodObject,
  about: z.ZodRawShape,
  value: z.ZodType,
): void {
  const { name, many } = kind;
  const Name = name === 'fact' ? 'Fact' : 'Relation';
  const asked = { ...about, project };
  route(
    `PUT /v1/${many}`,
    `State a ${name}: closes what held and opens this one; the same again confirms it`,
    {
      body: inOrder(
        z.strictObject({ ...about, [kind.value]: value, ...provenance, source: key.optional() }),
      ).openapi(`New${Name}`),
      answer: shown.extend({ outcome, replaced: z.string().nullable() }),
      created: 'sometimes',
      wakes: ['embed'],
      problems: changes,
    },
    async ({ as, body, caller, isNew }) => {
      const given = body as About;
      const stated = prepareStatement(kind, { ...given, tier: tierFor(caller.scope, given.tier) });
      const made = await changing(as, (tx) => putStatement(tx, kind, stated));
      isNew(made.outcome === 'opened');
      return made;
    },
  );
  addList(route, kind, shown, name === 'fact' ? about : {});
  route(
    `POST /v1/${many}/end`,
    `End a ${name}, without a new one; what is left of it is null if it ends where it began`,
    {
      body: z.strictObject({ ...asked, ...toEnd }).openapi(`${Name}ToEnd`),
      answer: z.object({ [name]: shown.nullable() }),
      problems: changes,
    },
    async ({ as, body, caller }) => {
      const given = body as About;
      const tier = tierFor(caller.scope, given.tier);
      return { [name]: await changing(as, (tx) => endStatement(tx, kind, { ...given, tier })) };
    },
  );
  route(
    `POST /v1/${many}/undo`,
    `Undo the last change of a ${name}, or that which stated \`id\`: its earlier history stands again`,
    {
      body: z.strictObject({ ...asked, id: z.guid().optional() }).openapi(`${Name}ToUndo`),
      answer: z.object({ [many]: z.array(shown) }),
      wakes: ['embed'],
      problems: changes,
    },
    async ({ as, body }) => ({
      [many]: await changing(as, (tx) => undoStatement(tx, kind, body as About)),
    }),
  );
}

function addList(route: Route, kind: Kind, shown: z.ZodObject, by: z.ZodRawShape = {}): void {
  route(
    `GET /v1/${kind.many}`,
    `The ${kind.many} that hold, or held then; in a project, its own and those of no project; what began last first`,
    {
      query: z.strictObject({ ...z.object(by).partial().shape, project, ...instants, limit: limit(500, 50) }),
      answer: z.object({ [kind.many]: z.array(shown) }),
    },
    async ({ as, query }) => {
      type Asked = Partial<End> & Instants & { project?: string; limit: number };
      const { project, asOf, recordedAsOf, limit, type, key } = query as Asked;
      const one = type !== undefined && key !== undefined && ofKey({ type, key });
      const found = await as(async (tx) => {
        const where = [await inScopeOf(tx, project), believedAt(recordedAsOf), trueAt(asOf)];
        if (one) where.push(one);
        else if (type !== undefined) where.push(sql`t.type = ${type}`);
        else if (key !== undefined) where.push(sql`t.key = ${key}`);
        // of one key, the project's own comes first
        const order = sql`${one ? sql`t.project_id is null, ` : sql``}t.valid_from desc, t.id desc`;
        return kind.read(tx, sql.join(where, sql` and `), sql`order by ${order} limit ${limit}::int`);
      });
      return { [kind.many]: found };
    },
  );
}

/** Adds the routes of one statement by its id: with all that was ever believed of the same, and erased for good. */
function addOne(route: Route, kind: Kind, shown: z.ZodObject, more: z.ZodRawShape = {}): void {
  route(
    `GET /v1/${kind.many}/{id}`,
    `A ${kind.name}, believed or not, with all that was ever believed of the same`,
    {
      params,
      query: z.strictObject(instants),
      answer: shown.extend({ history: z.array(shown), ...more }),
      problems: noSuch,
    },
    ({ as, params, query }) =>
      as(async (tx) => {
        const one = await getStatement(tx, kind, params.id, query);
        const found = { ...one, history: await learned(kind, tx, sameSubject(kind, one.id)) };
        if (kind !== decision) return found;
        return { ...found, amendments: await listAmendments(tx, { records: [one.id], limit: 50 }) };
      }),
  );
  route(
    `DELETE /v1/${kind.many}/{id}`,
    `Permanently erase a ${kind.name}, with its whole history; what it had replaced applies again`,
    { params, problems: noSuch },
    ({ as, params }) =>
      as(async (tx) => {
        const { id } = await getStatement(tx, kind, params.id);
        await eraseKind(tx, kind.name, sql`t.user_id = auth.uid() and ${sameSubject(kind, id)}`);
      }),
  );
}
