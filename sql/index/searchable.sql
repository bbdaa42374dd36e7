-- The kinds of records that can be found: each has a view searchable_<kind>.
create or replace function searchable_kinds() returns setof text
language sql stable as $$
  select substr(c.relname, length('searchable_') + 1)
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ~ '^searchable_'
  order by 1
$$;

-- All of them as one view. It is made from the catalog in every migration, so that a new kind is one view and one
-- trigger. These are the columns that such a view has:
--
--   user_id, project_id        whose it is; without a project it belongs to all of the user's
--   kind, source_id            the record; source_id is its column `id`
--   content, label, context    the text, who said it, and what was said before it
--   agent, channel             to filter by
--   confidence, valid_from, valid_until, confirmed_at
--                              how sure it is, when it holds (valid_until null: still), when it was last found true
--   links                      what it shares with others: file:src/a.ts, incident:<id>, commit:<sha>
--   amends                     it outranks an older text about the same matter even if it does not say so
--   half_life_days             days until its recency has fallen half way
do $$ begin
  execute 'create or replace view searchable with (security_invoker = true) as ' || (
    select string_agg(
      'select user_id, project_id, kind, source_id, content, label, context, agent, channel, confidence, valid_from,
         valid_until, confirmed_at, links, amends, half_life_days from searchable_' || kind,
      ' union all ' order by kind)
    from searchable_kinds() kind);
end $$;
