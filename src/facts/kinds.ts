import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { exactInstant, time } from '../http/schemas.ts';
import { CHANGES, TIERS } from './schema.ts';
import { JsonObject, JsonValue, projectToState, storableText } from './values.ts';

// The three kinds of statements, each as data: what it says, what it is about, how its rows are read.

const name = () => storableText(200);
const key = () => storableText(1000);
const source = storableText(1000).optional();

/** Where a statement comes from and when it holds. */
export const provenance = {
  /** without one it is the user's own */
  project: projectToState.optional(),
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

/** What every fact, relation and decision tells about itself. */
const statement = {
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

const Entity = z.strictObject({ type: name(), key: key() }).openapi('Entity');
const shownEntity = z.object({ type: z.string(), key: z.string() });
const edge = { from: Entity, relation: name(), to: Entity };

export const Fact = z
  .object({
    type: z.string(),
    key: z.string(),
    value: z.unknown(),
    ...statement,
    source: z.string().nullable(),
  })
  .openapi('Fact');
export const Relation = z
  .object({
    from: shownEntity,
    relation: z.string(),
    to: shownEntity,
    attributes: z.record(z.string(), z.unknown()),
    ...statement,
    source: z.string().nullable(),
  })
  .openapi('Relation');
export const Decision = z
  .object({
    condition: z.string(),
    action: z.string(),
    confidence: z.number(),
    learnedFrom: z.string().nullable(),
    ...statement,
  })
  .openapi('Decision');
export type Decision = z.infer<typeof Decision>;

export const NewDecision = z.strictObject({
  /** when it applies: “the tests need a database” */
  condition: storableText(2000),
  /** what to do then: “run `npm run emulator` first” */
  action: storableText(4000),
  confidence: z.number().min(0).max(1).default(0.8),
  learnedFrom: storableText(1000).optional(),
  /** id of the decision that this one replaces, or its first 8 characters */
  supersedes: z.string().min(8).max(45).optional(),
  ...provenance,
});

/** How a kind of statement is read and changed. */
export type Kind<Shown extends z.ZodObject = z.ZodObject> = {
  name: 'fact' | 'relation' | 'decision';
  /** the columns of a row `t` that it shows beside those of every statement */
  columns: SQL;
  shown: Shown;
};

/** A kind whose statements are put by what they are about. */
export type KeyedKind<Shown extends z.ZodObject = z.ZodObject> = Kind<Shown> & {
  name: 'fact' | 'relation';
  /** the fields that say what it is about, as a request has them */
  about: z.ZodRawShape;
  /** the same as texts by the names of their columns, in the order of the subject */
  names(given: Record<string, unknown>): Record<string, string>;
  /** the field that a new statement changes, and its schema */
  value: 'value' | 'attributes';
  valueSchema: z.ZodType;
  source: typeof source;
  /** the parameters of a list, with the columns that they choose by, and the indexed columns made of several of them */
  filters: Record<string, { schema: z.ZodType<string>; column: string }>;
  indexed: Record<string, string[]>;
};

type Names = { type: string; key: string };

export const fact: KeyedKind<typeof Fact> = {
  name: 'fact',
  columns: sql`t.type, t.key, t.value, t.source`,
  shown: Fact,
  about: { type: name(), key: key() },
  names: ({ type, key }) => ({ type, key }) as Names,
  value: 'value',
  valueSchema: JsonValue,
  source,
  filters: { type: { schema: name(), column: 'type' }, key: { schema: key(), column: 'key' } },
  indexed: { subject: ['type', 'key'] },
};

export const relation: KeyedKind<typeof Relation> = {
  name: 'relation',
  columns: sql`json_build_object('type', t.from_type, 'key', t.from_key) as "from", t.relation,
    json_build_object('type', t.to_type, 'key', t.to_key) as "to", t.attributes, t.source`,
  shown: Relation,
  about: edge,
  names(given) {
    const { from, relation, to } = given as { from: Names; relation: string; to: Names };
    return { from_type: from.type, from_key: from.key, relation, to_type: to.type, to_key: to.key };
  },
  value: 'attributes',
  valueSchema: JsonObject.default({}),
  source,
  filters: {
    fromType: { schema: name(), column: 'from_type' },
    fromKey: { schema: key(), column: 'from_key' },
    relation: { schema: name(), column: 'relation' },
    toType: { schema: name(), column: 'to_type' },
    toKey: { schema: key(), column: 'to_key' },
  },
  indexed: { from_entity: ['fromType', 'fromKey'], to_entity: ['toType', 'toKey'] },
};

export const decision: Kind<typeof Decision> = {
  name: 'decision',
  columns: sql`t.condition, t.action, t.confidence, t.source as "learnedFrom"`,
  shown: Decision,
};
