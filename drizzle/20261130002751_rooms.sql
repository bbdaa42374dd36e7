-- ── dropped ──

drop view searchable, searchable_conversation, searchable_decision, searchable_episode, searchable_error, searchable_fact, searchable_finding, searchable_learning, searchable_note, searchable_pattern, searchable_relation, searchable_skill;
--> statement-breakpoint
-- ── tables ──

DROP INDEX "incidents_lines";
--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "lines";
--> statement-breakpoint
-- ── sql/amendments/amendment_words.sql ──

-- Returns the words by which a text says that something has changed, and how near (cosine) an older text must be to
-- count as what changed. Words that announce an amendment need a lower cosine than words that are common in any report.
-- Returns nothing when the text has no such words (any rule may begin with “From now on”). English only. Thresholds
-- measured, see docs/search.md.
create or replace function amendment_words(body text, out words text, out least_alike float8)
language plpgsql immutable parallel safe as $$
begin
  body := replace(body, 'From now on', '');
  words := substring(body, '(?i)\m(amend(?:s|ed|ments?)?|no longer|not any ?more|anymore|no more|instead of|'
    || 'in place of|supersed\w+|supplant\w+|overturn\w*|revers(?:es?|ed)|revis(?:es?|ed)|replac(?:es|ed)|'
    || 'update (?:to|of|on)|from now on|from today|until now|used to|formerly|previously|retired|abolish\w*|scrapped|'
    || 'decommissioned|uninstalled|taken out|torn down|shut (?:off|down)|turned off|switched (?:to|from|over|off)|'
    || 'moved (?:to|from|over|away)|migrated|go(?:es)? back on|'
    || '(?:we|was|were|is|has been|have been) (?:changed|raised|lowered|increased|decreased|reduced|tightened|relaxed|'
    || 'extended|shortened|doubled|halved|dropped|removed|dissolved))\M');
  least_alike := 0.45;
  if words is null then
    words := substring(body, '(?i)\m(since|now|replacing|switch(?:ed|es)|changed?|raised|lowered|increased|decreased|'
      || 'reduced|tightened|relaxed|extended|shortened|doubled|halved|shrank|cut (?:to|from)|went (?:up|down)|bumped|'
      || 'lifted|upgraded|updated|corrected|correction|deprecat\w+|abandon\w*|dropped|removed|obsolete|outdated|'
      || 'amending|revision|retire|new (?:rule|policy|limit|standard|default)|as of|back to|after all|frozen|'
      || 'gone|deleted|archived|again)\M');
    least_alike := case when words is not null then 0.6 end;
  end if;
end $$;
--> statement-breakpoint
-- ── sql/index/searchable_conversation.sql ──

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
--> statement-breakpoint
create or replace trigger index_conversation
  after insert or delete or update of project_id, prompt, said
  on turns
  for each row execute function index_record('conversation');
--> statement-breakpoint
-- ── sql/index/searchable_decision.sql ──

create or replace view searchable_decision with (security_invoker = true) as
select
  d.user_id,
  d.project_id,
  'decision' as kind,
  d.id as source_id,
  concat('When ', d.condition, ': ', d.action) as content,
  null::text as label,
  null::text as context,
  d.agent,
  null::text as channel,
  d.confidence,
  d.valid_from,
  d.valid_until,
  d.confirmed_at,
  null::text[] as links,
  365::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object('condition', d.condition, 'action', d.action, 'learnedFrom', d.source)
    || statement_metadata(d.tier, null, d.evidence, d.agent, d.session_id, d.recorded_at, d.confirmations)) as metadata
from decisions d
where d.recorded_until is null;
--> statement-breakpoint
create or replace trigger index_decision
  after insert or delete or update of project_id, recorded_until, confirmed_at
  on decisions
  for each row execute function index_record('decision');
--> statement-breakpoint
-- ── sql/index/searchable_episode.sql ──

-- Returns the text by which an episode is found: its task, what the agent said of it, its error and files.
create or replace function episode_document(e episodes) returns text
language sql immutable as $$
  select concat_ws(E'\n',
    e.description,
    nullif(left(e.last_message, 400), ''),
    e.error,
    nullif(concat_ws(' ', variadic e.files_modified[1:8]), ''))
$$;
--> statement-breakpoint
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
--> statement-breakpoint
create or replace trigger index_episode
  after insert or delete or update of project_id, description, last_message, error, files_modified, outcome,
    started_at, ended_at
  on episodes
  for each row execute function index_record('episode');
--> statement-breakpoint
-- ── sql/index/searchable_error.sql ──

-- Returns what a failed call was: its command, else its tool and what it worked on.
create or replace function incident_call(i incidents) returns text
language sql immutable as $$
  select left(coalesce(i.input ->> 'command', concat_ws(' ', i.tool_name, i.target)), 300)
$$;
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
create or replace trigger index_error
  after insert or delete or update of project_id, status, resolution, tried
  on incidents
  for each row execute function index_record('error');
--> statement-breakpoint
-- ── sql/index/searchable_fact.sql ──

