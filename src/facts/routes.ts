import { z } from '@hono/zod-openapi';
import type { Database, Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import type { Scope } from '../http/key-scope.ts';
import { type Router, router } from '../http/router.ts';
import { exactInstant, limit } from '../http/schemas.ts';
import { type Route, serve } from '../records/serve.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { Amendment } from '../search/amendment-routes.ts';
import { listAmendments } from '../search/amendments.ts';
import { endDecision, makeDecision } from './decisions.ts';
import { eraseStatement } from './erase.ts';
import {
  Decision,
  decision,
  fact,
  type KeyedKind,
  type Kind,
  NewDecision,
  provenance,
  Relation,
  relation,
} from './kinds.ts';
import { MAX_HOPS, neighbourhood } from './relations.ts';
import { TIERS, type Tier } from './schema.ts';
import {
  endStatement,
  getStatement,
  listStatements,
  prepareStatement,
  putStatement,
  statementHistory,
  undoStatement,
} from './statements.ts';
import { storableText } from './values.ts';

type Services = { db: Database; wake(worker: 'embed'): void };
type As = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
type Period = { validFrom?: string | undefined; validUntil?: string | undefined };

/** A project that a question is about, by any of its names. */
const project = z.string().min(1).max(4096).optional();
/** The two clocks of a question: when something was true, and when Lore believed it. */
const instants = { asOf: exactInstant().optional(), recordedAsOf: exactInstant().optional() };
/** `before`: the last id of the previous page */
const page = { project, ...instants, before: z.guid().optional(), limit: limit(500, 50) };
/** `at`: default now */
const toEnd = { at: exactInstant().optional(), tier: z.enum(TIERS).optional() };
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
      const { validFrom, validUntil } = stated as Period;
      return validFrom === undefined || validUntil === undefined || validFrom < validUntil;
    },
    // a field that is wrong by itself is named alone
    {
      message: 'must be later than validFrom',
      path: ['validUntil'],
      when: ({ issues }) => issues.length === 0,
    },
  );

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

/**
 * Makes a change. If another change of the same rows gets ahead of it, it is tried again, up to three times.
 *
 * @throws Problem (409) when others got ahead each time
 */
