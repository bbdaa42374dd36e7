import { sql } from 'drizzle-orm';
import { NO_PROJECT } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { findProject } from '../sessions/projects.ts';
import { holdsSecret } from './facts.ts';
import type { Tier } from './schema.ts';
import {
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

/** What a relation connects: a service, a file, a person. */
export type Entity = { type: string; key: string };
/** What a relation is. Without a project it is the user's own. */
export type Edge = { from: Entity; relation: string; to: Entity; project?: string | undefined };
export type StatedRelation = Edge & Provenance & { attributes: Record<string, unknown> };
export type Relation = Statement & Omit<Edge, 'project'> & { attributes: Record<string, unknown> };

const columns = sql`${statementColumns}, json_build_object('type', t.from_type, 'key', t.from_key) as "from", t.relation,
  json_build_object('type', t.to_type, 'key', t.to_key) as "to", t.attributes`;
const subjectOf = ({ from, relation, to }: Edge) =>
  sql`temporal_subject(${from.type}::text, ${from.key}::text, ${relation}::text, ${to.type}::text, ${to.key}::text)`;
const entityOf = ({ type, key }: Entity) => sql`temporal_subject(${type}::text, ${key}::text)`;
const nameOf = ({ from, relation, to }: Edge) => `${from.type} ${from.key} ${relation} ${to.type} ${to.key}`;

/**
 * Returns a relation without secrets, as it may be stored. Call it before a transaction is opened.
 *
 * @throws Problem (400) when a name in it contains a secret: if that were removed, different relations would
 *   become equal
 */
export function prepareRelation(stated: StatedRelation): StatedRelation {
  const { from, relation, to } = stated;
  const names = {
    'from.type': from.type,
    'from.key': from.key,
    relation,
    'to.type': to.type,
    'to.key': to.key,
  };
  for (const [field, name] of Object.entries(names)) if (redactText(name) !== name) throw holdsSecret(field);
  return { ...redactValue(stated, WHOLE), from, relation, to };
}

/**
 * States a relation in the same way as {@link putFact} states a fact. Its attributes are its value.
 *
 * @throws Problem (409) when what holds comes from a weightier tier; then nothing is stored
 */
export async function putRelation(tx: Tx, stated: StatedRelation): Promise<Relation & Put> {
  const { from, relation, to, attributes } = stated;
  const row = {
    ...(await provenanceColumns(tx, stated)),
    from_type: from.type,
    from_key: from.key,
    relation,
    to_type: to.type,
    to_key: to.key,
    attributes,
  };
  const made = await change(
    tx,
    sql`temporal_put('relations', ${subjectOf(stated)}, ${JSON.stringify(row)}::jsonb, 'attributes')`,
  );
  refuseUnmade(made, nameOf(stated));
  return {
    ...((await openStatement<Relation>(tx, 'relation', columns, made.id)) as Relation),
    ...putOf(made),
  };
}

/** Returns the relations that held at the instants of a question. */
export async function listRelations(
  tx: Tx,
  filter: Instants & {
    from?: Partial<Entity>;
    to?: Partial<Entity>;
    relation?: string | undefined;
    project?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Relation[]> {
  const { from = {}, to = {}, relation } = filter;
  const is = (column: string, given: string | undefined) =>
    sql`(${given ?? null}::text is null or ${sql.raw(`t.${column}`)} = ${given ?? null})`;
  const end = (name: 'from' | 'to', { type, key }: Partial<Entity>) =>
    type !== undefined && key !== undefined
      ? sql`${sql.raw(`t.${name}_entity`)} = ${entityOf({ type, key })}`
      : sql`${is(`${name}_type`, type)} and ${is(`${name}_key`, key)}`;
  return listStatements<Relation>(tx, 'relation', columns, {
    ...filter,
    where: sql`${end('from', from)} and ${end('to', to)} and ${is('relation', relation)}
      and ${await inScopeOf(tx, filter.project)}`,
  });
}

/**
 * Returns a relation by its id or the beginning of it, with all that was ever believed of the same.
 *
 * @throws Problem (404) if there is none, (409) if the beginning fits several
 */
export const getRelation = (tx: Tx, reference: string): Promise<Relation & { history: Relation[] }> =>
  wholeStatement<Relation>(tx, 'relation', columns, reference);

/**
 * Ends a relation.
 *
 * @param asked.at when it ends; default now
 * @returns what is left of it; null if it ends where it began
 * @throws Problem (404) when it does not hold then, (409) when it comes from a weightier tier
 */
export const endRelation = (
  tx: Tx,
  { at, tier, ...edge }: Edge & { at?: string | undefined; tier: Tier },
): Promise<Relation | null> =>
  endStatement<Relation>(tx, 'relation', columns, { ...aboutOf(edge), at, tier });

/**
 * Undoes the last change of a relation that still stands, as {@link undoFact} does.
 *
 * @returns the periods of the relation that are believed now
 */
export const undoRelation = (
  tx: Tx,
  { id, ...edge }: Edge & { id?: string | undefined },
): Promise<Relation[]> => undoStatement<Relation>(tx, 'relation', columns, { ...aboutOf(edge), id });

const aboutOf = (edge: Edge) => ({ project: edge.project, subject: subjectOf(edge), name: nameOf(edge) });

/** Most hops of a neighbourhood. */
export const MAX_HOPS = 3;

/**
 * Walks relations from an entity (sql/temporal/neighbourhood.sql).
 *
 * @returns each relation with the hop at which it was reached, the nearest first, and the entities that were reached;
 *   `truncated` if there are more than `limit`
 */
export async function neighbourhood(
  tx: Tx,
  asked: Instants &
    Entity & { hops: number; direction: 'out' | 'in' | 'both'; project?: string | undefined; limit: number },
): Promise<{
  relations: (Relation & { hop: number })[];
  entities: (Entity & { hop: number })[];
  truncated: boolean;
}> {
  const { type, key, hops, direction, project, asOf = null, recordedAsOf = null, limit } = asked;
  const found = project === undefined ? null : await findProject(tx, project);
  // for a project that does not exist yet, only what belongs to no project is visible
  const scope = project === undefined ? null : (found?.id ?? NO_PROJECT);
  const rows = await query<Relation & { hop: number }>(
    tx,
    sql`select n.hop, ${columns}
        from neighbourhood(${type}, ${key}, ${hops}::int, ${direction}, ${scope}::uuid,
            coalesce(${asOf}::timestamptz, now()), ${recordedAsOf}::timestamptz, ${limit + 1}::int) n,
          lateral (select (n.edge).*) t
        order by n.hop, t.valid_from desc, t.id`,
  );
  const relations = rows.slice(0, limit);
  const reached = new Map([[JSON.stringify([type, key]), 0]]);
  for (const { from, to, hop } of relations) {
    for (const end of [from, to]) {
      const name = JSON.stringify([end.type, end.key]);
      if (!reached.has(name)) reached.set(name, hop);
    }
  }
  const entities = [...reached].map(([name, hop]) => {
    const [type, key] = JSON.parse(name) as [string, string];
    return { type, key, hop };
  });
  return { relations, entities, truncated: rows.length > limit };
}
