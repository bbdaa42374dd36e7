-- A database has one embedding model: vectors of two models cannot be compared. Otherwise two servers with
-- different models would overwrite each other's vectors for ever. After a change of the model, texts that still
-- lack a vector of it are found by their words.

-- Returns whether a server with this model may write vectors. The first one that asks decides on the model, unless
-- there are vectors already: then theirs stands.
create or replace function lore.may_embed(model text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  update lore.instance
  set embedding_model = coalesce((
    select d.embedding_model
    from public.search_documents d
    where d.embedding_model is not null
    group by d.embedding_model
    order by count(*) desc
    limit 1), model)
  where embedding_model is null;
  return exists (select from lore.instance i where i.embedding_model = model);
end $$;

create or replace function lore.change_model(model text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  update lore.instance set embedding_model = model where embedding_model is distinct from model;
end $$;
