-- Returns whether a text says that something has changed. English only.
create or replace function says_changed(body text) returns boolean
language sql immutable parallel safe as $$
  select body ~* ('\m(no longer|not any ?more|anymore|instead of|in place of|replac(es?|ed|ing)|supersed\w+|'
    || 'supplant\w+|amend\w+|revis(es?|ed|ion)|revers(es?|ed)|overturn\w*|deprecat\w+|retired?|abandon\w*|'
    || 'abolish\w*|dropped|scrapped|removed|taken out|torn down|obsolete|outdated|until now|used to|formerly|'
    || 'previously|switch(ed|es)|moved (to|from|over|away)|migrated|changed|raised|lowered|increased|decreased|'
    || 'reduced|tightened|relaxed|extended|shortened|doubled|halved|shrank|cut (to|from)|went (up|down)|bumped|'
    || 'lifted|upgraded|updated|corrected|correction|new (rule|policy|limit|standard|default)|from now on|as of|'
    || 'since|now|back to|after all|turned off|frozen)\M')
$$;

-- Fills the columns that a search uses.
create or replace function prepare_search_document() returns trigger
language plpgsql as $$
begin
  new.tsv := search_lexemes(concat_ws(E'\n', new.label, new.content), new.context);
  new.terms := search_terms(new.tsv);
  -- A record may amend another without saying so. Its view sets `amends` then.
  new.amends := new.amends or says_changed(new.content);
  return new;
end $$;

create or replace trigger prepare_search_document
  before insert or update of label, content, context on search_documents
  for each row execute function prepare_search_document();
