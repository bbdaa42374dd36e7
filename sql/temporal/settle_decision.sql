-- A decision ends where it was stated to, or where a newer one begins that amends it. Links of amendments say which do,
-- the stated ones and those that were found, so undoing a link lets the older decision hold again.

-- Ends a decision of the caller by the links that stand now.
create or replace function settle_decision(of_id uuid) returns void
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  scope constant uuid := (
    select d.scope_id from decisions d where d.user_id = me and d.id = of_id and d.recorded_until is null);
  at timestamptz;
  present jsonb;
  until timestamptz;
begin
  if scope is null then
    return;
  end if;
  at := temporal_begin('decisions', scope, of_id);
  present := temporal_rows('decisions', scope, of_id);
  select least((present ->> 'stated_until')::timestamptz, min(n.valid_from)) into until
  from amendments a
  join decisions n on n.user_id = me and n.id = a.newer_id and n.recorded_until is null
  where a.user_id = me and a.kind = 'decision' and a.older_id = of_id and a.undone_at is null
    and n.valid_from > (present ->> 'valid_from')::timestamptz;
  if until is distinct from (present ->> 'valid_until')::timestamptz then
    perform temporal_change('decisions', at, array[of_id],
      array[present || jsonb_build_object('valid_until', until)], 'amendment');
  end if;
end $$;

create or replace function settle_amended_decision() returns trigger
language plpgsql as $$
begin
  if coalesce(new.kind, old.kind) = 'decision' then
    perform settle_decision(coalesce(new.older_id, old.older_id));
  end if;
  return null;
end $$;

create or replace trigger settle_amended_decision
  after insert or delete or update of undone_at on amendments
  for each row execute function settle_amended_decision();

-- A decision of a lower tier never amends one of a higher tier: an agent's decision does not end a person's.
create or replace function refuse_light_amendment() returns trigger
language plpgsql as $$
begin
  if exists (
    select
    from decisions n
    join decisions o on o.user_id = n.user_id and o.id = new.older_id and o.recorded_until is null
    where n.user_id = new.user_id and n.id = new.newer_id and n.recorded_until is null
      and temporal_weight(n.tier) < temporal_weight(o.tier))
  then
    return null;
  end if;
  return new;
end $$;

create or replace trigger refuse_light_amendment
  before insert on amendments
  for each row when (new.kind = 'decision')
  execute function refuse_light_amendment();