create or replace view searchable_fact with (security_invoker = true) as
select
  f.user_id,
  f.project_id,
  'fact' as kind,
  f.id as source_id,
  concat(f.type, ' ', f.key, ': ', f.value #>> '{}') as content,
  null::text as label,
  null::text as context,
  f.agent,
  null::text as channel,
  tier_confidence(f.tier) as confidence,
  f.valid_from,
  f.valid_until,
  f.confirmed_at,
  null::text[] as links,
  365::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object('type', f.type, 'key', f.key) || statement_metadata(f.tier, f.source, f.evidence,
    f.agent, f.session_id, f.recorded_at, f.confirmations)) || jsonb_build_object('value', f.value) as metadata
from facts f
where f.recorded_until is null;
--> statement-breakpoint
create or replace trigger index_fact
  after insert or delete or update of project_id, recorded_until, confirmed_at
  on facts
  for each row execute function index_record('fact');
--> statement-breakpoint
-- ── sql/index/searchable_finding.sql ──

-- The findings that can be found. A closed one is no longer valid, so a search leaves it out unless it is asked for.
create or replace view searchable_finding with (security_invoker = true) as
select
  f.user_id,
  f.project_id,
  'finding' as kind,
  f.id as source_id,
  concat_ws(E'\n', f.title, nullif(f.detail, ''), f.file, f.resolution) as content,
  null::text as label,
  null::text as context,
  f.agent,
  null::text as channel,
  case f.severity
    when 'critical' then 1
    when 'high' then 0.9
    when 'medium' then 0.8
    when 'low' then 0.7
    else 0.6
  end::real as confidence,
  f.created_at as valid_from,
  f.closed_at as valid_until,
  f.updated_at as confirmed_at,
  case when f.file is not null then array['file:' || f.file] end as links,
  90::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'title', f.title,
    'severity', f.severity,
    'status', f.status,
    'resolution', f.resolution,
    'file', f.file,
    'line', f.line,
    'agent', f.agent,
    'createdAt', to_char(f.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from findings f;
--> statement-breakpoint
create or replace trigger index_finding
  after insert or delete or update of project_id, title, detail, severity, status, resolution, file, agent, closed_at
  on findings
  for each row execute function index_record('finding');
--> statement-breakpoint
-- ── sql/index/searchable_learning.sql ──

-- Returns the text by which a lesson is found.
create or replace function learning_document(l learnings) returns text
language sql immutable as $$
  select concat_ws(E'\n', l.lesson, l.context, l.why, nullif(array_to_string(l.keywords, ' '), ''),
    nullif(array_to_string(l.applies_to, ' '), ''))
$$;
--> statement-breakpoint
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
--> statement-breakpoint
-- The counters are not in this list, because they change with each session that is given the lesson.
create or replace trigger index_learning
  after insert or delete or update of project_id, status, lesson, context, why, keywords, applies_to,
    source_subagent, source_incident_id, confidence, valid_from, valid_until, last_confirmed_at
  on learnings
  for each row execute function index_record('learning');
--> statement-breakpoint
-- ── sql/index/searchable_note.sql ──

-- Returns who speaks in a note: the sender, else the speaker or author in the metadata. Null when neither is known.
create or replace function note_label(n notes) returns text
language sql immutable as $$
  select coalesce(n.sender, n.metadata ->> 'speaker', n.metadata ->> 'author')
$$;
--> statement-breakpoint
-- Returns who speaks: as above, else the name at the start of a chat line, which may follow a time in brackets.
create or replace function note_speaker(n notes) returns text
language sql immutable as $$
  select coalesce(note_label(n), substring(n.content from '^(?:[[(][^])]{1,60}[])] ?)?([A-Z][A-Za-z .''-]{0,30}): '))
$$;
--> statement-breakpoint
-- Returns what was said before a note in its conversation: up to two notes of the hour before it. Notes form a
-- conversation when the client says so, or when different speakers take turns in short texts. Null otherwise.
create or replace function note_context(n notes) returns text
language plpgsql stable as $$
begin
  if length(n.content) > 600 then
    return null;
  end if;
  return (
    with before as (
      -- one of the two is empty: a note with a project, and one without
      (
        select p as note, p.created_at, p.seq
        from notes p
        where p.user_id = n.user_id
          and p.project_id = n.project_id
          and (p.created_at, p.seq) < (n.created_at, n.seq)
          and p.created_at >= n.created_at - interval '1 hour'
          and p.conversation is not distinct from n.conversation
        order by p.created_at desc, p.seq desc
        limit 2
      )
      union all
      (
        select p as note, p.created_at, p.seq
        from notes p
        where n.project_id is null
          and p.user_id = n.user_id
          and p.project_id is null
          and (p.created_at, p.seq) < (n.created_at, n.seq)
          and p.created_at >= n.created_at - interval '1 hour'
          and p.conversation is not distinct from n.conversation
        order by p.created_at desc, p.seq desc
        limit 2
      )
    )
    select string_agg(
      concat_ws(': ', note_label(b.note), left((b.note).content, 600)), E'\n' order by b.created_at, b.seq)
    from before b
    where n.conversation is not null
      or exists (select from before o where note_speaker(o.note) <> note_speaker(n)));
end $$;
--> statement-breakpoint
-- Returns what a note's breadcrumbs name (commits, issues, pull requests, files) as links, such as file:src/a.ts.
create or replace function note_links(metadata jsonb) returns text[]
language sql immutable as $$
  select array_agg(distinct
    case when b.key in ('commits', 'issues', 'pull_requests') then rtrim(b.key, 's') else 'file' end || ':' || e.value)
  from jsonb_each(case when jsonb_typeof(metadata -> 'breadcrumbs') = 'object' then metadata -> 'breadcrumbs' end) b,
    jsonb_array_elements_text(case when jsonb_typeof(b.value) = 'array' then b.value end) e
  where b.key not in ('logs', 'external_refs')
$$;
--> statement-breakpoint
create or replace view searchable_note with (security_invoker = true) as
select
  n.user_id,
  n.project_id,
  'note' as kind,
  n.id as source_id,
  n.content,
  note_label(n) as label,
  note_context(n) as context,
  n.sender as agent,
  n.channel,
  n.confidence,
  n.created_at as valid_from,
  n.valid_until,
  n.created_at as confirmed_at,
  note_links(n.metadata) as links,
  60::real as half_life_days,
  -- What its writer put into the metadata, and over it the fields of the note.
  n.metadata || jsonb_strip_nulls(jsonb_build_object(
    'sender', n.sender,
    'senderProject', n.sender_project,
    'channel', n.channel,
    'messageType', n.message_type,
    'conversation', n.conversation,
    'mentions', n.mentions,
    'supersedes', n.supersedes,
    'createdAt', to_char(n.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from notes n;
--> statement-breakpoint
create or replace trigger index_note
  after insert or delete or update of project_id, sender, content, confidence, metadata, message_type, channel,
    valid_until
  on notes
  for each row execute function index_record('note');
--> statement-breakpoint
-- ── sql/index/searchable_pattern.sql ──

-- The patterns that can be found: by their name, what leads to them, their steps and files.
create or replace view searchable_pattern with (security_invoker = true) as
select
  p.user_id,
  p.project_id,
  'pattern' as kind,
  p.id as source_id,
  concat_ws(E'\n', p.name, nullif(array_to_string(p.triggers, ', '), ''),
    (select string_agg(translate(s.step, ':', ' '), ', ' order by s.n)
     from jsonb_array_elements_text(p.template -> 'steps') with ordinality s(step, n)),
    (select string_agg(f.file, ', ' order by f.n)
     from jsonb_array_elements_text(p.template -> 'commonFiles') with ordinality f(file, n))) as content,
  null::text as label,
  null::text as context,
  null::text as agent,
  null::text as channel,
  -- the rule of succession
  ((p.successes + 1.0) / (p.successes + p.failures + 2.0))::real as confidence,
  p.valid_from,
  p.valid_until,
  p.last_used as confirmed_at,
  null::text[] as links,
  180::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'name', p.name,
    'type', p.type,
    'triggers', p.triggers,
    'steps', p.template -> 'steps',
    'commonFiles', p.template -> 'commonFiles',
    'episodes', p.episodes,
    'sessions', p.sessions,
    'successes', p.successes,
    'failures', p.failures)) as metadata
from patterns p
where p.status = 'active';
--> statement-breakpoint
-- The counters are not in this list, because they change with each session.
create or replace trigger index_pattern
  after insert or delete or update of project_id, name, triggers, template, status, last_used,
    valid_from, valid_until
  on patterns
  for each row execute function index_record('pattern');
--> statement-breakpoint
-- ── sql/index/searchable_relation.sql ──

create or replace view searchable_relation with (security_invoker = true) as
select
  r.user_id,
  r.project_id,
  'relation' as kind,
  r.id as source_id,
  concat_ws(' ', r.from_type, r.from_key, r.relation, r.to_type, r.to_key)
    || case when r.attributes = '{}' then '' else ': ' || r.attributes::text end as content,
  null::text as label,
  null::text as context,
  r.agent,
  null::text as channel,
  tier_confidence(r.tier) as confidence,
  r.valid_from,
  r.valid_until,
  r.confirmed_at,
  null::text[] as links,
  365::real as half_life_days,
  jsonb_strip_nulls(jsonb_build_object(
    'from', jsonb_build_object('type', r.from_type, 'key', r.from_key),
    'relation', r.relation,
    'to', jsonb_build_object('type', r.to_type, 'key', r.to_key)) || statement_metadata(r.tier, r.source, r.evidence,
    r.agent, r.session_id, r.recorded_at, r.confirmations))
    || jsonb_build_object('attributes', r.attributes) as metadata
from relations r
where r.recorded_until is null;
--> statement-breakpoint
create or replace trigger index_relation
  after insert or delete or update of project_id, recorded_until, confirmed_at
  on relations
  for each row execute function index_record('relation');
--> statement-breakpoint
-- ── sql/index/searchable_skill.sql ──

-- Returns the text by which a skill is found: its name and what it is for. Not its whole text: a step
-- that happens to mention a word does not make it the skill for it.
create or replace function skill_document(s skills) returns text
language sql immutable as $$
  select concat_ws(E'\n', translate(s.name, '-_.', '   '), s.description)
$$;
--> statement-breakpoint
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
--> statement-breakpoint
create or replace trigger index_skill
  after insert or delete or update of project_id, name, description, valid_from, valid_until
  on skills
  for each row execute function index_record('skill');
--> statement-breakpoint
-- ── sql/realtime/dashboard.sql ──

-- Returns what the phone page shows first, of the caller: how each project stands, the counts of the day that it is in
-- a time zone, and what waits for a person. Statuses are those that refresh_dashboard_project keeps.
--
--   waiting   commands that were denied within a day, that nobody has decided on since, and whose session could still
--             use the answer; steps of open plans that wait for somebody; sessions whose client waits, unless one of
--             their steps says so already
--   working   what agents do: each step at work, each session of the last day at work that holds none, each subagent
--   did       what Lore did today: the calls that it stopped, and the lessons that it told, a person's rules apart
--
-- In PL/pgSQL, so that it is planned once for a connection and not for each call.
create or replace function dashboard(time_zone text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  return (
  with today as materialized (select date_trunc('day', now(), time_zone) as start),
  checks as materialized (
    select s.project_id, sum(c.commands) as commands, sum(c.allowed) as allowed, sum(c.denied) as denied,
      sum(c.held) as held, sum(c.unverified) as unverified,
      sum(c.stopped) as stopped
    from (
      select k.session_id,
        count(*) filter (where k.tool is null) as commands,
        count(*) filter (where k.decision = 'allow') as allowed,
        count(*) filter (where k.decision = 'deny' and k.source <> 'guard') as denied,
        -- what a person's rule or a lesson stopped says nothing about how safe it was
        count(*) filter (where k.source in ('guard', 'lesson')) as held,
        count(*) filter (where k.source = 'none') as unverified,
        count(*) filter (where k.decision in ('deny', 'hold') and k.source <> 'person') as stopped
      from public.command_checks k
      where k.user_id = (select auth.uid()) and k.checked_at >= (select start from today)
        -- what somebody only asked about (lore explain) has none
        and k.session_id is not null
      group by k.session_id) c
    left join public.sessions s on s.user_id = (select auth.uid()) and s.id = c.session_id
    group by s.project_id),
  sessions as materialized (
    select s.project_id, count(*) as sessions
    from public.sessions s
    where s.user_id = (select auth.uid()) and s.last_activity >= (select start from today)
      and public.has_worked(s.id)
    group by s.project_id),
  lessons as materialized (
    select l.project_id, count(*) as today
    from public.learnings l
    where l.user_id = (select auth.uid()) and l.valid_until is null and l.created_at >= (select start from today)
    group by l.project_id),
  standing as materialized (
    select p.id, coalesce(d.name, p.name) as name, coalesce(d.status, 'idle') as status, d.reason,
      greatest(p.last_activity, d.last_activity) as last_activity, d.last_title,
      coalesce(d.active_sessions, 0) as active_sessions,
      coalesce(s.sessions, 0) as sessions, coalesce(l.today, 0) as learnings, coalesce(c.commands, 0) as commands,
      coalesce(c.denied, 0) as denied,
      (select count(distinct (i.session_id, i.signature)) from public.incidents i
       where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= (select start from today)
         and public.is_error(i)) as errors
    from public.projects p
    left join public.dashboard_projects d on d.user_id = p.user_id and d.project_id = p.id
    left join sessions s on s.project_id = p.id
    left join lessons l on l.project_id = p.id
    left join checks c on c.project_id = p.id
    where p.user_id = (select auth.uid())
    order by greatest(p.last_activity, d.last_activity) desc limit 200),
  waiting as materialized (
    select 'command' as kind, w.code as id, w.project, w.command as title, w.reason as detail, w.checked_at as at,
      w.about
    from public.waiting_commands() w
    union all
    select 'step', q.id || '/' || s.number, p.name, s.description, 'waits for ' || s.waiting_for,
      coalesce(
        (select max(c.recorded_at) from public.plan_changes c
         where c.user_id = q.user_id and c.plan_id = q.id and c.step = s.number and c.action = 'waits'),
        q.updated_at),
      '{}'
    from public.plan_steps s
    join public.plans q on q.user_id = s.user_id and q.id = s.plan_id
    join public.projects p on p.user_id = q.user_id and p.id = q.project_id
    where s.user_id = (select auth.uid()) and s.waiting_for is not null and s.status in ('pending', 'in_progress')
      and q.status in ('planning', 'in_progress')
    union all
    select 'client', s.id::text, p.name, 'Waits for ' || s.waiting_for, coalesce(s.short_title, ''), s.last_activity,
      '{}'
    from public.sessions s
    join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    where s.user_id = (select auth.uid()) and s.status = 'active' and s.waiting_for is not null
      and not exists (select from public.plan_steps t
        where t.user_id = s.user_id and t.session_id = s.id and t.waiting_for = s.waiting_for
          and t.status in ('pending', 'in_progress'))),
  working as materialized (
    select p.id as project_id, p.name as project, q.id as plan_id, q.goal,
      s.number, s.description, n.done, n.total, s.assigned_to as agent, o.id as session_id, o.short_title as title,
      coalesce(public.agent_model(s.session_id, s.agent_id, s.tool_use_id),
        case when s.agent_id is null then (
          select m.model from public.sessions m
          where m.user_id = q.user_id and m.project_id = q.project_id and m.plan_id = q.id and m.model is not null
          order by m.last_activity desc limit 1) end) as model,
      s.agent_id,
      o.waiting_for, coalesce(o.last_activity, q.updated_at) as heard
    from public.plan_steps s
    join public.plans q on q.user_id = s.user_id and q.id = s.plan_id
    join public.projects p on p.user_id = q.user_id and p.id = q.project_id
    left join public.sessions o on o.user_id = s.user_id and o.id = s.session_id
    cross join lateral (
      select count(*) as total, count(*) filter (where t.status = 'completed') as done
      from public.plan_steps t where t.user_id = q.user_id and t.plan_id = q.id and not t.proposed) n
    where s.user_id = (select auth.uid()) and s.status = 'in_progress' and q.status in ('planning', 'in_progress')
    union all
    select p.id, p.name, null, null, null, null, null, null, null, s.id, s.short_title, s.model, null,
      s.waiting_for, s.last_activity
    from public.sessions s
    join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    where s.user_id = (select auth.uid()) and s.status = 'active' and s.last_activity > now() - interval '1 day'
      and (s.waiting_for is not null or public.is_at_work(s.id))
      and not exists (select from public.plan_steps t
        where t.user_id = s.user_id and t.session_id = s.id and t.status = 'in_progress')
    union all
    -- subagents that hold no step, as long as they are heard of
    select p.id, p.name, null, null, null, null, null, null, a.type, s.id, coalesce(c.task, s.short_title),
      public.agent_model(s.id, a.id, c.call), a.id, null, h.heard
    from public.sessions s
    join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    cross join lateral (
      select distinct on (e.agent_id) e.agent_id as id, e.payload ->> 'agent_type' as type
      from public.events e
      where e.session_id = s.id and e.event = 'SubagentStart' and e.agent_id is not null and not exists (
        select from public.events z
        where z.session_id = s.id and z.event = 'SubagentStop' and z.agent_id = e.agent_id and z.id > e.id)
      order by e.agent_id, e.id desc) a
    cross join lateral (
      select max(e.occurred_at) as heard from public.events e where e.session_id = s.id and e.agent_id = a.id) h
    left join lateral (
      select e.tool_use_id as call, e.payload #>> '{tool_input,description}' as task from public.events e
      where e.session_id = s.id and e.event = 'PostToolUse' and e.payload #>> '{tool_response,agentId}' = a.id
      order by e.id desc limit 1) c on true
    where s.user_id = (select auth.uid()) and s.status = 'active' and s.last_activity > now() - interval '1 day'
      and h.heard > now() - interval '1 hour'
      and not exists (select from public.plan_steps t
        where t.user_id = s.user_id and t.session_id = s.id and t.status = 'in_progress'
          and (t.agent_id = a.id or t.agent_id is null and t.assigned_to = a.type))),
  told as materialized (
    select distinct on (o.session_id, o.source_id) o.session_id, o.source_id, o.outcome, o.offered_at as at
    from public.offers o
    join public.learnings l on l.user_id = (select auth.uid()) and l.id = o.source_id
    where o.user_id = (select auth.uid()) and o.offered_at >= (select start from today) and o.kind = 'lesson'
      and not o.withheld
      -- what a person said stands at every start: it acts by the calls that it stops
      and not (l.evaluated_by = 'person' and l.source_subagent is null and l.source_incident_id is null)
    -- told again after its outcome was known, it has none yet
    order by o.session_id, o.source_id, o.outcome is null, o.offered_at desc),
  did as (
    -- a call that a lesson held, with the lesson
    (select case when k.lesson is null then 'stopped' else 'held' end as kind, k.code as id, k.session_id,
       k.command as text, coalesce(k.lesson, k.reason) as about, k.times, k.at
     from (
       select distinct on (c.code) c.code, c.session_id, c.command, c.reason, c.checked_at as at, l.lesson,
         count(*) over (partition by c.code) as times
       from public.command_checks c
       left join public.learnings l on l.user_id = c.user_id and l.id = c.lesson_id and c.source = 'lesson'
       where c.user_id = (select auth.uid()) and c.checked_at >= (select start from today) and c.session_id is not null
         and c.decision in ('deny', 'hold') and c.source <> 'person'
       order by c.code, c.checked_at desc) k
     order by k.at desc limit 20)
    union all
    -- a lesson once, with its best outcome
    (select k.kind, l.id::text, k.session_id, l.lesson, l.source_error, k.times, k.at
     from (
       select distinct on (t.source_id) t.source_id, t.session_id, t.kind, t.at,
         count(*) over (partition by t.source_id, t.kind) as times
       from (select *, coalesce(nullif(outcome, 'unused'), 'told') as kind from told) t
       order by t.source_id, array_position(array['helped', 'failed', 'told'], t.kind), t.at desc) k
     join public.learnings l on l.user_id = (select auth.uid()) and l.id = k.source_id
     order by k.kind = 'helped' desc, k.at desc limit 20)),
  newest as (select * from waiting order by at desc limit 100)
  select jsonb_build_object(
    'now', now(),
    'today', (
      select jsonb_build_object(
        'sessions', coalesce((select sum(sessions) from sessions), 0),
        'learnings', coalesce((select sum(today) from lessons), 0),
        'commands', coalesce(sum(c.commands), 0),
        -- each once a session, as measure_session counts them
        'errors', (select count(distinct (i.session_id, i.signature)) from public.incidents i
          where i.user_id = (select auth.uid()) and i.opened_at >= (select start from today) and public.is_error(i)),
        'allowed', coalesce(sum(c.allowed), 0),
        'denied', coalesce(sum(c.denied), 0),
        'held', coalesce(sum(c.held), 0),
        'unverified', coalesce(sum(c.unverified), 0),
        'stopped', coalesce(sum(c.stopped), 0),
        'told', (select count(distinct source_id) from told),
        'helped', (select count(*) from told where outcome = 'helped'),
        'safetyRate', sum(c.allowed)::float8 / nullif(sum(c.allowed) + sum(c.denied), 0))
      from checks c),
    'projects', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', p.id, 'name', p.name, 'status', p.status, 'reason', p.reason, 'lastActivity', p.last_activity,
          'lastTitle', p.last_title, 'activeSessions', p.active_sessions,
          'today', jsonb_build_object('sessions', p.sessions, 'learnings', p.learnings, 'commands', p.commands,
            'errors', p.errors, 'denied', p.denied))
        order by p.last_activity desc), '[]')
      from standing p),
    'waiting', (
      select coalesce(jsonb_agg(
        jsonb_build_object('kind', w.kind, 'id', w.id, 'project', w.project, 'title', w.title, 'detail', w.detail,
          'at', w.at, 'about', w.about)
        order by w.at desc), '[]')
      from newest w),
    'working', (
      select coalesce(jsonb_agg(
        jsonb_build_object('projectId', w.project_id, 'project', w.project, 'sessionId', w.session_id,
          'title', w.title, 'agent', w.agent, 'agentId', w.agent_id, 'model', w.model,
          'waitingFor', w.waiting_for, 'heardAt', w.heard,
          'plan', case when w.plan_id is not null then jsonb_build_object('id', w.plan_id, 'goal', w.goal,
            'step', w.number, 'description', w.description, 'done', w.done, 'total', w.total) end)
        order by w.heard desc, w.plan_id, w.number), '[]')
      from (select * from working order by heard desc limit 100) w),
    'did', (
      select coalesce(jsonb_agg(
        jsonb_build_object('kind', d.kind, 'id', d.id, 'sessionId', d.session_id, 'project', p.name, 'text', d.text,
          'about', d.about, 'times', d.times, 'at', d.at)
        order by d.at desc), '[]')
      from did d
      left join public.sessions s on s.user_id = (select auth.uid()) and s.id = d.session_id
      left join public.projects p on p.user_id = s.user_id and p.id = s.project_id),
    'counts', jsonb_build_object(
      'learnings', (
        select count(*) from public.learnings l
        where l.user_id = (select auth.uid()) and l.status = 'active' and l.valid_until is null),
      'waiting', (select count(*) from waiting))));
