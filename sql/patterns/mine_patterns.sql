-- Returns a line for what a resolution did: a file that was edited, a command that was run. The path of the work tree
-- is left out, so that the same fix reads the same in all clones.
create or replace function recovery_steps(resolution jsonb, root text) returns text[]
language sql immutable as $$
  select coalesce(array_agg(distinct_steps.step order by distinct_steps.n), '{}')
  from (
    select s.step, min(s.n) as n
    from (
      select 'edit ' || case
          when root is not null and starts_with(e.edit ->> 'file', root || '/')
            then substr(e.edit ->> 'file', length(root) + 2)
          else e.edit ->> 'file'
        end as step, e.n
      from jsonb_array_elements(resolution -> 'edits') with ordinality e(edit, n)
      union all
      select 'run ' || c.command, 1000 + c.n
      from jsonb_array_elements_text(resolution -> 'commands') with ordinality c(command, n)
      union all
      -- the same command that works now is no fix
      select 'run ' || (resolution ->> 'command'), 2000
      where resolution ->> 'kind' <> 'same' and resolution ->> 'command' is not null
    ) s
    group by s.step
    order by 2
    limit 4
  ) distinct_steps
$$;

-- Mines what SQL can count in a project: which fix answers which error, and which skills succeed at which kind of task.
-- A fix is a pattern if it resolved its error in two sessions at least; each time that its command was tried in vain
-- for the same error counts against it. A skill is one after three runs in two sessions. Storing them again changes
-- nothing.
create or replace function mine_patterns(in_project uuid) returns int
language plpgsql as $$
declare
  found jsonb;
  ids uuid[];
begin
  with fixed as (
    select i.id, i.session_id, i.signature, i.error_type, i.error, i.tool_name, i.resolved_at,
      recovery_steps(i.resolution, s.root) as steps
    from incidents i
    join sessions s on s.user_id = i.user_id and s.id = i.session_id
    where i.user_id = auth.uid() and i.project_id = in_project and i.status = 'resolved'
      and jsonb_typeof(i.resolution) = 'object'
  ), fixes as (
    select f.signature, f.steps, count(*)::int as n, count(distinct f.session_id)::int as sessions,
      max(f.resolved_at) as last_used, (array_agg(distinct f.session_id))[1:50] as evidence,
      (array_agg(f.error order by f.resolved_at desc, f.id))[1] as error,
      (array_agg(f.error_type order by f.resolved_at desc, f.id))[1] as error_type
    from fixed f
    where f.steps <> '{}'
    group by f.signature, f.steps
    having count(distinct f.session_id) >= 2
  ), judged as (
    select x.*, (
        select count(*)::int
        from incidents i
        where i.user_id = auth.uid() and i.project_id = in_project and i.signature = x.signature
          and jsonb_typeof(i.resolution -> 'attempts') = 'array'
          and exists (
            select from jsonb_array_elements_text(i.resolution -> 'attempts') a(command)
            where 'run ' || a.command = any (x.steps))) as vain
    from fixes x
  ), best as (
    -- of several fixes of one error the one that can be trusted most
    select distinct on (j.signature) j.*
    from judged j
    order by j.signature, (wilson_interval(j.n, j.n + j.vain)).low desc, j.n desc, j.steps
  ), skill_runs as (
    select l.skill, l.run, min(l.at) as at, max(l.session_id::text)::uuid as session_id,
      bool_or(l.result = 'failed') as failed, bool_or(l.result = 'succeeded') as succeeded
    from skill_logs l
    where l.user_id = auth.uid() and l.project_id = in_project
    group by l.skill, l.run
  ), skilled as (
    select r.skill, (
        select e.type
        from episodes e
        where e.user_id = auth.uid() and e.session_id = r.session_id and e.started_at <= r.at
        order by e.started_at desc, e.id desc
        limit 1) as task, r.run, r.at, r.session_id, r.failed, r.succeeded
    from skill_runs r
  ), skills_found as (
    select r.skill as skill_name, r.task, count(*)::int as n, count(distinct r.session_id)::int as sessions,
      count(*) filter (where r.succeeded and not r.failed)::int as good, count(*) filter (where r.failed)::int as bad,
      max(r.at) as last_used,
      (array_agg(distinct r.session_id) filter (where r.session_id is not null))[1:50] as evidence
    from skilled r
    where r.task is not null
    group by r.skill, r.task
    having count(*) >= 3 and count(distinct r.session_id) >= 2
  ), all_found as (
    select jsonb_build_object('type', 'error_recovery',
      'form', b.signature || ' ' || md5(array_to_string(b.steps, E'\n')),
      'name', left('after ' || coalesce(b.error_type, split_part(b.error, E'\n', 1)), 120),
      'triggers', jsonb_build_array(left(b.error, 500)), 'signature', b.signature,
      'template', jsonb_build_object('steps', b.steps, 'commonFiles', '[]'::jsonb, 'typicalTools', '[]'::jsonb),
      'episodes', b.n + b.vain, 'sessions', b.sessions, 'successes', b.n, 'failures', b.vain, 'evidence', b.evidence,
      'lastUsed', b.last_used) as pattern
    from best b
    union all
    select jsonb_build_object('type', 'skill', 'form', s.skill_name || ' ' || s.task,
      'name', format('skill %s at a %s', s.skill_name, s.task), 'triggers', jsonb_build_array(s.task),
      'template', jsonb_build_object('steps', jsonb_build_array('skill ' || s.skill_name), 'commonFiles', '[]'::jsonb,
        'typicalTools', '["Skill"]'::jsonb),
      'episodes', s.n, 'sessions', s.sessions, 'successes', s.good, 'failures', s.bad, 'evidence', s.evidence,
      'lastUsed', s.last_used)
    from skills_found s
  )
  select coalesce(jsonb_agg(a.pattern), '[]'),
    coalesce(array_agg(
      md5(concat_ws(' ', auth.uid(), in_project, a.pattern ->> 'type', a.pattern ->> 'form'))::uuid), '{}')
  into found, ids
  from all_found a;
  perform store_patterns(in_project, found);
  perform close_patterns(in_project, array['error_recovery', 'skill'], ids);
  return jsonb_array_length(found);
