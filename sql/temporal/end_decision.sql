-- Ends a decision of the caller at an instant (null: now). Returns whether it held then; otherwise nothing is changed.
create or replace function end_decision(of_id uuid, ends timestamptz) returns boolean
language plpgsql as $$
declare
  scope constant uuid := (
    select d.scope_id from decisions d where d.user_id = auth.uid() and d.id = of_id and d.recorded_until is null);
  at constant timestamptz := temporal_begin('decisions', scope, of_id);
  last constant timestamptz := coalesce(ends, at);
  held constant jsonb := (select r from temporal_rows('decisions', scope, of_id) r where temporal_period(r) @> last);
begin
  if held is null or (held ->> 'valid_from')::timestamptz = last then
    return false;
  end if;
  perform temporal_change('decisions', at, array[of_id],
    array[held || jsonb_build_object('valid_until', last, 'stated_until', last)], 'end');
  return true;
end $$;
