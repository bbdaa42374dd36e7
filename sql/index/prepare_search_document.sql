-- Fills the columns that a search uses.
create or replace function prepare_search_document() returns trigger
language plpgsql as $$
begin
  new.tsv := search_lexemes(concat_ws(E'\n', new.label, new.content), new.context);
  new.terms := search_terms(new.tsv);
  new.telling := search_telling(new.content, new.context);
  return new;
end $$;

create or replace trigger prepare_search_document
  before insert or update of label, content, context on search_documents
  for each row execute function prepare_search_document();
