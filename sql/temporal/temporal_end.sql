-- Ends what holds of a subject at an instant (null: now), without a successor. What is known to begin later stays.
-- Returns `outcome`: ended (with the `id` of what held), nothing (nothing holds then) or outranked (by the row `by`).
create or replace function temporal_end(
  of_table regclass, in_scope uuid, of_subject uuid, ends timestamptz, by_tier text
) returns jsonb
language plpgsql as $$
declare
  at constant timestamptz := temporal_begin(of_table, in_scope, of_subject);
  last constant timestamptz := coalesce(ends, at);
  held constant jsonb := (
    select r from temporal_rows(of_table, in_scope, of_subject) r where temporal_period(r) @> last);
begin
  if held is null then
    return jsonb_build_object('outcome', 'nothing');
  elsif temporal_weight(held ->> 'tier') > temporal_weight(by_tier) then
    return jsonb_build_object('outcome', 'outranked', 'by', held);
  end if;
  perform temporal_change(of_table, at, array[(held ->> 'id')::uuid],
    case
      when (held ->> 'valid_from')::timestamptz < last then array[held || jsonb_build_object('valid_until', last)]
      else '{}'
    end, 'end');
  return jsonb_build_object('outcome', 'ended', 'id', held ->> 'id', 'ended', held);
end $$;
