-- Returns how many bytes the caller's newest texts have in the index, and how many the index needs beside them to find
-- them: lexemes, weights and vectors. Of all texts it would be the same proportion, but reading them all takes long.
create or replace function index_size(
  most int, out texts int, out content_bytes bigint, out index_bytes bigint
)
language sql stable as $$
  select count(*)::int, coalesce(sum(octet_length(d.content)), 0)::bigint,
    coalesce(sum(pg_column_size(d.tsv) + coalesce(pg_column_size(d.terms), 0)
      + coalesce(pg_column_size(d.embedding), 0)), 0)::bigint
  from (
    select s.content, s.tsv, s.terms, s.embedding from search_documents s
    where s.user_id = auth.uid() order by s.confirmed_at desc limit most) d
$$;
