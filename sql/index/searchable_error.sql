-- Returns what a failed call was: its command, else its tool and what it worked on.
create or replace function incident_call(i incidents) returns text
language sql immutable as $$
  select left(coalesce(i.input ->> 'command', concat_ws(' ', i.tool_name, i.target)), 300)
$$;

-- Returns in words what solved an error, or what was tried in vain.
create or replace function incident_outcome(i incidents) returns text
language sql immutable as $$
  select case
    when i.status = 'resolved' then left(concat_ws('; ',
      'Solved',
      'by: ' || nullif(array_to_string(array(
        select c from jsonb_array_elements_text(i.resolution -> 'commands') c), '; '), ''),
      'edited: ' || nullif(array_to_string(array(
        select distinct e ->> 'file' from jsonb_array_elements(i.resolution -> 'edits') e), ', '), ''),
      'then: ' || (i.resolution ->> 'command')), 600)
    when i.tried is not null then left(concat_ws('; ',
      'Unsolved',
      'tried: ' || nullif(array_to_string(array(
        select c from jsonb_array_elements_text(i.tried -> 'steps') c), '; '), ''),
      'ended with: ' || (i.tried ->> 'end')), 600)
    else 'Unsolved'
  end
$$;

-- The errors that can be found. Their lines are a part of their own (see index_records), so that one error is compared
-- with another, and not with what was done about it. Of those that are the same in one session the first can be found,
-- which is the one that is told of. What Lore denied is no error; it can be found once another call answered it.
create or replace view searchable_error with (security_invoker = true) as
select
  i.user_id,
  i.project_id,
  'error' as kind,
  i.id as source_id,
  concat(i.error, E'\n\f', incident_call(i), E'\n', incident_outcome(i)) as content,
  null::text as label,
  null::text as context,
  i.agent_id as agent,
  null::text as channel,
  case i.status when 'resolved' then 0.7 else 0.5 end::real as confidence,
  i.opened_at as valid_from,
  null::timestamptz as valid_until,
  coalesce(i.resolved_at, i.opened_at) as confirmed_at,
  (
    select array_agg(distinct 'file:' || (edited.file #>> '{}'))
    from jsonb_path_query(i.resolution, '$.edits[*].file') edited(file)
  ) || array['incident:' || i.id] as links,
  90::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'status', i.status,
    'sessionId', i.session_id,
    'tool', i.tool_name,
    'call', incident_call(i),
    'error', i.error,
    'errorType', i.error_type,
    'signature', i.signature,
    'outcome', incident_outcome(i),
    'createdAt', to_char(i.opened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'resolvedAt', to_char(i.resolved_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from incidents i
where (is_error(i) or i.status = 'resolved') and not exists (
  select from incidents e
  where e.session_id = i.session_id and e.signature = i.signature and (e.opened_at, e.id) < (i.opened_at, i.id));

create or replace trigger index_error
  after insert or delete or update of project_id, status, resolution, tried
  on incidents
  for each row execute function index_record('error');
