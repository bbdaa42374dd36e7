-- Undoes one item of the caller's nights: each row that it changed gets its columns back. From counters that have grown
-- since, only the item's part is subtracted. Returns null when the item is undone. If a later change depends on a row,
-- returns the id of that row; then the caller rolls back.
create or replace function undo_consolidation(item uuid) returns uuid
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  counters constant text[] := '{usage_count, success_count, failure_count}';
  change record;
  present jsonb;
  after jsonb;
  restored jsonb;
  moved boolean;
  later uuid;
begin
  -- What a later night merged into another lesson, or closed, carries what this one brought.
  select l.record_id into later
  from consolidation_items i
  join consolidation_items l
    on l.user_id = i.user_id and l.record_id in (i.record_id, i.kept_id) and l.seq > i.seq and l.undone_at is null
  where i.user_id = me and i.id = item
  order by l.seq desc limit 1;
  if later is not null then
    return later;
  end if;
  for change in
    select c.* from consolidation_items i,
      jsonb_array_elements(i.changes) with ordinality e(change, n),
      jsonb_to_record(e.change) c("table" text, id uuid, before jsonb, after jsonb)
    where i.user_id = me and i.id = item and i.undone_at is null
    order by e.n desc
  loop
    if change."table" not in ('learnings', 'learning_requests', 'notes') then
      raise exception 'a night changes no rows of %', change."table";
    end if;
    -- Both go through the row's type, so that equal values look equal.
    execute format('select to_jsonb(t), to_jsonb(jsonb_populate_record(t, $3)) from %I t
      where t.user_id = $1 and t.id = $2 for update', change."table")
    into present, after using me, change.id, change.after;
    continue when present is null and change."table" = 'learning_requests'; -- erased since
    if present is null or exists (
      select from jsonb_object_keys(change.after) k
      where present -> k is distinct from after -> k
        and k <> all (counters || '{confidence, last_confirmed_at, updated_at}'::text[]))
    then
      return change.id;
    end if;
    select jsonb_object_agg(k, case
        when k = any (counters) then to_jsonb((present ->> k)::int - (after ->> k)::int + (change.before ->> k)::int)
        when present -> k is distinct from after -> k then present -> k
        else change.before -> k
      end),
      coalesce(bool_or(k = 'confidence' and present -> k is distinct from after -> k), false)
    into restored, moved
    from jsonb_object_keys(change.after) k;
    if moved then
      restored := restored || jsonb_build_object('confidence', learning_confidence(
        (coalesce(restored -> 'prior_confidence', present -> 'prior_confidence') #>> '{}')::float8,
        coalesce(restored ->> 'success_count', present ->> 'success_count')::int,
        coalesce(restored ->> 'failure_count', present ->> 'failure_count')::int));
    end if;
    execute (
      select format('update %1$I t set (%2$s) = row (%3$s) from jsonb_populate_record(null::%1$I, $3) r
        where t.user_id = $1 and t.id = $2', change."table",
        string_agg(quote_ident(k), ', ' order by k), string_agg('r.' || quote_ident(k), ', ' order by k))
      from jsonb_object_keys(change.after) k)
    using me, change.id, restored;
  end loop;
  update consolidation_items i set undone_at = now() where i.user_id = me and i.id = item and i.undone_at is null;
  return null;
end $$;

-- Returns a lesson's confidence, see src/learnings/confidence.ts. (A test compares the two.)
create or replace function learning_confidence(prior float8, successes int, failures int) returns real
language sql immutable parallel safe as $$
  select ((prior * 4 + successes) / (4 + successes + failures))::real
$$;
