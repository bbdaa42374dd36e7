-- These are PL/pgSQL because it keeps its plans; a function in SQL is planned at each call.

-- The words of code: everything but letters and digits becomes a blank, camelCase and PascalCase are taken apart.
-- ASCII only, because what counts as a letter beyond it depends on the database's locale.
create or replace function search_words(body text) returns text
language plpgsql immutable parallel safe as $$
begin
  return regexp_replace(regexp_replace(regexp_replace(
    body,
    '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g'),
    '([a-z0-9])([A-Z])', '\1 \2', 'g'),
    '([A-Z])([A-Z][a-z])', '\1 \2', 'g');
end $$;

-- Identifiers, paths, flags, versions and error codes as they stand, in lower case: src/db/open.ts, no-verify, v1.2.
create or replace function search_identifiers(body text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(string_agg(distinct quote_literal(lower(m[1])) || ':1A', ' '), '')::tsvector
    from regexp_matches(body, '([A-Za-z0-9]+(?:[._/:@#-]+[A-Za-z0-9]+)+|[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*)', 'g') m
    where length(m[1]) <= 100);
end $$;

-- What full text search goes by. What was said before has weight D, all else A.
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
