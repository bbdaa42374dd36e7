-- Takes a sample of a scope and returns in how many texts of the sample each lexeme occurs (counts), how many texts the
-- sample has (texts), and how many the scope has (size). A sample is enough, because only the logarithm of a frequency
-- counts. Ids are random, so the texts with the smallest ids are a random sample.
--
-- The size is estimated from how far the k smallest ids reach into the range of ids, with an error of 6 % for k = 300
-- ("k minimum values": Bar-Yossef et al. 2002, "Counting distinct elements in a data stream"). The k smallest ids of a
-- union are among the k smallest ids of its halves, so a project's texts and the texts without a project, and those of
-- several shelves, give one sample and one size.
create or replace function lexeme_frequencies(
  lexemes text[], in_project uuid, shelves text[], out counts float8[], out texts int, out size int
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
declare
  most constant int := 300;
  me constant uuid := auth.uid();
  terms sparsevec[];
  largest uuid;
begin
  select array_agg(('{' || search_term(l.lexeme) || ':1}/268435456')::sparsevec order by l.i) into terms
  from unnest(lexemes) with ordinality l(lexeme, i);

  with sampled as materialized (
    select halves.*
    from unnest(shelves) s(shelf), lateral (
      (
        select d.id, d.terms from search_documents d
        where in_project is null and d.user_id = me and d.shelf = s.shelf
        order by d.user_id, d.shelf, d.id limit most
      )
      union all
      (
        select d.id, d.terms from search_documents d
        where d.user_id = me and d.project_id = in_project and d.shelf = s.shelf
        order by d.user_id, d.project_id, d.shelf, d.id limit most
      )
      union all
      (
        select d.id, d.terms from search_documents d
        where in_project is not null and d.user_id = me and d.project_id is null and d.shelf = s.shelf
        order by d.user_id, d.project_id, d.shelf, d.id limit most
      )
    ) halves
    order by halves.id
    limit most
  )
  select
    array_agg((select count(*) from sampled s where (s.terms <#> t.term) < 0) order by t.i),
    (select count(*) from sampled),
    (select s.id from sampled s order by s.id desc limit 1)
  into counts, texts, largest
  from unnest(terms) with ordinality t(term, i);

  size := case
    when texts < most then texts
    else (most - 1) * 2 ^ 32 / ('x' || left(largest::text, 8))::bit(32)::bigint
  end;
end $$;
