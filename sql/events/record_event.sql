-- Stores a hook event once and updates its session. This is one function, because each statement of a hook is a round
-- trip to the database. Runs as the caller, so row level security applies.
--
--   files              the files that the tool wrote
--   task, title, said  task and title from a prompt, and the assistant's last words at the end of a turn
--   begins             what a person is to do, if the event says that its call waits for one
--
-- Returns null for a new event. A repeated delivery changes nothing and returns the time of the first one.
create or replace function record_event(
  in_session uuid, hook jsonb, key text, from_source text, at timestamptz, on_target text, files text[],
  task text, title text, said text, begins text default null
) returns timestamptz
language plpgsql as $$
declare
  name constant text := hook ->> 'hook_event_name';
  tool constant text := hook ->> 'tool_name';
  failing constant boolean := name = 'PostToolUseFailure';
  call text := hook ->> 'tool_use_id';
  waiting jsonb;
begin
  insert into events (session_id, event, dedup_key, source, agent_id, tool_name, tool_use_id, target, payload,
    occurred_at)
  values (in_session, name, key, from_source, hook ->> 'agent_id', tool, hook ->> 'tool_use_id', on_target, hook,
    at)
  on conflict (user_id, session_id, dedup_key) do nothing;
  if not found then
    return coalesce(
      (select e.occurred_at from events e where e.session_id = in_session and e.dedup_key = key),
      at);
  end if;

  update sessions s set
    last_activity = greatest(s.last_activity, at),
    -- An event from before the session's end that is recovered later does not reopen the session.
    status = case when s.ended_at is null or s.ended_at < at then 'active' else s.status end,
    ended_at = case when s.ended_at >= at then s.ended_at end,
    tools_used = case
      when (name = 'PostToolUse' or failing) and tool <> ''
        then s.tools_used || jsonb_build_object(tool, coalesce((s.tools_used ->> tool)::int, 0) + 1)
      else s.tools_used
    end,
    errors_encountered = s.errors_encountered + failing::int,
    -- The session was resumed, and the event that says so was lost. It can end again.
    starts = s.starts + (coalesce(s.ended_at < at, false) and name not in ('SessionStart', 'SessionEnd'))::int
  where s.id = in_session
  returning s.waits into waiting;

  -- What is read from a transcript later was answered long ago.
  if begins is not null and from_source = 'hook' then
    -- The client names no call when it asks for a permission: it is the last such call.
    call := coalesce(call, (
      select e.tool_use_id from events e
      where e.session_id = in_session and e.event = 'PreToolUse' and e.tool_name = tool
        and e.agent_id is not distinct from hook ->> 'agent_id' and e.payload -> 'tool_input' = hook -> 'tool_input'
      order by e.occurred_at desc, e.id desc limit 1));
    if exists (select from events e
      where e.session_id = in_session and e.tool_use_id = call
        and e.event in ('PostToolUse', 'PostToolUseFailure', 'PermissionDenied'))
    then
      begins := null;
    end if;
    waiting := waits_after(waiting, hook, at, begins, call);
    update sessions s set waits = waiting, waiting_for = waiting #>> '{0,what}' where s.id = in_session;
  elsif waiting <> '[]' then
    waiting := waits_after(waiting, hook, at, null, call);
    update sessions s set waits = waiting, waiting_for = waiting #>> '{0,what}'
    where s.id = in_session and s.waits <> waiting;
  end if;

  -- These are separate updates, because few events need them and they would slow down every event.
  if name = 'SessionStart' then
    update sessions s set
      starts = s.starts + 1,
      branch = coalesce(hook #>> '{lore,branch}', s.branch),
      -- A session may be resumed in another work tree.
      root = coalesce(hook #>> '{lore,root}', s.root),
      transcript_path = coalesce(hook ->> 'transcript_path', s.transcript_path)
    where s.id = in_session;
  elsif name = 'SessionEnd' then
    update sessions s set status = 'completed', ended_at = at, outcome = hook ->> 'reason'
    where s.id = in_session;
  elsif cardinality(files) > 0 then
    update sessions s set
      files_modified = (select array_agg(distinct f) from unnest(s.files_modified || files) f)
    where s.id = in_session;
  elsif task is not null or said is not null then
    update sessions s set
      task_description = coalesce(s.task_description, task),
      short_title = coalesce(s.short_title, title),
      summary = coalesce(said, s.summary)
    where s.id = in_session;
  end if;
  return null;
end $$;

-- Stores several events in their order, in one call. Returns for each what record_event returns. When much comes,
-- most of it are calls that nobody waits for, in sessions that have not ended: they are stored at once, and each
-- session changes once.
create or replace function record_events(entries jsonb) returns timestamptz[]
language plpgsql as $$
declare
  e record;
  results timestamptz[] := '{}';
begin
  if jsonb_array_length(entries) > 4 and not exists (
    select from jsonb_array_elements(entries) x
    left join sessions s on s.id = (x ->> 'session_id')::uuid
    where x #>> '{hook,hook_event_name}' not in ('PreToolUse', 'PostToolUse') or x ->> 'begins' is not null
      or x -> 'files' <> '[]' or s.ended_at is not null or s.waits <> '[]')
  then
    with given as (
      select r.*, row_number() over (partition by session_id, key order by n) > 1 as again
      from rows from (jsonb_to_recordset(entries) as (
        session_id uuid, hook jsonb, key text, source text, at timestamptz, target text))
        with ordinality as r (session_id, hook, key, source, at, target, n)
    ), stored as (
      insert into events (session_id, event, dedup_key, source, agent_id, tool_name, tool_use_id, target, payload,
        occurred_at)
      select session_id, hook ->> 'hook_event_name', key, source, hook ->> 'agent_id', hook ->> 'tool_name',
        hook ->> 'tool_use_id', target, hook, at
      from given where not again order by n
      on conflict (user_id, session_id, dedup_key) do nothing
      returning session_id, event, dedup_key, tool_name, occurred_at
    ), ran as (
      select session_id, tool_name, count(*) as calls from stored
      where event = 'PostToolUse' and tool_name <> '' group by 1, 2
    ), changed as (
      update sessions s set
        last_activity = greatest(s.last_activity, l.at),
        status = 'active',
        tools_used = s.tools_used || coalesce((
          select jsonb_object_agg(r.tool_name, coalesce((s.tools_used ->> r.tool_name)::int, 0) + r.calls)
          from ran r where r.session_id = s.id), '{}')
      from (select session_id, max(occurred_at) as at from stored group by 1) l
      where s.id = l.session_id
    )
    select array_agg(case when g.again or t.dedup_key is null then coalesce(o.occurred_at, g.at) end order by g.n)
    into results
    from given g
    left join stored t on t.session_id = g.session_id and t.dedup_key = g.key
    left join events o on o.session_id = g.session_id and o.dedup_key = g.key and t.dedup_key is null;
    return results;
  end if;
  for e in
    select *
    from jsonb_to_recordset(entries) as r (session_id uuid, hook jsonb, key text, source text, at timestamptz,
      target text, files text[], task text, title text, said text, begins text)
  loop
    results := results || record_event(e.session_id, e.hook, e.key, e.source, e.at, e.target, e.files, e.task, e.title,
      e.said, e.begins);
  end loop;
  return results;
end $$;
