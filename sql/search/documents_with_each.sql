-- Returns, for each lexeme, the ids of the caller's documents that have it, at most `most` of them. Under row level
-- security PostgreSQL does not use a full text index, because a match could reveal rows that the caller may not see. So
-- this function bypasses row level security and reads only the caller's own rows. It is the only function of schema
-- lore that tenants may call.
create or replace function lore.documents_with_each(lexemes text[], in_project uuid, most int)
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
        and (in_project is null or d.project_id = in_project or d.project_id is null)
      limit most)
  from unnest(lexemes) l(lexeme);
end $$;

grant execute on function lore.documents_with_each to authenticated;
