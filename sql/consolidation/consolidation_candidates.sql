-- Returns for each of some lessons of one project of the caller the lessons that may say the same, or the opposite: its
-- nearest by meaning, at most 30, and those that answer the same error or have the same key. If a lesson has no vector,
-- returns those that share its longest words. `similarity` is the cosine of the index rows, null if one has no vector.
--
--   size   how many records the project has, see project_size. In a small one every lesson is compared. Else the HNSW
--          index is asked, which finds most.
create or replace function consolidation_candidates(
  lessons uuid[], of_project uuid, size int
) returns table (lesson uuid, other uuid, similarity float8)
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set work_mem = '16MB'
as $$
#variable_conflict use_column
declare
  me constant uuid := auth.uid();
  most constant int := 30;
  exact constant boolean := size <= 5000;
  -- Of two lessons that agree, the index rows are at least so alike (measured, see docs/consolidation.md).
  alike constant float8 := 0.65;
  shelves constant text[] := search_shelves('{learning}');
begin
  return query
  with asked as materialized (
    select l.id, l.signature, l.same_key, d.embedding, d.embedding_model as model, d.tsv
    from learnings l
    left join search_documents d
      on d.user_id = me and d.kind = 'learning' and d.source_id = l.id and d.part = 0
    where l.user_id = me and l.id = any (lessons) and l.project_id = of_project
      and l.status <> 'review' and l.valid_until is null
  ), stored as materialized (
    -- Vectors lie in a side table. The copy is read from there once, and not again for each lesson.
    select d.source_id, d.embedding_model as model, subvector(d.embedding, 1, 384) as embedding
    from search_documents d
    where exact and d.user_id = me and d.project_id = of_project and d.kind = 'learning' and d.part = 0
      and d.valid_until is null and d.embedding_model is not null
  ), found as (
    -- Of the first three, only one has rows for a lesson.
    select a.id as lesson, n.source_id as other
    from asked a, lateral (
      select s.source_id, s.embedding <=> a.embedding as far
      from stored s
      where s.model = a.model
      order by far, s.source_id
      limit most + 1) n
    where exact and n.far <= 1 - alike
    union
    select a.id, d.source_id
    from asked a,
      lateral documents_near(a.embedding, a.model, of_project, '{learning}', shelves, now(), false, null, null, null,
        null, null, null, null, most + 1) near(id)
    join search_documents d on d.user_id = me and d.id = near.id
    where not exact and a.model is not null and d.embedding <=> a.embedding <= 1 - alike
    union
    select a.id, w.source_id
    from asked a, lateral (
      select d.source_id
      from lore.documents_with_each(
          array(select u.lexeme from unnest(a.tsv) u order by length(u.lexeme) desc, u.lexeme limit 6),
          of_project, shelves, null, null, null, null, null, null, null, 60) w,
        unnest(w.ids) i(id)
      join search_documents d on d.user_id = me and d.id = i.id
      where d.kind = 'learning' and d.project_id = of_project
      group by d.source_id
      order by count(*) desc, d.source_id
      limit most) w
    where a.model is null
    union
    select a.id, s.id
    from asked a, lateral (
      select l.id
      from learnings l
      where l.user_id = me and l.project_id = of_project
        and (l.signature = a.signature or l.same_key = a.same_key and a.same_key <> '')
        and l.status <> 'review' and l.valid_until is null
      order by l.last_confirmed_at desc, l.id
      limit most) s
  )
  select f.lesson, f.other, (
      select 1 - (d.embedding <=> a.embedding)
      from search_documents d
      where d.user_id = me and d.kind = 'learning' and d.source_id = f.other and d.part = 0
        and d.embedding_model = a.model)
  from found f
  join asked a on a.id = f.lesson
  join learnings l on l.user_id = me and l.id = f.other
  where f.other <> f.lesson and l.project_id = of_project and l.status <> 'review' and l.valid_until is null
    -- What a person has undone stays undone: a lesson that came back is left alone.
    and not exists (
      select from consolidation_items i
      where i.user_id = me and i.undone_at is not null and i.action <> 'closed'
        and i.record_id in (f.other, f.lesson));
end $$;

-- Returns how many records a project of the caller has. It counts no further than 5,001: with more, comparing all of
-- them takes too long.
create or replace function project_size(of_project uuid) returns int
language sql stable as $$
  select count(*)::int
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
    on l.user_id = q.user_id and l.id = q.learning_id and l.status <> 'review' and l.valid_until is null
  left join search_documents d
    on d.user_id = q.user_id and d.kind = 'learning' and d.source_id = q.learning_id and d.part = 0
  where q.user_id = auth.uid() and q.queued_at <= at and (not q.by_words or d.embedding_model is not null)
  order by q.by_words, q.queued_at, q.learning_id
  limit most
$$;

-- Puts the pairs of lessons that have changed into the work table, until an instant of the clock or little later. The
-- lessons of a project go together, because they are compared with the same others. Returns whether all are there.
create or replace function gather_pairs(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  -- the embedded engine gives little time, and answers nothing else meanwhile
  patient constant boolean := until > clock_timestamp() + interval '100 ms';
  pack record;
  size int;
  piece uuid[];
  waited boolean := false;
begin
  for pack in
    select w.project_id, w.vector, array_agg(w.learning_id) as lessons
    from lessons_to_compare(run.started_at, case when patient then 10000 else 200 end) w
    group by w.project_id, w.vector
  loop
    waited := true;
    size := project_size(pack.project_id);
    while cardinality(pack.lessons) > 0 loop
      exit when clock_timestamp() > until;
      -- the more there is to compare with, the fewer
      piece := pack.lessons[:greatest(1, case when patient then 100000 else 16000 end / greatest(size, 1000))];
      pack.lessons := pack.lessons[cardinality(piece) + 1:];
      insert into consolidation_pairs (user_id, left_id, right_id, similarity)
      select distinct me, least(c.other, c.lesson), greatest(c.other, c.lesson), c.similarity
      from consolidation_candidates(piece, pack.project_id, size) c
      on conflict do nothing;
      if pack.vector or pack.project_id is null then
        delete from consolidation_queue q where q.user_id = me and q.learning_id = any (piece);
      else
        update consolidation_queue q set by_words = true where q.user_id = me and q.learning_id = any (piece);
      end if;
    end loop;
    exit when clock_timestamp() > until;
  end loop;
  return not waited;
end $$;
