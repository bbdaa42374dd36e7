-- Rights: row level security also for the tables' owner; the API roles get what their policies then narrow down.
do $$
declare t regclass;
begin
  for t in select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and c.relname in ('profiles', 'api_keys', 'projects', 'sessions', 'events', 'transcript_cursors', 'incidents',
      'learnings', 'learning_requests', 'learning_injections', 'search_documents', 'llm_usage')
  loop
    execute format('alter table %s force row level security', t);
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to authenticated', t);
    execute format('grant all on %s to service_role', t);
  end loop;
end $$;
--> statement-breakpoint
-- Identity columns need no right to their sequence, and nobody else does.
revoke all on all sequences in schema public from anon, authenticated;
--> statement-breakpoint
-- Events are append-only, and nobody gives themselves another role.
revoke update, delete on events from authenticated;
--> statement-breakpoint
revoke insert, update, delete on profiles from authenticated;
--> statement-breakpoint
grant update (name) on profiles to authenticated;
--> statement-breakpoint
-- At any instant a lineage has at most one version.
alter table learnings add constraint learnings_no_overlap
  exclude using gist (user_id with =, lineage_id with =, tstzrange(valid_from, valid_until) with &&);
--> statement-breakpoint
-- A device key (its SHA-256 in hex) → the account it belongs to.
create function lore.authenticate(hash text)
returns table (user_id uuid, key_id uuid, role text, name text)
language sql stable security definer set search_path = '' as $$
  select p.user_id, k.id, p.role, p.name
  from public.api_keys k join public.profiles p on p.user_id = k.user_id
  where k.key_hash = hash and k.revoked_at is null
