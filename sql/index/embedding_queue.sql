-- Rows without a vector of the model in use are the embedding worker's queue. `<` and `>` are index scans, where
-- `is distinct from` would read the whole table every few seconds.

-- Returns the users whose documents wait.
create or replace function lore.users_to_embed(model text) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct d.user_id
  from public.search_documents d
  where (d.embedding_model is null or d.embedding_model < model or d.embedding_model > model)
    and d.embed_after <= now()
$$;

-- Returns how many documents wait, over all tenants: a bare number for /health. model null: all of them.
create or replace function lore.count_to_embed(model text) returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*)
  from public.search_documents d
  where model is null or d.embedding_model is null or d.embedding_model < model or d.embedding_model > model
$$;
