-- Cuts a text into parts short enough for the model, which reads 256 word pieces: in Chinese, Japanese and Korean about
-- one for each character. It cuts at the end of a paragraph, else of a line, a sentence or a word. Joined again, the
-- parts are the whole text. Of several parts the first has at least 100 characters.
create or replace function search_parts(body text) returns table (part int, content text)
language plpgsql immutable as $$
declare
  dense constant boolean := length(replace(search_bigrams(body), ' ', '')) > length(body);
  longest constant int := case when dense then 240 else 1200 end;
  shortest constant int := case when dense then 100 else 300 end;
  rest text := body;
  head text;
  size int;
  pattern text;
begin
  part := 0;
  while length(rest) > longest + shortest loop
    size := longest;
    head := left(rest, longest);
    foreach pattern in array array[E'^.*\n\n', E'^.*\n', '^.*[.!?;] ', '^.*[。！？]', '^.* '] loop
      if length(substring(head from pattern)) >= shortest then
        size := length(substring(head from pattern));
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
