-- Returns the model that does the work of an agent of a session, as far as the client has said it: of the session's own
-- agent its transcript tells; of a subagent the answer to the call that started it, before
-- that what the call asks for.
create or replace function agent_model(session uuid, agent text, call text) returns text
language sql stable
set search_path = ''
as $$
  select case when agent is null and call is null then (select s.model from public.sessions s where s.id = session)
    else (
      select coalesce(e.payload #>> '{tool_response,resolvedModel}', e.payload #>> '{tool_input,model}')
      from public.events e
      where e.session_id = session and e.tool_name in ('Agent', 'Task') and e.event in ('PreToolUse', 'PostToolUse')
        and (e.tool_use_id = call or e.payload #>> '{tool_response,agentId}' = agent)
      order by e.payload #>> '{tool_response,resolvedModel}' is null, e.id desc limit 1) end
$$;