end $$;
--> statement-breakpoint
-- ── sql/realtime/waiting_commands.sql ──

-- Returns the blocked commands that wait for the caller's decision: those that were denied within a day, that nobody
-- has decided on since, and whose session could still use the answer. What somebody only asked about (`lore explain`)
-- has no session, and waits for nobody.
--
-- In PL/pgSQL, so that it is planned once for a connection and not for each call.
create or replace function waiting_commands()
returns table (code text, project text, command text, reason text, checked_at timestamptz, about jsonb)
language plpgsql stable
set search_path = ''
as $$
begin
  return query
  select k.code, p.name, k.command, k.reason, k.checked_at,
    jsonb_build_object('rule', k.rule, 'tool', k.tool, 'held', k.source = 'guard',
      'catastrophic', k.severity is not distinct from 'catastrophic', 'covered', k.covered, 'cwd', k.cwd)
  from public.command_checks k
  join public.sessions s on s.user_id = k.user_id and s.id = k.session_id
  join public.projects p on p.user_id = s.user_id and p.id = s.project_id
  where k.user_id = (select auth.uid()) and k.checked_at > now() - interval '24 hours'
    and k.decision = 'deny' and k.source <> 'person'
    -- a session that has ended tries it no more
    and s.status = 'active'
    -- the last word on this command; by its code, because that has an index
    and not exists (select from public.command_checks l
      where l.user_id = k.user_id and l.code = k.code and l.key = k.key and l.id > k.id and l.session_id is not null)
    and not exists (select from public.command_cache v
      where v.user_id = k.user_id and v.key = k.key and v.checked_by = 'person');
