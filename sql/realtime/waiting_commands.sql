-- Returns the blocked commands that wait for the caller's decision: those that were denied within a day, that nobody
-- has decided on since, and whose session could still use the answer. What somebody only asked about (`lore explain`)
-- has no session, and waits for nobody.
--
-- In PL/pgSQL, so that it is planned once for a connection and not for each call.
create or replace function waiting_commands()
returns table (code text, project text, command text, reason text, checked_at timestamptz, about jsonb)
language plpgsql stable
set search_path = ''
as $$
begin
  return query
  select k.code, p.name, k.command, k.reason, k.checked_at,
    jsonb_build_object('rule', k.rule, 'tool', k.tool, 'held', k.source = 'guard',
      'catastrophic', k.severity is not distinct from 'catastrophic', 'covered', k.covered, 'cwd', k.cwd)
  from public.command_checks k
  join public.sessions s on s.user_id = k.user_id and s.id = k.session_id
  join public.projects p on p.user_id = s.user_id and p.id = s.project_id
  where k.user_id = (select auth.uid()) and k.checked_at > now() - interval '24 hours'
    and k.decision = 'deny' and k.source <> 'person'
    -- a session that has ended tries it no more
    and s.status = 'active'
    -- the last word on this command; by its code, because that has an index
    and not exists (select from public.command_checks l
      where l.user_id = k.user_id and l.code = k.code and l.key = k.key and l.id > k.id and l.session_id is not null)
    and not exists (select from public.command_cache v
      where v.user_id = k.user_id and v.key = k.key and v.checked_by = 'person');
end $$;
