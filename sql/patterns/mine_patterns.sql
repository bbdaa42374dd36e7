-- Returns the commands that an error was solved with, one a line (`run …`). None where files were edited as well,
-- because then nobody knows which of both solved it, or where there were many.
create or replace function solving_steps(resolution jsonb) returns text[]
language sql immutable as $$
  select case
    when coalesce(jsonb_array_length(resolution -> 'edits'), 0) > 0 or count(*) > 3 then '{}'
    else coalesce(array_agg('run ' || c.command order by c.n), '{}')
  end
  from (
    select d.command, min(d.n) as n
    from (
      select command, n from jsonb_array_elements_text(resolution -> 'commands') with ordinality c(command, n)
      union all
      -- the same command that works now is no fix
      select resolution ->> 'command', 2000
      where resolution ->> 'kind' <> 'same' and resolution ->> 'command' is not null
    ) d
    group by d.command
  ) c
$$;

-- Returns the first five steps of an episode: the tool, and what a command was for. A step that is done
-- several times in a row counts as one. Null where there are fewer.
create or replace function first_steps(steps jsonb) returns text[]
language sql immutable as $$
  select case when count(*) = 5 then array_agg(f.step order by f.n) end
  from (
    select d.step, d.n
    from (
      select concat_ws(':', s.step ->> 'tool', s.step ->> 'targetKind') as step, s.n,
        lag(concat_ws(':', s.step ->> 'tool', s.step ->> 'targetKind')) over (order by s.n) as before
      from jsonb_array_elements(steps) with ordinality s(step, n)
      where s.n <= 40
    ) d
    where d.step is distinct from d.before
    order by d.n
    limit 5
  ) f
$$;

-- Counts which commands solved which of a project's newest 1,000 errors: the same ones in two sessions or more. Each
-- session in which one of them was tried in vain at the same error counts against them. Of several those that solved
-- it most are kept.
create or replace function count_recoveries(in_project uuid) returns table (
  form text, name text, triggers text[], template jsonb, signature text, episodes int, sessions int, successes int,
  failures int, evidence uuid[], last_used timestamptz
)
language sql stable as $$
  with met as (
    select i.id, i.session_id, i.signature, coalesce(i.error_type, split_part(i.error, E'\n', 1)) as called, i.error,
      i.resolved_at, i.resolution, i.tried, i.status,
      -- an error may be solved in a later session
      coalesce(i.resolution ->> 'sessionId', i.session_id::text) as solved_in
    from incidents i
    where i.user_id = auth.uid() and i.project_id = in_project
    order by i.opened_at desc
    limit 1000
  ), fixes as (
    select m.signature, s.steps, count(distinct m.solved_in)::int as sessions, max(m.resolved_at) as last_used,
      (array_agg(distinct m.session_id))[1:50] as evidence,
      (array_agg(m.error order by m.resolved_at desc, m.id))[1] as error,
      (array_agg(m.called order by m.resolved_at desc, m.id))[1] as called
    from met m
    cross join lateral (select solving_steps(m.resolution) as steps) s
    where m.status = 'resolved' and jsonb_typeof(m.resolution) = 'object' and s.steps <> '{}'
    group by m.signature, s.steps
    having count(distinct m.solved_in) >= 2
  ), tries as (
    select m.signature, 'run ' || a.command as step, count(distinct m.session_id)::int as n
    from met m
    cross join lateral jsonb_array_elements_text(
      coalesce(m.resolution -> 'attempts', '[]') || coalesce(m.tried -> 'steps', '[]')) a(command)
    where m.signature in (select f.signature from fixes f)
    group by m.signature, a.command
  ), judged as (
    select f.signature, f.steps, coalesce(max(t.n), 0) as vain
    from fixes f
    left join tries t on t.signature = f.signature and t.step = any (f.steps)
    group by f.signature, f.steps
  )
  select distinct on (j.signature) j.signature || ' ' || md5(array_to_string(j.steps, E'\n')),
    left('after ' || f.called, 120), array[left(f.error, 500)],
    jsonb_build_object('steps', j.steps, 'commonFiles', '[]'::jsonb),
    j.signature, f.sessions + j.vain, f.sessions, f.sessions, j.vain, f.evidence, f.last_used
  from judged j
  join fixes f using (signature, steps)
  order by j.signature, f.sessions - j.vain desc, j.steps
$$;