end $$;
--> statement-breakpoint
-- ── sql/tenancy/servers.sql ──

-- The servers that use this database, so that each knows whether it is the only one: a server that is alone keeps
-- what a session was told in its memory. A row counts until `until`; a server that lives renews it. One row for
-- each server, and they belong to no tenant.
create table if not exists lore.servers (
  id uuid primary key,
  seen_at timestamptz not null,
  until timestamptz not null
);
--> statement-breakpoint
-- The hash of the LORE_SECRET with which codes of verdicts and access tokens are made.
alter table lore.instance add column if not exists secret_hash text;
--> statement-breakpoint
-- Says that a server is there, for some seconds from now. Returns how many others are.
create or replace function lore.server_is_here(server uuid, seconds int) returns int
language plpgsql as $$
declare
  is_new boolean;
begin
  delete from lore.servers s where s.until < now() and s.id <> server;
  insert into lore.servers (id, seen_at, until)
  values (server, now(), now() + make_interval(secs => seconds))
  on conflict (id) do update set seen_at = excluded.seen_at, until = excluded.until
  returning xmax = 0 into is_new;
  if is_new then
    perform pg_notify('lore_servers', server::text);
  end if;
  return (select count(*) from lore.servers s where s.id <> server);
end $$;
--> statement-breakpoint
-- Says that a server is gone.
create or replace function lore.server_is_gone(server uuid) returns void
language plpgsql as $$
begin
  delete from lore.servers s where s.id = server;
  perform pg_notify('lore_servers', server::text);
