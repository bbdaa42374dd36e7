-- Whether a text amends an older one is decided once: in the background, after the write, when both texts have their
-- vectors. A search only follows the links that were found.

-- Queues those of the caller's documents that may amend another record: they say that something changed, or contain
-- what may be the beginning of an id. Four kinds are left out: conversations and errors amend nothing, facts and
-- relations are replaced by key, and skills have versions.
create or replace function queue_amendments(documents uuid[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into amendment_queue (user_id, kind, source_id, valid_from)
  select distinct d.user_id, d.kind, d.source_id, d.valid_from
  from search_documents d
  where d.user_id = auth.uid() and d.id = any (documents) and d.context is null
    and d.kind not in ('fact', 'relation', 'skill', 'error', 'conversation')
    and ((amendment_words(d.content)).words is not null or d.content ~ '\m[0-9a-f]{8}\M')
  -- An update waits for a worker that is just deciding about this record, so that it is decided about again.
  on conflict (user_id, kind, source_id) do update set valid_from = excluded.valid_from;
end $$;

-- Returns the caller's documents of a kind and project that were there at an instant, are valid still, and are not
-- amended by another record than `besides`. A decision that `besides` itself has ended counts as valid.
create or replace function amendable_documents(
  of_kind text, in_project uuid, at timestamptz, model text, besides uuid
) returns setof search_documents
language sql stable as $$
  select d.*
  from search_documents d
  where d.user_id = auth.uid()
    and (d.project_id = in_project or in_project is null and d.project_id is null)
    and d.kind = of_kind
    and d.valid_from <= at
    and (d.valid_until is null or d.kind = 'decision' and exists (
      select from amendments a
      where a.user_id = d.user_id and a.kind = d.kind and a.older_id = d.source_id and a.newer_id = besides
        and a.undone_at is null))
    and d.context is null
    and d.embedding_model = model
    and not exists (
      select from amendments a
      where a.user_id = d.user_id and a.kind = d.kind and a.older_id = d.source_id and a.newer_id <> besides
        and a.undone_at is null)
$$;

-- Decides whether a record of the caller amends an older one, and stores the link. It does when
--   1. of the older texts of its project and kind that still hold, the other one has the part nearest to a part of it,
--   2. at that time no other text was nearer to that part: each is the other's nearest neighbour, and
--   3. it says that something changed, or names the other by the first eight characters of its id (amendment_words
--      tells how near they must be).
-- A new decision about the same record replaces the old one. What a person has undone stays undone, and what was stated
-- stays.
create or replace function decide_amendment(of_kind text, of_id uuid, model text) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  me constant uuid := auth.uid();
  newer record;
  pair record;
  own_words text;
  said text;
  least_alike float8;
  chosen uuid;
begin
  select d.project_id, d.valid_from, string_agg(d.content, '' order by d.part) as content into newer
  from search_documents d
  where d.user_id = me and d.kind = of_kind and d.source_id = of_id and d.context is null
  group by d.project_id, d.valid_from;

  -- Exact, not by HNSW, which would look for the neighbours in all projects.
  select o.source_id, o.embedding, near.alike into pair
  from search_documents n
  join amendable_documents(of_kind, newer.project_id, newer.valid_from, model, of_id) o
    on o.valid_from < newer.valid_from and o.source_id <> of_id
  cross join lateral (select 1 - (n.embedding <=> o.embedding) as alike offset 0) near
  where n.user_id = me and n.kind = of_kind and n.source_id = of_id and n.embedding_model = model
  order by near.alike desc
  limit 1;

  -- A lesson's context quotes the prompt. A change that the prompt speaks of is not a change that this lesson states.
  select replace(newer.content, coalesce(max(l.context), ''), '') into own_words
  from learnings l
  where of_kind = 'learning' and l.user_id = me and l.id = of_id;
  select w.words, w.least_alike into said, least_alike from amendment_words(own_words) w;
  if position(left(pair.source_id::text, 8) in newer.content) > 0 then
    said := left(pair.source_id::text, 8);
    least_alike := 0.45;
  end if;
  if pair.alike >= least_alike and not exists (
    select
    from amendable_documents(of_kind, newer.project_id, newer.valid_from, model, of_id) r
    where r.source_id not in (of_id, pair.source_id) and 1 - (r.embedding <=> pair.embedding) > pair.alike)
  then
    chosen := pair.source_id;
    insert into amendments (user_id, kind, newer_id, older_id, evidence)
    values (me, of_kind, of_id, chosen,
      jsonb_build_object('words', said, 'similarity', round(pair.alike::numeric, 3), 'model', model))
    on conflict (user_id, kind, newer_id, older_id) do nothing;
  end if;
  delete from amendments a
  where a.user_id = me and a.kind = of_kind and a.newer_id = of_id and a.older_id is distinct from chosen
    and a.undone_at is null and a.evidence ->> 'model' is not null;
end $$;

-- Decides about at most `most` queued records of the caller and returns how many there were. The oldest come first: a
-- record that has been amended is no longer compared with newer ones, so the order matters.
create or replace function decide_amendments(model text, most int) returns int
language plpgsql as $$
declare
  queued record;
  decided int := 0;
begin
  for queued in
    select q.kind, q.source_id
    from amendment_queue q
    where q.user_id = auth.uid()
    order by q.valid_from, q.source_id
    limit most
    for update skip locked
  loop
    perform decide_amendment(queued.kind, queued.source_id, model);
    delete from amendment_queue q
    where q.user_id = auth.uid() and q.kind = queued.kind and q.source_id = queued.source_id;
    decided := decided + 1;
  end loop;
  return decided;
end $$;

-- Returns the users who have records to decide about. Those who have texts without a vector come later, because a
-- neighbour may be among these; texts that could not be embedded at once are not waited for.
create or replace function lore.users_to_decide_amendments(model text) returns setof uuid
language plpgsql stable security definer
set search_path = ''
-- one plan for all calls: planning would take longer than looking
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select q.user_id
  from (select distinct w.user_id from public.amendment_queue w) q
  where not exists (
    select from public.search_documents d
    where d.user_id = q.user_id and d.embed_error is null
      and (d.embedding_model is null or d.embedding_model < model or d.embedding_model > model));
end $$;

-- Deletes the links and the place in the queue of a record that is erased.
create or replace function forget_amendments(owner uuid, of_kind text, of_id uuid) returns void
language plpgsql as $$
begin
  delete from amendments a
  where a.user_id = owner and a.kind = of_kind and (a.newer_id = of_id or a.older_id = of_id);
  delete from amendment_queue q where q.user_id = owner and q.kind = of_kind and q.source_id = of_id;
end $$;

-- Texts that were stored before there were amendments are decided about too.
do $$ begin
  insert into amendment_queue (user_id, kind, source_id, valid_from)
  select distinct d.user_id, d.kind, d.source_id, d.valid_from
  from search_documents d
  where d.context is null and d.embedding_model is not null and (amendment_words(d.content)).words is not null
  on conflict do nothing;
end $$;
