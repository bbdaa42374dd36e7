-- Cuts a text into parts short enough for the model, which reads 256 word pieces: in Chinese, Japanese and Korean about
-- one for each character. It cuts at the end of a paragraph, else of a line, a sentence or a word. Joined again, the
-- parts are the whole text. Of several parts the first has at least 100 characters.
create or replace function search_parts(body text) returns table (part int, content text)
language plpgsql immutable as $$
declare
  dense constant boolean := length(replace(search_bigrams(left(body, 20000)), ' ', '')) > length(left(body, 20000));
  longest constant int := case when dense then 240 else 1200 end;
  shortest constant int := case when dense then 100 else 300 end;
  -- A long text is taken into `rest` piece by piece. To cut each part off the whole text would take time that grows
  -- with the square of its length.
  piece constant int := 20000;
  rest text := left(body, piece);
  taken int := piece;
  size int;
  backwards text;
  at int;
  ending text;
begin
  part := 0;
  loop
    if length(rest) <= longest + shortest and taken < length(body) then
      rest := rest || substr(body, taken + 1, piece);
      taken := taken + piece;
    end if;
    exit when length(rest) <= longest + shortest;
    size := longest;
    -- The last ending is the first one backwards. All signs that end a sentence are made one.
    backwards := reverse(left(rest, longest));
    foreach ending in array array[E'\n\n', E'\n', ' .', '。', ' '] loop
      at := strpos(
        case ending
          when ' .' then translate(backwards, '!?;', '...')
          when '。' then translate(backwards, '！？', '。。')
          else backwards
        end, ending);
      if at between 1 and longest - shortest + 1 then
        size := longest - at + 1;
        exit;
      end if;
    end loop;
    content := left(rest, size);
    return next;
    part := part + 1;
    rest := substr(rest, size + 1);
  end loop;
  content := rest;
  return next;
end $$;
