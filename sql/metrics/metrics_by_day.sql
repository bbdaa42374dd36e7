-- Returns numbers for each of the caller's days (UTC) since an instant; days without any are left out. They are: the
-- sessions that have ended, on the day on which they began; how many of these met an error that their project had met
-- before; their different errors, and how many of these the project had met before; the commands that were checked, and
-- how long they waited (milliseconds).
create or replace function metrics_by_day(since timestamptz)
returns table (
  day date, sessions int, repeating int, errors int, repeated_errors int, checks int, check_p50 float8, check_p95 float8
)
language sql stable as $$
  with m as (
    select (m.started_at at time zone 'UTC')::date as day, count(*)::int as sessions,
      (count(*) filter (where m.repeated_errors > 0))::int as repeating,
      sum(m.errors)::int as errors, sum(m.repeated_errors)::int as repeated_errors
    from session_measures m
    where m.user_id = auth.uid() and m.started_at >= since and m.calls > 0
    group by 1
  ), c as (
    select (c.checked_at at time zone 'UTC')::date as day, count(*)::int as checks,
      percentile_cont(0.5) within group (order by c.ms) as p50,
      percentile_cont(0.95) within group (order by c.ms) as p95
    from command_checks c
    where c.user_id = auth.uid() and c.checked_at >= since and c.tool is null
    group by 1
  )
  select day, coalesce(m.sessions, 0), coalesce(m.repeating, 0), coalesce(m.errors, 0),
    coalesce(m.repeated_errors, 0), coalesce(c.checks, 0), c.p50, c.p95
  from m full join c using (day)
  order by day
$$;