async function changing<T>(as: As, work: (tx: Tx) => Promise<T>, tries = 4): Promise<T> {
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

/** The routes of facts, relations and decisions. */
export function statementRoutes(services: Services): Router {
  const app = router();
  const route = serve(app, services);
  const wake = () => services.wake('embed');
  addKeyed(route, wake, fact);
  route(
    'GET /v1/relations/neighbourhood',
    'What an entity is related to, up to three hops away: each relation once, the nearest first',
    {
      query: z.strictObject({
        type: storableText(200),
        key: storableText(1000),
        hops: z.coerce.number().int().min(1).max(MAX_HOPS).default(1).openapi({ type: 'integer' }),
        direction: z.enum(['out', 'in', 'both']).default('both'),
        project,
        ...instants,
        limit: limit(1000, 200),
      }),
      answer: z.object({
        relations: z.array(Relation.extend({ hop: z.number() })),
        entities: z.array(z.object({ type: z.string(), key: z.string(), hop: z.number() })),
        /** whether there are more relations than `limit` */
        truncated: z.boolean(),
      }),
    },
    ({ as, query }) => as((tx) => neighbourhood(tx, query)),
  );
  addKeyed(route, wake, relation);
  addDecisions(route, wake);
  return app;
}

/** Adds the routes that the kinds which are put by what they are about have in common. */
function addKeyed(route: Route, wake: () => void, kind: KeyedKind): void {
  const { name, shown, about } = kind;
  const path = `/v1/${name}s` as const;
  const Name = name === 'fact' ? 'Fact' : 'Relation';
  const many = z.object({ [`${name}s`]: z.array(shown) });
  const asked = z.object({ ...about, project });
  type Asked = Record<string, unknown> & { project?: string | undefined };
  route(
    `PUT ${path}`,
    `State a ${name}: closes what held and opens this one; the same again confirms it`,
    {
      body: inOrder(
        z.strictObject({ ...about, [kind.value]: kind.valueSchema, ...provenance, source: kind.source }),
      ).openapi(`New${Name}`),
      answer: shown.extend({ outcome, replaced: z.string().nullable() }),
      created: 'sometimes',
      problems: changes,
    },
    async ({ as, body, caller, isNew }) => {
      const given = body as Asked & { tier?: Tier };
      const stated = prepareStatement(kind, { ...given, tier: tierFor(caller.scope, given.tier) });
      const made = await changing(as, (tx) => putStatement(tx, kind, stated));
      isNew(made.outcome === 'opened');
      wake();
      return made as never;
    },
  );
  addList(route, kind, kind.filters);
  if (name === 'fact')
    route(
      `GET ${path}/history`,
      'Every row of a key, in the order in which it was learned: what, of which period, believed from when until when',
      { query: z.strictObject({ ...asked.shape, ...instants, limit: limit(1000, 500) }), answer: many },
      async ({ as, query }) => ({
        [`${name}s`]: await as((tx) => statementHistory(tx, kind, query as Asked & { limit: number })),
      }),
    );
  route(
    `POST ${path}/end`,
    `End a ${name}, without a new one; what is left of it is null if it ends where it began`,
    {
      body: z.strictObject({ ...asked.shape, ...toEnd }).openapi(`${Name}ToEnd`),
      answer: z.object({ [name]: shown.nullable() }),
      problems: changes,
    },
    async ({ as, body, caller }) => {
      const given = body as Asked & { at?: string; tier?: Tier };
      const tier = tierFor(caller.scope, given.tier);
      return { [name]: await changing(as, (tx) => endStatement(tx, kind, { ...given, tier })) };
    },
  );
  route(
    `POST ${path}/undo`,
    `Undo the last change of a ${name}, or that which stated \`id\`: its earlier history stands again`,
    {
      body: z.strictObject({ ...asked.shape, id: z.guid().optional() }).openapi(`${Name}ToUndo`),
      answer: many,
      problems: changes,
    },
    async ({ as, body }) => {
      const stands = await changing(as, (tx) => undoStatement(tx, kind, body as Asked & { id?: string }));
      wake();
      return { [`${name}s`]: stands };
    },
  );
  route(
    `GET ${path}/{id}`,
    `A ${name}, believed or not, with all that was ever believed of the same`,
    { params, answer: shown.extend({ history: z.array(shown) }), problems: noSuch },
    ({ as, params }) => as((tx) => getStatement(tx, kind, params.id)) as Promise<never>,
  );
  addErase(route, kind);
}

function addList(route: Route, kind: Kind, filters: KeyedKind['filters']): void {
  const by = Object.fromEntries(
    Object.entries(filters).map(([name, { schema }]) => [name, schema.optional()]),
  );
  route(
    `GET /v1/${kind.name}s`,
    `The ${kind.name}s that hold, or held then; in a project, its own and those of no project; what began last first`,
    {
      query: z.strictObject({ ...by, ...page }),
      answer: z.object({ [`${kind.name}s`]: z.array(kind.shown) }),
    },
    async ({ as, query }) => {
      const { project, asOf, recordedAsOf, before, limit, ...by } = query as never as Record<string, never>;
      const filter = { project, asOf, recordedAsOf, before, limit: limit as unknown as number, by };
      return { [`${kind.name}s`]: await as((tx) => listStatements(tx, kind, filter)) };
    },
  );
}

const addErase = (route: Route, kind: Kind): void =>
  route(
    `DELETE /v1/${kind.name}s/{id}`,
    `Permanently erase a ${kind.name}, with its whole history; what it had replaced applies again`,
    { params, problems: noSuch },
    ({ as, params }) => as((tx) => eraseStatement(tx, kind, params.id)),
  );

function addDecisions(route: Route, wake: () => void): void {
  route(
    'POST /v1/decisions',
    'State a decision: in this condition, do that; the same again confirms it',
    {
      body: inOrder(NewDecision).openapi('NewDecision'),
      answer: Decision.extend({ outcome }),
      created: 'sometimes',
      problems: changes,
    },
    async ({ as, body, caller, isNew }) => {
      const stated = redactValue({ ...body, tier: tierFor(caller.scope, body.tier) }, WHOLE);
      const made = await changing(as, (tx) => makeDecision(tx, stated));
      isNew(made.outcome === 'opened');
      wake();
      return made;
    },
  );
  addList(route, decision, {});
  route(
    'GET /v1/decisions/{id}',
    'A decision, current or ended, with its history and the links to what it amends or what amends it',
    {
      params,
      query: z.strictObject(instants),
      answer: Decision.extend({ history: z.array(Decision), amendments: z.array(Amendment) }),
      problems: { 404: 'No such decision, or not at that time', 409: 'The id is ambiguous' },
    },
    ({ as, params, query }) =>
      as(async (tx) => {
        const found = await getStatement(tx, decision, params.id, query);
        return { ...found, amendments: await listAmendments(tx, { records: [found.id], limit: 50 }) };
      }),
  );
  route(
    'POST /v1/decisions/{id}/end',
    'End a decision, without a successor',
    { params, body: z.strictObject(toEnd).openapi('DecisionToEnd'), answer: Decision, problems: changes },
    ({ as, params, body, caller }) => {
      const tier = tierFor(caller.scope, body.tier);
      return changing(as, (tx) => endDecision(tx, params.id, { ...body, tier }));
    },
  );
  addErase(route, decision);
}
