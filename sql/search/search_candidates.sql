-- Chooses the texts to score when the scope is too large to score all of them: the nearest by vector, those with the
-- rarest words of the query, the newest 200 that wait for their vector, and without a project also the 50 confirmed
-- last. Also returns how many texts have each lexeme. The counts passed in are those of a sample of `texts` texts; rare
-- words are counted again, exactly, by the full text index. What the filters leave out is no
-- candidate, so that they never leave a search without results.
create or replace function search_candidates(
  lexemes text[], inout counts float8[], texts int, size int,
  query_embedding vector(384), model text, in_project uuid, in_kinds text[], shelves text[], as_of timestamptz,
  superseded boolean, exclude_agent text, in_channels text[], only_agent text, message_types text[],
  mentioning text[], breadcrumbs boolean, min_words int, out candidates uuid[]
)
language plpgsql volatile as $$
declare
  me constant uuid := auth.uid();
  -- With these limits the recall of the ten best was 0.99 or more at 20,000 and at 100,000 texts.
  most_near constant int := least(200, 50 + size / 2000);
  most_by_words constant int := least(1500, 300 + size / 333);
begin
  with found as (
    select l.lexeme, l.n, l.n < 5 or l.n * size / texts <= most_by_words or l.n = min(l.n) over () as rare
    from unnest(lexemes, counts) l(lexeme, n)
  ), looked_up as materialized (
    select w.lexeme, w.ids, cardinality(w.ids) as n
    from lore.documents_with_each(
      (select array_agg(f.lexeme) from found f where f.rare), in_project, shelves, exclude_agent, in_channels,
      only_agent, message_types, mentioning, breadcrumbs, min_words, most_by_words * 2 / 3) w
  ), led as (
    select u.ids, u.n, sum(u.n) over (order by u.n, u.lexeme) as led_to
    from looked_up u
  )
  select
    (
      select array_agg(coalesce(u.n, f.n * size / texts) order by f.lexeme)
      from found f left join looked_up u using (lexeme)
    ), (
      select array_agg(d.id)
      from led l, unnest(l.ids) d(id)
      where l.led_to <= most_by_words or l.led_to = l.n
    )
  into counts, candidates;

  select array_agg(c.id) into candidates
  from (
    (
      select near.id
      from documents_near(query_embedding, model, in_project, in_kinds, shelves, as_of, superseded,
        exclude_agent, in_channels, only_agent, message_types, mentioning, breadcrumbs,
        min_words, most_near) near(id)
      where query_embedding is not null
    )
    union
    (
      select unnest(candidates)
    )
    union
    (
      select d.id
      from (
        select w.id, w.project_id, w.shelf
        from search_documents w
        where w.user_id = me and w.embedding_model is null
        order by w.confirmed_at desc
        limit 200
      ) d
      where (in_project is null or d.project_id = in_project or d.project_id is null) and d.shelf = any (shelves)
    )
    union
    (
      select d.id
      from search_documents d
      where in_project is null and d.user_id = me and d.shelf = any (shelves)
      order by d.confirmed_at desc
      limit 50
    )
  ) c;
end $$;
