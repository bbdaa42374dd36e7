-- A database has one embedding model: vectors of two models cannot be compared. Otherwise two servers with different
-- models would overwrite each other's vectors for ever. A change to another model makes all new vectors first, beside
-- the old ones, which are used until then (next_vectors). Then one update of lore.instance makes the new model the one
-- in use, and the embedding worker takes the vectors that were made over to search_documents.

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

-- Begins to change the vectors to those of a model, or goes on with it. If that model is the one in use, a change to
-- another one ends.
create or replace function lore.begin_model_change(model text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if lore.may_embed(model) then
    update lore.instance set next_model = null where next_model is not null;
  else
    update lore.instance set next_model = model where next_model is distinct from model;
  end if;
  delete from public.next_vectors v where v.model <> begin_model_change.model;
end $$;

-- Returns the users who have texts that need a vector of the model to which the database is being changed.
create or replace function lore.users_to_prepare(model text) returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select p.user_id
  from public.profiles p
  where exists (
    select from public.next_vectors v
    where v.user_id = p.user_id and v.model = users_to_prepare.model and v.embedding is null and v.run_after <= now()
  ) or exists (
    select from public.search_documents d
    where d.user_id = p.user_id and not exists (
      select from public.next_vectors v
      where v.user_id = d.user_id and v.id = d.id and v.model = users_to_prepare.model));
end $$;

-- Queues at most `most` of the caller's texts that have no row in next_vectors yet. Returns how many there were.
create or replace function prepare_vectors(of_model text, most int) returns int
language plpgsql as $$
declare
  n int;
begin
  insert into next_vectors (user_id, id, model)
  select d.user_id, d.id, of_model
  from search_documents d
  where d.user_id = auth.uid() and not exists (
    select from next_vectors v where v.user_id = d.user_id and v.id = d.id and v.model = of_model)
  limit most
  on conflict do nothing;
  get diagnostics n = row_count;
  return n;
end $$;

-- Makes a model the one in use, once all texts have their new vector; those that could not be embedded are not waited
-- for. Returns whether it did.
create or replace function lore.end_model_change(model text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  if exists (
    select from public.next_vectors v
    where v.model = end_model_change.model and v.embedding is null and v.run_after < 'infinity'
  ) or exists (select from lore.users_to_prepare(end_model_change.model)) then
    return false;
  end if;
  update lore.instance set embedding_model = next_model, next_model = null where next_model = end_model_change.model;
  if not found then
    return false;
  end if;
  delete from public.next_vectors v where v.embedding is null;
  return true;
end $$;

-- Returns how far a change is, over all users: texts, those with a vector of the model in use, and those whose vector
-- of the next model is made.
create or replace function lore.model_progress(out documents int, out embedded int, out prepared int)
language plpgsql stable security definer
set search_path = ''
as $$
declare
  i record;
begin
  select m.embedding_model, m.next_model into i from lore.instance m;
  select count(*), count(*) filter (where d.embedding_model = i.embedding_model) into documents, embedded
  from public.search_documents d;
  select count(*) into prepared from public.next_vectors v where v.model = i.next_model and v.embedding is not null;
end $$;

-- The new vector goes with its text.
create or replace function forget_next_vectors() returns trigger
language plpgsql as $$
begin
  delete from next_vectors v using gone g where v.user_id = g.user_id and v.id = g.id;
  return null;
end $$;

create or replace trigger forget_next_vectors
  after delete on search_documents
  referencing old table as gone
  for each statement execute function forget_next_vectors();
