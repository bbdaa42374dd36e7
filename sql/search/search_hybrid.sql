-- Hybrid search, by words and by meaning. docs/search.md explains each step and factor. Runs as the caller, so row
-- level security applies.
--
-- scope → candidates → relevance × confidence × recency × telling × links → variety
-- → amendments above what they amend
--
-- The scope of a project is its own texts and the user's texts that belong to no project. Without a project, the scope
-- is all texts of the user. Either has only what stands on the shelves of the kinds (see search_shelves).
--
--   score        the product of the factors; the rows are ordered by it
--   relevance    0.6 similarity + 0.4 lexical; 0.8 lexical if the query has no vector. The similarity of a text that
--                waits for its vector is guessed from its words (0.25 + 0.5 lexical), so that it keeps about its place.
--   similarity   cosine of text and query; null when one of them has no vector of the model
--   lexical      BM25 / sum of the query's inverse document frequencies: about 1 when the text has all its words once
--   sure         similarity + 0.4 lexical, or lexical without a vector; by it a result is labelled. A text that amends
--                another one answers as surely as the other.
--   amended      the score that a newer text took over from the older one that it amends; null otherwise
--   in_scope     number of texts in scope, an estimate from 300 on; exact: whether each of them was scored
create or replace function search_hybrid(
  query text, query_embedding vector(384), model text, in_project uuid, in_kinds text[], max_rows int,
  as_of timestamptz default now(), min_confidence real default 0, max_age_days real default null,
  exclude_agent text default null, in_channels text[] default null, superseded boolean default false,
  only_agent text default null, message_types text[] default null, mentioning text[] default null,
  breadcrumbs boolean default null, min_words int default null, per_kind int default null
) returns table (
  kind text, source_id uuid, content text, score float8, relevance float8, similarity float8, lexical float8,
  confidence real, confidence_factor float8, age_days float8, recency_factor float8, telling_factor float8,
  link_factor float8, variety_factor float8, sure float8, amended float8, valid_from timestamptz,
  valid_until timestamptz, project_id uuid, in_scope int, exact boolean
)
language plpgsql volatile
-- One plan for all calls: planning would take longer than searching.
set plan_cache_mode = force_generic_plan
-- The planner does not know how little a shelf may have of the table.
set enable_seqscan = off
set jit = off
set work_mem = '16MB'
as $$
#variable_conflict use_column
declare
  -- With more texts than this in scope, only candidates are scored. (lore.exact_limit lets a benchmark score all texts,
  -- to compare.)
  small constant int := 5000;
  exact_limit constant int := coalesce(nullif(current_setting('lore.exact_limit', true), '')::int, small);
  me constant uuid := auth.uid();
  shelves constant text[] := search_shelves(in_kinds);
  oldest constant timestamptz := coalesce(as_of - make_interval(secs => max_age_days * 86400.0), '-infinity');
  size int;
  texts int;
  lexemes text[];
  counts float8[];
  asked sparsevec;
  asked_idf float8;
  candidates uuid[];
  all_scored boolean := true;
