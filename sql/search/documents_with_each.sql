-- Returns, for each lexeme, the ids of the caller's documents that have it, at most `most` of them. Under row level
-- security PostgreSQL does not use a full text index, because a match could reveal rows that the caller may not see. So
-- this function bypasses row level security and reads only the caller's own rows. 
create or replace function lore.documents_with_each(
  lexemes text[], in_project uuid, shelves text[], exclude_agent text, in_channels text[], only_agent text,
  message_types text[], mentioning text[], breadcrumbs boolean, min_words int, most int
)
returns table (lexeme text, ids uuid[])
language plpgsql stable security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  me constant uuid := auth.uid();
begin
  return query
  select l.lexeme, array(
      select d.id
      from public.search_documents d
      where d.tsv @@ quote_literal(l.lexeme)::tsquery
        and d.user_id = me
        and d.shelf = any (shelves)
        and (in_project is null or d.project_id = in_project or d.project_id is null)
        and (in_channels is null or d.channel = any (in_channels))
        and (exclude_agent is null or d.agent is distinct from exclude_agent)
        and (only_agent is null or d.agent = only_agent)
        and (message_types is null or d.message_type = any (message_types))
        and (mentioning is null or d.mentions && mentioning)
        and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
        and (min_words is null or d.words >= min_words)
      limit most)
  from unnest(lexemes) l(lexeme);
end $$;

grant execute on function lore.documents_with_each to lore_user;
