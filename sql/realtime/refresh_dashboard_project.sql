-- Updates a project's row on the dashboard. Nothing is written if nothing changed.
--
-- blocked   a session waits for a person (`waits_after`), as the list of what waits says
-- active    a session is at work: a person prompted it or it made a call, and its turn has not ended
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
     where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= today.start and public.is_error(i)),
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
    select count(*) filter (where s.waiting_for is not null) as blocked,
      count(*) filter (where s.waiting_for is null and public.is_at_work(s.id)) as working,
      min('waits for ' || s.waiting_for) as reason
    from public.sessions s
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
