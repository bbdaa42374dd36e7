-- Returns the number that stands for a lexeme in a sparse vector: the first 28 bits of its MD5, plus 1.
create or replace function search_term(lexeme text) returns int
language sql immutable parallel safe as $$
  select ('x' || substr(md5(lexeme), 1, 7))::bit(28)::int + 1
$$;

-- Returns the BM25 weight of each lexeme of a text, without the inverse document frequency. The inner product with the
-- weights of a query (search_weights) is the text's score (Robertson, Zaragoza 2009, "The Probabilistic Relevance
-- Framework"). k1 = 0.9 and b = 0.4 (Trotman, Puurula, Burgess 2014). The average length is fixed at 30 lexemes, so
-- that a text's weights do not depend on other texts. A lexeme of the context counts 0.5 (docs/search.md).
create or replace function search_terms(lexemes tsvector) returns sparsevec
language plpgsql immutable parallel safe as $$
begin
  return (
    with counted as (
      -- search_term, written out: called 250 times it would take 0.5 ms longer than all the rest
      select ('x' || substr(md5(l.lexeme), 1, 7))::bit(28)::int + 1 as term,
        cardinality(array_positions(l.weights, 'A')) as own, cardinality(l.weights) as n
      from unnest(lexemes) l
    ), long as (
      -- float8, because a calculation in numeric takes several times as long
      select 0.9::float8 * (0.6::float8 + 0.4::float8 * sum(own) / 30) as norm from counted
    ), weighed as (
      select term,
        round(sum(
          own * 1.9::float8 / (own + norm) + 0.5::float8 * (n - own) * 1.9::float8 / (n - own + 0.9::float8)
        )::numeric, 3) as weight
      from counted, long
      group by term
      -- at most 256 terms: a row must fit into a page
      order by 2 desc, 1
      limit 256
    )
    select ('{' || coalesce(string_agg(term || ':' || weight, ','), '') || '}/268435456')::sparsevec
    from weighed);
end $$;

-- Returns whether a lexeme is a word that any English text may have, whatever it is about. PostgreSQL's stop words are
-- no lexemes, so they are not among these. Words that mean something to a programmer (get, go, make, put, let, kind)
-- are left out.
create or replace function search_is_common(lexeme text) returns boolean
language sql immutable parallel safe as $$
  select lexeme = any ('{look,see,seen,saw,use,come,came,take,took,taken,give,gave,given,know,known,knew,think,thought,'
    'want,need,say,said,tell,told,ask,happen,seem,mean,meant,like,way,thing,much,mani,also,still,alreadi,yet,ever,'
    'never,even,well,away,around,within,may,might,could,would,shall,must,cannot,upon,among,amongst,us,one,someth,'
    'anyth,noth,everyth,someon,anyon,everyon,somebodi,anybodi,everybodi,nobodi,els,mayb,realli,actual,quit,rather,'
    'often,usual,alway,sometim,sure,lot,per,via,etc,done,whether,though,although,howev,instead}'::text[])
$$;

-- Returns the weight of each lexeme of a query, and the sum of their inverse document frequencies. This is taken in the
-- form that is never negative, ln(1 + (N - n + 1/2) / (n + 1/2)). N is the number of texts plus 50: otherwise, in a
-- scope of three texts, every word that occurs would count as common. The weight of a lexeme is the same number, except
-- for common words: even if few texts of a small scope have them, they weigh as if half of the texts had them.
create or replace function search_weights(
  lexemes text[], counts float8[], texts int, out weights sparsevec, out total float8
)
language plpgsql immutable parallel safe as $$
begin
  select
    ('{' || string_agg(w.term || ':' || (case when w.common then least(w.idf, ln(2)) else w.idf end)::real, ',')
      || '}/268435456')::sparsevec,
    sum(w.idf)
  into weights, total
  from (
    select search_term(l.lexeme) as term, bool_and(search_is_common(l.lexeme)) as common,
      max(ln(1 + (texts + 50 - least(l.n, texts) + 0.5) / (l.n + 0.5))) as idf
    from unnest(lexemes, counts) l(lexeme, n)
    -- two lexemes may share a term
    group by 1
  ) w;
end $$;