end $$;
--> statement-breakpoint
-- Returns how many servers there are beside this one.
create or replace function lore.other_servers(server uuid) returns int
language sql stable as $$
  select count(*)::int from lore.servers s where s.id <> server and s.until > now()
$$;
--> statement-breakpoint
-- Returns whether a server may use its secret: `yes`; `new` if none or another one was used before, and no server that
-- uses the other one was seen within half a minute; else `no`.
create or replace function lore.take_secret(server uuid, hash text) returns text
language plpgsql as $$
declare
  known text;
begin
  select i.secret_hash into known from lore.instance i for update;
  if known = hash then
    return 'yes';
  end if;
  if known is not null and exists (
    select from lore.servers s where s.id <> server and s.seen_at > now() - interval '30 seconds')
  then
    return 'no';
  end if;
  update lore.instance set secret_hash = hash;
  return case when known is null then 'yes' else 'new' end;
end $$;
--> statement-breakpoint
-- Frees what a server had leased that is gone: a server that is alone calls it. What was leased before it came is
-- nobody's any more; what waits for another try is tried a little sooner.
create or replace function lore.free_leases(before timestamptz) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  latest constant timestamptz := before + interval '2 minutes';
begin
  update public.learning_requests set run_after = now()
  where status = 'pending' and attempts > 0 and run_after > now() and run_after <= latest;
  update public.session_audits set run_after = now()
  where status = 'pending' and attempts > 0 and run_after > now() and run_after <= latest;
  update public.episode_cuts set run_after = now()
  where failed_at is null and attempts > 0 and run_after > now() and run_after <= latest;
  update public.search_documents set embed_after = now()
  where embed_attempts > 0 and embed_after > now() and embed_after <= latest;
