-- Fills the columns that a search uses, and forgets the vector that was made of another text.
create or replace function prepare_search_document() returns trigger
language plpgsql as $$
begin
  new.tsv := search_lexemes(concat_ws(E'\n', new.label, new.content), new.context);
  new.terms := search_terms(new.tsv);
  new.telling := search_telling(new.content, new.context);
  if tg_op = 'UPDATE'
    and (old.content, old.label, old.context) is distinct from (new.content, new.label, new.context)
  then
    delete from next_vectors v where v.user_id = new.user_id and v.id = new.id;
  end if;
  return new;
end $$;

create or replace trigger prepare_search_document
  before insert or update of label, content, context on search_documents
  for each row execute function prepare_search_document();
