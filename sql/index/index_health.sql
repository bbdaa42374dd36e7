-- Returns how complete the caller's index is. `lore doctor`, /v1/index and /v1/metrics show it.
--
--   sources    records that can be found
--   documents  index rows; more than sources if long texts are in parts
--   embedded   rows with a vector of the model in use; pending: the other rows
--   failing    rows whose last embedding failed
--   missing    records without an index row; orphaned: rows without a record. `lore reindex` repairs both.
create or replace function index_health(
  model text,
  out sources int, out documents int, out embedded int, out pending int, out failing int, out missing int,
  out orphaned int
)
language plpgsql stable as $$
declare
  me constant uuid := auth.uid();
begin
  -- Each count can be read from an index, without the rows, which are large because of their vectors. A full join,
  -- because the planner never runs it as a nested loop, however wrong its estimate of the rows is.
  select
    count(r.source_id),
    coalesce(sum(i.documents), 0),
    count(*) filter (where i.source_id is null),
    coalesce(sum(i.documents) filter (where r.source_id is null), 0)
  into sources, documents, missing, orphaned
  from (
    select s.kind, s.source_id from searchable s where s.user_id = me
  ) r
  full join (
    select d.kind, d.source_id, count(*) as documents
    from search_documents d
    where d.user_id = me
    group by d.kind, d.source_id
  ) i on i.kind = r.kind and i.source_id = r.source_id;
  select count(*) into embedded from search_documents d where d.user_id = me and d.embedding_model = model;
  select count(*) into failing from search_documents d where d.user_id = me and d.embed_error is not null;
  pending := documents - embedded;
end $$;
