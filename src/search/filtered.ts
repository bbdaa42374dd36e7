import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { SearchRequest } from './search.ts';

/** Returns how many texts are in the scope of a search, and how many and what share of them its filters leave out. */
export async function filteredBy(
  tx: Tx,
  asked: Omit<SearchRequest, 'vector'>,
): Promise<{ inScope: number; leftOut: number; share: number }> {
  const { projectId, mentions } = asked;
  const any = (names: string[]) => sql`any (${sql.param(names)}::text[])`;
  const when = <T>(value: T | undefined, passes: (value: T) => SQL) =>
    value === undefined ? sql`true` : passes(value);
  const passes = [
    when(asked.kinds, (kinds) => sql`d.kind = ${any(kinds)}`),
    when(asked.minConfidence, (least) => sql`d.confidence >= ${least}::real`),
    when(
      asked.maxAgeDays,
      (n) => sql`d.confirmed_at >= now() - make_interval(secs => ${n * 86_400}::float8)`,
    ),
    when(asked.excludeAgent, (agent) => sql`d.agent is distinct from ${agent}`),
    when(asked.onlyAgent, (agent) => sql`d.agent = ${agent}`),
    when(asked.channels, (names) => sql`d.channel = ${any(names)}`),
    when(asked.messageTypes, (types) => sql`d.message_type = ${any(types)}`),
    when(mentions, (names) => sql`d.mentions && ${sql.param(names.map((one) => one.toLowerCase()))}::text[]`),
    when(asked.hasBreadcrumbs, (has) => sql`d.has_breadcrumbs = ${has}::boolean`),
    when(asked.minWords, (least) => sql`d.words >= ${least}::int`),
  ];
  const [counted] = await query<{ inScope: number; leftOut: number }>(
    tx,
    sql`select count(*)::int as "inScope",
          (count(*) filter (where (${sql.join(passes, sql` and `)}) is not true))::int as "leftOut"
        from search_documents d
        where d.user_id = auth.uid() and d.part = 0
          and (${projectId ?? null}::uuid is null or d.project_id is null or d.project_id = ${projectId ?? null}::uuid)`,
  );
  const { inScope, leftOut } = counted ?? { inScope: 0, leftOut: 0 };
  return { inScope, leftOut, share: inScope === 0 ? 0 : leftOut / inScope };
}
