-- The turns of sessions: what a person asked, and what the agent said at the end. They are less sure than records that
-- were kept on purpose. So if a turn and another record answer equally well, the other record comes first.
create or replace view searchable_conversation with (security_invoker = true) as
select
  t.user_id,
  t.project_id,
  'conversation' as kind,
  t.id as source_id,
  concat_ws(E'\n', t.prompt, t.said) as content,
  null::text as label,
  null::text as context,
  null::text as agent,
  null::text as channel,
  0.5::real as confidence,
  t.started_at as valid_from,
  null::timestamptz as valid_until,
  coalesce(t.ended_at, t.started_at) as confirmed_at,
  null::text[] as links,
  30::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'sessionId', t.session,
    'branch', t.branch,
    'prompt', t.prompt,
    'answer', t.said,
    'createdAt', to_char(t.started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from turns t;

create or replace trigger index_conversation
  after insert or delete or update of project_id, prompt, said
  on turns
  for each row execute function index_record('conversation');
