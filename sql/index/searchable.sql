-- Returns the kinds of records that can be found. Each kind has a view searchable_<kind>.
create or replace function searchable_kinds() returns setof text
language sql stable as $$
  select substr(c.relname, length('searchable_') + 1)
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ~ '^searchable_'
  order by 1
$$;

-- Joins all kinds in one view. Every migration makes it from the catalog, so that a new kind needs only its view and a
-- trigger. The view of a kind has these columns:
--
--   user_id, project_id        the owner; a record without a project belongs to all projects of the user
--   kind, source_id            the record; source_id is its column `id`
--   content, label, context    the text, who said it, and what was said before it
--   agent, channel             to filter by
--   confidence, valid_from, valid_until, confirmed_at
--                              how sure it is, when it is valid (valid_until null: still), when it was last confirmed
--   links                      what it may share with other records: file:src/a.ts, incident:<id>, commit:<sha>
--   half_life_days             days until its recency has fallen half way
--   metadata                   what a result tells about the record; not in the index
do $$ begin
  execute 'create or replace view searchable with (security_invoker = true) as ' || (
    select string_agg(
      'select user_id, project_id, kind, source_id, content, label, context, agent, channel, confidence, valid_from,
         valid_until, confirmed_at, links, half_life_days, metadata from searchable_' || kind,
      ' union all ' order by kind)
    from searchable_kinds() kind);
end $$;
