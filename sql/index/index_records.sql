-- Writes the index rows of some records of one kind as they are in the view searchable_<kind>, and deletes the rows of
-- records that are not in the view. A text that has not changed keeps its vector.
create or replace function index_records(owner uuid, of_kind text, ids uuid[]) returns void
language plpgsql
-- One plan for all calls. Without this, the planner would plan again for each record, to use the name of the kind.
set plan_cache_mode = force_generic_plan
as $$
begin
  with written as (
    insert into search_documents as d (user_id, project_id, kind, source_id, part, content, label, context, agent,
      channel, confidence, valid_from, valid_until, confirmed_at, links, half_life_days)
    select s.user_id, s.project_id, s.kind, s.source_id, p.part, p.content, s.label,
      case when p.part = 0 then s.context end,
      s.agent, s.channel, s.confidence, s.valid_from, s.valid_until, s.confirmed_at, coalesce(s.links, '{}'),
      s.half_life_days
    from searchable s, search_parts(s.content) p
    where s.user_id = owner and s.kind = of_kind and s.source_id = any (ids)
    on conflict (user_id, kind, source_id, part) do update set
      project_id = excluded.project_id,
      content = excluded.content,
      label = excluded.label,
      context = excluded.context,
      agent = excluded.agent,
      channel = excluded.channel,
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
  delete from search_documents d
  where d.user_id = owner and d.kind = of_kind and d.source_id = any (ids)
    and not exists (select from written w where w.source_id = d.source_id and w.part = d.part);
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
