-- Returns the lessons that may say the same as one of the caller's, or the opposite: its nearest by meaning, at most
-- 30, and those that answer the same error. While it has no vector: those that share its longest words. `similarity`
-- is the cosine of the index rows, null if one has no vector.
--
--   exact   whether every lesson of the project is compared. Else the HNSW index is asked, which finds most.
create or replace function consolidation_candidates(
  of_lesson uuid, exact boolean, out other uuid, out similarity float8
) returns setof record
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
declare
  me constant uuid := auth.uid();
  most constant int := 30;
  -- Of two lessons that agree, the index rows are at least so alike (measured, see docs/consolidation.md).
  alike constant float8 := 0.65;
  own record;
  found uuid[];
begin
  select l.project_id, l.signature, d.embedding, d.embedding_model as model, d.tsv into own
  from learnings l
  left join search_documents d
    on d.user_id = me and d.kind = 'learning' and d.source_id = l.id and d.part = 0
  where l.user_id = me and l.id = of_lesson and l.status = 'active' and l.valid_until is null;
  if own.project_id is null then
    return;
  end if;
  if own.model is null then
    select array_agg(w.source_id) into found
    from (
      select d.source_id
      from lore.documents_with_each(
          array(
            select u.lexeme from unnest(own.tsv) u order by length(u.lexeme) desc, u.lexeme limit 6
          ), own.project_id, null, null, null, null, null, null, null, null, 60) w, unnest(w.ids) i(id)
      join search_documents d on d.user_id = me and d.id = i.id
      where d.kind = 'learning' and d.project_id = own.project_id
      group by d.source_id
      order by count(*) desc, d.source_id
      limit most
    ) w;
  elsif exact then
    select array_agg(n.source_id) into found
    from (
      select d.source_id, d.embedding <=> own.embedding as far
      from search_documents d
      where d.user_id = me and d.project_id = own.project_id and d.kind = 'learning' and d.part = 0
        and d.valid_until is null and d.embedding_model = own.model
      order by far, d.source_id
      limit most + 1
    ) n
    where n.far <= 1 - alike;
  else
    select array_agg(d.source_id) into found
    from documents_near(own.embedding, own.model, own.project_id, '{learning}', now(), false, null, null, null, null,
      null, null, null, most + 1) near(id)
    join search_documents d on d.user_id = me and d.id = near.id
    where d.embedding <=> own.embedding <= 1 - alike;
  end if;

  return query
  select c.id, (
      select 1 - (d.embedding <=> own.embedding)
      from search_documents d
      where d.user_id = me and d.kind = 'learning' and d.source_id = c.id and d.part = 0
        and d.embedding_model = own.model)
  from (
    select l.id
    from learnings l
    where l.user_id = me and l.id = any (found)
      and l.project_id = own.project_id and l.status = 'active' and l.valid_until is null
    union
    (
      select l.id
      from learnings l
      where l.user_id = me and l.project_id = own.project_id and l.signature = own.signature
        and l.status = 'active' and l.valid_until is null
      order by l.last_confirmed_at desc, l.id
      limit most
    )
  ) c
  where c.id <> of_lesson
    -- What a person has undone stays undone: a lesson that came back is left alone.
    and not exists (
      select from consolidation_items i
      where i.user_id = me and i.undone_at is not null and i.action <> 'closed' and i.record_id in (c.id, of_lesson));
end $$;

-- Returns whether a project of the caller has so few records that comparing all of them is fast.
create or replace function is_small_project(of_project uuid) returns boolean
language sql stable as $$
  select count(*) <= 5000
  from (
    select from search_documents d where d.user_id = auth.uid() and d.project_id = of_project limit 5001
  ) d
$$;

-- Returns the lessons of the caller that a night compares: those that changed until an instant, in the order in which
-- they did. One that was compared by words alone is compared again when it has its vector.
create or replace function lessons_to_compare(at timestamptz, most int)
returns table (learning_id uuid, project_id uuid, vector boolean)
language sql stable as $$
  select q.learning_id, l.project_id, d.embedding_model is not null
  from consolidation_queue q
  left join learnings l
    on l.user_id = q.user_id and l.id = q.learning_id and l.status = 'active' and l.valid_until is null
  left join search_documents d
    on d.user_id = q.user_id and d.kind = 'learning' and d.source_id = q.learning_id and d.part = 0
  where q.user_id = auth.uid() and q.queued_at <= at and (not q.by_words or d.embedding_model is not null)
  order by q.by_words, q.queued_at, q.learning_id
  limit most
$$;

-- Puts the pairs of lessons that have changed into the work table, until an instant of the clock. Returns whether all
-- are there.
create or replace function gather_pairs(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  small jsonb := '{}';
  waiting record;
  waited boolean := false;
begin
  for waiting in select * from lessons_to_compare(run.started_at, 500)
  loop
    waited := true;
    if waiting.project_id is not null then
      if not small ? waiting.project_id::text then
        small := small || jsonb_build_object(waiting.project_id, is_small_project(waiting.project_id));
      end if;
      insert into consolidation_pairs (user_id, left_id, right_id, similarity)
      select me, least(c.other, waiting.learning_id), greatest(c.other, waiting.learning_id), c.similarity
      from consolidation_candidates(waiting.learning_id, (small -> waiting.project_id::text)::boolean) c
      on conflict do nothing;
    end if;
    if waiting.vector or waiting.project_id is null then
      delete from consolidation_queue q where q.user_id = me and q.learning_id = waiting.learning_id;
    else
      update consolidation_queue q set by_words = true where q.user_id = me and q.learning_id = waiting.learning_id;
    end if;
    exit when clock_timestamp() > until;
  end loop;
  return not waited;
end $$;
