-- These are PL/pgSQL because it keeps its plans; a function in SQL is planned at each call.
--
-- The words of code: everything but letters and digits becomes a blank, camelCase and PascalCase are taken apart.
-- ASCII only, because what counts as a letter beyond it depends on the database's locale.
create or replace function search_words(body text) returns text language plpgsql immutable parallel safe as $$
begin
  return regexp_replace(regexp_replace(regexp_replace(body, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g'),
    '([a-z0-9])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g');
end $$;
--> statement-breakpoint
-- Identifiers, paths, flags, versions and error codes as they stand, in lower case: src/db/open.ts, no-verify, v1.2.
create or replace function search_identifiers(body text) returns tsvector language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(string_agg(distinct quote_literal(lower(m[1])) || ':1A', ' '), '')::tsvector
    from regexp_matches(body, '([A-Za-z0-9]+(?:[._/:@#-]+[A-Za-z0-9]+)+|[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*)', 'g') m
    where length(m[1]) <= 100);
end $$;
--> statement-breakpoint
-- What full text search goes by. What was said before has weight D, all else A.
create or replace function search_lexemes(body text, context text default null) returns tsvector
language plpgsql immutable parallel safe as $$
declare own constant tsvector := setweight(to_tsvector('english', search_words(body)), 'A') || search_identifiers(body);
begin
  if context is null then
    return own;
  end if;
  return own || setweight(to_tsvector('english', search_words(context)), 'D');
end $$;
--> statement-breakpoint
-- The BM25 weight of each lexeme of a text, without the inverse document frequency: the inner product with the
-- frequencies of a query's terms is its score (Robertson, Zaragoza 2009, "The Probabilistic Relevance Framework").
-- k1 = 0.9, b = 0.4 (Trotman, Puurula, Burgess 2014); the average length is fixed at 30 lexemes, so that a text's weights
-- do not depend on other texts. A lexeme of the context counts 0.3 (docs/search.md).
create or replace function search_terms(lexemes tsvector) returns sparsevec language plpgsql immutable parallel safe as $$
begin
  return (
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
    select ('{' || coalesce(string_agg(term || ':' || weight, ','), '') || '}/268435456')::sparsevec from weighed);
end $$;
--> statement-breakpoint
-- What is read with the content: who speaks, where the content does not say it itself: the sender, else whom the
-- metadata name.
create or replace function note_label(n notes) returns text language sql immutable as $$
  select coalesce(n.sender, n.metadata ->> 'speaker', n.metadata ->> 'author')
$$;
--> statement-breakpoint
-- Who speaks: as above, else the name that a chat line begins with, perhaps after a time in brackets.
create or replace function note_speaker(n notes) returns text language sql immutable as $$
  select coalesce(note_label(n), substring(n.content from '^(?:[[(][^])]{1,60}[])] ?)?([A-Z][A-Za-z .''-]{0,30}): '))
$$;
--> statement-breakpoint
-- What was said before a note in its conversation: the two notes before it, of the last hour. Notes are a conversation
-- when the client says so, or when different speakers take turns in short texts. Null otherwise.
create or replace function note_context(n notes) returns text language plpgsql stable as $$
begin
  if length(n.content) > 600 then
    return null;
  end if;
  return (
    with before as (
      select p as note, p.created_at, p.seq from notes p
      where p.user_id = n.user_id and p.project_id = n.project_id and (p.created_at, p.seq) < (n.created_at, n.seq)
        and p.created_at >= n.created_at - interval '1 hour' and p.conversation is not distinct from n.conversation
      order by p.created_at desc, p.seq desc limit 2
    )
    select string_agg(concat_ws(': ', note_label(b.note), left((b.note).content, 600)), E'\n' order by b.created_at, b.seq)
    from before b
    where n.conversation is not null or exists (select 1 from before o where note_speaker(o.note) <> note_speaker(n)));
end $$;
--> statement-breakpoint
create or replace function index_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents d where d.user_id = old.user_id and d.kind = 'note' and d.source_id = old.id;
    return null;
  end if;
  if tg_op = 'INSERT' and new.supersedes is not null then
    update notes n set valid_until = greatest(new.created_at, n.created_at)
      where n.user_id = new.user_id and n.id = new.supersedes and n.valid_until is null;
  end if;
  perform index_document(new.user_id, new.project_id, 'note', new.id, new.content, note_label(new), note_context(new),
    new.sender, new.channel, new.confidence, new.created_at, new.valid_until, new.created_at, note_links(new.metadata));
  -- of two decisions about one matter the later one holds, whether it says so or not
  if new.message_type in ('decision', 'policy') then
    update search_documents d set amends = true
      where d.user_id = new.user_id and d.kind = 'note' and d.source_id = new.id;
  end if;
  return null;
end $$;
--> statement-breakpoint
-- The notes that are there get what these functions tell of them now; an unchanged text keeps its vector.
update notes set content = content;
--> statement-breakpoint
drop function lexeme_frequencies(text[], uuid, int);
--> statement-breakpoint
drop function lore.documents_with(tsquery, uuid, int);
--> statement-breakpoint
drop function lore.documents_with_each(text[], uuid, int);
--> statement-breakpoint
-- Row level security lets no full text index be used, because a match could tell of rows that the caller may not see. So
-- this looks past it, at the caller's own rows alone: the ids of documents that have a lexeme, at most `most` for each.
create function lore.documents_with_each(lexemes text[], in_project uuid, most int) returns table (lexeme text, ids uuid[])
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare me constant uuid := auth.uid();
begin
  return query select l.lexeme, array(
      select d.id from public.search_documents d where d.tsv @@ quote_literal(l.lexeme)::tsquery and d.user_id = me
        and (in_project is null or d.project_id = in_project) limit most)
    from unnest(lexemes) l(lexeme);
end $$;
--> statement-breakpoint
revoke all on function lore.documents_with_each from public;
--> statement-breakpoint
grant execute on function lore.documents_with_each to authenticated;
--> statement-breakpoint
-- From a sample of a scope (ids are random): in how many of its texts each lexeme occurs, how many texts it has, and how
-- many the scope has. A sample is enough, for the logarithm is taken. The size is told by how far the k smallest of
-- random ids reach into their range, to 6 % for k = 300 ("k minimum values": Bar-Yossef et al. 2002, "Counting distinct
-- elements in a data stream").
create function lexeme_frequencies(
  lexemes text[], in_project uuid, out counts float8[], out texts int, out size int
) language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  most constant int := 300;
  me constant uuid := auth.uid();
  terms sparsevec[];
  largest uuid;
begin
  select array_agg(('{' || search_term(l.lexeme) || ':1}/268435456')::sparsevec order by l.i) into terms
    from unnest(lexemes) with ordinality l(lexeme, i);
  with sampled as materialized (
    (select d.id, d.terms from search_documents d
     where in_project is null and d.user_id = me order by d.user_id, d.id limit most)
    union all
    (select d.id, d.terms from search_documents d
     where d.user_id = me and d.project_id = in_project order by d.user_id, d.project_id, d.id limit most)
  )
  select array_agg((select count(*) from sampled s where (s.terms <#> t.term) < 0) order by t.i),
      (select count(*) from sampled), (select s.id from sampled s order by s.id desc limit 1)
    into counts, texts, largest from unnest(terms) with ordinality t(term, i);
  size := case when texts < most then texts else (most - 1) * 2 ^ 32 / ('x' || left(largest::text, 8))::bit(32)::bigint end;
end $$;
--> statement-breakpoint
drop function documents_near(vector, text, uuid, text[], text, timestamptz, boolean, int);
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
  set hnsw.ef_search = 100 -- changed below, restored at the end
  set hnsw.iterative_scan = relaxed_order
  set hnsw.max_scan_tuples = 40000
as $$
begin
  perform set_config('hnsw.ef_search', greatest(most, 40)::text, true);
  return query select d.id from search_documents d
    where d.embedding_model = model and (in_project is null or d.project_id = in_project)
      and (in_kinds is null or d.kind = any (in_kinds)) and (in_channel is null or d.channel = in_channel)
      and d.valid_from <= as_of and (superseded or d.valid_until is null or d.valid_until > as_of)
    order by d.embedding <=> query_embedding limit most;
end $$;
--> statement-breakpoint
drop function search_hybrid(text, vector, text, uuid, text[], int, timestamptz, real, real, text, text, boolean);
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
--   in_scope     texts in scope, from 300 on an estimate; exact: whether each of them was scored
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
  -- beyond this many texts in scope, rare words are counted instead of sampled, and only candidates are scored (a
  -- benchmark has all scored, to compare)
  small constant int := 5000;
  exact_limit constant int := coalesce(nullif(current_setting('lore.exact_limit', true), '')::int, small);
  me constant uuid := auth.uid();
  oldest constant timestamptz := coalesce(as_of - make_interval(secs => max_age_days * 86400.0), '-infinity');
  size int;
  texts int;
  -- candidates: the nearest by vector, and texts that the rarest lexemes lead to
  most_near int;
  most_by_words int;
  lexemes text[];
  counts float8[];
  asked sparsevec;
  asked_idf float8;
  candidates uuid[];
begin
  select array_agg(l.lexeme order by l.lexeme) into lexemes
    from (select u.lexeme from unnest(search_lexemes(query)) u order by length(u.lexeme) desc, u.lexeme limit 32) l;
  select f.counts, f.texts, f.size into counts, texts, size from lexeme_frequencies(lexemes, in_project) f;

  if size > small then
    -- measured: recall of the ten best 0.99 and more at 20,000 and 100,000 texts
    most_near := least(200, 50 + size / 2000);
    most_by_words := least(1500, 300 + size / 333);
    with found as (
      select l.lexeme, l.n, l.n < 5 or l.n * size / texts <= most_by_words or l.n = min(l.n) over () as rare
      from unnest(lexemes, counts) l(lexeme, n)
    ), looked_up as materialized ( -- too rare for a sample
      select w.lexeme, w.ids, cardinality(w.ids) as n from lore.documents_with_each(
        (select array_agg(f.lexeme) from found f where f.rare), in_project, most_by_words * 2 / 3) w
    ), led as (
      select u.ids, u.n, sum(u.n) over (order by u.n, u.lexeme) as led_to from looked_up u
    )
    select (select array_agg(coalesce(u.n, f.n * size / texts) order by f.lexeme) from found f left join looked_up u using (lexeme)),
      (select array_agg(d.id) from led l, unnest(l.ids) d(id) where l.led_to <= most_by_words or l.led_to = l.n)
      into counts, candidates;
    texts := size;
  end if;
  if size > exact_limit then
    select array_agg(c.id) into candidates from (
      (select near.id from documents_near(query_embedding, model, in_project, in_kinds, in_channel, as_of, superseded,
        most_near) near(id) where query_embedding is not null)
      union
      (select unnest(candidates))
      union
      (select d.id from search_documents d where in_project is null and d.user_id = me
       order by d.confirmed_at desc limit 50)) c;
  end if;

  -- the inverse document frequency that is never negative, ln(1 + (N - n + 1/2) / (n + 1/2)), in 50 texts more than there
  -- are; two lexemes may share a term
  select ('{' || string_agg(w.term || ':' || w.idf::real, ',') || '}/268435456')::sparsevec, sum(w.idf) into asked, asked_idf
    from (
      select search_term(l.lexeme) as term, max(ln(1 + (texts + 50 - least(l.n, texts) + 0.5) / (l.n + 0.5))) as idf
      from unnest(lexemes, counts) l(lexeme, n) group by 1) w;

  return query
  with scored as (
    select m.*, m.relevance * m.confidence_factor * m.recency_factor as score
    from (
      select p.*,
        case when p.similarity is null then 0.8 * p.lexical
          else 0.6 * greatest(p.similarity, 0) + 0.4 * p.lexical end as relevance,
        0.5 + 0.5 * p.confidence as confidence_factor,
        0.9 + 0.1 * power(0.5::float8, p.age_days / half_life(p.kind)) as recency_factor
      from (
        select d.tid, d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until,
          case when d.embedding_model = model then 1 - (d.embedding <=> query_embedding) end as similarity,
          coalesce(-(d.terms <#> asked) / asked_idf, 0) as lexical,
          greatest(date_part('epoch', as_of - d.confirmed_at), 0) / 86400 as age_days
        from (
          select d.ctid as tid, d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until,
            d.agent, d.channel, d.embedding, d.embedding_model, d.terms
          from search_documents d where size <= exact_limit and in_project is null and d.user_id = me
          union all
          select d.ctid as tid, d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until,
            d.agent, d.channel, d.embedding, d.embedding_model, d.terms
          from search_documents d where size <= exact_limit and d.user_id = me and d.project_id = in_project
          union all
          select d.ctid as tid, d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until,
            d.agent, d.channel, d.embedding, d.embedding_model, d.terms
          from search_documents d where size > exact_limit and d.user_id = me and d.id = any (candidates)
        ) d
        where d.valid_from <= as_of
          and (superseded or d.valid_until is null or d.valid_until > as_of)
          and (in_kinds is null or d.kind = any (in_kinds))
          and d.confidence >= min_confidence and d.confirmed_at >= oldest
          and (exclude_agent is null or d.agent is distinct from exclude_agent)
          and (in_channel is null or d.channel = in_channel)
        offset 0 -- else each use of its columns would compute them again
      ) p
      offset 0
    ) m
    where m.relevance > 0
    order by score desc, m.confirmed_at desc limit greatest(2 * max_rows, 20)
  ), items as (
    -- a text in parts answers by its best part
    select distinct on (s.kind, s.source_id) s.* from scored s order by s.kind, s.source_id, s.score desc
  ), detailed as materialized (
    select i.*, row_number() over (order by i.score desc, i.confirmed_at desc, i.id) as place,
      d.content, d.embedding, d.embedding_model, d.amends, d.links, d.context is not null as in_conversation
    from items i join search_documents d on d.ctid = i.tid -- the same statement, so the same version of it
  ), linked as materialized (
    select a.*, case when a.links <> '{}' and exists (
        select 1 from detailed b where b.place <= 3 and b.id <> a.id and b.links && a.links) then 1.1 else 1.0
      end::float8 as link_factor
    from detailed a
  ), compared as (
    select b.id, max(p.alike) as alike,
      max(a.score * a.link_factor) filter (
        where b.valid_from > a.valid_from and b.project_id = a.project_id and b.kind = a.kind
          and not a.in_conversation and not b.in_conversation and (
            p.alike >= 0.65 and b.relevance >= 0.6 * a.relevance
            or b.amends and p.alike >= 0.45 and b.relevance >= 0.3 * a.relevance)
      ) as amended
    from linked a join linked b on a.place < b.place, lateral (select 1 - (a.embedding <=> b.embedding) as alike offset 0) p
    where a.embedding_model = model and b.embedding_model = model
    group by b.id
  ), varied as (
    select l.*, c.amended, 1 - 0.5 * greatest(coalesce(c.alike, 0) - 0.9, 0) / 0.1 as variety_factor
    from linked l left join compared c on c.id = l.id
  )
  select v.kind, v.source_id,
    case when length(v.content) < 300 then v.content -- no text in parts has one as short as that
      else (
        select string_agg(d.content, '' order by d.part) from search_documents d
        where d.user_id = me and d.kind = v.kind and d.source_id = v.source_id) end,
    greatest(v.score * v.link_factor * case when v.amended is null then v.variety_factor else 1 end, v.amended),
    v.relevance, v.similarity, v.lexical, v.confidence, v.confidence_factor::float8, v.age_days, v.recency_factor,
    v.link_factor, v.variety_factor, v.amended, v.valid_from, v.valid_until, v.project_id, size, size <= exact_limit
  from varied v
  -- of two equals the newer
  order by 4 desc, v.confirmed_at desc, v.source_id
  limit max_rows;
end $$;
