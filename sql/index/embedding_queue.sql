-- Rows without a vector of the model in use are the embedding worker's queue. `<` and `>` use an index, while
-- `is distinct from` would read the whole table every few seconds. Both functions look for one row of each user: to
-- read all that wait would take longer the more there are.

-- Returns the users who have documents waiting for a vector.
create or replace function lore.users_to_embed(model text) returns setof uuid
language plpgsql stable security definer
set search_path = ''
-- one plan for all calls: planning would take longer than looking
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select p.user_id
  from public.profiles p
  where exists (
    select from public.search_documents d
    where d.user_id = p.user_id and d.embedding_model is null and d.embed_after <= now()
  ) or exists (
    select from public.search_documents d
    where d.user_id = p.user_id and d.embedding_model < model and d.embed_after <= now()
  ) or exists (
    select from public.search_documents d
    where d.user_id = p.user_id and d.embedding_model > model and d.embed_after <= now()
  );
end $$;

-- Returns whether any document of any tenant lacks a vector, for /health. If model is null, every document does.
create or replace function lore.lacks_vectors(model text) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (
    select from public.profiles p
    where exists (
      select from public.search_documents d
      where d.user_id = p.user_id and (model is null or d.embedding_model is null)
    ) or exists (
      select from public.search_documents d where d.user_id = p.user_id and d.embedding_model < model
    ) or exists (
      select from public.search_documents d where d.user_id = p.user_id and d.embedding_model > model
    ))
$$;
