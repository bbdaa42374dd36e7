-- Returns what the events of one of the caller's sessions tell about how it went, and its shell commands, each with the
-- first time that it passed (null: it never did): whether one of them is a check is not for SQL to say.
--
-- The agent is at work from a prompt on until the turn ends. Waiting for the person does not count. A pause of more
-- than ten minutes counts as ten, because then the machine was asleep, or a question waited.
create or replace function session_counts(
  in_session uuid,
  out started timestamptz, out first_prompt timestamptz, out prompts int, out calls int, out commands int,
  out errors int, out repeated_errors int, out working_ms bigint, out lines jsonb
)
language sql stable as $$
  with e as (
    select e.id, e.event, e.tool_name, e.tool_use_id, e.occurred_at as at,
      e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload) as prompt,
      e.event in ('PostToolUse', 'PostToolUseFailure') as call,
      lag(e.occurred_at) over (order by e.occurred_at, e.id) as before
    from events e
    where e.session_id = in_session
  ), c as (
    select min(at) as started, min(at) filter (where prompt) as first_prompt,
      count(*) filter (where prompt) as prompts, count(*) filter (where call) as calls,
      count(*) filter (where call and tool_name = 'Bash') as commands,
      sum(least(extract(epoch from at - before), 600)) filter (
        where not prompt and event not in ('SessionStart', 'SessionEnd')) as working
    from e
  ), n as (
    select e.*, count(*) filter (where e.call and e.tool_name = 'Bash' and e.at >= c.first_prompt)
        over (order by e.at, e.id) as nth
    from e, c
  ), i as (
    select i.signature, bool_or(exists (
        select from incidents o
        where o.user_id = i.user_id and o.project_id = i.project_id and o.signature = i.signature
          and o.session_id <> i.session_id and o.opened_at < i.opened_at)) as repeated
    from incidents i
    where i.session_id = in_session and is_error(i)
    group by i.signature
  )
  select c.started, c.first_prompt, c.prompts::int, c.calls::int, c.commands::int,
    (select count(*)::int from i), (select count(*)::int from i where i.repeated), (c.working * 1000)::bigint,
    (select coalesce(jsonb_agg(p order by p.at), '[]') from (
      select r.target, min(r.at) filter (where r.passed) as at, min(r.nth) filter (where r.passed) as commands
      from (
        select t.target, e.at, e.nth, e.event = 'PostToolUse' and not exists (
            select from incidents x where x.session_id = in_session and x.tool_use_id = e.tool_use_id) as passed
        from n e join events t on t.id = e.id
        where e.call and e.tool_name = 'Bash' and e.at >= c.first_prompt and t.target is not null) r
      group by r.target) p)
  from c
$$;
