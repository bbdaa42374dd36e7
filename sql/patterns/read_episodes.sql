-- Returns the steps of an episode as mining compares them: the tool, and the kind of thing that it worked on.
create or replace function episode_steps(steps jsonb) returns text[]
language sql immutable as $$
  select coalesce(array_agg(concat_ws(':', s.step ->> 'tool', s.step ->> 'targetKind') order by s.n), '{}')
  from jsonb_array_elements(case when jsonb_typeof(steps) = 'array' then steps end) with ordinality s(step, n)
$$;

-- Returns a page of a project's episodes in the order of their time, behind an episode. `with_vectors`: also what their
-- descriptions mean, where the search index has it.
create or replace function episodes_to_mine(
  in_project uuid, after_time timestamptz, after_id uuid, max_rows int, with_vectors boolean
) returns table (
  id uuid, session_id uuid, type text, outcome text, description text, steps text[], tools text[], files text[],
  vector text, model text, started_at timestamptz
)
language sql stable as $$
  select e.id, coalesce(e.session_id, e.id), e.type, e.outcome, left(e.description, 300), episode_steps(e.steps),
    array(select k from jsonb_object_keys(e.tools_used) k order by k), e.files_modified[1:50], d.embedding::text,
    d.embedding_model, e.started_at
  from episodes e
  left join search_documents d on with_vectors and d.user_id = e.user_id and d.kind = 'episode' and d.source_id = e.id
    and d.part = 0 and d.embedding_model is not null
  where e.user_id = auth.uid() and e.project_id = in_project
    and (after_id is null or (e.started_at, e.id) > (after_time, after_id))
  order by e.started_at, e.id
  limit max_rows
$$;
