-- Returns what a session's client waits for a person to do, after an event: a list of
--
--   what          what the person is to do
--   agent         the agent that waits; null is the main one
--   tool, input   the call that waits, with a hash of its input
--   call          the id of that call, if it is known
--   since         when it began
--
-- What waits is a call, so it goes on with that call only: other calls and other agents go on meanwhile. It ends with
-- the answer to the call, with the same call made anew, and with the turn of its agent.
--
--   begins   what the person is to do, if the event says that its call waits now; else null
--   call     the id of the event's call, if it is known
create or replace function waits_after(waits jsonb, hook jsonb, at timestamptz, begins text, call text) returns jsonb
language sql stable
set search_path = ''
as $$
  with event as (
    select hook ->> 'hook_event_name' as name, hook ->> 'agent_id' as agent, hook ->> 'tool_name' as tool,
      md5((hook -> 'tool_input')::text) as input),
  kept as (
    select w.entry, w.n
    from event e, jsonb_array_elements(waits) with ordinality w (entry, n)
    where (w.entry ->> 'since')::timestamptz > at or not (
      -- a dialog takes the keyboard, so whoever prompts has answered it
      e.name in ('SessionStart', 'SessionEnd', 'UserPromptSubmit')
      or (w.entry ->> 'agent') is not distinct from e.agent and (
        e.name in ('Stop', 'StopFailure', 'SubagentStop', 'PostToolBatch')
        or e.name in ('PostToolUse', 'PostToolUseFailure', 'PermissionDenied') and case
          when w.entry ->> 'call' is not null and call is not null then w.entry ->> 'call' = call
          else (w.entry ->> 'tool', w.entry ->> 'input') is not distinct from (e.tool, e.input) end
        or e.name in ('PreToolUse', 'PermissionRequest')
          and (w.entry ->> 'tool', w.entry ->> 'input') is not distinct from (e.tool, e.input)
          and w.entry ->> 'call' is distinct from call))
    union all
    select jsonb_build_object('what', begins, 'agent', e.agent, 'tool', e.tool, 'input', e.input, 'call', call,
      'since', at), 1000
    from event e
    where begins is not null
      and not exists (select from jsonb_array_elements(waits) w
        where (w ->> 'agent') is not distinct from e.agent and (w ->> 'call') is not distinct from call
          and (w ->> 'tool', w ->> 'input') is not distinct from (e.tool, e.input)))
  select coalesce(jsonb_agg(k.entry order by k.n), '[]') from kept k
$$;
