-- Walks the caller's relations from an entity, up to `hops` steps, as of two instants (see as_of.sql). Each relation
-- comes once, with the step at which it was reached; a circle ends where it meets what was reached before.
--
--   direction    out: from the entity on; in: towards it; both
--   in_project   null: the relations of all projects; else those of that project and those of none
--   most         no more relations than that
create or replace function neighbourhood(
  of_type text, of_key text, hops int default 1, direction text default 'both', in_project uuid default null,
  as_of timestamptz default now(), recorded_as_of timestamptz default null, most int default 500
) returns table (hop int, edge relations)
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
declare
  me constant uuid := auth.uid();
  frontier uuid[] := array[temporal_subject(of_type, of_key)];
  reached uuid[] := frontier;
  walked uuid[] := '{}';
  step relations[];
begin
  for n in 1 .. hops loop
    step := array(
      select e.r
      from (
        select r
        from relations r
        where direction in ('out', 'both') and r.user_id = me and r.from_entity = any (frontier)
        union all
        select r
        from relations r
        where direction in ('in', 'both') and r.user_id = me and r.to_entity = any (frontier)
          -- what leads from one of them to another was found above
          and (direction = 'in' or not exists (select from unnest(frontier) f(entity) where f.entity = r.from_entity))
      ) e(r)
      -- as in relations_as_of, which would read all relations
      where tstzrange((e.r).valid_from, (e.r).valid_until) @> as_of and (e.r).valid_from <= as_of
        and case when recorded_as_of is null then (e.r).recorded_until is null
          else tstzrange((e.r).recorded_at, (e.r).recorded_until) @> recorded_as_of end
        and (in_project is null or (e.r).project_id = in_project or (e.r).project_id is null)
        and not exists (select from unnest(walked) w(id) where w.id = (e.r).id)
      order by (e.r).id
      limit most - cardinality(walked));
    exit when cardinality(step) = 0;
    return query select n, s from unnest(step) s;
    walked := walked || array(select s.id from unnest(step) s);
    frontier := array(
      select s.from_entity from unnest(step) s where direction in ('in', 'both')
      union
      select s.to_entity from unnest(step) s where direction in ('out', 'both')
      except
      select unnest(reached));
    reached := reached || frontier;
  end loop;
end $$;