end $$;
--> statement-breakpoint
-- ── sql/index/searchable.sql ──

-- Returns the kinds of records that can be found. Each kind has a view searchable_<kind>.
create or replace function searchable_kinds() returns setof text
language sql stable as $$
  select substr(c.relname, length('searchable_') + 1)
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ~ '^searchable_'
  order by 1
$$;
--> statement-breakpoint
-- Joins all kinds in one view. Every migration makes it from the catalog, so that a new kind needs only its view and a
-- trigger. The view of a kind has these columns:
--
--   user_id, project_id        the owner; a record without a project belongs to all projects of the user
--   kind, source_id            the record; source_id is its column `id`
--   content, label, context    the text, who said it, and what was said before it
--   agent, channel             to filter by
--   confidence, valid_from, valid_until, confirmed_at
--                              how sure it is, when it is valid (valid_until null: still), when it was last confirmed
--   links                      what it may share with other records: file:src/a.ts, incident:<id>, commit:<sha>
--   half_life_days             days until its recency has fallen half way
--   metadata                   what a result tells about the record; not in the index
do $$ begin
  execute 'create or replace view searchable with (security_invoker = true) as ' || (
    select string_agg(
      'select user_id, project_id, kind, source_id, content, label, context, agent, channel, confidence, valid_from,
         valid_until, confirmed_at, links, half_life_days, metadata from searchable_' || kind,
      ' union all ' order by kind)
    from searchable_kinds() kind);
