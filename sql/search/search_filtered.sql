-- Returns how many texts a scope has, and how many of them pass the filters of a search, for a search that is
-- explained. The parameters are those of search_hybrid. It reads the whole scope, which is made of the
-- shelves of the kinds.
create or replace function search_filtered(
  in_project uuid, in_kinds text[], as_of timestamptz, min_confidence real, max_age_days real, exclude_agent text,
  in_channels text[], superseded boolean, only_agent text, message_types text[], mentioning text[], breadcrumbs boolean,
  min_words int, out in_scope int, out passed int
)
language sql stable as $$
  select
    count(*),
    count(*) filter (
      where d.valid_from <= as_of
        and (superseded or d.valid_until is null or d.valid_until > as_of)
        and (in_kinds is null or d.kind = any (in_kinds))
        and (in_project is not null or not d.private)
        and d.confidence >= min_confidence
        and (max_age_days is null or d.confirmed_at >= as_of - make_interval(secs => max_age_days * 86400.0))
        and (in_channels is null or d.channel = any (in_channels))
        and (exclude_agent is null or d.agent is distinct from exclude_agent)
        and (only_agent is null or d.agent = only_agent)
        and (message_types is null or d.message_type = any (message_types))
        and (mentioning is null or d.mentions && mentioning)
        and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
        and (min_words is null or d.words >= min_words))
  from search_documents d
  where d.user_id = (select auth.uid()) and d.shelf = any (search_shelves(in_kinds))
    and (in_project is null or d.project_id = in_project or d.project_id is null)
$$;
