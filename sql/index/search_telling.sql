-- Returns how much a turn of a conversation tells, from 0.6 to 1. It is less, the less the turn says besides questions.
-- A turn that asks has the same words as a later search, but the answer is in the turn after it, which has these words
-- as its context. It is 1 for a text that is not a turn. Measured, see docs/search.md.
create or replace function search_telling(body text, context text) returns real
language plpgsql immutable parallel safe as $$
begin
  if context is null then
    return 1;
  end if;
  return (
    -- bytes, because a Chinese character, which has three, says as much as about three letters
    select 1 - 0.4 * exp(-coalesce(sum(octet_length(s.sentence) + 1), 0) / 40.0::float8)
    from regexp_split_to_table(body, '(?<=[.!?…])["'')\]]?\s+|\n+|(?<=[。！？])') s(sentence)
    where s.sentence <> '' and s.sentence !~ '[?？]\W*$');
end $$;
