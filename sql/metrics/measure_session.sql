-- Counts how one of the caller's sessions went, from its events, and keeps it. When the session goes on and ends
-- again, it is counted anew. Returns its different errors and its tool calls.
--
-- The agent is at work from a prompt on until the turn ends. Waiting for the person does not count. A pause of more
-- than ten minutes counts as ten, because then the machine was asleep, or a question waited.
create or replace function measure_session(in_session uuid, out errors int, out calls int)
language sql as $$
  with e as (
    select e.event, e.tool_name, e.occurred_at as at,
      e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload) as prompt,
      e.event in ('PostToolUse', 'PostToolUseFailure') as call,
      lag(e.occurred_at) over (order by e.occurred_at, e.id) as before
    from events e
    where e.session_id = in_session
  ), c as (
    select min(at) as started, count(*) filter (where prompt) as prompts, count(*) filter (where call) as calls,
      count(*) filter (where call and tool_name = 'Bash') as commands,
      sum(least(extract(epoch from at - before), 600)) filter (
        where not prompt and event not in ('SessionStart', 'SessionEnd')) as working
    from e
  ), i as (
    select i.signature, bool_or(exists (
        select from incidents o
        where o.user_id = i.user_id and o.project_id = i.project_id and o.signature = i.signature
          and o.session_id <> i.session_id and o.opened_at < i.opened_at)) as repeated
    from incidents i
    where i.session_id = in_session and is_error(i)
    group by i.signature
  ), kept as (
    insert into session_measures as m (session_id, started_at, prompts, calls, commands, errors, repeated_errors,
      working_ms)
    select in_session, c.started, c.prompts, c.calls, c.commands, (select count(*) from i),
      (select count(*) from i where i.repeated), c.working * 1000
    from c
    where c.started is not null
    on conflict (user_id, session_id) do update set started_at = excluded.started_at, prompts = excluded.prompts,
      calls = excluded.calls, commands = excluded.commands, errors = excluded.errors,
      repeated_errors = excluded.repeated_errors, working_ms = excluded.working_ms, measured_at = now()
    returning m.errors, m.calls
  )
  select coalesce(max(k.errors), 0), coalesce(max(k.calls), 0) from kept k
$$;
