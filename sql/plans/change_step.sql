-- What agents do with the steps of a plan. Each function locks the plan first, so changes of one plan come one after
-- the other, and two agents never hold one step. Each returns null if it was done, else why not:
--
--   missing    there is no such plan or step
--   held       another agent holds the step
--   free       nobody holds it
--   waits      a step before it is not completed
--   proposed   it was not accepted yet
--   closed     it is completed, failed or stopped, or its plan is

-- Returns whether a step is held by somebody whose lease has not ended. It is volatile like its clock: only then does
-- PostgreSQL write its text into the statement that calls it, which saves a tenth of a millisecond a call.
create or replace function is_step_held(s plan_steps) returns boolean
language sql volatile as $$
  select s.status = 'in_progress' and coalesce(s.lease_until > clock_timestamp(), true)
$$;

-- Returns whether a step before this one is not completed. Its numbers are looked up one by one: `= any` is answered by
-- reading all steps of the user while the table has no statistics yet.
create or replace function does_step_wait(s plan_steps) returns boolean
language plpgsql stable as $$
declare
  before integer;
begin
  foreach before in array s.dependencies loop
    if exists (select from plan_steps d
        where d.plan_id = s.plan_id and d.number = before and d.status <> 'completed') then
      return true;
    end if;
  end loop;
  return false;
end $$;

-- Locks a plan and returns it. Whoever waits for an advisory lock then finds the row as it is; whoever waits for the
-- row itself reads it twice.
create or replace function lock_plan(of_plan uuid) returns plans
language plpgsql as $$
declare
  p plans;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_plan::text, 0));
  select * into p from plans where id = of_plan for no key update;
  return p;
end $$;

-- Locks a plan. Returns why nothing can be done with it; null if something can.
create or replace function hold_plan(of_plan uuid) returns text
language plpgsql as $$
begin
  return case when (lock_plan(of_plan)).id is null then 'missing' end;
end $$;

create or replace function claim_step(
  of_plan uuid, step integer, by_holder text, shown text, lease_seconds integer, in_session uuid default null,
  with_call text default null
) returns text
language plpgsql as $$
declare
  fault text;
  p plans;
  s plan_steps;
begin
  -- If another agent already holds the step, say so at once, without waiting for locks.
  if exists (select from plan_steps h where h.plan_id = of_plan and h.number = step
      and is_step_held(h) and h.holder is distinct from by_holder) then
    return 'held';
  end if;
  -- If another agent is claiming this step right now, say so too, instead of waiting for its transaction to end.
  if not pg_try_advisory_xact_lock(hashtextextended(of_plan || ' ' || step, 0)) then
    return 'held';
  end if;
  p := lock_plan(of_plan);
  select * into s from plan_steps where plan_id = of_plan and number = step;
  fault := case
    when p.id is null or s.id is null then 'missing'
    when s.proposed then 'proposed'
    when s.status not in ('pending', 'in_progress') or p.status not in ('planning', 'in_progress') then 'closed'
    when is_step_held(s) and s.holder is distinct from by_holder then 'held'
    when cardinality(s.dependencies) > 0 and does_step_wait(s) then 'waits'
  end;
  if fault is not null then
    return fault;
  end if;
  if is_step_held(s) then
    -- the same agent claims again, as when its first answer was lost
    update plan_steps set lease_until = clock_timestamp() + make_interval(secs => lease_seconds) where id = s.id;
    return null;
  end if;
  update plan_steps set
    status = 'in_progress', assigned_to = shown, holder = by_holder, session_id = in_session, tool_use_id = with_call,
    agent_id = null, lease_until = clock_timestamp() + make_interval(secs => lease_seconds), attempts = attempts + 1,
    waiting_for = null, changed_by = shown, started_at = clock_timestamp(), ended_at = null
  where id = s.id;
  if p.status = 'planning' then
    update plans set status = 'in_progress', changed_by = shown where id = of_plan;
  end if;
  return null;
end $$;

