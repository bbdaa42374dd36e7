-- Returns how many texts are in the scope of a search, and how many of them its filters leave out, for a search that is
-- explained. `asked` has the filters as the API names them. It reads the whole scope.
create or replace function search_filtered(in_project uuid, asked jsonb, out in_scope int, out left_out int)
language sql stable as $$
  select
    count(*),
    count(*) filter (where not coalesce(
      (asked -> 'kinds' is null or asked -> 'kinds' ? d.kind)
        and (asked -> 'minConfidence' is null or d.confidence >= (asked ->> 'minConfidence')::real)
        and (asked -> 'maxAgeDays' is null
          or d.confirmed_at >= now() - make_interval(secs => (asked ->> 'maxAgeDays')::float8 * 86400))
        and (asked -> 'excludeAgent' is null or d.agent is distinct from asked ->> 'excludeAgent')
        and (asked -> 'onlyAgent' is null or d.agent = asked ->> 'onlyAgent')
        and (asked -> 'channels' is null or asked -> 'channels' ? d.channel)
        and (asked -> 'messageTypes' is null or asked -> 'messageTypes' ? d.message_type)
        and (asked -> 'mentions' is null
          or d.mentions && array(select lower(m) from jsonb_array_elements_text(asked -> 'mentions') m))
        and (asked -> 'hasBreadcrumbs' is null or d.has_breadcrumbs = (asked ->> 'hasBreadcrumbs')::boolean)
        and (asked -> 'minWords' is null or d.words >= (asked ->> 'minWords')::int),
      false))
  from search_documents d
  where d.user_id = (select auth.uid()) and d.part = 0
    and (in_project is null or d.project_id is null or d.project_id = in_project)
$$;
