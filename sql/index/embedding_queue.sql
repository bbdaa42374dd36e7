-- Rows without a vector of the model in use are the embedding worker's queue. `<` and `>` use an index, while
-- `is distinct from` would read the whole table every few seconds.

-- Returns the users who have documents waiting for a vector.
create or replace function lore.users_to_embed(model text) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct d.user_id
  from public.search_documents d
  where (d.embedding_model is null or d.embedding_model < model or d.embedding_model > model)
    and d.embed_after <= now()
$$;

-- Returns how many documents of all tenants wait for a vector, for /health. If model is null, all documents count.
create or replace function lore.count_to_embed(model text) returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*)
  from public.search_documents d
  where model is null or d.embedding_model is null or d.embedding_model < model or d.embedding_model > model
$$;
