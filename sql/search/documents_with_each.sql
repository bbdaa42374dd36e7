-- The ids of the caller's documents that have a lexeme, at most `most` for each. Row level security lets no full text
-- index be used, because a match could tell of rows that the caller may not see. So this looks past it, at the caller's
-- own rows alone. It is the only function of schema lore that tenants may call.
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