end $$;
--> statement-breakpoint
-- ── sql/tenancy/rights.sql ──

-- Sets the rights of all tables, views, sequences and functions, each by name: platforms differ in who may use a new
-- one by default. It ends every migration, so that new ones get their rights without a line of their own.

do $$
declare
  t regclass;
  part text;
  own text;
begin
  -- A tenant table is one with the policy of ownRows(). Row level security is forced, so that it holds for the table's
  -- owner too. Lore's role gets all rights on the table, and the policy limits them to the caller's rows.
  for t in select p.polrelid from pg_policy p where p.polname = 'own rows' order by 1
  loop
    execute format('alter table %s enable row level security, force row level security', t);
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to lore_user', t);
    execute format('grant all on %s to service_role', t);
  end loop;
  -- A key that is for one project changes no row of another one, nor what belongs to such a row (a plan's steps, a
  -- session's events). It reads them, because a lesson may come from another project.
  for t, part, own in
    select p.polrelid, a.attname, format('%1$I is null or %1$I = (select own_project())', a.attname)
    from pg_policy p
    join pg_attribute a on a.attrelid = p.polrelid
      and a.attname = case p.polrelid when 'projects'::regclass then 'id' else 'project_id' end
    -- this one is derived
    where p.polname = 'own rows' and p.polrelid <> 'dashboard_projects'::regclass
    union all
    select p.polrelid, a.attname, format(
      '%1$I is null or exists (select from %2$s o where o.id = %1$I and o.project_id = (select own_project()))',
      a.attname, c.confrelid::regclass)
    from pg_policy p
    join pg_constraint c on c.conrelid = p.polrelid and c.contype = 'f'
    join pg_attribute a on a.attrelid = p.polrelid and a.attnum = any(c.conkey) and a.attname <> 'user_id'
    where p.polname = 'own rows'
      and exists (select from pg_attribute o where o.attrelid = c.confrelid and o.attname = 'project_id')
      and not exists (select from pg_attribute o where o.attrelid = c.conrelid and o.attname = 'project_id')
    order by 1, 2
  loop
    own := format('((select own_project()) is null or %s)', own);
    execute format('drop policy if exists %I on %s', 'own project: insert by ' || part, t);
    execute format('drop policy if exists %I on %s', 'own project: update by ' || part, t);
    execute format('drop policy if exists %I on %s', 'own project: delete by ' || part, t);
    -- whether a project may be made is asked where it is made
    if t <> 'projects'::regclass then
      execute format('create policy %I on %s as restrictive for insert to lore_user with check %s',
        'own project: insert by ' || part, t, own);
    end if;
    execute format('create policy %I on %s as restrictive for update to lore_user using %s with check %s',
      'own project: update by ' || part, t, own, own);
    execute format('create policy %I on %s as restrictive for delete to lore_user using %s',
      'own project: delete by ' || part, t, own);
  end loop;
  -- Nor does it change what holds in all projects.
  for t in
    select p.polrelid from pg_policy p
    join pg_attribute a on a.attrelid = p.polrelid and a.attname = 'everywhere'
    where p.polname = 'own rows' order by 1
  loop
    own := '((select own_project()) is null or not everywhere)';
    execute format('drop policy if exists "own project: insert everywhere" on %s', t);
    execute format('drop policy if exists "own project: update everywhere" on %s', t);
    execute format('drop policy if exists "own project: delete everywhere" on %s', t);
    execute format('create policy "own project: insert everywhere" on %s as restrictive for insert
      to lore_user with check %s',
      t, own);
    execute format('create policy "own project: update everywhere" on %s as restrictive for update
      to lore_user using %s with check %s',
      t, own, own);
    execute format('create policy "own project: delete everywhere" on %s as restrictive for delete
      to lore_user using %s',
      t, own);
  end loop;
  -- what an access token may read (sql/realtime/published.sql)
  for t in select p.polrelid from pg_policy p where p.polname = 'published rows' order by 1
  loop
    execute format('grant select on %s to authenticated', t);
  end loop;
  -- These views run with the rights of their caller, so row level security holds in them too.
  for t in select c.oid from pg_class c where c.relkind = 'v' and c.relname ~ '^searchable(_|$)' order by 1
  loop
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select on %s to lore_user, service_role', t);
  end loop;
  -- Writing to an identity column needs no right to its sequence, and nothing else uses the sequences.
  for t in
    select c.oid from pg_class c
    where c.relkind = 'S' and c.relnamespace in ('public'::regnamespace, 'lore'::regnamespace) order by 1
  loop
    execute format('revoke all on sequence %s from public, anon, authenticated', t);
  end loop;
  -- The server's own tables, and the ledgers of migrations, which it reads at its start.
  for t in select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace = 'lore'::regnamespace order by 1
  loop
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to lore_server', t);
  end loop;
  for t in
    select l.ledger
    from (values (to_regclass('drizzle.__drizzle_migrations')), (to_regclass('supabase_migrations.schema_migrations')))
      l(ledger)
    where l.ledger is not null
  loop
    execute format('grant usage on schema %s to lore_server',
      (select c.relnamespace::regnamespace from pg_class c where c.oid = t));
    execute format('grant select on %s to lore_server', t);
  end loop;
end $$;
--> statement-breakpoint
-- Functions of schema public are for tenants, and run with their rights. Those of schema lore are for the server; one
-- that tenants may call says so in its own file. What a trigger calls nobody else may call.
do $$
declare
  f record;
begin
  for f in
    select p.oid::regprocedure as name, p.pronamespace = 'lore'::regnamespace as systems,
      p.prorettype = 'trigger'::regtype as triggered,
      not exists (select from unnest(p.proconfig) c where c like 'search_path=%') as mutable
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'lore'::regnamespace)
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1
  loop
    execute format('revoke all on function %s from public, anon, authenticated', f.name);
    if f.systems then
      execute format('grant execute on function %s to lore_server', f.name);
    elsif not f.triggered then
      execute format('grant execute on function %s to lore_user, service_role', f.name);
    end if;
    -- Names in a function mean the same whoever calls it.
    if f.mutable then
      execute format('alter function %s set search_path = public, extensions, pg_temp', f.name);
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- Events and command checks are append-only; what a person says of a check is added to it.
revoke update, delete on events, command_checks from lore_user;
--> statement-breakpoint
grant update (judged) on command_checks to lore_user;
--> statement-breakpoint
-- Users must not give themselves another role, so they may change only their name.
revoke insert, update, delete on profiles from lore_user;
--> statement-breakpoint
grant update (name) on profiles to lore_user;
--> statement-breakpoint
-- What a key is, and what it may be used for, stays as it was made. Keys go with their account only.
revoke update, delete on api_keys from lore_user;
--> statement-breakpoint
grant update (name, project, last_used_at, revoked_at) on api_keys to lore_user;
--> statement-breakpoint
-- The policies of the published rows ask it with the rights of whoever reads.
grant execute on function lore.signed_in to authenticated;
--> statement-breakpoint
-- ── version ──

update lore.instance set migration = '20261130002751';
