-- Brings the row up to date that tells how a project stands now. Nothing is written when it says so already.
--
-- blocked   a session waits for a person's permission
-- active    a session is at work: it is open, and its turn has not ended
-- idle      neither
create or replace function refresh_dashboard_project(project uuid) returns void
language sql
set search_path = ''
as $$
  insert into public.dashboard_projects as d
    (user_id, project_id, name, status, reason, last_activity, last_title, active_sessions, day, errors_today,
      lessons_today)
  select p.user_id, p.id, p.name,
    case when a.blocked > 0 then 'blocked' when a.working > 0 then 'active' else 'idle' end,
    a.reason,
    greatest(p.last_activity, last.last_activity), last.short_title, a.working + a.blocked, today.day,
    (select count(*) from public.incidents i
     where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= today.start),
    (select count(*) from public.learnings l
     where l.user_id = p.user_id and l.project_id = p.id and l.valid_until is null and l.created_at >= today.start)
  from public.projects p
  cross join (
    select (now() at time zone 'utc')::date as day, date_trunc('day', now(), 'utc') as start) today
  left join lateral (
    select s.last_activity, s.short_title
    from public.sessions s
    where s.user_id = p.user_id and s.project_id = p.id
    order by s.last_activity desc limit 1) last on true
  cross join lateral (
    select count(*) filter (where e.event = 'PermissionRequest') as blocked,
      count(*) filter (where e.event not in ('PermissionRequest', 'Stop', 'SessionEnd', 'Notification')) as working,
      min('waits for a person to permit ' || coalesce(e.target, e.tool_name, 'a tool'))
        filter (where e.event = 'PermissionRequest') as reason
    from public.sessions s
    cross join lateral (
      select e.event, e.tool_name, left(e.target, 200) as target
      from public.events e
      where e.session_id = s.id
      order by e.occurred_at desc, e.id desc limit 1) e
    where s.user_id = p.user_id and s.project_id = p.id and s.status = 'active') a
  where p.id = project
  on conflict (user_id, project_id) do update set
    name = excluded.name, status = excluded.status, reason = excluded.reason,
    last_activity = excluded.last_activity, last_title = excluded.last_title,
    active_sessions = excluded.active_sessions, day = excluded.day, errors_today = excluded.errors_today,
    lessons_today = excluded.lessons_today
  where (d.name, d.status, d.reason, d.last_activity, d.last_title, d.active_sessions, d.day, d.errors_today,
      d.lessons_today)
    is distinct from (excluded.name, excluded.status, excluded.reason, excluded.last_activity, excluded.last_title,
      excluded.active_sessions, excluded.day, excluded.errors_today, excluded.lessons_today)
$$;

revoke all on function refresh_dashboard_project from public, anon;

grant execute on function refresh_dashboard_project to authenticated, service_role;
