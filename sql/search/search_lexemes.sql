-- These functions are in PL/pgSQL because it keeps its plans. A function in SQL is planned at each call.

-- Returns the runs of Chinese, Japanese and Korean characters of a text as pairs of neighbours, with blanks between:
-- these scripts write words without blanks, or with endings joined to them. A single character stays as it is.
create or replace function search_bigrams(body text) returns text
language plpgsql immutable parallel safe as $$
begin
  return (
    select string_agg(substr(m[1], i, 2), ' ')
    from regexp_matches(body, '([\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff'
        || '\U00020000-\U0003ffff]+)', 'g') m,
      generate_series(1, greatest(length(m[1]) - 1, 1)) i);
end $$;

-- Splits text and code into words in lower case: characters other than letters and digits become blanks, camelCase and
-- PascalCase are split. Which characters are replaced, and how they become lower case, does not depend on the locale of
-- the database.
create or replace function search_words(body text) returns text
language plpgsql immutable parallel safe as $$
declare
  words text := body;
  ascii constant boolean := body !~ '[^\x01-\x7f]';
begin
  if not ascii then
    -- the same form for „ﬁ“ and „fi“, full and half width; then the punctuation beyond ASCII
    words := regexp_replace(normalize(words, NFKC), '[\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
      || '\u2000-\u206f\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\ufe00-\ufe0f\ufe30-\ufe4f]+', ' ', 'g');
  end if;
  words := regexp_replace(regexp_replace(regexp_replace(
    words,
    '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g'),
    '([a-z0-9])([A-Z])', '\1 \2', 'g'),
    '([A-Z])([A-Z][a-z])', '\1 \2', 'g');
  if ascii then
    return lower(words);
  end if;
  words := lower(words collate pg_c_utf8);
  return concat_ws(' ', regexp_replace(words,
    '[\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+', ' ', 'g'),
    search_bigrams(words));
end $$;

-- Returns whether a text is in English, as far as its small words tell: two more of the others say no. The others are
-- small words of German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian, Turkish.
create or replace function search_is_english(words text) returns boolean
language plpgsql immutable parallel safe as $$
declare
  english int;
  other int;
begin
  select
    count(*) filter (where w = any ('{the,and,of,to,is,that,for,it,with,are,be,this,not,from,by,or,which,when,we,must,'
      'how,what,where,does,who,why,if,our,has,have,its,they,at,in,on,as,a,an,can,do,was}'::text[])),
    count(*) filter (where w = any ('{der,die,das,und,ist,nicht,ein,eine,einen,einer,dem,den,des,mit,für,auf,von,'
      'vom,zu,zum,zur,im,am,um,sich,auch,wird,werden,wurde,wenn,oder,bei,nach,wir,sind,aus,nur,noch,wie,kein,keine,'
      'le,la,les,et,est,une,un,du,dans,pour,pas,que,qui,sur,avec,nous,sont,ne,au,aux,par,ce,cette,il,'
      'el,los,las,una,del,por,para,es,se,su,como,está,pero,más,y,en,'
      'lo,gli,di,che,è,non,sono,della,nel,os,um,uma,da,em,com,não,é,dos,'
      'het,een,van,dat,niet,met,voor,op,zijn,wordt,de,aan,ook,nie,jest,się,na,że,oraz,'
      'och,är,att,det,som,på,för,inte,med,ikke,og,til,av,af,på,ve,bir,bu,için,ile}'::text[]))
  into english, other
  from string_to_table(words, ' ') w;
  return other < english + 2;
end $$;

-- Returns the identifiers, paths, flags, versions and error codes of a text as whole lexemes in lower case, such as
-- src/db/open.ts, no-verify, v1.2.
create or replace function search_identifiers(body text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(string_agg(distinct quote_literal(lower(m[1])) || ':1A', ' '), '')::tsvector
    from regexp_matches(body, '([A-Za-z0-9]+(?:[._/:@#-]+[A-Za-z0-9]+)+|[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*)', 'g') m
    where length(m[1]) <= 100);
end $$;

-- Returns the lexemes of words: English stems. A text in another language is found by its words as they are; their
-- English stems are kept beside them, because a short question does not tell its language.
create or replace function search_stems(words text) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  stems constant tsvector := to_tsvector('english', words);
  plain tsvector;
begin
  if search_is_english(words) then
    return stems;
  end if;
  plain := to_tsvector('simple', words);
  return plain || ts_delete(stems, tsvector_to_array(plain));
end $$;

-- Returns the lexemes by which a text is found. Those of the context (what was said before) have weight D, the others
-- weight A.
create or replace function search_lexemes(body text, context text default null) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  own constant tsvector := setweight(search_stems(search_words(body)), 'A') || search_identifiers(body);
begin
  if context is null then
    return own;
  end if;
  return own || setweight(search_stems(search_words(context)), 'D');
end $$;
