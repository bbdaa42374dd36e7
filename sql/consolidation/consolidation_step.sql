-- A night of one user is a run, and a run is a row that says how far it is. Each step does a little of the work of
-- its stage, in a transaction of its own. So a run that was killed goes on where it was, and nobody waits long.

-- Begins a run of the caller, or returns the one that is open.
--
--   keep_days   events and checks that are older are deleted; null or 0: none
create or replace function begin_consolidation(by text, keep_days int) returns uuid
language plpgsql as $$
declare
  run uuid;
begin
  insert into consolidation_runs (started_by, stage, keep_from)
  values (by, (consolidation_stages())[1],
    case when keep_days > 0 then now() - make_interval(days => keep_days) end)
  on conflict (user_id) where finished_at is null do nothing
  returning id into run;
  return coalesce(run, (
    select r.id from consolidation_runs r where r.user_id = auth.uid() and r.finished_at is null));
end $$;

-- The stages of a run, in their order. A room that has work for the night adds its stage here and its call below.
create or replace function consolidation_stages() returns text[]
language sql immutable as $$
  select array['merge', 'lessons', 'notes', 'patterns', 'events', 'checks']
$$;

-- Does some of the work of a stage, until an instant of the clock or little later. Returns whether the stage is done.
create or replace function consolidation_stage(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
begin
  case run.stage
    when 'merge' then return merge_lessons(run, until);
    when 'lessons' then return close_lessons(run, until);
    when 'notes' then return close_notes(run, until);
    when 'patterns' then return mine_at_night(run, until);
    when 'events' then return expire_events(run, until);
    when 'checks' then return expire_checks(run, until);
  end case;
end $$;

-- Does one step of the caller's open run. Returns the stage that it is in afterwards: `done` when the run has ended,
-- null when no run is open or another transaction is doing a step.
create or replace function consolidation_step(budget_ms int) returns text
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  run consolidation_runs;
  stages constant text[] := consolidation_stages();
  next text;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('consolidation ' || me, 0)) then
    return null;
  end if;
  select * into run from consolidation_runs r where r.user_id = me and r.finished_at is null;
  if run.id is null then
    return null;
  end if;
  if not consolidation_stage(run, clock_timestamp() + make_interval(secs => budget_ms / 1000.0)) then
    return run.stage;
  end if;
  next := stages[array_position(stages, run.stage) + 1];
  update consolidation_runs r
  set stage = coalesce(next, 'done'), position = null, error = null,
    finished_at = case when next is null then clock_timestamp() end
  where r.user_id = me and r.id = run.id;
  return coalesce(next, 'done');
end $$;
