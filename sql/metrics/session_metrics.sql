-- Returns how the caller's sessions went that began after an instant and have ended, one row for each arm of the
-- comparison (null: sessions outside of it), and one for each half of those without memory (`control 1`, `control 2`;
-- a hash of the id says which): what differs between these is chance. Values that are compared as ratios come as mean
-- and variance of their logarithms.
create or replace function session_metrics(since timestamptz)
returns table (
  arm text, sessions int, repeating int, commands jsonb, working jsonb, tokens jsonb
)
language sql stable as $$
  select side.arm, count(*)::int, (count(*) filter (where m.repeated_errors > 0))::int,
    jsonb_build_object('n', count(m.commands_to_success), 'mean', avg(ln(m.commands_to_success)),
      'variance', var_samp(ln(m.commands_to_success))),
    jsonb_build_object('n', count(*) filter (where m.working_ms > 0),
      'mean', avg(ln(m.working_ms)) filter (where m.working_ms > 0),
      'variance', var_samp(ln(m.working_ms)) filter (where m.working_ms > 0)),
    jsonb_build_object('n', count(*) filter (where s.tokens > 0), 'mean', avg(ln(s.tokens)) filter (where s.tokens > 0),
      'variance', var_samp(ln(s.tokens)) filter (where s.tokens > 0))
  from session_measures m
  join sessions s on s.user_id = m.user_id and s.id = m.session_id
  cross join lateral (
    select s.arm
    union all
    select case when left(md5(s.id::text), 1) < '8' then 'control 1' else 'control 2' end where s.arm = 'withheld'
  ) side (arm)
  where m.user_id = auth.uid() and m.started_at >= since and m.calls > 0
  group by side.arm
$$;

-- Returns how many of the caller's sessions met an error that their project had met before: those that began after an
-- instant, and those of the period of the same length before it.
create or replace function repeating_by_period(
  since timestamptz, out sessions int, out repeating int, out sessions_before int, out repeating_before int
)
language sql stable as $$
  select (count(*) filter (where m.started_at >= since))::int,
    (count(*) filter (where m.started_at >= since and m.repeated_errors > 0))::int,
    (count(*) filter (where m.started_at < since))::int,
    (count(*) filter (where m.started_at < since and m.repeated_errors > 0))::int
  from session_measures m
  where m.user_id = auth.uid() and m.started_at >= since - (now() - since) and m.calls > 0
$$;

-- Of the caller's sessions with a prompt and five calls or more: how many have an episode. Of those in which a check
-- passed: the median time until then, and in how many it took two minutes at most. Of those with a prompt and a call in
-- which none passed: how many ran checks all the same, and how many ran none.
create or replace function capture_metrics(since timestamptz)
returns table (meaningful int, captured int, green int, green_median float8, green_soon int,
  red int, unchecked int)
language sql stable as $$
  select count(*) filter (where m.prompts >= 1 and m.calls >= 5)::int,
    count(*) filter (where m.prompts >= 1 and m.calls >= 5 and exists (
      select from episodes e where e.user_id = m.user_id and e.session_id = m.session_id))::int,
    count(m.green_seconds)::int,
    percentile_cont(0.5) within group (order by m.green_seconds),
    count(*) filter (where m.green_seconds <= 120)::int,
    count(*) filter (where m.green_seconds is null and m.prompts >= 1 and m.checked)::int,
    count(*) filter (where m.prompts >= 1 and m.calls >= 1 and not m.checked)::int
  from session_measures m
  where m.user_id = auth.uid() and m.started_at >= since
$$;

-- The time of the caller's tasks by type, the agent's own only: with memory and without where sessions were compared,
-- else in this period and in the one of the same length before it. As logarithms, see session_metrics.
create or replace function task_times(since timestamptz)
returns table (type text, side text, n int, mean float8, variance float8)
language sql stable as $$
  select e.type, side, count(*)::int, avg(ln(e.duration_ms))::float8, var_samp(ln(e.duration_ms))::float8
  from episodes e
  left join sessions s on s.user_id = e.user_id and s.id = e.session_id
  cross join lateral (
    select s.arm where e.started_at >= since and s.arm is not null
    union all select case when e.started_at >= since then 'now' else 'before' end
  ) o (side)
  where e.user_id = auth.uid() and e.started_at >= since - (now() - since)
    and e.duration_ms > 0
  group by e.type, side
$$;
