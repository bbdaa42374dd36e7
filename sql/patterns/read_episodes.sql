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
  vector text, model text, started_at timestamptz, private boolean
)
language sql stable as $$
  select e.id, coalesce(e.session_id, e.id), e.type, e.outcome, left(e.description, 300), episode_steps(e.steps),
    array(select k from jsonb_object_keys(e.tools_used) k order by k), e.files_modified[1:50], d.embedding::text,
    d.embedding_model, e.started_at, e.private
  from episodes e
  left join search_documents d on with_vectors and d.user_id = e.user_id and d.kind = 'episode' and d.source_id = e.id
    and d.part = 0 and d.embedding_model is not null
  where e.user_id = auth.uid() and e.project_id = in_project
    and (after_id is null or (e.started_at, e.id) > (after_time, after_id))
  order by e.started_at, e.id
  limit max_rows
$$;

-- Returns how many episodes a project has and, if these are more than `most`, the newest one that is too many.
create or replace function count_episodes(in_project uuid, most int, out n int, out id uuid, out started_at text)
language sql stable as $$
  select c.n, e.id, e.started_at::text
  from (select count(*)::int as n from episodes where user_id = auth.uid() and project_id = in_project) c
  left join lateral (
    select e.id, e.started_at
    from episodes e
    where e.user_id = auth.uid() and e.project_id = in_project
    order by e.started_at desc, e.id desc
    offset most limit 1
  ) e on true
$$;

-- Returns the episodes that have not been counted yet, of all of the caller's projects. They are locked: mining, which
-- counts them too, waits.
create or replace function episodes_to_count(max_rows int) returns table (
  episode_id uuid, project_id uuid, session_id uuid, type text, outcome text, steps text[], files text[],
  started_at timestamptz
)
language sql volatile as $$
  select c.episode_id, c.project_id, coalesce(e.session_id, e.id), e.type, e.outcome, episode_steps(e.steps),
    e.files_modified[1:50], e.started_at
  from pattern_changes c
  left join episodes e on e.user_id = c.user_id and e.id = c.episode_id
  where c.user_id = auth.uid() and not c.counted
  order by c.changed_at, c.episode_id
  limit max_rows
  for update of c
$$;

-- Returns what a session did since an instant, an episode a row. Where an episode had begun before, all of it counts.
create or replace function episodes_since(in_session uuid, since timestamptz) returns table (steps text[], outcome text)
language sql stable as $$
  select episode_steps(e.steps), e.outcome
  from episodes e
  where e.user_id = auth.uid() and e.session_id = in_session and coalesce(e.ended_at, e.started_at) >= since
  order by e.started_at, e.id
$$;

-- Returns the caller's ended sessions that were offered patterns whose outcome is still unknown. A session's episodes
-- are written a moment after its end, and some sessions have none. Only once the session has been read is it known
-- whether its errors were solved.
create or replace function sessions_offered_patterns(max_rows int) returns table (session_id uuid)
language sql stable as $$
  select distinct s.id
  from offers o
  join sessions s on s.user_id = o.user_id and s.id = o.session_id
  where o.user_id = auth.uid() and o.kind = 'pattern' and o.outcome is null and not o.withheld
    and s.status <> 'active'
    and (s.ended_at < now() - interval '10 minutes'
      or exists (select from episodes e where e.user_id = s.user_id and e.session_id = s.id and e.ended_at is not null)
        and not exists (
          select from learning_requests r
          where r.user_id = s.user_id and r.session_id = s.id and r.status = 'pending'))
  order by 1
  limit max_rows
$$;
