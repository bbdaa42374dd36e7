-- Return what was true at one instant, as Lore believed it at another (null: as it believes now). That a row begins
-- before the instant follows from its period; said by itself, it lets an index be used.

create or replace function facts_as_of(as_of timestamptz default now(), recorded_as_of timestamptz default null)
returns setof facts
language sql stable as $$
  select f.* from facts f
  where tstzrange(f.valid_from, f.valid_until) @> as_of and f.valid_from <= as_of
    and case when recorded_as_of is null then f.recorded_until is null
      else tstzrange(f.recorded_at, f.recorded_until) @> recorded_as_of end
$$;

create or replace function relations_as_of(as_of timestamptz default now(), recorded_as_of timestamptz default null)
returns setof relations
language sql stable as $$
  select r.* from relations r
  where tstzrange(r.valid_from, r.valid_until) @> as_of and r.valid_from <= as_of
    and case when recorded_as_of is null then r.recorded_until is null
      else tstzrange(r.recorded_at, r.recorded_until) @> recorded_as_of end
$$;

create or replace function decisions_as_of(as_of timestamptz default now(), recorded_as_of timestamptz default null)
returns setof decisions
language sql stable as $$
  select d.* from decisions d
  where tstzrange(d.valid_from, d.valid_until) @> as_of and d.valid_from <= as_of
    and case when recorded_as_of is null then d.recorded_until is null
      else tstzrange(d.recorded_at, d.recorded_until) @> recorded_as_of end
$$;
