-- Returns what a search may filter a record by, from its metadata and its text: the names in lower case, and the number
-- of words (what stands between white space). What says `private` of itself is found only in its own project.
create or replace function search_filters(
  metadata jsonb, body text, out message_type text, out mentions text[], out has_breadcrumbs boolean, out words int,
  out private boolean
)
language sql immutable as $$
  select
    metadata ->> 'messageType',
    coalesce((
      select array_agg(distinct lower(m))
      from jsonb_array_elements_text(
        case when jsonb_typeof(metadata -> 'mentions') = 'array' then metadata -> 'mentions' end) m), '{}'),
    exists (
      select
      from jsonb_each(case when jsonb_typeof(metadata -> 'breadcrumbs') = 'object' then metadata -> 'breadcrumbs' end) b
      where jsonb_typeof(b.value) = 'array' and b.value <> '[]'),
    regexp_count(body, '\S+'),
    coalesce(metadata -> 'private' = 'true', false)
$$;
