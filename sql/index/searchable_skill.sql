-- Returns the text by which a skill is found: its name and what it is for. Not its whole text: a step
-- that happens to mention a word does not make it the skill for it.
create or replace function skill_document(s skills) returns text
language sql immutable as $$
  select concat_ws(E'\n', translate(s.name, '-_.', '   '), s.description)
$$;

create or replace view searchable_skill with (security_invoker = true) as
select
  s.user_id,
  s.project_id,
  'skill' as kind,
  s.id as source_id,
  skill_document(s) as content,
  null::text as label,
  null::text as context,
  null::text as agent,
  null::text as channel,
  1::real as confidence,
  s.valid_from,
  s.valid_until,
  s.valid_from as confirmed_at,
  null::text[] as links,
  -- a skill does not fade: it is as good as on its first day until somebody changes it
  36500::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'name', s.name,
    'description', s.description)) as metadata
from skills s;

create or replace trigger index_skill
  after insert or delete or update of project_id, name, description, valid_from, valid_until
  on skills
  for each row execute function index_record('skill');
