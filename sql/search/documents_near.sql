-- Returns the ids of the caller's nearest documents by the HNSW index. It is a separate function because of its
-- settings: the planner believes that the conditions are far more selective than they are, and without the settings it
-- would read and sort the whole table.
create or replace function documents_near(
  query_embedding vector(384), model text, in_project uuid, in_kinds text[], shelves text[], as_of timestamptz,
  superseded boolean, exclude_agent text, in_channels text[], only_agent text, message_types text[],
  mentioning text[], breadcrumbs boolean, min_words int, most int
) returns setof uuid
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set hnsw.ef_search = 100 -- changed below, restored at the end
set hnsw.iterative_scan = relaxed_order
set hnsw.max_scan_tuples = 40000
as $$
begin
  perform set_config('hnsw.ef_search', greatest(most, 40)::text, true);
  return query
  select d.id
  from search_documents d
  where d.embedding_model = model
    and (in_project is null or d.project_id = in_project or d.project_id is null)
    and (in_project is not null or not d.private)
    and d.shelf = any (shelves)
    and (in_kinds is null or d.kind = any (in_kinds))
    and (in_channels is null or d.channel = any (in_channels))
    and (exclude_agent is null or d.agent is distinct from exclude_agent)
    and (only_agent is null or d.agent = only_agent)
    and (message_types is null or d.message_type = any (message_types))
    and (mentioning is null or d.mentions && mentioning)
    and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
    and (min_words is null or d.words >= min_words)
    and d.valid_from <= as_of
    and (superseded or d.valid_until is null or d.valid_until > as_of)
  order by d.embedding <=> query_embedding
  limit most;
end $$;
