-- Every change of a plan and of its steps is kept with an image of the row, whoever makes it. Each change is one
-- version of the plan. An import brings its own changes, so it turns this off (lore.restoring).

-- Returns what a change of a step was, in one word.
create or replace function plan_step_action(before plan_steps, now_is plan_steps) returns text
language sql immutable as $$
  select case
    when before.proposed and not now_is.proposed then 'accepted'
    when before.status is distinct from now_is.status then case now_is.status
      when 'in_progress' then 'claimed'
      when 'pending' then 'released'
      else now_is.status
    end
    when before.waiting_for is null and now_is.waiting_for is not null then 'waits'
    when before.waiting_for is not null and now_is.waiting_for is null then 'goes on'
    else 'changed'
  end
$$;

-- The API gives times in milliseconds. So changes are recorded in milliseconds too: a caller who asks for the plan as
-- of a time that it was given must see the change made at that time.
create or replace function plan_clock() returns timestamptz
language sql volatile as $$
  select date_trunc('milliseconds', clock_timestamp())
$$;

-- Counts one more version of a plan and keeps what it is. The plan's row stays locked until the end of the transaction,
-- so two changes never have the same version. (In plpgsql, because it keeps its plans for the next call.)
create or replace function keep_plan_version(of_plan uuid, step integer, action text, by_whom text, image jsonb)
returns void
language plpgsql as $$
begin
  with next as (
    update plans set version = version + 1, updated_at = plan_clock(), changed_by = by_whom
    where id = of_plan
    returning version, updated_at
  )
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  select of_plan, n.version, keep_plan_version.step, keep_plan_version.action, by_whom, keep_plan_version.image,
    n.updated_at
  from next n;
end $$;

create or replace function keep_plan_step_change() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  -- renewing a lease or learning the agent's id is not a change worth a version
  if to_jsonb(old) - '{lease_until,changed_by,agent_id}'::text[]
      = to_jsonb(new) - '{lease_until,changed_by,agent_id}'::text[] then
    return null;
  end if;
  perform keep_plan_version(new.plan_id, new.number, plan_step_action(old, new),
    new.changed_by, to_jsonb(new) - 'user_id');
  return null;
end $$;

create or replace trigger keep_plan_step_change
  after update on plan_steps
  for each row execute function keep_plan_step_change();

-- Steps that are added in one statement change their plan's row once: a plan may have a thousand.
create or replace function keep_plan_steps_added() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  with counted as (
    select a.plan_id, count(*)::int as n, max(a.changed_by) as by_whom from added a group by a.plan_id
  ), next as (
    update plans p set version = p.version + c.n, updated_at = plan_clock(), changed_by = c.by_whom
    from counted c where p.id = c.plan_id
    returning p.id, p.version - c.n as before, p.updated_at
  )
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  select a.plan_id, n.before + row_number() over (partition by a.plan_id order by a.number), a.number,
    case when a.proposed then 'proposed' else 'added' end, a.changed_by, to_jsonb(a) - 'user_id', n.updated_at
  from added a join next n on n.id = a.plan_id;
  return null;
end $$;

create or replace trigger keep_plan_steps_added
  after insert on plan_steps
  referencing new table as added
  for each statement execute function keep_plan_steps_added();

-- The columns of a plan that do not change with its steps. It is stable like to_jsonb, so that PostgreSQL writes its
-- text into the statement that calls it.
create or replace function plan_itself(p plans) returns jsonb
language sql stable as $$
  select to_jsonb(p) - '{user_id,version,updated_at,changed_by}'::text[]
$$;

create or replace function start_plan() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) is distinct from 'on' then
    new.updated_at := plan_clock();
  end if;
  return new;
end $$;

create or replace trigger start_plan
  before insert on plans
  for each row execute function start_plan();

create or replace function count_plan_change() returns trigger
language plpgsql as $$
begin
  if plan_itself(old) is distinct from plan_itself(new)
      and current_setting('lore.restoring', true) is distinct from 'on' then
    new.version := old.version + 1;
    new.updated_at := plan_clock();
    new.closed_at := case
      when new.status not in ('planning', 'in_progress') then coalesce(old.closed_at, new.updated_at)
    end;
  end if;
  return new;
end $$;

-- Most changes of a plan's row only count a version for a step.
create or replace trigger count_plan_change
  before update on plans
  for each row when (new.version = old.version) execute function count_plan_change();

create or replace function keep_plan_change() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  values (new.id, new.version, 0,
    case
      when tg_op = 'INSERT' then 'added'
      when old.status is distinct from new.status then new.status
      else 'changed'
    end,
    new.changed_by, to_jsonb(new) - 'user_id', new.updated_at);
  return null;
end $$;

create or replace trigger keep_plan_made
  after insert on plans
  for each row execute function keep_plan_change();

create or replace trigger keep_plan_change
  after update on plans
  for each row when (plan_itself(old) is distinct from plan_itself(new)) execute function keep_plan_change();

-- Servers keep the plans of the projects that are worked on in memory. This tells them which to read again.
create or replace function notify_plans() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_plans',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  return null;
end $$;

create or replace trigger notify_plans
  after insert or update or delete on plans
  for each row execute function notify_plans();
