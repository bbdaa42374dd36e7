-- States a decision. `stated` holds its columns; without valid_from it holds from the instant of the change. It begins
-- after the instant `after`, if there is one: that is when the decision begins which it supersedes.
--
-- The same condition and action again, without a period, confirm the decision that is in force, and from a weightier
-- tier give it that tier. Returns the id and what came of it: opened or confirmed; empty (it would end before it
-- begins) and late (it would not begin after `after`) change nothing.
create or replace function make_decision(stated jsonb, after timestamptz, out id uuid, out outcome text)
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  scope constant uuid := coalesce(stated ->> 'project_id', '00000000-0000-0000-0000-000000000000')::uuid;
  -- one at a time, so that two who state the same make one decision
  at timestamptz := temporal_begin('decisions', scope, temporal_subject(stated ->> 'condition', stated ->> 'action'));
  begins constant timestamptz := coalesce(
    (stated ->> 'valid_from')::timestamptz,
    case when temporal_now(at) > after is not false then temporal_now(at) else at end);
  ends constant timestamptz := (stated ->> 'valid_until')::timestamptz;
  known jsonb;
begin
  if after is null and stated ->> 'valid_from' is null and ends is null then
    select to_jsonb(d) into known
    -- as in decisions_as_of, which would read all decisions
    from decisions d
    where tstzrange(d.valid_from, d.valid_until) @> at and d.valid_from <= at and d.recorded_until is null
      and d.user_id = me and d.scope_id = scope
      and d.condition = stated ->> 'condition' and d.action = stated ->> 'action'
    order by temporal_weight(d.tier) desc
    limit 1;
  end if;
  id := known ->> 'id';
  outcome := 'confirmed';
  if known is null then
    id := gen_random_uuid();
    outcome := case when ends <= begins then 'empty' when begins <= after then 'late' else 'opened' end;
    if outcome = 'opened' then
      perform temporal_change('decisions', at, '{}', array[stated || jsonb_build_object('id', id, 'valid_from', begins,
        'stated_until', ends, 'confirmed_at', at, 'confirmations', 0)], 'put');
    end if;
  elsif temporal_weight(stated ->> 'tier') > temporal_weight(known ->> 'tier') then
    at := temporal_begin('decisions', scope, id);
    perform temporal_change('decisions', at, array[id], array[stated || jsonb_build_object('id', id,
      'valid_from', known -> 'valid_from', 'valid_until', known -> 'valid_until',
      'stated_until', known -> 'stated_until', 'confirmed_at', at,
      'confirmations', (known ->> 'confirmations')::int + 1)], 'put');
  else
    update decisions d set confirmed_at = at, confirmations = d.confirmations + 1
    where d.user_id = me and d.recorded_until is null and d.id = make_decision.id;
  end if;
end $$;