-- Completes a step, fails it, has it stopped, or gives it back (to_status pending). Who holds it may be told; then
-- nobody else's step is changed. With its last step a plan is completed. A failed or stopped step that is given back
-- can be tried again.
create or replace function end_step(
  of_plan uuid, step integer, to_status text, by_holder text, shown text, what_came text default null,
  said jsonb default null
) returns text
language plpgsql as $$
declare
  fault text := hold_plan(of_plan);
  s plan_steps;
begin
  if fault is not null then
    return fault;
  end if;
  select * into s from plan_steps where plan_id = of_plan and number = step;
  fault := case
    when s.id is null then 'missing'
    when s.proposed then 'proposed'
    when s.status = 'completed' then 'closed'
    when s.status in ('failed', 'stopped') and to_status <> 'pending' then 'closed'
    when by_holder is not null and is_step_held(s) and s.holder is distinct from by_holder then 'held'
    when to_status = 'completed' and does_step_wait(s) then 'waits'
    when to_status = 'pending' and s.status = 'pending' then 'free'
  end;
  if fault is not null then
    return fault;
  end if;
  update plan_steps set
    status = to_status, lease_until = null, waiting_for = null, changed_by = shown,
    holder = case when to_status <> 'pending' then holder end,
    assigned_to = case when to_status <> 'pending' then coalesce(assigned_to, shown) end,
    agent_id = case when to_status <> 'pending' then agent_id end,
    tool_use_id = case when to_status <> 'pending' then tool_use_id end,
    session_id = case when to_status <> 'pending' then session_id end,
    -- why it failed before is not what came of it now
    outcome = case when to_status = 'completed' then what_came else coalesce(what_came, outcome) end,
    report = coalesce(said, report),
    ended_at = case when to_status <> 'pending' then clock_timestamp() end
  where id = s.id;
  perform settle_plan(of_plan, shown);
  return null;
end $$;

-- Says what a plan's steps make of it: it is completed with the last one, and goes on when one is added or given back.
-- One that a person closed as failed stays so.
create or replace function settle_plan(of_plan uuid, shown text) returns void
language plpgsql as $$
declare
  is_left boolean;
begin
  is_left := exists (select from plan_steps s
    where s.plan_id = of_plan and not s.proposed and s.status <> 'completed');
  if is_left then
    update plans set status = 'in_progress', changed_by = shown
    where id = of_plan and status = 'completed';
  else
    update plans set status = 'completed', changed_by = shown
    where id = of_plan and status in ('planning', 'in_progress')
      and exists (select from plan_steps where plan_id = of_plan and not proposed);
  end if;
end $$;

-- Adds a note to a step, or to the plan itself (step 0). `writer` is a person or an agent, by the key. Returns why not.
create or replace function note_step(of_plan uuid, step integer, words text, shown text, writer text) returns text
language plpgsql as $$
declare
  fault text := hold_plan(of_plan);
begin
  if fault is null and step <> 0
      and not exists (select from plan_steps where plan_id = of_plan and number = step) then
    fault := 'missing';
  end if;
  if fault is not null then
    return fault;
  end if;
  perform keep_plan_version(of_plan, step, 'noted', shown,
    jsonb_strip_nulls(jsonb_build_object('text', words, 'writer', writer)));
  return null;
end $$;

-- Gives back the caller's steps whose lease has ended. Returns how many.
create or replace function free_expired_steps() returns integer
language plpgsql as $$
declare
  s record;
  n integer := 0;
begin
  -- in an order, so that two servers do not wait for each other
  for s in
    select plan_id, number, assigned_to from plan_steps
    where status = 'in_progress' and lease_until <= clock_timestamp()
    order by plan_id, number
  loop
    perform hold_plan(s.plan_id);
    -- it may have been renewed or given back meanwhile
    if exists (select from plan_steps x where x.plan_id = s.plan_id and x.number = s.number
        and x.status = 'in_progress' and x.lease_until <= clock_timestamp()) then
      perform note_step(s.plan_id, s.number, 'Nothing was heard of ' || coalesce(s.assigned_to, 'its agent') ||
        ', so the step is free again.', 'lore', null);
      perform end_step(s.plan_id, s.number, 'pending', null, 'lore');
      n := n + 1;
    end if;
  end loop;
  return n;
end $$;
