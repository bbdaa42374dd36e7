import { query, type Tx } from '../db/open.ts';

/** The last session of a project in which calls were made, some of which no hook told of. */
export type UncheckedCalls = { project: string; calls: number; unchecked: number; at: string };

/**
 * Returns the projects whose last session made calls that Lore knows from its transcript only: their hooks were refused or
 * went unanswered, so nobody checked them. Only calls of the last week count since the first start that a hook told of, of
 * the session or of its project: before, Lore was not attached, or they are of the session that was continued.
 *
 * @param projectId one project; default: all
 */
export async function uncheckedCalls(tx: Tx, projectId: string | null = null): Promise<UncheckedCalls[]> {
  return query<UncheckedCalls>(tx)`
  select p.name as project, counted.calls::int, counted.unchecked::int, last.last_activity as at
  from (
    select distinct on (s.project_id) s.id, s.project_id, s.last_activity, start.at
    from sessions s
    cross join lateral (
      select coalesce(
        -- the first of its events, as a rule: nothing else of it is read then
        (select e.occurred_at from events e where e.session_id = s.id and e.event = 'SessionStart' and e.source = 'hook'
         order by e.occurred_at limit 1),
        (select f.at from (select min(e.occurred_at) as at from events e where e.session_id = s.id) f where exists (
          select from events b join sessions o on o.id = b.session_id where o.project_id = s.project_id
          and b.event = 'SessionStart' and b.source = 'hook' and b.occurred_at < f.at))) as at
    ) start
    where s.last_activity > now() - interval '7 days' and s.tools_used <> '{}'::jsonb and start.at is not null
      and (${projectId}::uuid is null or s.project_id = ${projectId}::uuid)
    order by s.project_id, s.last_activity desc
  ) last
  join projects p on p.id = last.project_id
  cross join lateral (
    select count(*) as calls, count(*) filter (where not told) as unchecked
    from (
      select bool_or(e.source = 'hook') as told from events e
      where e.session_id = last.id and e.tool_use_id is not null and e.occurred_at >= last.at
      group by e.tool_use_id
    ) each
  ) counted
  where counted.unchecked > 0 order by last.last_activity desc`;
}