-- Counts the first steps that tasks of one type had in common, among the project's newest 1,000: those of three tasks
-- in two sessions or more, at most 20. Files are those that half of these tasks changed.
create or replace function count_first_steps(in_project uuid) returns table (
  form text, name text, triggers text[], template jsonb, signature text, episodes int, sessions int, successes int,
  failures int, evidence uuid[], last_used timestamptz
)
language sql stable as $$
  with newest as (
    select e.session_id, e.type, first_steps(e.steps) as steps, e.files_modified as files, e.outcome, e.started_at
    from episodes e
    where e.user_id = auth.uid() and e.project_id = in_project
    order by e.started_at desc, e.id desc
    limit 1000
  ), alike as (
    select n.type, n.steps, count(*)::int as episodes, count(distinct n.session_id)::int as sessions,
      (count(*) filter (where n.outcome = 'success'))::int as successes,
      (count(*) filter (where n.outcome = 'error'))::int as failures,
      coalesce((array_agg(distinct n.session_id) filter (where n.session_id is not null))[1:50], '{}') as evidence,
      max(n.started_at) as last_used
    from newest n
    where n.steps is not null
    group by n.type, n.steps
    having count(*) >= 3 and count(distinct n.session_id) >= 2
    order by count(*) desc, n.type, n.steps
    limit 20
  )
  select a.type || ' ' || array_to_string(a.steps, ' '),
    left(format('%s: %s', a.type, translate(array_to_string(a.steps, ' → '), ':_', '  ')), 120), array[a.type::text],
    jsonb_build_object('steps', a.steps, 'commonFiles', array(
        select f.file from newest n, unnest(n.files) f(file)
        where n.type = a.type and n.steps = a.steps
        group by f.file having count(*) * 2 >= a.episodes
        order by count(*) desc, f.file limit 10)),
    null::text, a.episodes, a.sessions, a.successes, a.failures, a.evidence, a.last_used
  from alike a
$$;

-- Counts the patterns of a project anew. One that is there keeps its id, and is left alone where a person rejected it.
-- What is not found any more is closed. Counting again changes nothing.
create or replace function mine_patterns(in_project uuid) returns void
language plpgsql as $$
declare
  seen uuid[];
begin
  with found as (
    select 'error_recovery' as type, r.* from count_recoveries(in_project) r
    union all
    select 'tool_sequence', s.* from count_first_steps(in_project) s
  ), stored as (
    insert into patterns as p (user_id, id, project_id, type, form, name, triggers, template, signature, episodes,
      sessions, successes, failures, evidence, last_used, valid_from)
    select auth.uid(), md5(concat_ws(' ', auth.uid(), in_project, f.type, f.form))::uuid, in_project, f.type, f.form,
      f.name, f.triggers, f.template, f.signature, f.episodes, f.sessions, f.successes, f.failures, f.evidence,
      f.last_used, f.last_used
    from found f
    on conflict (user_id, project_id, type, form) do update set
      name = excluded.name, triggers = excluded.triggers, template = excluded.template, episodes = excluded.episodes,
      sessions = excluded.sessions, successes = excluded.successes, failures = excluded.failures,
      evidence = excluded.evidence, last_used = excluded.last_used, valid_until = null, updated_at = now()
    where p.status = 'active' and
      (p.name, p.template, p.episodes, p.sessions, p.successes, p.failures, p.evidence, p.last_used, p.valid_until)
        is distinct from (excluded.name, excluded.template, excluded.episodes, excluded.sessions, excluded.successes,
          excluded.failures, excluded.evidence, excluded.last_used, null)
  )
  select coalesce(array_agg(md5(concat_ws(' ', auth.uid(), in_project, f.type, f.form))::uuid), '{}')
  into seen from found f;
  update patterns p set valid_until = greatest(now(), p.valid_from), updated_at = now()
  where p.user_id = auth.uid() and p.project_id = in_project and p.valid_until is null
    and not p.id = any (seen);
end $$;

-- Settles what sessions that have ended were told of patterns: it helped if its commands were run afterwards and its
-- error was solved, failed if they were run and it was not, and was left unused otherwise.
create or replace function settle_patterns() returns void
language sql as $$
  update offers o
  set settled_at = now(), outcome = case
    when not exists (
      select from events e
      where e.session_id = o.session_id and e.occurred_at >= o.offered_at and e.event like 'PostToolUse%'
        and 'run ' || (e.payload #>> '{tool_input,command}') in (
          select jsonb_array_elements_text(p.template -> 'steps'))) then 'unused'
    when exists (
      select from incidents i
      where i.session_id = o.session_id and i.signature = p.signature and i.status = 'resolved'
        and i.resolved_at >= o.offered_at) then 'helped'
    else 'failed'
  end
  from patterns p, sessions s
  where o.user_id = auth.uid() and o.kind = 'pattern' and o.outcome is null and not o.withheld
    and p.user_id = o.user_id and p.id = o.source_id
    and s.user_id = o.user_id and s.id = o.session_id and s.status <> 'active'
$$;

-- Counts the patterns of the caller's projects, one after the other, until an instant of the clock. Returns whether all
-- are counted.
create or replace function mine_at_night(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  project uuid;
begin
  if run.position is null then
    perform settle_patterns();
  end if;
  for project in
    select p.id from projects p
    where p.user_id = auth.uid() and (run.position is null or p.id > run.position)
    order by p.id
  loop
    perform mine_patterns(project);
    if clock_timestamp() > until then
      update consolidation_runs r set position = project where r.user_id = auth.uid() and r.id = run.id;
      return false;
    end if;
  end loop;
  return true;
end $$;
