-- Returns the caller's texts that pass the filters of a search, if these are at most `most`, so that each of them can
-- be scored. Null if they leave more, or if no filter is given. The statement is made of the filters that
-- are given, because a plan for all of them could use no index.
create or replace function search_passing(
  in_project uuid, exclude_agent text, in_channels text[], only_agent text, message_types text[], mentioning text[],
  breadcrumbs boolean, min_words int, most int
) returns uuid[]
language plpgsql stable as $$
declare
  filters text := concat_ws(' and ',
    case when in_channels is not null then 'd.channel = any ($3)' end,
    case when only_agent is not null then 'd.agent = $4' end,
    case when message_types is not null then 'd.message_type = any ($5)' end,
    case when mentioning is not null then 'd.mentions && $6' end,
    case when breadcrumbs is not null then 'd.has_breadcrumbs = $7' end,
    case when min_words is not null then 'd.words >= $8' end);
  passing uuid[];
begin
  if filters = '' then
    return null;
  end if;
  execute 'select array(select d.id from search_documents d where d.user_id = auth.uid() and '
    || case when in_project is null then '' else '(d.project_id = $1 or d.project_id is null) and ' end
    || case when exclude_agent is null then '' else 'd.agent is distinct from $2 and ' end
    || filters || ' limit $9)'
  into passing
  using in_project, exclude_agent, in_channels, only_agent, message_types, mentioning, breadcrumbs, min_words, most + 1;
  return case when cardinality(passing) <= most then passing end;
end $$;
