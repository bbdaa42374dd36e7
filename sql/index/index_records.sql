-- Writes the index rows of some records of one kind as they are in the view searchable_<kind>, and deletes the rows of
-- records that are not in the view. A text that has not changed keeps its vector.
create or replace function index_records(owner uuid, of_kind text, ids uuid[]) returns void
language plpgsql
-- One plan for all calls. Without this, the planner would plan again for each record, to use the name of the kind.
set plan_cache_mode = force_generic_plan
as $$
declare
  obsolete uuid[];
begin
  with written as (
    insert into search_documents as d (user_id, project_id, kind, shelf, source_id, part, content, label, context,
      agent, channel, message_type, mentions, has_breadcrumbs, words, private, confidence, valid_from, valid_until,
      confirmed_at, links, half_life_days)
    select s.user_id, s.project_id, s.kind, search_shelf(s.kind), s.source_id, p.part, p.content, s.label,
      case when p.part = 0 then s.context end,
      s.agent, s.channel, f.message_type, f.mentions, f.has_breadcrumbs, f.words, f.private, s.confidence, s.valid_from,
      s.valid_until, s.confirmed_at, coalesce(s.links, '{}'), s.half_life_days
    -- Each record is looked up by its id. With `source_id = any (ids)` the planner, which has no statistics of a table
    -- that was just filled, would read all records of the owner for each one that is written.
    from unnest(ids) i(id),
      lateral (
        select * from searchable r where r.kind = of_kind and r.source_id = i.id
        offset 0
      ) s,
      search_filters(s.metadata, s.content) f,
      lateral (
        -- a form feed ends a part of an error: its lines are compared without what stands behind them
        select (row_number() over (order by piece.n, cut.part) - 1)::int as part, cut.content
        from unnest(case s.kind when 'error' then string_to_array(s.content, E'\f') else array[s.content] end)
            with ordinality piece(content, n),
          search_parts(piece.content) cut
      ) p
    on conflict (user_id, kind, source_id, part) do update set
      project_id = excluded.project_id,
      content = excluded.content,
      label = excluded.label,
      context = excluded.context,
      agent = excluded.agent,
      channel = excluded.channel,
      message_type = excluded.message_type,
      mentions = excluded.mentions,
      has_breadcrumbs = excluded.has_breadcrumbs,
      words = excluded.words,
      private = excluded.private,
      confidence = excluded.confidence,
      valid_from = excluded.valid_from,
      valid_until = excluded.valid_until,
      confirmed_at = excluded.confirmed_at,
      links = excluded.links,
      half_life_days = excluded.half_life_days,
      embedding_model = case
        when (d.content, d.label, d.context) is not distinct from (excluded.content, excluded.label, excluded.context)
          then d.embedding_model
      end,
      embed_attempts = 0,
      embed_after = now(),
      embed_error = null
    returning d.source_id, d.part
  )
  select array_agg(o.id) into obsolete
  from unnest(ids) i(id)
  left join (select w.source_id, max(w.part) as last from written w group by w.source_id) w on w.source_id = i.id,
    lateral (
      select r.id from search_documents r
      where r.user_id = owner and r.kind = of_kind and r.source_id = i.id and r.part > coalesce(w.last, -1)
      offset 0
    ) o;
  if obsolete is not null then
    delete from search_documents d where d.user_id = owner and d.id = any (obsolete);
  end if;
end $$;

-- Trigger function for all kinds of records. Its argument is the kind.
create or replace function index_record() returns trigger
language plpgsql as $$
begin
  -- A deleted record is no longer in its view, so its index rows are deleted.
  if tg_op = 'DELETE' then
    perform index_records(old.user_id, tg_argv[0], array[old.id]);
    perform forget_amendments(old.user_id, tg_argv[0], old.id);
  else
    perform index_records(new.user_id, tg_argv[0], array[new.id]);
  end if;
  return null;
end $$;