$$;
--> statement-breakpoint
-- The owner, made on first use. Adding the key again does nothing.
create function lore.ensure_owner(hash text, key_name text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare owner uuid;
begin
  insert into public.profiles (user_id, name, role) values (gen_random_uuid(), 'owner', 'owner')
    on conflict do nothing;
  select p.user_id into owner from public.profiles p where p.role = 'owner';
  insert into public.api_keys (user_id, name, key_hash) values (owner, key_name, hash)
    on conflict (key_hash) do nothing;
  return owner;
end $$;
--> statement-breakpoint
create function lore.create_member(member_name text, hash text, key_name text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare member uuid := gen_random_uuid();
begin
  insert into public.profiles (user_id, name, role) values (member, member_name, 'member');
  insert into public.api_keys (user_id, name, key_hash) values (member, key_name, hash);
  return member;
end $$;
--> statement-breakpoint
-- Whose rows wait for a background worker. Ids only: the work itself is done as that user.
create function lore.users_to_embed(model text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct d.user_id from public.search_documents d
  where d.embedding_model is distinct from model and d.embed_after <= now()
$$;
--> statement-breakpoint
create function lore.users_to_distil() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct r.user_id from public.learning_requests r where r.status = 'pending' and r.run_after <= now()
$$;
--> statement-breakpoint
create function lore.users_with_idle_sessions(idle interval) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct s.user_id from public.sessions s where s.status = 'active' and s.last_activity < now() - idle
$$;
--> statement-breakpoint
-- How many documents wait for a vector, over all tenants: a bare number for /health.
create function lore.count_to_embed(model text) returns bigint
language sql stable security definer set search_path = '' as $$
  select count(*) from public.search_documents d where d.embedding_model is distinct from model
$$;
--> statement-breakpoint
revoke all on all functions in schema lore from public;
--> statement-breakpoint
create function learning_document(l learnings) returns text language sql immutable as $$
  select concat_ws(E'\n', l.lesson, l.context, l.why, nullif(array_to_string(l.keywords, ' '), ''),
                   nullif(array_to_string(l.applies_to, ' '), ''))
$$;
--> statement-breakpoint
create function index_learning() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents d where d.user_id = old.user_id and d.kind = 'learning' and d.source_id = old.id;
    return null;
  end if;
  -- a lesson under review is kept, but is not found
  if new.status <> 'active' then
    delete from search_documents d where d.user_id = new.user_id and d.kind = 'learning' and d.source_id = new.id;
    return null;
  end if;
  insert into search_documents as d (user_id, project_id, kind, source_id, content, agent, confidence, valid_from,
                                     valid_until, confirmed_at)
  values (new.user_id, new.project_id, 'learning', new.id, learning_document(new), new.source_subagent,
          new.confidence, new.valid_from, new.valid_until, new.last_confirmed_at)
  on conflict (user_id, kind, source_id) do update set
    project_id = excluded.project_id, content = excluded.content, agent = excluded.agent,
    confidence = excluded.confidence, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
    confirmed_at = excluded.confirmed_at,
    -- a changed text needs a new vector
    embedding = case when d.content = excluded.content then d.embedding end,
    embedding_model = case when d.content = excluded.content then d.embedding_model end,
    embed_attempts = case when d.content = excluded.content then d.embed_attempts else 0 end,
    embed_after = case when d.content = excluded.content then d.embed_after else now() end;
  return null;
end $$;
--> statement-breakpoint
-- Not for the counters: they change with each session that is given the lesson.
create trigger index_learning after insert or delete or update of project_id, status, lesson, context, why, keywords,
  applies_to, source_subagent, confidence, valid_from, valid_until, last_confirmed_at on learnings
  for each row execute function index_learning();
--> statement-breakpoint
-- Rebuilds the caller's part of the index: adds what is missing, drops what has no source, requeues every vector.
create function rebuild_search_documents() returns bigint language plpgsql as $$
declare n bigint;
begin
  delete from search_documents d where d.user_id = auth.uid() and d.kind = 'learning'
    and not exists (select 1 from learnings l where l.id = d.source_id and l.status = 'active');
  update learnings set status = status where user_id = auth.uid();
  update search_documents set embedding_model = null, embed_attempts = 0, embed_after = now(), embed_error = null
    where user_id = auth.uid();
  get diagnostics n = row_count;
  return n;
end $$;
--> statement-breakpoint
-- Hybrid search, first version: full text and vectors, fused by reciprocal rank (Cormack, Clarke, Büttcher 2009,
-- k = 60), × confidence × recency. Runs as the caller, so row level security applies.
--   similarity: cosine to the query, null without a vector; text_coverage: share of the query's lexemes present.
create function search_hybrid(
  query text, query_embedding vector(384), model text, in_project uuid, in_kinds text[], max_rows int,
  as_of timestamptz default now(), min_confidence real default 0, max_age_days real default null,
  exclude_agent text default null, in_channel text default null
) returns table (
  kind text, source_id uuid, content text, score float8, similarity float8, text_coverage float8,
  confidence real, age_days float8, valid_from timestamptz, valid_until timestamptz, project_id uuid,
  text_rank bigint, vector_rank bigint
) language sql stable as $$
  with words as (
    select array_agg(distinct w) as list from unnest(tsvector_to_array(to_tsvector('english', query))) w
  ), ask as (
    select list, coalesce(
      (select string_agg(quote_literal(w), ' | ')::tsquery from unnest(list) w), ''::tsquery) as q
    from words
  ), scope as (
    select d.* from search_documents d
    where (in_project is null or d.project_id = in_project)
      and (in_kinds is null or d.kind = any (in_kinds))
      and tstzrange(d.valid_from, d.valid_until) @> as_of
      and d.confidence >= min_confidence
      and (max_age_days is null or d.confirmed_at >= now() - make_interval(secs => max_age_days * 86400.0))
      and (exclude_agent is null or d.agent is distinct from exclude_agent)
      and (in_channel is null or d.channel = in_channel)
  ), by_text as (
    select s.id, row_number() over (order by ts_rank_cd(s.tsv, ask.q, 1) desc, s.confirmed_at desc, s.id) as rank
    from scope s, ask where s.tsv @@ ask.q
    order by rank limit 100
  ), by_vector as (
    select s.id, 1 - (s.embedding <=> query_embedding) as similarity,
      row_number() over (order by s.embedding <=> query_embedding, s.id) as rank
    from scope s
    where query_embedding is not null and s.embedding is not null and s.embedding_model = model
    order by rank limit 100
  ), fused as (
    select coalesce(t.id, v.id) as id, t.rank as text_rank, v.rank as vector_rank, v.similarity,
      coalesce(1.0 / (60 + t.rank), 0) + coalesce(1.0 / (60 + v.rank), 0) as rrf
    from by_text t full join by_vector v on v.id = t.id
  )
  select s.kind, s.source_id, s.content,
    -- 61/2 scales the best possible fused rank to 1; half-life of recency 90 days, never below one half
    (f.rrf * 30.5)::float8 * s.confidence
      * (0.5 + 0.5 * power(0.5::float8, greatest(extract(epoch from now() - s.confirmed_at), 0)::float8 / 86400 / 90))
      as score,
    coalesce(f.similarity,
      case when s.embedding_model = model then 1 - (s.embedding <=> query_embedding) end)::float8,
    coalesce((select count(*) from unnest(ask.list) w where w = any (tsvector_to_array(s.tsv)))::float8
      / nullif(cardinality(ask.list), 0), 0),
    s.confidence, greatest(extract(epoch from now() - s.confirmed_at), 0)::float8 / 86400,
    s.valid_from, s.valid_until, s.project_id, f.text_rank, f.vector_rank
  from fused f join scope s on s.id = f.id, ask
  order by 4 desc, s.confirmed_at desc, s.source_id
  limit max_rows
$$;