begin
  select array_agg(l.lexeme order by l.lexeme) into lexemes
  from (
    select u.lexeme from unnest(search_lexemes(query)) u order by length(u.lexeme) desc, u.lexeme limit 32
  ) l;
  select f.counts, f.texts, f.size into counts, texts, size from lexeme_frequencies(lexemes, in_project, shelves) f;
  if size > small then
    candidates := search_passing(in_project, exclude_agent, in_channels, only_agent, message_types, mentioning,
      breadcrumbs, min_words, small);
    all_scored := candidates is not null;
  end if;
  if not all_scored then
    select c.counts, c.candidates into counts, candidates
    from search_candidates(lexemes, counts, texts, size, query_embedding, model, in_project, in_kinds, shelves, as_of,
      superseded, exclude_agent, in_channels, only_agent, message_types, mentioning, breadcrumbs, min_words) c;
    texts := size;
  end if;
  if size > small then
    -- A text that amends one of them may be found by none of its words. Materialized, because the planner would join
    -- the two readings of search_documents first.
    candidates := candidates || array(
      with amending as materialized (
        select a.kind, a.newer_id
        from search_documents o
        join amendments a on a.user_id = me and a.kind = o.kind and a.older_id = o.source_id and a.undone_at is null
        where o.user_id = me and o.id = any (candidates)
      )
      select n.id
      from amending m
      join search_documents n on n.user_id = me and n.kind = m.kind and n.source_id = m.newer_id);
  end if;
  select w.weights, w.total into asked, asked_idf from search_weights(lexemes, counts, texts) w;

  return query
  with recursive scope as (
    -- Only one of these cases has rows: all texts of the user, the two halves of a project's scope, or the candidates.
    select d.*
    from unnest(shelves) s(shelf), lateral (
      select d.ctid as tid, d.*
      from search_documents d
      where size <= exact_limit and in_project is null and d.user_id = me and d.shelf = s.shelf
      union all
      select d.ctid, d.*
      from search_documents d
      where size <= exact_limit and d.user_id = me and d.project_id = in_project and d.shelf = s.shelf
      union all
      select d.ctid, d.*
      from search_documents d
      where size <= exact_limit and in_project is not null and d.user_id = me and d.project_id is null
        and d.shelf = s.shelf
    ) d
    union all
    select d.ctid, d.*
    from search_documents d
    where size > exact_limit and d.user_id = me and d.id = any (candidates)
  ), compared_to_query as (
    select d.tid, d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until,
      d.half_life_days, d.telling,
      case when d.embedding_model = model then 1 - (d.embedding <=> query_embedding) end as similarity,
      coalesce(-(d.terms <#> asked) / asked_idf, 0) as lexical,
      greatest(date_part('epoch', as_of - d.confirmed_at), 0) / 86400 as age_days
    from scope d
    where d.valid_from <= as_of
      and (superseded or d.valid_until is null or d.valid_until > as_of)
      and (in_kinds is null or d.kind = any (in_kinds))
      -- what is private to a project is found in that project only
      and (in_project is not null or not d.private)
      and d.confidence >= min_confidence
      and d.confirmed_at >= oldest
      and (in_channels is null or d.channel = any (in_channels))
      and (exclude_agent is null or d.agent is distinct from exclude_agent)
      and (only_agent is null or d.agent = only_agent)
      and (message_types is null or d.message_type = any (message_types))
      and (mentioning is null or d.mentions && mentioning)
      and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
      and (min_words is null or d.words >= min_words)
    offset 0 -- without it, each use of a column would compute it again
  ), factored as (
    select c.*,
      case
        when query_embedding is null then 0.8 * c.lexical
        when c.similarity is null then case when c.lexical > 0 then 0.15 + 0.7 * c.lexical else 0 end
        else 0.6 * greatest(c.similarity, 0) + 0.4 * c.lexical
      end as relevance,
      case when c.similarity is null then c.lexical else c.similarity + 0.4 * c.lexical end as sure,
      0.5 + 0.5 * c.confidence as confidence_factor,
      0.9 + 0.1 * power(0.5::float8, c.age_days / c.half_life_days) as recency_factor
    from compared_to_query c
    offset 0
  ), scored as (
    select f.*, f.relevance * f.confidence_factor * f.recency_factor * f.telling as score
    from factored f
    where f.relevance > 0
  ), best as (
    -- Only one of these has rows: the best of all, or the best of each kind, so that none takes the place of another.
    (select s.* from scored s where per_kind is null
     order by s.score desc, s.confirmed_at desc limit greatest(2 * max_rows, 20))
    union all
    select b.*
    from unnest(in_kinds) k(kind),
      lateral (
        select s.* from scored s where per_kind is not null and s.kind = k.kind
        order by s.score desc, s.confirmed_at desc limit per_kind) b
  ), amending as (
    -- from a text that was found to all that amended it since
    select a.kind, a.older_id, a.newer_id
    from amendments a
    where a.user_id = me and a.undone_at is null
      and (a.kind, a.older_id) in (select b.kind, b.source_id from best b)
    union
    select m.kind, m.older_id, a.newer_id
    from amending m
    join amendments a on a.user_id = me and a.kind = m.kind and a.older_id = m.newer_id and a.undone_at is null
  ), items as (
    -- A text in several parts is represented by its best part.
    select distinct on (s.kind, s.source_id) s.*
    from (
      select b.* from best b
      union all
      select s.* from scored s where (s.kind, s.source_id) in (select m.kind, m.newer_id from amending m)
    ) s
    order by s.kind, s.source_id, s.score desc
  ), detailed as materialized (
    select i.*, row_number() over (order by i.score desc, i.confirmed_at desc, i.id) as place,
      d.part, d.content, d.embedding, d.embedding_model, d.links
    from items i
    -- Rows are found again by their place in the table: within one statement it leads to the same version of the row.
    join search_documents d on d.ctid = i.tid
  ), linked as materialized (
    select a.*,
      case
        when a.links <> '{}' and exists (
          select from detailed b where b.place <= 3 and b.id <> a.id and b.links && a.links) then 1.1
        else 1.0
      end::float8 as link_factor
    from detailed a
  ), compared as (
    -- a is a text with a higher score than b.
    select b.id, max(pair.alike) as alike
    from linked a
    join linked b on a.place < b.place,
      lateral (select 1 - (a.embedding <=> b.embedding) as alike offset 0) pair
    where a.embedding_model = model and b.embedding_model = model
    group by b.id
  ), varied as (
    select l.*, v.factor as variety_factor, l.score * l.link_factor * v.factor as own_score
    from linked l
    left join compared c on c.id = l.id
    cross join lateral (select 1 - 0.5 * greatest(coalesce(c.alike, 0) - 0.9, 0) / 0.1 as factor) v
  ), amended as (
    select m.kind, m.newer_id, max(o.own_score) as score, max(o.sure) as sure
    from amending m
    join varied o on o.kind = m.kind and o.source_id = m.older_id
    group by m.kind, m.newer_id
  )
  select v.kind, v.source_id,
    case
      -- a whole text (see search_parts)
      when v.part = 0 and length(v.content) < 100 and v.kind <> 'error' then v.content
      else (
        select string_agg(d.content, '' order by d.part)
        from search_documents d
        where d.user_id = me and d.kind = v.kind and d.source_id = v.source_id)
    end,
    greatest(v.own_score, a.score), v.relevance, v.similarity, v.lexical, v.confidence, v.confidence_factor::float8,
    v.age_days, v.recency_factor, v.telling::float8, v.link_factor, v.variety_factor, greatest(v.sure, a.sure), a.score,
    v.valid_from, v.valid_until, v.project_id, size, size <= exact_limit or all_scored
  from varied v
  left join amended a on a.kind = v.kind and a.newer_id = v.source_id
  -- Of two rows with the same score the newer comes first, and a text comes directly above what it amends.
  order by 4 desc, case when a.score is not null then v.valid_from end desc nulls last, v.confirmed_at desc, v.source_id
  limit max_rows;
end $$;
