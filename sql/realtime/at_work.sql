-- Returns whether a session was ever prompted or made a call. A client that resumes a session may first start another
-- one, in which nothing ever happens.
create or replace function has_worked(session uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from public.events e
    where e.session_id = session
      and e.event in ('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'))
$$;

-- Returns whether an open session is at work: it was prompted or made a call, and its turn has not ended since. Agents
-- that go on behind the turn are at work until they stop. What tells of neither (a notification …) is passed over.
create or replace function is_at_work(session uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce((
    select e.event not in ('Stop', 'StopFailure', 'SessionStart', 'SessionEnd')
    from public.events e
    where e.session_id = session
      and (e.event in ('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch',
          'PermissionRequest', 'PermissionDenied', 'Stop', 'StopFailure', 'SessionEnd')
        -- compaction starts the session anew in the middle of a turn
        or e.event = 'SessionStart' and e.payload ->> 'source' is distinct from 'compact')
      and (e.agent_id is null or not exists (
        select from public.events z
        where z.session_id = session and z.event = 'SubagentStop' and z.agent_id = e.agent_id and z.id > e.id))
    order by e.occurred_at desc, e.id desc limit 1), false)
$$;
