-- Returns what came of a skill (a version of it) that a session was offered: it helped if it ran afterwards, in the
-- session or by an activation in its project; it failed if all its runs with a known end failed.
create or replace function skill_outcome(offered uuid, since timestamptz, session uuid, project uuid) returns text
language sql stable as $$
  select case
    when count(*) = 0 then 'unused'
    when bool_or(l.result = 'failed') and not bool_or(l.result = 'succeeded') then 'failed'
    else 'helped'
  end
  from skill_logs l
  where l.user_id = auth.uid() and l.at >= since
    and l.skill = (select s.name from skills s where s.user_id = auth.uid() and s.id = offered)
    and (l.session_id = session or l.session_id is null and coalesce(l.project_id, project) = project)
$$;
