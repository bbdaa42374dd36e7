-- Returns how the caller's sessions went that began since an instant and made a call: those that were told what Lore
-- knows (`memory`), those from which chance withheld it (`withheld`), and all of this period and of the one before it.
-- Medians are of shell commands, seconds at work, and tokens.
create or replace function session_metrics(since timestamptz)
returns table (side text, sessions int, repeating int, medians jsonb)
language sql stable as $$
  select sides.side, count(*)::int, (count(*) filter (where m.repeated_errors > 0))::int,
    jsonb_build_object(
      'commands', percentile_cont(0.5) within group (order by m.commands),
      'seconds', percentile_cont(0.5) within group (order by m.working_ms) / 1000,
      'tokens', percentile_cont(0.5) within group (order by s.tokens))
  from session_measures m
  join sessions s on s.user_id = m.user_id and s.id = m.session_id
  cross join lateral (
    select s.arm where m.started_at >= since and s.arm is not null
    union all
    select case when m.started_at >= since then 'now' else 'before' end
  ) sides (side)
  where m.user_id = auth.uid() and m.started_at >= since - (now() - since) and m.calls > 0
  group by sides.side
$$;

-- Returns the shares by which Lore is judged, as counts since an instant: of the sessions with a prompt and five calls
-- or more, those that have an episode; of the records that were told, each once a session, and have an outcome, those
-- that were followed; the same of those told at a failure or with the result of a call that failed; of the sessions
-- that were told any, those that followed none.
create or replace function measure_counts(since timestamptz)
returns table (name text, part int, whole int)
language sql stable as $$
  with m as (
    select m.*, exists (
        select from episodes e where e.user_id = m.user_id and e.session_id = m.session_id) as captured
    from session_measures m
    where m.user_id = auth.uid() and m.started_at >= since
  ), o as (
    select o.session_id, bool_or(o.outcome <> 'unused') as followed,
      bool_or(o.event in ('PostToolUse', 'PostToolUseFailure') or o.event = 'PreToolUse' and exists (
        select from incidents i
        where i.session_id = o.session_id and 'PreToolUse:' || i.tool_use_id = o.dedup_key)) as recovery
    from offers o
    where o.user_id = auth.uid() and o.offered_at >= since and o.outcome is not null and not o.withheld
    group by o.session_id, o.source_id
  ), s as (
    select bool_or(o.followed) as followed from o group by o.session_id
  )
  select 'capture', (count(*) filter (where m.captured))::int, count(*)::int
  from m where m.prompts >= 1 and m.calls >= 5
  union all
  select 'suggestionsAccepted', (count(*) filter (where o.followed))::int, count(*)::int from o
  union all
  select 'recoveriesUsed', (count(*) filter (where o.followed))::int, count(*)::int from o where o.recovery
  union all
  select 'contextSkipped', (count(*) filter (where not s.followed))::int, count(*)::int from s
$$;

-- What the caller's agents were told since an instant, by kind: how often, in how many sessions, in how many tokens,
-- and what came of it (without an outcome: nothing to count yet, or nobody knows); and what was withheld. The row
-- without a kind is of all, with the median of a session's tokens.
create or replace function told_counts(since timestamptz)
returns table (
  kind text, told int, sessions int, tokens int, helped int, failed int, unused int, withheld int, median float8
)
language sql stable as $$
  with o as (
    select * from offers where user_id = auth.uid() and offered_at >= since
  )
  select o.kind, (count(*) filter (where not o.withheld))::int,
    (count(distinct o.session_id) filter (where not o.withheld))::int,
    coalesce(sum(o.tokens) filter (where not o.withheld), 0)::int, (count(*) filter (where o.outcome = 'helped'))::int,
    (count(*) filter (where o.outcome = 'failed'))::int, (count(*) filter (where o.outcome = 'unused'))::int,
    (count(*) filter (where o.withheld))::int,
    case when o.kind is null then (
      select percentile_cont(0.5) within group (order by t.tokens)
      from (select sum(tokens) as tokens from o where not withheld group by session_id) t) end
  from o
  group by grouping sets ((o.kind), ())
  order by o.kind nulls first
$$;
