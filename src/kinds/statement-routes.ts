import { z } from '@hono/zod-openapi';
import { Problem } from '../base/errors/problem.ts';
import type { Tx } from '../db/open.ts';
import type { Scope } from '../http/key-scope.ts';
import { exactInstant, limit } from '../http/schemas.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { AmendmentShown, listAmendments } from '../search/amendments.ts';
import { eraseStatement } from './erase.ts';
import { alone } from './kind.ts';
import { type Route, served } from './records/serve.ts';
import { TIERS, type Tier } from './schema.ts';
import * as statements from './statements.ts';
import { JsonObject, JsonValue, projectToState, storableText } from './values.ts';

type As = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
type Asked = Record<string, unknown> & { project?: string; tier?: Tier; limit: number };

const name = storableText(200);
const key = storableText(1000);
/** A project that a question is about, by any of its names. */
const project = z.string().min(1).max(4096).optional();
const tier = z.enum(TIERS).optional();
/** The two clocks of a question: when something was true, and when Lore believed it. */
const instants = { asOf: exactInstant().optional(), recordedAsOf: exactInstant().optional() };
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
const Fact = z.object(statements.fact.shape).openapi('Fact');
const Relation = z.object(statements.relation.shape).openapi('Relation');
const Decision = z.object(statements.decision.shape).openapi('Decision');
const Entity = z.strictObject({ type: name, key }).openapi('Entity');
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
export const statementRoutes = served((route, services: { wake(worker: 'embed'): void }) => {
  const wake = () => services.wake('embed');
  addKeyed(route, wake, statements.fact, Fact, { type: name, key }, JsonValue);
  route(
    'GET /v1/facts/history',
    'Every row of a key, in the order in which it was learned: what, of which period, believed from when until when',
    {
      query: z.strictObject({ type: name, key, project, ...instants, limit: limit(1000, 500) }),
      answer: z.object({ facts: z.array(Fact) }),
    },
    async ({ as, query: { type, key, ...rest } }) => ({
      facts: await as((tx) =>
        statements.listStatements(tx, statements.fact, { ...rest, by: { type, key }, history: true }),
      ),
    }),
  );
  addOne(route, statements.fact, Fact);
  route(
    'GET /v1/relations/neighbourhood',
    'What an entity is related to, up to three hops away: each relation once, the nearest first',
    {
      query: z.strictObject({
        type: name,
        key,
        hops: z.coerce.number().int().min(1).max(3).default(1).openapi({ type: 'integer' }),
        direction: z.enum(['out', 'in', 'both']).default('both'),
        project,
        ...instants,
        limit: limit(1000, 200),
      }),
      // whether there are more relations than `limit`
      answer: z.object({ relations: z.array(Relation.extend({ hop: z.number() })), truncated: z.boolean() }),
    },
    ({ as, query }) => as((tx) => statements.neighbourhood(tx, query)),
  );
  addKeyed(
    route,
    wake,
    statements.relation,
    Relation,
    { from: Entity, relation: name, to: Entity },
    JsonObject.default({}),
  );
  addOne(route, statements.relation, Relation);
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
          /** id of the decision that this one replaces, or its first 8 characters */
          supersedes: z.string().min(8).max(45).optional(),
          ...provenance,
        }),
      ).openapi('NewDecision'),
      answer: Decision.extend({ outcome }),
      created: 'sometimes',
      problems: changes,
    },
    async ({ as, body, caller, isNew }) => {
      const stated = redactValue({ ...body, tier: tierFor(caller.scope, body.tier) }, WHOLE);
      const made = await changing(as, (tx) =>
        statements.makeDecision(tx, stated as Parameters<typeof statements.makeDecision>[1]),
      );
      isNew(made.outcome === 'opened');
      wake();
      return made;
    },
  );
  addList(route, statements.decision, Decision);
  addOne(route, statements.decision, Decision, { amendments: z.array(AmendmentShown) });
  route(
    'POST /v1/decisions/{id}/end',
    'End a decision, without a successor',
    { params, body: z.strictObject(toEnd).openapi('DecisionToEnd'), answer: Decision, problems: changes },
    ({ as, params, body, caller }) => {
      const tier = tierFor(caller.scope, body.tier);
      return changing(as, (tx) => statements.endDecision(tx, params.id, { ...body, tier }));
    },
  );
});

/** Adds the routes that the kinds which are put by what they are about have in common. */
function addKeyed(
  route: Route,
  wake: () => void,
  kind: statements.Keyed,
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
      problems: changes,
    },
    async ({ as, body, caller, isNew }) => {
      const given = body as Asked;
      const stated = statements.prepareStatement(kind, { ...given, tier: tierFor(caller.scope, given.tier) });
      const made = await changing(as, (tx) => statements.putStatement(tx, kind, stated));
      isNew(made.outcome === 'opened');
      wake();
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
      const given = body as Asked;
      const tier = tierFor(caller.scope, given.tier);
      return { [name]: await changing(as, (tx) => statements.endStatement(tx, kind, { ...given, tier })) };
    },
  );
  route(
    `POST /v1/${many}/undo`,
    `Undo the last change of a ${name}, or that which stated \`id\`: its earlier history stands again`,
    {
      body: z.strictObject({ ...asked, id: z.guid().optional() }).openapi(`${Name}ToUndo`),
      answer: z.object({ [many]: z.array(shown) }),
      problems: changes,
    },
    async ({ as, body }) => {
      const stands = await changing(as, (tx) => statements.undoStatement(tx, kind, body as Asked));
      wake();
      return { [many]: stands };
    },
  );
}

function addList(route: Route, kind: statements.Kind, shown: z.ZodObject, by: z.ZodRawShape = {}): void {
  const filters = z.object(by).partial().shape;
  route(
    `GET /v1/${kind.many}`,
    `The ${kind.many} that hold, or held then; in a project, its own and those of no project; what began last first`,
    {
      query: z.strictObject({ ...filters, project, ...instants, limit: limit(500, 50) }),
      answer: z.object({ [kind.many]: z.array(shown) }),
    },
    async ({ as, query }) => {
      const { project, asOf, recordedAsOf, limit, ...by } = query as Asked &
        Record<'asOf' | 'recordedAsOf', string>;
      const filter = { project, asOf, recordedAsOf, limit, by: by as Record<string, string> };
      return { [kind.many]: await as((tx) => statements.listStatements(tx, kind, filter)) };
    },
  );
}

/** Adds the routes of one statement by its id: with all that was ever believed of the same, and erased for good. */
function addOne(route: Route, kind: statements.Kind, shown: z.ZodObject, more: z.ZodRawShape = {}): void {
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
        const found = await statements.getStatement(tx, kind, params.id, query);
        if (kind.name !== 'decision') return found;
        return { ...found, amendments: await listAmendments(tx, { records: [found.id], limit: 50 }) };
      }),
  );
  route(
    `DELETE /v1/${kind.many}/{id}`,
    `Permanently erase a ${kind.name}, with its whole history; what it had replaced applies again`,
    { params, problems: noSuch },
    ({ as, params }) => as((tx) => eraseStatement(tx, kind, params.id)),
  );
}
