-- Returns the text by which a lesson is found.
create or replace function learning_document(l learnings) returns text
language sql immutable as $$
  select concat_ws(E'\n', l.lesson, l.context, l.why, nullif(array_to_string(l.keywords, ' '), ''),
    nullif(array_to_string(l.applies_to, ' '), ''))
$$;

-- The lessons that can be found. One that is only proposed cannot.
create or replace view searchable_learning with (security_invoker = true) as
select
  l.user_id,
  l.project_id,
  'learning' as kind,
  l.id as source_id,
  learning_document(l) as content,
  null::text as label,
  null::text as context,
  l.source_subagent as agent,
  null::text as channel,
  l.confidence,
  l.valid_from,
  l.valid_until,
  l.last_confirmed_at as confirmed_at,
  -- The links are the incident that the lesson came from and the files that were edited to resolve it.
  (
    select array_agg(distinct 'file:' || (edited.file #>> '{}'))
    from incidents i, jsonb_path_query(i.resolution, '$.edits[*].file') edited(file)
    where i.user_id = l.user_id and i.id = l.source_incident_id
  ) || case when l.source_incident_id is not null then array['incident:' || l.source_incident_id] end as links,
  90::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'status', l.status,
    'context', l.context,
    'why', l.why,
    'keywords', l.keywords,
    'appliesTo', l.applies_to,
    'errorType', l.error_type,
    'evaluatedBy', l.evaluated_by,
    'sourceSessionId', l.source_session_id,
    'sourceSubagent', l.source_subagent,
    'sourceIncidentId', l.source_incident_id,
    'sourceError', l.source_error,
    'supersedes', l.supersedes,
    'createdAt', to_char(l.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from learnings l
where l.status = 'active';

-- The counters are not in this list, because they change with each session that is given the lesson.
create or replace trigger index_learning
  after insert or delete or update of project_id, status, lesson, context, why, keywords, applies_to,
    source_subagent, source_incident_id, confidence, valid_from, valid_until, last_confirmed_at
  on learnings
  for each row execute function index_record('learning');
