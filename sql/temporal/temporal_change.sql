-- The core of facts, relations and decisions. A change closes rows and opens others, at one instant of the clock of
-- records. `of_table` is one of these tables, `in_scope` a project or the zero id, `of_subject` what rows are about.
-- Rows travel as jsonb, with the names of their columns.

-- Locks a subject until the transaction ends, so that only one change of it is made at a time. Returns the instant of
-- this change: now, but later than every change before it. Without the lock the constraint on the rows would refuse the
-- later one of two changes.
create or replace function temporal_begin(of_table regclass, in_scope uuid, of_subject uuid) returns timestamptz
language plpgsql as $$
declare
  last timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat(of_table, auth.uid(), in_scope, of_subject), 0));
  execute format(
    'select max(greatest(t.recorded_at, t.recorded_until)) from %s t
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2', of_table)
  into last using in_scope, of_subject;
  return greatest(clock_timestamp(), last + interval '1 microsecond');
end $$;

-- Returns from when a statement is valid: from the time of its change, but never from a time in the future. The time of
-- a change can lie in the future because recorded times never go back, even after the machine's clock was once ahead.
create or replace function temporal_now(at timestamptz) returns timestamptz
language sql volatile as $$
  select case when at > clock_timestamp() + interval '1 second' then clock_timestamp() else at end
$$;

-- Returns the rows of a subject that are believed, in the order of their periods. `before`: those that were believed
-- just before that instant.
create or replace function temporal_rows(
  of_table regclass, in_scope uuid, of_subject uuid, before timestamptz default null
) returns setof jsonb
language plpgsql stable as $$
begin
  return query execute format(
    'select to_jsonb(t) from %s t
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2
       and case when $3 is null then t.recorded_until is null
         else t.recorded_at < $3 and (t.recorded_until is null or t.recorded_until >= $3) end
     order by t.valid_from', of_table)
  using in_scope, of_subject, before;
end $$;

-- Closes open rows and opens others. One statement, so that the index of search sees what came of both.
--
--   closing   ids of rows that are open
--   opening   rows; those that differ from a closed one only in their period have its id
--   kind      what makes the change: put, end, undo, amendment
create or replace function temporal_change(
  of_table regclass, at timestamptz, closing uuid[], opening jsonb[], kind text
) returns void
language plpgsql as $$
declare
  columns constant text := (
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
    from pg_attribute a
    where a.attrelid = of_table and a.attnum > 0 and not a.attisdropped and a.attgenerated = '');
begin
  execute format(
    'with closed as (
       update %1$s t set recorded_until = $1, closed_by = $2
       where t.user_id = auth.uid() and t.recorded_until is null and t.id = any ($3)
       returning 1
     )
     insert into %1$s (%2$s)
     select %2$s from jsonb_populate_recordset(null::%1$s, $4)
     where (select count(*) from closed) >= 0', of_table, columns)
  using at, kind, closing, (
    select coalesce(jsonb_agg(o.opened || jsonb_build_object(
      'user_id', auth.uid(), 'recorded_at', at, 'recorded_until', null, 'opened_by', kind, 'closed_by', null)), '[]')
    from unnest(opening) o(opened));
end $$;
