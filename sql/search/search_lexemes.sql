-- These functions are in PL/pgSQL because it keeps its plans. A function in SQL is planned at each call.

-- Splits code into words: characters other than letters and digits become blanks, camelCase and PascalCase are split.
-- Only ASCII characters are replaced, because the locale of the database decides which others are letters.
create or replace function search_words(body text) returns text
language plpgsql immutable parallel safe as $$
begin
  return regexp_replace(regexp_replace(regexp_replace(
    body,
    '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g'),
    '([a-z0-9])([A-Z])', '\1 \2', 'g'),
    '([A-Z])([A-Z][a-z])', '\1 \2', 'g');
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

-- Returns the lexemes by which a text is found. Those of the context (what was said before) have weight D, the others
-- weight A.
create or replace function search_lexemes(body text, context text default null) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  own constant tsvector := setweight(to_tsvector('english', search_words(body)), 'A') || search_identifiers(body);
begin
  if context is null then
    return own;
  end if;
  return own || setweight(to_tsvector('english', search_words(context)), 'D');
end $$;
