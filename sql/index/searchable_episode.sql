-- Returns the text by which an episode is found: its task, what the agent said of it, its error and files.
create or replace function episode_document(e episodes) returns text
language sql immutable as $$
  select concat_ws(E'\n',
    e.description,
    nullif(left(e.last_message, 400), ''),
    e.error,
    nullif(concat_ws(' ', variadic e.files_modified[1:8]), ''))
$$;

create or replace view searchable_episode with (security_invoker = true) as
select
  e.user_id,
  e.project_id,
  'episode' as kind,
  e.id as source_id,
  episode_document(e) as content,
  null::text as label,
  null::text as context,
  null::text as agent,
  null::text as channel,
  case e.outcome when 'success' then 0.8 when 'error' then 0.7 else 0.6 end::real as confidence,
  e.started_at as valid_from,
  null::timestamptz as valid_until,
  coalesce(e.ended_at, e.started_at) as confirmed_at,
  array(select 'file:' || f from unnest(e.files_modified[1:50]) f) as links,
  60::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'type', e.type,
    'outcome', e.outcome,
    'filesModified', e.files_modified,
    'startedAt', to_char(e.started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from episodes e;

create or replace trigger index_episode
  after insert or delete or update of project_id, description, last_message, error, files_modified, outcome,
    started_at, ended_at
  on episodes
  for each row execute function index_record('episode');
