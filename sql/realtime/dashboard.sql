-- Returns what the phone page shows first, of the caller: how each project stands, the counts of the day that it is in
-- a time zone, and what waits for a person. Statuses are those that refresh_dashboard_project keeps.
--
--   waiting   commands that were denied within a day, that nobody has decided on since, and whose session could still
--             use the answer; steps of open plans that wait for somebody; sessions whose client waits, unless one of
--             their steps says so already
--   working   what agents do: each step at work, each session of the last day at work that holds none, each subagent
--   did       what Lore did today: the calls that it stopped, and the lessons that it told, a person's rules apart
--
-- In PL/pgSQL, so that it is planned once for a connection and not for each call.
create or replace function dashboard(time_zone text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  return (
  with today as materialized (select date_trunc('day', now(), time_zone) as start),
  checks as materialized (
    select s.project_id, sum(c.commands) as commands, sum(c.allowed) as allowed, sum(c.denied) as denied,
      sum(c.held) as held, sum(c.unverified) as unverified,
      sum(c.stopped) as stopped
    from (
      select k.session_id,
        count(*) filter (where k.tool is null) as commands,
        count(*) filter (where k.decision = 'allow') as allowed,
        count(*) filter (where k.decision = 'deny' and k.source <> 'guard') as denied,
        -- what a person's rule or a lesson stopped says nothing about how safe it was
        count(*) filter (where k.source in ('guard', 'lesson')) as held,
        count(*) filter (where k.source = 'none') as unverified,
        count(*) filter (where k.decision in ('deny', 'hold') and k.source <> 'person') as stopped
      from public.command_checks k
      where k.user_id = (select auth.uid()) and k.checked_at >= (select start from today)
        -- what somebody only asked about (lore explain) has none
        and k.session_id is not null
      group by k.session_id) c
    left join public.sessions s on s.user_id = (select auth.uid()) and s.id = c.session_id
    group by s.project_id),
  sessions as materialized (
    select s.project_id, count(*) as sessions
    from public.sessions s
    where s.user_id = (select auth.uid()) and s.last_activity >= (select start from today)
      and public.has_worked(s.id)
    group by s.project_id),
  lessons as materialized (
    select l.project_id, count(*) as today
    from public.learnings l
    where l.user_id = (select auth.uid()) and l.valid_until is null and l.created_at >= (select start from today)
    group by l.project_id),
  standing as materialized (
    select p.id, coalesce(d.name, p.name) as name, coalesce(d.status, 'idle') as status, d.reason,
      greatest(p.last_activity, d.last_activity) as last_activity, d.last_title,
      coalesce(d.active_sessions, 0) as active_sessions,
      coalesce(s.sessions, 0) as sessions, coalesce(l.today, 0) as learnings, coalesce(c.commands, 0) as commands,
      coalesce(c.denied, 0) as denied,
      (select count(distinct (i.session_id, i.signature)) from public.incidents i
       where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= (select start from today)
         and public.is_error(i)) as errors
    from public.projects p
    left join public.dashboard_projects d on d.user_id = p.user_id and d.project_id = p.id
    left join sessions s on s.project_id = p.id
    left join lessons l on l.project_id = p.id
    left join checks c on c.project_id = p.id
    where p.user_id = (select auth.uid())
    order by greatest(p.last_activity, d.last_activity) desc limit 200),
  waiting as materialized (
    select 'command' as kind, w.code as id, w.project, w.command as title, w.reason as detail, w.checked_at as at,
      w.about
    from public.waiting_commands() w
    union all
    select 'step', q.id || '/' || s.number, p.name, s.description, 'waits for ' || s.waiting_for,
      coalesce(
        (select max(c.recorded_at) from public.plan_changes c
         where c.user_id = q.user_id and c.plan_id = q.id and c.step = s.number and c.action = 'waits'),
        q.updated_at),
      '{}'
    from public.plan_steps s
    join public.plans q on q.user_id = s.user_id and q.id = s.plan_id
    join public.projects p on p.user_id = q.user_id and p.id = q.project_id
    where s.user_id = (select auth.uid()) and s.waiting_for is not null and s.status in ('pending', 'in_progress')
      and q.status in ('planning', 'in_progress')
    union all
    select 'client', s.id::text, p.name, 'Waits for ' || s.waiting_for, coalesce(s.short_title, ''), s.last_activity,
      '{}'
    from public.sessions s
    join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    where s.user_id = (select auth.uid()) and s.status = 'active' and s.waiting_for is not null
      and not exists (select from public.plan_steps t
        where t.user_id = s.user_id and t.session_id = s.id and t.waiting_for = s.waiting_for
          and t.status in ('pending', 'in_progress'))),
  working as materialized (
    select p.id as project_id, p.name as project, q.id as plan_id, q.goal,
      s.number, s.description, n.done, n.total, s.assigned_to as agent, o.id as session_id, o.short_title as title,
      coalesce(public.agent_model(s.session_id, s.agent_id, s.tool_use_id),
        case when s.agent_id is null then (
          select m.model from public.sessions m
          where m.user_id = q.user_id and m.project_id = q.project_id and m.plan_id = q.id and m.model is not null
          order by m.last_activity desc limit 1) end) as model,
      s.agent_id,
      o.waiting_for, coalesce(o.last_activity, q.updated_at) as heard
    from public.plan_steps s
    join public.plans q on q.user_id = s.user_id and q.id = s.plan_id
    join public.projects p on p.user_id = q.user_id and p.id = q.project_id
    left join public.sessions o on o.user_id = s.user_id and o.id = s.session_id
    cross join lateral (
      select count(*) as total, count(*) filter (where t.status = 'completed') as done
      from public.plan_steps t where t.user_id = q.user_id and t.plan_id = q.id and not t.proposed) n
    where s.user_id = (select auth.uid()) and s.status = 'in_progress' and q.status in ('planning', 'in_progress')
    union all
    select p.id, p.name, null, null, null, null, null, null, null, s.id, s.short_title, s.model, null,
      s.waiting_for, s.last_activity
    from public.sessions s
    join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    where s.user_id = (select auth.uid()) and s.status = 'active' and s.last_activity > now() - interval '1 day'
      and (s.waiting_for is not null or public.is_at_work(s.id))
      and not exists (select from public.plan_steps t
        where t.user_id = s.user_id and t.session_id = s.id and t.status = 'in_progress')
    union all
    -- subagents that hold no step, as long as they are heard of
    select p.id, p.name, null, null, null, null, null, null, a.type, s.id, coalesce(c.task, s.short_title),
      public.agent_model(s.id, a.id, c.call), a.id, null, h.heard
    from public.sessions s
    join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    cross join lateral (
      select distinct on (e.agent_id) e.agent_id as id, e.payload ->> 'agent_type' as type
      from public.events e
      where e.session_id = s.id and e.event = 'SubagentStart' and e.agent_id is not null and not exists (
        select from public.events z
        where z.session_id = s.id and z.event = 'SubagentStop' and z.agent_id = e.agent_id and z.id > e.id)
      order by e.agent_id, e.id desc) a
    cross join lateral (
      select max(e.occurred_at) as heard from public.events e where e.session_id = s.id and e.agent_id = a.id) h
    left join lateral (
      select e.tool_use_id as call, e.payload #>> '{tool_input,description}' as task from public.events e
      where e.session_id = s.id and e.event = 'PostToolUse' and e.payload #>> '{tool_response,agentId}' = a.id
      order by e.id desc limit 1) c on true
    where s.user_id = (select auth.uid()) and s.status = 'active' and s.last_activity > now() - interval '1 day'
      and h.heard > now() - interval '1 hour'
      and not exists (select from public.plan_steps t
        where t.user_id = s.user_id and t.session_id = s.id and t.status = 'in_progress'
          and (t.agent_id = a.id or t.agent_id is null and t.assigned_to = a.type))),
  told as materialized (
    select distinct on (o.session_id, o.source_id) o.session_id, o.source_id, o.outcome, o.offered_at as at
    from public.offers o
    join public.learnings l on l.user_id = (select auth.uid()) and l.id = o.source_id
    where o.user_id = (select auth.uid()) and o.offered_at >= (select start from today) and o.kind = 'lesson'
      and not o.withheld
      -- what a person said stands at every start: it acts by the calls that it stops
      and not (l.evaluated_by = 'person' and l.source_subagent is null and l.source_incident_id is null)
    -- told again after its outcome was known, it has none yet
    order by o.session_id, o.source_id, o.outcome is null, o.offered_at desc),
  did as (
    -- a call that a lesson held, with the lesson
    (select case when k.lesson is null then 'stopped' else 'held' end as kind, k.code as id, k.session_id,
       k.command as text, coalesce(k.lesson, k.reason) as about, k.times, k.at
     from (
       select distinct on (c.code) c.code, c.session_id, c.command, c.reason, c.checked_at as at, l.lesson,
         count(*) over (partition by c.code) as times
       from public.command_checks c
       left join public.learnings l on l.user_id = c.user_id and l.id = c.lesson_id and c.source = 'lesson'
       where c.user_id = (select auth.uid()) and c.checked_at >= (select start from today) and c.session_id is not null
         and c.decision in ('deny', 'hold') and c.source <> 'person'
       order by c.code, c.checked_at desc) k
     order by k.at desc limit 20)
    union all
    -- a lesson once, with its best outcome
    (select k.kind, l.id::text, k.session_id, l.lesson, l.source_error, k.times, k.at
     from (
       select distinct on (t.source_id) t.source_id, t.session_id, t.kind, t.at,
         count(*) over (partition by t.source_id, t.kind) as times
       from (select *, coalesce(nullif(outcome, 'unused'), 'told') as kind from told) t
       order by t.source_id, array_position(array['helped', 'failed', 'told'], t.kind), t.at desc) k
     join public.learnings l on l.user_id = (select auth.uid()) and l.id = k.source_id
     order by k.kind = 'helped' desc, k.at desc limit 20)),
  newest as (select * from waiting order by at desc limit 100)
  select jsonb_build_object(
    'now', now(),
    'today', (
      select jsonb_build_object(
        'sessions', coalesce((select sum(sessions) from sessions), 0),
        'learnings', coalesce((select sum(today) from lessons), 0),
        'commands', coalesce(sum(c.commands), 0),
        -- each once a session, as measure_session counts them
        'errors', (select count(distinct (i.session_id, i.signature)) from public.incidents i
          where i.user_id = (select auth.uid()) and i.opened_at >= (select start from today) and public.is_error(i)),
        'allowed', coalesce(sum(c.allowed), 0),
        'denied', coalesce(sum(c.denied), 0),
        'held', coalesce(sum(c.held), 0),
        'unverified', coalesce(sum(c.unverified), 0),
        'stopped', coalesce(sum(c.stopped), 0),
        'told', (select count(distinct source_id) from told),
        'helped', (select count(*) from told where outcome = 'helped'),
        'safetyRate', sum(c.allowed)::float8 / nullif(sum(c.allowed) + sum(c.denied), 0))
      from checks c),
    'projects', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', p.id, 'name', p.name, 'status', p.status, 'reason', p.reason, 'lastActivity', p.last_activity,
          'lastTitle', p.last_title, 'activeSessions', p.active_sessions,
          'today', jsonb_build_object('sessions', p.sessions, 'learnings', p.learnings, 'commands', p.commands,
            'errors', p.errors, 'denied', p.denied))
        order by p.last_activity desc), '[]')
      from standing p),
    'waiting', (
      select coalesce(jsonb_agg(
        jsonb_build_object('kind', w.kind, 'id', w.id, 'project', w.project, 'title', w.title, 'detail', w.detail,
          'at', w.at, 'about', w.about)
        order by w.at desc), '[]')
      from newest w),
    'working', (
      select coalesce(jsonb_agg(
        jsonb_build_object('projectId', w.project_id, 'project', w.project, 'sessionId', w.session_id,
          'title', w.title, 'agent', w.agent, 'agentId', w.agent_id, 'model', w.model,
          'waitingFor', w.waiting_for, 'heardAt', w.heard,
          'plan', case when w.plan_id is not null then jsonb_build_object('id', w.plan_id, 'goal', w.goal,
            'step', w.number, 'description', w.description, 'done', w.done, 'total', w.total) end)
        order by w.heard desc, w.plan_id, w.number), '[]')
      from (select * from working order by heard desc limit 100) w),
    'did', (
      select coalesce(jsonb_agg(
        jsonb_build_object('kind', d.kind, 'id', d.id, 'sessionId', d.session_id, 'project', p.name, 'text', d.text,
          'about', d.about, 'times', d.times, 'at', d.at)
        order by d.at desc), '[]')
      from did d
      left join public.sessions s on s.user_id = (select auth.uid()) and s.id = d.session_id
      left join public.projects p on p.user_id = s.user_id and p.id = s.project_id),
    'counts', jsonb_build_object(
      'learnings', (
        select count(*) from public.learnings l
        where l.user_id = (select auth.uid()) and l.status = 'active' and l.valid_until is null),
      'waiting', (select count(*) from waiting))));
end $$;