end $$;

-- Makes patterns of the same form in two projects their user's own, so that they hold everywhere. Private ones stay out
-- of it.
create or replace function share_patterns() returns void
language plpgsql as $$
declare
  found jsonb;
  ids uuid[];
begin
  with shared as (
    select p.type, p.form, (array_agg(p.name order by p.last_used desc, p.id))[1] as name,
      (array_agg(p.triggers[1] order by p.last_used desc, p.id))[1] as trigger,
      (array_agg(p.template order by p.last_used desc, p.id))[1] as template, max(p.signature) as signature,
      sum(p.episodes)::int as episodes, sum(p.sessions)::int as sessions, sum(p.successes)::int as successes,
      sum(p.failures)::int as failures, min(p.lift) as lift, max(p.last_used) as last_used,
      (array_agg(distinct e.session))[1:50] as evidence
    from patterns p
    left join lateral (select p.evidence[1] as session) e on true
    where p.user_id = auth.uid() and p.project_id is not null and p.status = 'active' and p.valid_until is null
      and not p.private and p.type in ('tool_sequence', 'error_recovery')
    group by p.type, p.form
    having count(*) >= 2
  )
  select coalesce(jsonb_agg(jsonb_build_object('type', s.type, 'form', s.form, 'name', s.name, 'triggers',
      case when s.trigger is null then '[]'::jsonb else jsonb_build_array(s.trigger) end, 'template', s.template,
      'signature', s.signature, 'episodes', s.episodes, 'sessions', s.sessions, 'successes', s.successes,
      'failures', s.failures, 'lift', s.lift, 'evidence', s.evidence, 'lastUsed', s.last_used)), '[]'),
    coalesce(array_agg(md5(concat_ws(' ', auth.uid(), null, s.type, s.form))::uuid), '{}')
  into found, ids
  from shared s;
  perform store_patterns(null, found);
  perform close_patterns(null, array['tool_sequence', 'error_recovery'], ids);
end $$;
