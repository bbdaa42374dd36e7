-- What became of what the caller's agents were offered since an instant, each record once a session: how many have an
-- outcome and how many of these were followed; the same of those that were told at a failure, or with the result of a
-- call that failed; and how many sessions were offered any, and followed none.
create or replace function offer_metrics(since timestamptz)
returns table (settled int, followed int, recoveries int, recovered int, sessions int, skipped int)
language sql stable as $$
  with o as (
    select o.session_id, bool_or(o.outcome <> 'unused') as followed,
      bool_or(o.event in ('PostToolUse', 'PostToolUseFailure') or o.event = 'PreToolUse' and exists (
        select from incidents i
        where i.session_id = o.session_id and 'PreToolUse:' || i.tool_use_id = o.dedup_key)) as recovery
    from offers o
    where o.user_id = auth.uid() and o.offered_at >= since and o.outcome is not null and not o.withheld
    group by o.session_id, o.source_id
  )
  select count(*)::int, (count(*) filter (where followed))::int, (count(*) filter (where recovery))::int,
    (count(*) filter (where recovery and followed))::int, count(distinct session_id)::int,
    (count(distinct session_id) - count(distinct session_id) filter (where followed))::int
  from o
$$;

-- What the caller's agents were told since an instant: sessions that were told anything, the tokens of all, and the
-- median of a session.
create or replace function offer_costs(since timestamptz, out sessions int, out tokens bigint, out median float8)
language sql stable as $$
  select count(*)::int, coalesce(sum(s.tokens), 0)::bigint, percentile_cont(0.5) within group (order by s.tokens)
  from (
    select sum(o.tokens) as tokens from offers o
    where o.user_id = auth.uid() and o.offered_at >= since and not o.withheld
    group by o.session_id) s
$$;

-- The caller's answers to an error that were discarded when they were judged, and lessons that were closed without a
-- successor, since an instant; and how many of these an error asked for again, in a later session.
create or replace function discarded_metrics(since timestamptz)
returns table (discarded int, needed int)
language sql stable as $$
  with d as (
    select i.project_id, i.signature, r.session_id, r.finished_at as at
    from learning_requests r
    join incidents i on i.user_id = r.user_id and i.id = r.incident_id
    where r.user_id = auth.uid() and r.decision = 'discarded' and r.finished_at >= since
    union all
    select l.project_id, l.signature, l.source_session_id, l.valid_until
    from learnings l
    where l.user_id = auth.uid() and l.valid_until >= since and l.signature is not null
      and not exists (select from learnings n where n.user_id = l.user_id and n.supersedes = l.id)
  )
  select count(*)::int, (count(*) filter (where exists (
      select from incidents i
      where i.user_id = auth.uid() and i.project_id = d.project_id and i.signature = d.signature
        and i.opened_at > d.at and i.session_id is distinct from d.session_id)))::int
  from d
$$;
