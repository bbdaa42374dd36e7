-- Returns the rows of a plan and of its steps (step 0: the plan itself) as they stood at an instant.
create or replace function plan_as_of(of_plan uuid, at timestamptz) returns table (step integer, image jsonb)
language sql stable as $$
  select distinct on (c.step) c.step, c.image
  from plan_changes c
  where c.plan_id = of_plan and c.recorded_at <= at and c.action <> 'noted'
  order by c.step, c.version desc
$$;

-- Returns the numbers of steps that wait for each other in a circle; none if there is no circle.
create or replace function plan_circle(of_plan uuid) returns integer[]
language sql stable as $$
  with recursive edges (number, dependency) as (
    select s.number, unnest(s.dependencies) from plan_steps s where s.plan_id = of_plan
  ), reached (start, number) as (
    select number, dependency from edges
    union
    select r.start, e.dependency from reached r join edges e on e.number = r.number
  )
  select coalesce(array_agg(distinct start order by start), '{}') from reached where start = number
$$;
