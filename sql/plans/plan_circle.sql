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
