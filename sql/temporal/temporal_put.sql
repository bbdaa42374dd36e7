-- Returns the period of a row.
create or replace function temporal_period(of_row jsonb) returns tstzrange
language sql stable as $$
  select tstzrange((of_row ->> 'valid_from')::timestamptz, (of_row ->> 'valid_until')::timestamptz)
$$;

-- States a value of a subject. `stated` holds the columns of its row; `value_column` is the one that a value is in.
--
--   valid_from missing    from now on, or rather from the instant of the change. What was stated while the clock was
--                         ahead is replaced too
--   valid_until missing   until the next row that is known begins. If the row that held has ended already, until its
--                         end; an end that was planned for it is taken back
--   valid_until alone     then nothing holds, until the next row begins
--   both                  only this period changes: what held goes on behind it
--
-- The same value again confirms the row that holds, and makes no other; from a weightier tier it takes that tier. A
-- value does not replace one of a weightier tier anywhere in its period.
--
-- Returns `outcome`: opened, confirmed, outranked (by the row `by`) or empty (it would end before it begins), and for
-- the first two the `id` of the row that holds the value, and the row that held before (`replaced`).
create or replace function temporal_put(
  of_table regclass, of_subject uuid, stated jsonb, value_column text
) returns jsonb
language plpgsql as $$
declare
  scope constant uuid := coalesce(stated ->> 'project_id', '00000000-0000-0000-0000-000000000000')::uuid;
  at constant timestamptz := temporal_begin(of_table, scope, of_subject);
  weight constant int := temporal_weight(stated ->> 'tier');
  begins constant timestamptz := coalesce((stated ->> 'valid_from')::timestamptz, temporal_now(at));
  -- rows that begin later stay
  until constant timestamptz := case when stated ->> 'valid_from' is null then at else begins end;
  ends constant timestamptz := (stated ->> 'valid_until')::timestamptz;
  is_period constant boolean := stated ->> 'valid_from' is not null and ends is not null;
  known constant jsonb[] := array(select temporal_rows(of_table, scope, of_subject));
  held constant jsonb := (select r from unnest(known) r where temporal_period(r) @> begins);
  held_until constant timestamptz := (held ->> 'valid_until')::timestamptz;
  is_same constant boolean := coalesce(held -> value_column = stated -> value_column, false);
  stop timestamptz := ends;
  changed jsonb[];
  opened jsonb;
  outranked_by jsonb;
begin
  if ends <= begins then
    return jsonb_build_object('outcome', 'empty');
  end if;
  if is_same and weight <= temporal_weight(held ->> 'tier')
    and (ends is null or ends is not distinct from held_until or is_period and coalesce(ends < held_until, true))
  then
    execute format(
      'update %s t set confirmed_at = $1, confirmations = t.confirmations + 1
       where t.user_id = auth.uid() and t.recorded_until is null and t.id = $2', of_table)
    using at, (held ->> 'id')::uuid;
    return jsonb_build_object('outcome', 'confirmed', 'id', held ->> 'id');
  end if;

  if ends is null then
    stop := least(
      (
        select min((r ->> 'valid_from')::timestamptz)
        from unnest(known) r
        where (r ->> 'valid_from')::timestamptz > until
      ),
      case when held_until <= at then held_until end);
  end if;
  changed := array(select r from unnest(known) r where temporal_period(r) && tstzrange(begins, stop));
  select r into outranked_by from unnest(changed) r where temporal_weight(r ->> 'tier') > weight limit 1;
  if found then
    return jsonb_build_object('outcome', 'outranked', 'by', outranked_by);
  end if;

  opened := stated || jsonb_build_object('id', gen_random_uuid(), 'valid_from', begins, 'valid_until', stop,
    'confirmed_at', at, 'confirmations', 0);
  if is_same and weight = temporal_weight(held ->> 'tier') then
    -- only its end is another one
    opened := held || jsonb_build_object('valid_until', stop, 'confirmed_at', at,
      'confirmations', (held ->> 'confirmations')::int + 1);
  elsif is_same and ends is null then
    -- the same, from a weightier tier
    opened := opened || jsonb_build_object('id', held -> 'id', 'valid_from', held -> 'valid_from',
      'valid_until', held -> 'valid_until', 'confirmations', (held ->> 'confirmations')::int + 1);
  end if;
  perform temporal_change(of_table, at, array(select (r ->> 'id')::uuid from unnest(changed) r), array(
    select r || jsonb_build_object('valid_until', begins)
    from unnest(changed) r
    where (r ->> 'valid_from')::timestamptz < begins and opened ->> 'id' <> r ->> 'id'
    union all
    select opened
    union all
    select r || jsonb_build_object('valid_from', ends)
      -- the two parts that are left of one row are two statements from now on
      || case when r = held then jsonb_build_object('id', gen_random_uuid()) else '{}' end
    from unnest(changed) r
    where (is_period or r is distinct from held)
      and (upper(temporal_period(r)) > ends or ends is not null and upper_inf(temporal_period(r)))
  ), 'put');
  return jsonb_build_object('outcome', 'opened', 'id', opened ->> 'id', 'replaced', held);
end $$;
