-- Undoes the last change of a subject that still stands: what was believed before it is believed again. Changes that
-- were undone do not count, so the next undo takes back the change before.
--
--   statement   the change to undo is the one that first stated this id; null: the last one
--
-- Returns `outcome`: undone, nothing (no change stands), unknown (there is no such statement), undone_before, or
-- built_on (`later` changes stand that came after it).
create or replace function temporal_undo(
  of_table regclass, in_scope uuid, of_subject uuid, statement uuid default null
) returns jsonb
language plpgsql as $$
declare
  at constant timestamptz := temporal_begin(of_table, in_scope, of_subject);
  clocks constant text[] := '{recorded_at, recorded_until, opened_by, closed_by, confirmed_at, confirmations}';
  standing timestamptz[] := '{}';
  instant timestamptz;
  takes_back boolean;
  wanted timestamptz;
  present jsonb[];
  past jsonb[];
begin
  for instant, takes_back in execute format(
    'select c.instant, bool_or(c.kind = ''undo'')
     from %s t, lateral (values (t.recorded_at, t.opened_by), (t.recorded_until, t.closed_by)) c(instant, kind)
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2 and c.instant is not null
     group by c.instant order by c.instant', of_table)
    using in_scope, of_subject
  loop
    standing := case
      when takes_back then standing[:cardinality(standing) - 1]
      else standing || instant
    end;
  end loop;
  wanted := standing[cardinality(standing)];
  if statement is not null then
    execute format(
      'select min(t.recorded_at) from %s t
       where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2 and t.id = $3', of_table)
    into wanted using in_scope, of_subject, statement;
    if wanted is null then
      return jsonb_build_object('outcome', 'unknown');
    elsif wanted <> all (standing) then
      return jsonb_build_object('outcome', 'undone_before');
    elsif wanted < standing[cardinality(standing)] then
      return jsonb_build_object('outcome', 'built_on',
        'later', cardinality(standing) - array_position(standing, wanted));
    end if;
  end if;
  if wanted is null then
    return jsonb_build_object('outcome', 'nothing');
  end if;

  present := array(select temporal_rows(of_table, in_scope, of_subject));
  past := array(select temporal_rows(of_table, in_scope, of_subject, wanted));
  perform temporal_change(of_table, at,
    array(
      select (r ->> 'id')::uuid from unnest(present) r
      where not exists (select from unnest(past) p where p - clocks = r - clocks)),
    array(
      select p from unnest(past) p
      where not exists (select from unnest(present) r where r - clocks = p - clocks)),
    'undo');
  return jsonb_build_object('outcome', 'undone', 'change', wanted);
end $$;
