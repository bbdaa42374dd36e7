alter table notes force row level security;
--> statement-breakpoint
revoke all on notes from anon, authenticated;
--> statement-breakpoint
grant select, insert, update, delete on notes to authenticated;
--> statement-breakpoint
grant all on notes to service_role;
--> statement-breakpoint
revoke all on all sequences in schema public from anon, authenticated;
--> statement-breakpoint
alter table notes add constraint notes_confidence check (confidence between 0 and 1);
--> statement-breakpoint
-- Compared by the thousand: never out of the row, nor with a header that has each comparison copy the value (seven terms
-- against 1,000 texts took 11 ms instead of 1.6).
alter table search_documents alter column embedding set storage plain, alter column terms set storage plain;
--> statement-breakpoint
-- The words of code: everything but letters and digits becomes a blank, camelCase and PascalCase are taken apart.
-- ASCII only, because what counts as a letter beyond it depends on the database's locale.
create function search_words(body text) returns text language sql immutable parallel safe as $$
  select regexp_replace(regexp_replace(regexp_replace(body, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g'),
    '([a-z0-9])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g')
$$;
--> statement-breakpoint
-- Identifiers, paths, flags, versions and error codes as they stand, in lower case: src/db/open.ts, no-verify, v1.2.
create function search_identifiers(body text) returns tsvector language sql immutable parallel safe as $$
  select coalesce(string_agg(distinct quote_literal(lower(m[1])) || ':1A', ' '), '')::tsvector
  from regexp_matches(body, '([A-Za-z0-9]+(?:[._/:@#-]+[A-Za-z0-9]+)+|[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*)', 'g') m
  where length(m[1]) <= 100
$$;
--> statement-breakpoint
-- What full text search goes by. What was said before has weight D, all else A.
create function search_lexemes(body text, context text default null) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('english', search_words(body)), 'A') || search_identifiers(body)
    || case when context is null then '' else setweight(to_tsvector('english', search_words(context)), 'D') end
$$;
--> statement-breakpoint
-- Sparse vectors are indexed by number: the first 28 bits of a lexeme's MD5.
create function search_term(lexeme text) returns int language sql immutable parallel safe as $$
  select ('x' || substr(md5(lexeme), 1, 7))::bit(28)::int + 1
$$;
--> statement-breakpoint
-- The BM25 weight of each lexeme of a text, without the inverse document frequency: the inner product with the
-- frequencies of a query's terms is its score (Robertson, Zaragoza 2009, "The Probabilistic Relevance Framework").
-- k1 = 0.9, b = 0.4 (Trotman, Puurula, Burgess 2014); the average length is fixed at 30 lexemes, so that a text's weights
-- do not depend on other texts. A lexeme of the context counts 0.3 (docs/search.md).
create function search_terms(lexemes tsvector) returns sparsevec language sql immutable parallel safe as $$
  with counted as (
    select search_term(l.lexeme) as term, cardinality(array_positions(l.weights, 'A')) as own, cardinality(l.weights) as n
    from unnest(lexemes) l
  ), long as (
    select 0.9 * (1 - 0.4 + 0.4 * sum(own) / 30.0) as norm from counted
  ), weighed as (
    select term, round(sum(own * 1.9 / (own + norm) + 0.3 * (n - own) * 1.9 / (n - own + 0.9))::numeric, 3) as weight
    from counted, long group by term
    -- a row has to fit a page
    order by 2 desc, 1 limit 256
  )
  select ('{' || coalesce(string_agg(term || ':' || weight, ','), '') || '}/268435456')::sparsevec from weighed
$$;
--> statement-breakpoint
-- Says that something is no longer as it was. English only.
create function says_changed(body text) returns boolean language sql immutable parallel safe as $$
  select body ~* ('\m(no longer|not any ?more|anymore|instead of|in place of|replac(es?|ed|ing)|supersed\w+|supplant\w+|amend\w+|'
    || 'revis(es?|ed|ion)|revers(es?|ed)|overturn\w*|deprecat\w+|retired?|abandon\w*|abolish\w*|dropped|scrapped|removed|taken out|torn down|'
    || 'obsolete|outdated|until now|used to|formerly|previously|switch(ed|es)|moved (to|from|over|away)|migrated|'
    || 'changed|raised|lowered|increased|decreased|reduced|tightened|relaxed|extended|shortened|doubled|halved|shrank|'
    || 'cut (to|from)|went (up|down)|bumped|lifted|upgraded|updated|corrected|correction|new (rule|policy|limit|standard|default)|'
    || 'from now on|as of|since|now|back to|after all|turned off|frozen)\M')
$$;
--> statement-breakpoint
create function prepare_search_document() returns trigger language plpgsql as $$
begin
  new.tsv := search_lexemes(concat_ws(E'\n', new.label, new.content), new.context);
  new.terms := search_terms(new.tsv);
  new.amends := says_changed(new.content);
  return new;
end $$;
--> statement-breakpoint
create trigger prepare_search_document before insert or update of label, content, context on search_documents
  for each row execute function prepare_search_document();
--> statement-breakpoint
update search_documents set content = content;
--> statement-breakpoint
-- A text in parts that the model reads whole (256 word pieces): cut at a paragraph, a line, a sentence, a word.
-- Put together again they are the text.
create function search_parts(body text) returns table (part int, content text) language plpgsql immutable as $$
declare
  most constant int := 1200;
  least constant int := 300;
  rest text := body;
  head text;
  size int;
  pattern text;
begin
  part := 0;
  while length(rest) > most + least loop
    size := most;
    head := left(rest, most);
    foreach pattern in array array[E'^.*\n\n', E'^.*\n', '^.*[.!?;] ', '^.* '] loop
      if length(substring(head from pattern)) >= least then
        size := length(substring(head from pattern));
        exit;
      end if;
    end loop;
    content := left(rest, size);
    return next;
    part := part + 1;
    rest := substr(rest, size + 1);
  end loop;
  content := rest;
  return next;
end $$;
--> statement-breakpoint
-- Writes the index rows of one record; what it had before and has no longer goes. An unchanged text keeps its vector.
create function index_document(
  owner uuid, in_project uuid, of_kind text, source uuid, body text, of_label text, of_context text, of_agent text,
  in_channel text, of_confidence real, from_time timestamptz, until_time timestamptz, confirmed timestamptz,
  linked text[]
) returns void language plpgsql as $$
declare parts int;
begin
  insert into search_documents as d (user_id, project_id, kind, source_id, part, content, label, context, agent, channel,
                                     confidence, valid_from, valid_until, confirmed_at, links)
  select owner, in_project, of_kind, source, p.part, p.content, of_label, case when p.part = 0 then of_context end,
    of_agent, in_channel, of_confidence, from_time, until_time, confirmed, coalesce(linked, '{}')
  from search_parts(body) p
  on conflict (user_id, kind, source_id, part) do update set
    project_id = excluded.project_id, content = excluded.content, label = excluded.label, context = excluded.context,
    agent = excluded.agent, channel = excluded.channel, confidence = excluded.confidence,
    valid_from = excluded.valid_from, valid_until = excluded.valid_until, confirmed_at = excluded.confirmed_at,
    links = excluded.links,
    embedding_model = case when (d.content, d.label, d.context) is not distinct from
      (excluded.content, excluded.label, excluded.context) then d.embedding_model end,
    embed_attempts = 0, embed_after = now(), embed_error = null;
  get diagnostics parts = row_count;
  delete from search_documents d
    where d.user_id = owner and d.kind = of_kind and d.source_id = source and d.part >= parts;
end $$;
--> statement-breakpoint
create or replace function index_learning() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents d where d.user_id = old.user_id and d.kind = 'learning' and d.source_id = old.id;
  -- a lesson under review is kept, but is not found
  elsif new.status <> 'active' then
    delete from search_documents d where d.user_id = new.user_id and d.kind = 'learning' and d.source_id = new.id;
  else
    perform index_document(new.user_id, new.project_id, 'learning', new.id, learning_document(new), null, null,
      new.source_subagent, null, new.confidence, new.valid_from, new.valid_until, new.last_confirmed_at,
      (select array_agg(distinct 'file:' || f.file) from incidents i,
         jsonb_path_query(i.resolution, '$.edits[*].file') j(file), lateral (select j.file #>> '{}') f(file)
       where i.user_id = new.user_id and i.id = new.source_incident_id)
      || case when new.source_incident_id is not null then array['incident:' || new.source_incident_id] end);
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Who speaks: the sender, else the name that a chat line begins with.
create function note_speaker(n notes) returns text language sql immutable as $$
  select coalesce(n.sender, substring(n.content from '^([A-Z][A-Za-z .''-]{0,30}): '))
$$;
--> statement-breakpoint
-- What was said before a note in its conversation: the two notes before it, of the last hour. Notes are a conversation
-- when the client says so, or when different speakers take turns in short texts. Null otherwise.
create function note_context(n notes) returns text language sql stable as $$
  with before as (
    select p as note, p.created_at, p.seq from notes p
    where p.user_id = n.user_id and p.project_id = n.project_id and (p.created_at, p.seq) < (n.created_at, n.seq)
      and p.created_at >= n.created_at - interval '1 hour' and p.conversation is not distinct from n.conversation
    order by p.created_at desc, p.seq desc limit 2
  )
  select string_agg(concat_ws(': ', (b.note).sender, left((b.note).content, 600)), E'\n' order by b.created_at, b.seq)
  from before b
  where length(n.content) <= 600
    and (n.conversation is not null or exists (select 1 from before o where note_speaker(o.note) <> note_speaker(n)))
$$;
--> statement-breakpoint
create function note_links(metadata jsonb) returns text[] language sql immutable as $$
  select array_agg(distinct case when b.key in ('commits', 'issues', 'pull_requests') then rtrim(b.key, 's') else 'file' end
    || ':' || e.value)
  from jsonb_each(case when jsonb_typeof(metadata -> 'breadcrumbs') = 'object' then metadata -> 'breadcrumbs' end) b,
    jsonb_array_elements_text(case when jsonb_typeof(b.value) = 'array' then b.value end) e
  where b.key not in ('logs', 'external_refs')
$$;
--> statement-breakpoint
create function index_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents d where d.user_id = old.user_id and d.kind = 'note' and d.source_id = old.id;
    return null;
  end if;
  if tg_op = 'INSERT' and new.supersedes is not null then
    update notes n set valid_until = greatest(new.created_at, n.created_at)
      where n.user_id = new.user_id and n.id = new.supersedes and n.valid_until is null;
  end if;
  perform index_document(new.user_id, new.project_id, 'note', new.id, new.content, new.sender, note_context(new),
    new.sender, new.channel, new.confidence, new.created_at, new.valid_until, new.created_at, note_links(new.metadata));
  return null;
end $$;
--> statement-breakpoint
create trigger index_note after insert or delete or update of project_id, sender, content, confidence, metadata,
  channel, valid_until on notes for each row execute function index_note();
--> statement-breakpoint
drop function rebuild_search_documents();
--> statement-breakpoint
-- Rebuilds a piece of the caller's index: the records of a kind whose id follows `after`, at most `most` of them. Gives
-- the last id, null at the end. In pieces, because the embedded engine answers nothing else meanwhile.
create function rebuild_search_documents(of_kind text, after uuid, most int) returns uuid language plpgsql as $$
declare last uuid;
begin
  if of_kind = 'learning' then
    with piece as (select l.id from learnings l where l.user_id = auth.uid() and l.id > after order by l.id limit most),
      touched as (update learnings l set status = l.status from piece where l.id = piece.id returning l.id)
    select t.id into last from touched t order by t.id desc limit 1;
  elsif of_kind = 'note' then
    with piece as (select n.id from notes n where n.user_id = auth.uid() and n.id > after order by n.id limit most),
      touched as (update notes n set content = n.content from piece where n.id = piece.id returning n.id)
    select t.id into last from touched t order by t.id desc limit 1;
  end if;
  return last;
end $$;
--> statement-breakpoint
-- Rows of the caller's index whose record is gone or may not be found.
create function orphaned_search_documents() returns setof uuid language sql stable as $$
  select d.id from search_documents d
  left join learnings l on d.kind = 'learning' and l.id = d.source_id and l.status = 'active'
  left join notes n on d.kind = 'note' and n.id = d.source_id
  where d.user_id = auth.uid() and l.id is null and n.id is null
$$;
--> statement-breakpoint
-- Records of the caller that the index lacks.
create function missing_search_documents() returns table (kind text, source_id uuid) language sql stable as $$
  select 'learning', l.id from learnings l where l.user_id = auth.uid() and l.status = 'active' and not exists (
    select 1 from search_documents d where d.user_id = l.user_id and d.kind = 'learning' and d.source_id = l.id)
  union all
  select 'note', n.id from notes n where n.user_id = auth.uid() and not exists (
    select 1 from search_documents d where d.user_id = n.user_id and d.kind = 'note' and d.source_id = n.id)
$$;
--> statement-breakpoint
-- Users some of whose records are not in the index.
create function lore.users_to_reindex() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select l.user_id from public.learnings l where l.status = 'active' and not exists (
    select 1 from public.search_documents d where d.user_id = l.user_id and d.kind = 'learning' and d.source_id = l.id)
  union
  select n.user_id from public.notes n where not exists (
    select 1 from public.search_documents d where d.user_id = n.user_id and d.kind = 'note' and d.source_id = n.id)
$$;
--> statement-breakpoint
revoke all on function lore.users_to_reindex from public;
--> statement-breakpoint
-- An index scan for each, where `is distinct from` would read the whole table every few seconds.
create or replace function lore.users_to_embed(model text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct d.user_id from public.search_documents d
  where (d.embedding_model is null or d.embedding_model < model or d.embedding_model > model) and d.embed_after <= now()
$$;
--> statement-breakpoint
create or replace function lore.count_to_embed(model text) returns bigint
language sql stable security definer set search_path = '' as $$
  select count(*) from public.search_documents d
  where model is null or d.embedding_model is null or d.embedding_model < model or d.embedding_model > model
$$;
--> statement-breakpoint
drop function search_hybrid(text, vector, text, uuid, text[], int, timestamptz, real, real, text, text);
--> statement-breakpoint
-- How long a kind of record stays fresh: days until its recency has fallen half way.
create function half_life(kind text) returns float8 language sql immutable parallel safe as $$
  select case kind when 'learning' then 90 when 'note' then 60 else 90 end::float8
$$;
--> statement-breakpoint
-- Row level security lets no full text index be used, because a match could tell of rows that the caller may not see. So
-- these two look past it, at the caller's own rows alone: ids of documents with any of the words, and how many have each
-- of the lexemes, counted up to a limit.
create function lore.documents_with(words tsquery, in_project uuid, most int) returns setof uuid
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare me constant uuid := auth.uid();
begin
  return query select d.id from public.search_documents d
    where d.tsv @@ words and d.user_id = me and (in_project is null or d.project_id = in_project) limit most;
end $$;
--> statement-breakpoint
create function lore.documents_with_each(lexemes text[], in_project uuid, most int) returns float8[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare me constant uuid := auth.uid();
begin
  return (
    select array_agg(f.n order by l.i) from unnest(lexemes) with ordinality l(lexeme, i), lateral (
      select count(*) as n from (
        select 1 from public.search_documents d where d.tsv @@ quote_literal(l.lexeme)::tsquery and d.user_id = me
          and (in_project is null or d.project_id = in_project) limit most) m) f);
end $$;
--> statement-breakpoint
revoke all on function lore.documents_with, lore.documents_with_each from public;
--> statement-breakpoint
grant usage on schema lore to authenticated;
--> statement-breakpoint
grant execute on function lore.documents_with, lore.documents_with_each to authenticated;
--> statement-breakpoint
-- The nearest documents of the caller by the HNSW index. Its own function for the sake of the settings: the planner takes
-- the conditions for far more selective than they are, and would read and sort the whole table.
create function documents_near(
  query_embedding vector(384), model text, in_project uuid, in_kinds text[], in_channel text, as_of timestamptz,
  superseded boolean, most int
) returns setof uuid language plpgsql volatile
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_sort = off
  set hnsw.ef_search = 100
  set hnsw.iterative_scan = relaxed_order
  set hnsw.max_scan_tuples = 40000
as $$
begin
  return query select d.id from search_documents d
    where d.embedding_model = model and (in_project is null or d.project_id = in_project)
      and (in_kinds is null or d.kind = any (in_kinds)) and (in_channel is null or d.channel = in_channel)
      and d.valid_from <= as_of and (superseded or d.valid_until is null or d.valid_until > as_of)
    order by d.embedding <=> query_embedding limit most;
end $$;
--> statement-breakpoint
-- In how many of the caller's texts each lexeme occurs, for a scope too large to count: from a sample (ids are random),
-- and for those too rare for that from the full text index.
create function lexeme_frequencies(lexemes text[], in_project uuid, size int) returns float8[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  sample constant int := 400;
  me constant uuid := auth.uid();
  counts float8[];
  rare float8[];
begin
  with one as materialized (
    select l.n, ('{' || search_term(l.lexeme) || ':1}/268435456')::sparsevec as term
    from unnest(lexemes) with ordinality l(lexeme, n)
  ), texts as materialized (
    (select d.terms from search_documents d where in_project is null and d.user_id = me order by d.user_id, d.id limit sample)
    union all
    (select d.terms from search_documents d
     where d.user_id = me and d.project_id = in_project order by d.user_id, d.project_id, d.id limit sample)
  ), counted as (
    select one.n, count(*) filter (where (texts.terms <#> one.term) < 0) as found from one, texts group by one.n
  )
  select array_agg(c.found order by c.n) into counts from counted c;
  select lore.documents_with_each(array_agg(l.lexeme order by l.i), in_project, 2000) into rare
    from unnest(lexemes, counts) with ordinality l(lexeme, found, i) where l.found < 5;
  for i in 1 .. coalesce(cardinality(lexemes), 0) loop
    if counts[i] >= 5 then
      counts[i] := counts[i] * size / sample;
    else
      counts[i] := rare[1];
      rare := rare[2:];
    end if;
  end loop;
  return counts;
end $$;
--> statement-breakpoint
-- Hybrid search: docs/search.md says why each step and factor is as it is. Runs as the caller, so row level security
-- applies.
--
-- scope → candidates → relevance × confidence × recency × links → newer above what it amends → variety
--
--   score        the product, by which the rows come ordered
--   relevance    0.6 similarity + 0.4 lexical; 0.8 lexical without a vector
--   similarity   cosine of text and query; null when either has no vector of the model
--   lexical      BM25 / sum of the query's inverse document frequencies: about 1 when all its words are there once
--   amended      score that a newer text took over from the older one that it amends; null otherwise
--   in_scope     texts in scope, beyond 5,000 an estimate; exact: whether each of them was scored
create function search_hybrid(
  query text, query_embedding vector(384), model text, in_project uuid, in_kinds text[], max_rows int,
  as_of timestamptz default now(), min_confidence real default 0, max_age_days real default null,
  exclude_agent text default null, in_channel text default null, superseded boolean default false
) returns table (
  kind text, source_id uuid, content text, score float8, relevance float8, similarity float8, lexical float8,
  confidence real, confidence_factor float8, age_days float8, recency_factor float8, link_factor float8,
  variety_factor float8, amended float8, valid_from timestamptz, valid_until timestamptz, project_id uuid,
  in_scope int, exact boolean
) language plpgsql volatile
  -- one plan for all: planning would take longer than searching
  set plan_cache_mode = force_generic_plan
  set jit = off
  set work_mem = '16MB'
as $$
#variable_conflict use_column
declare
  -- beyond this many texts in scope, only candidates are scored (a benchmark may set it, to compare with all scored)
  exact_limit constant int := coalesce(nullif(current_setting('lore.exact_limit', true), ''), '5000')::int;
  -- texts that the rarest terms of a query may lead to
  most_by_terms constant int := 600;
  me constant uuid := auth.uid();
  oldest constant timestamptz := coalesce(as_of - make_interval(secs => max_age_days * 86400.0), '-infinity');
  size int;
  lexemes text[];
  counts float8[];
  rare tsquery;
  candidates uuid[];
begin
  select array_agg(l.lexeme order by l.lexeme) into lexemes
    from (select u.lexeme from unnest(search_lexemes(query)) u order by length(u.lexeme) desc, u.lexeme limit 32) l;
  select count(*) into size from (
    (select 1 from search_documents d where in_project is null and d.user_id = me limit exact_limit + 1)
    union all
    (select 1 from search_documents d where d.user_id = me and d.project_id = in_project limit exact_limit + 1)) s;
  if size > exact_limit then
    -- of all tenants' texts: it only weighs rare words against common ones
    select greatest(size, c.reltuples::int) into size from pg_class c where c.oid = 'search_documents'::regclass;
  end if;

  if size > 1000 then
    counts := lexeme_frequencies(lexemes, in_project, size);
  end if;
  if size > exact_limit then
    select string_agg(quote_literal(r.lexeme), ' | ')::tsquery into rare from (
      select u.lexeme, u.n, sum(u.n) over (order by u.n, u.lexeme) as led_to from unnest(lexemes, counts) u(lexeme, n)
    ) r where r.n > 0 and (r.led_to <= most_by_terms or r.led_to = r.n);
    select array_agg(c.id) into candidates from (
      (select near.id from documents_near(query_embedding, model, in_project, in_kinds, in_channel, as_of, superseded, 100)
        near(id) where query_embedding is not null)
      union
      (select lore.documents_with(rare, in_project, 2 * most_by_terms))
      union
      (select d.id from search_documents d where in_project is null and d.user_id = me
       order by d.confirmed_at desc limit 50)) c;
  end if;

  return query
  with pool as materialized (
    select d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until, d.terms,
      case when d.embedding_model = model then 1 - (d.embedding <=> query_embedding) end as similarity,
      greatest(date_part('epoch', as_of - d.confirmed_at), 0) / 86400 as age_days
    from (
      select * from search_documents d where size <= exact_limit and in_project is null and d.user_id = me
      union all
      select * from search_documents d where size <= exact_limit and d.user_id = me and d.project_id = in_project
      union all
      select * from search_documents d where d.id = any (candidates)
    ) d
    where d.user_id = me and d.valid_from <= as_of
      and (superseded or d.valid_until is null or d.valid_until > as_of)
      and (in_kinds is null or d.kind = any (in_kinds))
      and d.confidence >= min_confidence and d.confirmed_at >= oldest
      and (exclude_agent is null or d.agent is distinct from exclude_agent)
      and (in_channel is null or d.channel = in_channel)
  ), query_terms as materialized (
    select search_term(l.lexeme) as term, ('{' || search_term(l.lexeme) || ':1}/268435456')::sparsevec as one, l.n
    from unnest(lexemes, counts) l(lexeme, n)
  ), counted as (
    select t.term, t.n, size as total from query_terms t where t.n is not null
    union all
    select t.term, count(*) filter (where (p.terms <#> t.one) < 0), count(*) -- a sample is enough: the logarithm is taken
    from query_terms t, (select p.terms from pool p limit 300) p where t.n is null group by t.term
  ), weighted as (
    -- the inverse document frequency that is never negative: ln(1 + (N - n + 1/2) / (n + 1/2))
    select c.term, max(ln(1 + (c.total + 50 - least(c.n, c.total) + 0.5) / (c.n + 0.5))) as idf from counted c group by c.term
  ), asked as materialized (
    select ('{' || string_agg(w.term || ':' || w.idf::real, ',') || '}/268435456')::sparsevec as terms, sum(w.idf) as idf
    from weighted w
  ), scored as (
    select w.*, w.relevance * w.confidence_factor * w.recency_factor as score
    from (
      select m.*,
        case when m.similarity is null then 0.8 * m.lexical
          else 0.6 * greatest(m.similarity, 0) + 0.4 * m.lexical end as relevance,
        0.5 + 0.5 * m.confidence as confidence_factor,
        0.9 + 0.1 * power(0.5::float8, m.age_days / half_life(m.kind)) as recency_factor
      from (
        select p.id, p.kind, p.source_id, p.project_id, p.confidence, p.confirmed_at, p.valid_from, p.valid_until,
          p.similarity, p.age_days, coalesce(-(p.terms <#> a.terms) / a.idf, 0) as lexical
        from pool p, asked a
        offset 0 -- else each use below would compute it again
      ) m
      offset 0
    ) w
    where w.relevance > 0
    order by score desc, w.confirmed_at desc limit greatest(3 * max_rows, 30)
  ), items as (
    -- a text in parts answers by its best part
    select distinct on (s.kind, s.source_id) s.* from scored s order by s.kind, s.source_id, s.score desc
  ), detailed as materialized (
    select i.*, row_number() over (order by i.score desc, i.confirmed_at desc, i.id) as place,
      d.embedding, d.embedding_model, d.amends, d.links, d.channel, d.context is not null as in_conversation
    from items i join search_documents d on d.id = i.id
  ), linked as materialized (
    select a.*, case when exists (
        select 1 from detailed b where b.place <= 3 and b.id <> a.id and b.links && a.links) then 1.1 else 1.0
      end::float8 as link_factor
    from detailed a
  ), compared as (
    select b.id, max(p.alike) as alike,
      max(a.score * a.link_factor) filter (
        where b.valid_from > a.valid_from and b.project_id = a.project_id and b.kind = a.kind
          and not a.in_conversation and not b.in_conversation and (
            p.alike >= 0.65 and b.relevance >= 0.6 * a.relevance
            or b.amends and p.alike >= 0.45 and b.relevance >= 0.3 * a.relevance
            or b.channel = 'decisions' and a.channel = 'decisions' and p.alike >= 0.45 and b.relevance >= 0.5 * a.relevance)
      ) as amended
    from linked a join linked b on a.place < b.place, lateral (select 1 - (a.embedding <=> b.embedding) as alike offset 0) p
    where a.embedding_model = model and b.embedding_model = model
    group by b.id
  ), varied as (
    select l.*, c.amended, 1 - 0.5 * greatest(coalesce(c.alike, 0) - 0.9, 0) / 0.1 as variety_factor
    from linked l left join compared c on c.id = l.id
  )
  select v.kind, v.source_id, (
      select string_agg(d.content, '' order by d.part) from search_documents d
      where d.user_id = me and d.kind = v.kind and d.source_id = v.source_id),
    greatest(v.score * v.link_factor * case when v.amended is null then v.variety_factor else 1 end, v.amended),
    v.relevance, v.similarity, v.lexical, v.confidence, v.confidence_factor::float8, v.age_days, v.recency_factor,
    v.link_factor, v.variety_factor, v.amended, v.valid_from, v.valid_until, v.project_id, size, size <= exact_limit
  from varied v
  -- of two equals the newer
  order by 4 desc, v.confirmed_at desc, v.source_id
  limit max_rows;
end $$;
