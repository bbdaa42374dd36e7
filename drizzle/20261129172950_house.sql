-- ── data ──

drop table if exists lore.session_readers;
--> statement-breakpoint
-- ── dropped ──

drop view searchable, searchable_conversation, searchable_decision, searchable_episode, searchable_error, searchable_fact, searchable_finding, searchable_learning, searchable_note, searchable_pattern, searchable_relation, searchable_skill;
--> statement-breakpoint
drop trigger forget_next_vectors on search_documents;
--> statement-breakpoint
drop routine claim_offers(uuid,text,jsonb,jsonb);
--> statement-breakpoint
drop routine forget_next_vectors();
--> statement-breakpoint
drop routine lore.begin_model_change(text);
--> statement-breakpoint
drop routine lore.end_model_change(text);
--> statement-breakpoint
drop routine lore.model_progress();
--> statement-breakpoint
drop routine lore.reads_session(uuid,uuid);
--> statement-breakpoint
drop routine lore.sessions_of_several(uuid);
--> statement-breakpoint
drop routine lore.users_to_prepare(text);
--> statement-breakpoint
drop routine prepare_vectors(text,integer);
--> statement-breakpoint
drop routine search_filtered(uuid,text[],timestamp with time zone,real,real,text,text[],boolean,text,text[],text[],boolean,integer);
--> statement-breakpoint
-- ── tables ──

ALTER TABLE "searches" DROP COLUMN "in_scope";
--> statement-breakpoint
ALTER TABLE "searches" DROP COLUMN "left_out";
--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "first_commit";
--> statement-breakpoint
DROP POLICY "own rows" ON "next_vectors" CASCADE;
--> statement-breakpoint
DROP TABLE "next_vectors" CASCADE;
--> statement-breakpoint
-- ── sql/audits/leave_audits_to_agents.sql ──

-- Leaves the sessions of the caller that met errors to an agent, `most` of them, the newest, and forgets the others.
create or replace function leave_audits_to_agents(most int) returns void
language plpgsql as $$
begin
  update session_audits a set status = 'waiting'
  where a.user_id = auth.uid() and a.status = 'pending'
    and exists (select from incidents i where i.session_id = a.session_id and is_error(i));
  delete from session_audits a
  where a.user_id = auth.uid() and (a.status = 'pending' or a.id in (
    select w.id
    from session_audits w
    where w.user_id = auth.uid() and w.status = 'waiting'
    order by w.created_at desc
    offset most));
end $$;
--> statement-breakpoint
-- ── sql/citations/keep_looked.sql ──

-- Stores what was seen of citations: the first time as the baseline, later as the new state. Returns how many of them
-- there were, and how many are stale now.
create or replace function keep_looked(seen jsonb, out looked int, out stale int)
language plpgsql as $$
begin
  with kept as (
    update citations c set
      checked_at = now(),
      root = case when c.state = 'waiting' then r.root else c.root end,
      head = case when c.state = 'waiting' then r.head else c.head end,
      size = case when c.state = 'waiting' then r.size else c.size end,
      hash = case when c.state = 'waiting' and r.state = 'there' then r.hash else c.hash end,
      state = case
        when r.state <> 'there' then r.state
        when r.hash is null then 'unknown'
        when c.state = 'waiting' or c.hash = r.hash then 'fresh'
        when c.hash is null then 'unknown'
        else 'changed'
      end
    from jsonb_to_recordset(seen) as r (
      kind text, id uuid, ref text, head text, root text, state text, size bigint, hash text)
    where c.user_id = auth.uid() and c.kind = r.kind and c.source_id = r.id and c.ref = r.ref
    returning c.hash is not null and c.state in ('changed', 'gone') as is_stale
  )
  select count(*), count(*) filter (where k.is_stale) into looked, stale from kept k;
  -- a lesson's words only may be a path
  delete from citations c
  where c.user_id = auth.uid() and c.kind = 'learning' and c.hash is null and c.state in ('gone', 'unknown');
end $$;
--> statement-breakpoint
-- ── sql/episodes/episode_line.sql ──

-- Returns an episode in one line: its task, whether it worked, and how.
create or replace function episode_line(e episodes) returns text
language sql stable as $$
  select concat(
    e.description, ' (', e.type, ', ',
    case e.outcome
      when 'success' then 'worked'
      when 'error' then 'failed'
      when 'stopped' then 'stopped'
      else 'not verified'
    end,
    ')', ': ' || nullif(coalesce(e.error, left(e.last_message, 200)), ''))
$$;
--> statement-breakpoint
-- ── sql/events/record_event.sql ──

-- Stores a hook event once and updates its session. This is one function, because each statement of a hook is a round
-- trip to the database. Runs as the caller, so row level security applies.
--
--   files              the files that the tool wrote
--   task, title, said  task and title from a prompt, and the assistant's last words at the end of a turn
--   begins             what a person is to do, if the event says that its call waits for one
--
-- Returns null for a new event. A repeated delivery changes nothing and returns the time of the first one.
create or replace function record_event(
  in_session uuid, hook jsonb, key text, from_source text, at timestamptz, on_target text, files text[],
  task text, title text, said text, begins text default null
) returns timestamptz
language plpgsql as $$
declare
  name constant text := hook ->> 'hook_event_name';
  tool constant text := hook ->> 'tool_name';
  failing constant boolean := name = 'PostToolUseFailure';
  call text := hook ->> 'tool_use_id';
  waiting jsonb;
begin
  insert into events (session_id, event, dedup_key, source, agent_id, tool_name, tool_use_id, target, payload,
    occurred_at)
  values (in_session, name, key, from_source, hook ->> 'agent_id', tool, hook ->> 'tool_use_id', on_target, hook,
    at)
  on conflict (user_id, session_id, dedup_key) do nothing;
  if not found then
    return coalesce(
      (select e.occurred_at from events e where e.session_id = in_session and e.dedup_key = key),
      at);
  end if;

  update sessions s set
    last_activity = greatest(s.last_activity, at),
    -- An event from before the session's end that is recovered later does not reopen the session.
    status = case when s.ended_at is null or s.ended_at < at then 'active' else s.status end,
    ended_at = case when s.ended_at >= at then s.ended_at end,
    tools_used = case
      when (name = 'PostToolUse' or failing) and tool <> ''
        then s.tools_used || jsonb_build_object(tool, coalesce((s.tools_used ->> tool)::int, 0) + 1)
      else s.tools_used
    end,
    errors_encountered = s.errors_encountered + failing::int,
    -- The session was resumed, and the event that says so was lost. It can end again.
    starts = s.starts + (coalesce(s.ended_at < at, false) and name not in ('SessionStart', 'SessionEnd'))::int
  where s.id = in_session
  returning s.waits into waiting;

  -- What is read from a transcript later was answered long ago.
  if begins is not null and from_source = 'hook' then
    -- The client names no call when it asks for a permission: it is the last such call.
    call := coalesce(call, (
      select e.tool_use_id from events e
      where e.session_id = in_session and e.event = 'PreToolUse' and e.tool_name = tool
        and e.agent_id is not distinct from hook ->> 'agent_id' and e.payload -> 'tool_input' = hook -> 'tool_input'
      order by e.occurred_at desc, e.id desc limit 1));
    if exists (select from events e
      where e.session_id = in_session and e.tool_use_id = call
        and e.event in ('PostToolUse', 'PostToolUseFailure', 'PermissionDenied'))
    then
      begins := null;
    end if;
    waiting := waits_after(waiting, hook, at, begins, call);
    update sessions s set waits = waiting, waiting_for = waiting #>> '{0,what}' where s.id = in_session;
  elsif waiting <> '[]' then
    waiting := waits_after(waiting, hook, at, null, call);
    update sessions s set waits = waiting, waiting_for = waiting #>> '{0,what}'
    where s.id = in_session and s.waits <> waiting;
  end if;

  -- These are separate updates, because few events need them and they would slow down every event.
  if name = 'SessionStart' then
    update sessions s set
      starts = s.starts + 1,
      branch = coalesce(hook #>> '{lore,branch}', s.branch),
      -- A session may be resumed in another work tree.
      root = coalesce(hook #>> '{lore,root}', s.root),
      transcript_path = coalesce(hook ->> 'transcript_path', s.transcript_path)
    where s.id = in_session;
  elsif name = 'SessionEnd' then
    update sessions s set status = 'completed', ended_at = at, outcome = hook ->> 'reason'
    where s.id = in_session;
  elsif cardinality(files) > 0 then
    update sessions s set
      files_modified = (select array_agg(distinct f) from unnest(s.files_modified || files) f)
    where s.id = in_session;
  elsif task is not null or said is not null then
    update sessions s set
      task_description = coalesce(s.task_description, task),
      short_title = coalesce(s.short_title, title),
      summary = coalesce(said, s.summary)
    where s.id = in_session;
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Stores several events in their order, in one call. Returns for each what record_event returns. When much comes,
-- most of it are calls that nobody waits for, in sessions that have not ended: they are stored at once, and each
-- session changes once.
create or replace function record_events(entries jsonb) returns timestamptz[]
language plpgsql as $$
declare
  e record;
  results timestamptz[] := '{}';
begin
  if jsonb_array_length(entries) > 4 and not exists (
    select from jsonb_array_elements(entries) x
    left join sessions s on s.id = (x ->> 'session_id')::uuid
    where x #>> '{hook,hook_event_name}' not in ('PreToolUse', 'PostToolUse') or x ->> 'begins' is not null
      or x -> 'files' <> '[]' or s.ended_at is not null or s.waits <> '[]')
  then
    with given as (
      select r.*, row_number() over (partition by session_id, key order by n) > 1 as again
      from rows from (jsonb_to_recordset(entries) as (
        session_id uuid, hook jsonb, key text, source text, at timestamptz, target text))
        with ordinality as r (session_id, hook, key, source, at, target, n)
    ), stored as (
      insert into events (session_id, event, dedup_key, source, agent_id, tool_name, tool_use_id, target, payload,
        occurred_at)
      select session_id, hook ->> 'hook_event_name', key, source, hook ->> 'agent_id', hook ->> 'tool_name',
        hook ->> 'tool_use_id', target, hook, at
      from given where not again order by n
      on conflict (user_id, session_id, dedup_key) do nothing
      returning session_id, event, dedup_key, tool_name, occurred_at
    ), ran as (
      select session_id, tool_name, count(*) as calls from stored
      where event = 'PostToolUse' and tool_name <> '' group by 1, 2
    ), changed as (
      update sessions s set
        last_activity = greatest(s.last_activity, l.at),
        status = 'active',
        tools_used = s.tools_used || coalesce((
          select jsonb_object_agg(r.tool_name, coalesce((s.tools_used ->> r.tool_name)::int, 0) + r.calls)
          from ran r where r.session_id = s.id), '{}')
      from (select session_id, max(occurred_at) as at from stored group by 1) l
      where s.id = l.session_id
    )
    select array_agg(case when g.again or t.dedup_key is null then coalesce(o.occurred_at, g.at) end order by g.n)
    into results
    from given g
    left join stored t on t.session_id = g.session_id and t.dedup_key = g.key
    left join events o on o.session_id = g.session_id and o.dedup_key = g.key and t.dedup_key is null;
    return results;
  end if;
  for e in
    select *
    from jsonb_to_recordset(entries) as r (session_id uuid, hook jsonb, key text, source text, at timestamptz,
      target text, files text[], task text, title text, said text, begins text)
  loop
    results := results || record_event(e.session_id, e.hook, e.key, e.source, e.at, e.target, e.files, e.task, e.title,
      e.said, e.begins);
  end loop;
  return results;
end $$;
--> statement-breakpoint
-- ── sql/findings/blocks.sql ──

-- Returns whether a finding blocks another one, itself or through others. One transaction at a time asks, because it
-- adds a link then: two that close a circle together must see each other.
create or replace function blocks(one uuid, other uuid) returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('finding links ' || auth.uid(), 0));
  return (
    with recursive blocked (id) as (
      select one
      union
      select l.to_id
      from blocked b
      join finding_links l on l.user_id = auth.uid() and l.kind = 'blocks' and l.from_id = b.id
    )
    select exists (select from blocked b where b.id = other));
end $$;
--> statement-breakpoint
-- ── sql/findings/note_resembling.sql ──

-- Notes which finding a new one resembles: the first of those that were found near it that was resolved.
create or replace function note_resembling(finding uuid, near uuid[]) returns void
language sql as $$
  update findings f set resembles = (
    select r.id
    from findings r
    where r.user_id = f.user_id and r.id <> f.id and r.id = any (near) and r.status = 'resolved'
    order by array_position(near, r.id)
    limit 1)
  where f.user_id = auth.uid() and f.id = finding
$$;
--> statement-breakpoint
-- ── sql/findings/propose_status.sql ──

-- Proposes a status for the open findings whose files an episode changed: resolved if it ended well, else in progress.
-- The proposal is shown with the finding until somebody decides. What was turned down is not proposed again by the
-- same episode. Files are relative to the work tree, whose folder is `root`.
create or replace function propose_status(
  episode uuid, project uuid, files text[], started timestamptz, success boolean, root text
) returns void
language sql as $$
  update findings f set
    proposed_status = case when success then 'resolved' else 'in_progress' end,
    proposed_by = episode,
    updated_at = now()
  where f.user_id = auth.uid() and f.project_id = project and f.status in ('open', 'in_progress')
    and f.status <> case when success then 'resolved' else 'in_progress' end and f.created_at < started
    and regexp_replace(case when starts_with(f.file, root || '/') then substr(f.file, length(root) + 2) else f.file end,
      '^[.]/', '') = any (files)
    -- the same episode may end otherwise after more work
    and (f.proposed_by is distinct from episode
      or f.proposed_status is not null
        and f.proposed_status <> case when success then 'resolved' else 'in_progress' end)
$$;
--> statement-breakpoint
-- ── sql/index/embedding_model.sql ──

-- A database has one embedding model: vectors of two models cannot be compared. Otherwise two servers with
-- different models would overwrite each other's vectors for ever. After a change of the model, texts that still
-- lack a vector of it are found by their words.

-- Returns whether a server with this model may write vectors. The first one that asks decides on the model, unless
-- there are vectors already: then theirs stands.
create or replace function lore.may_embed(model text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  update lore.instance
  set embedding_model = coalesce((
    select d.embedding_model
    from public.search_documents d
    where d.embedding_model is not null
    group by d.embedding_model
    order by count(*) desc
    limit 1), model)
  where embedding_model is null;
  return exists (select from lore.instance i where i.embedding_model = model);
end $$;
--> statement-breakpoint
create or replace function lore.change_model(model text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  update lore.instance set embedding_model = model where embedding_model is distinct from model;
end $$;
--> statement-breakpoint
-- ── sql/index/prepare_search_document.sql ──

-- Fills the columns that a search uses.
create or replace function prepare_search_document() returns trigger
language plpgsql as $$
begin
  new.tsv := search_lexemes(concat_ws(E'\n', new.label, new.content), new.context);
  new.terms := search_terms(new.tsv);
  new.telling := search_telling(new.content, new.context);
  return new;
end $$;
--> statement-breakpoint
create or replace trigger prepare_search_document
  before insert or update of label, content, context on search_documents
  for each row execute function prepare_search_document();
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
-- ── sql/notes/channels.sql ──

-- Returns what a channel is by its name: where an agent writes unless told otherwise, one that gives notes their type,
-- or another one.
create or replace function channel_type(c channels) returns text
language sql immutable as $$
  select case
    when starts_with(c.name, 'agent-notes:') then 'agent'
    when c.name in ('decisions', 'patterns', 'policies') then 'standard'
    else 'other'
  end
$$;
--> statement-breakpoint
-- Returns the agent whose channel it is. A name of an agent may hold a colon, so those that are known come first.
create or replace function channel_owner(c channels) returns text
language sql stable as $$
  select coalesce(
    (
      select a.name
      from agents a
      where a.user_id = c.user_id and starts_with(c.name || ':', 'agent-notes:' || a.name || ':')
      order by length(a.name) desc
      limit 1
    ),
    nullif(split_part(c.name, ':', 2), 'unknown'))
  where starts_with(c.name, 'agent-notes:')
$$;
--> statement-breakpoint
-- ── sql/notes/keep_channels_and_agents.sql ──

-- Keeps a record of each channel that notes are written to, and of each agent that writes them.
create or replace function keep_channels_and_agents() returns trigger
language plpgsql as $$
begin
  -- always in the same order, or two transactions could deadlock
  insert into channels (user_id, name, created_at)
  select n.user_id, n.channel, min(n.created_at)
  from new_notes n
  group by n.user_id, n.channel
  order by n.user_id, n.channel
  on conflict (user_id, name) do nothing;
  insert into agents as a (user_id, name, created_at, last_active)
  select n.user_id, n.sender, min(n.created_at), max(n.created_at)
  from new_notes n
  where n.sender is not null
  group by n.user_id, n.sender
  order by n.user_id, n.sender
  on conflict (user_id, name) do update set last_active = excluded.last_active
  where a.last_active < excluded.last_active;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_channels_and_agents
  after insert on notes
  referencing new table as new_notes
  for each statement
  execute function keep_channels_and_agents();
--> statement-breakpoint
-- ── sql/notes/note_agent.sql ──

-- Notes when an agent was started.
create or replace function note_agent(named text, at timestamptz) returns void
language sql as $$
  insert into agents as a (name, created_at, last_active)
  values (named, at, at)
  on conflict (user_id, name) do update set last_active = excluded.last_active
  where a.last_active < excluded.last_active
$$;
--> statement-breakpoint
-- ── sql/observations/store_observations.sql ──

-- Stores long outputs of tools, each text once, and links them to the events that produced them. Storing them again
-- changes nothing. What comes after `daily_bytes` (deflated) of a day (UTC) is left out, except for what was masked.
-- One statement, because each one is a round trip. Of two texts with one id the first is kept.
create or replace function store_observations(outputs jsonb, sources jsonb, daily_bytes float8) returns void
language sql as $$
  with given as (
    select r.*, decode(r.content, 'base64') as bytes
    from jsonb_to_recordset(outputs) as r (
      id text, hash text, characters int, lines int, whole boolean, content text, masked boolean)
  ), today as (
    -- the outputs of the day need not be added up while the table is smaller than what a day may bring
    select case when pg_table_size('observations') > daily_bytes then (
      select coalesce(sum(octet_length(o.content)), 0)
      from observations o
      where o.created_at >= date_trunc('day', now(), 'UTC')) else 0 end as bytes
  ), known as (
    select o.id, o.hash from observations o where o.id in (select g.id from given g)
  ), stored as (
    insert into observations (id, hash, characters, lines, whole, content)
    select g.id, g.hash, g.characters, g.lines, g.whole, g.bytes
    from given g, today
    where g.id not in (select k.id from known k)
      and (g.masked or today.bytes + octet_length(g.bytes) <= daily_bytes)
    -- another transaction may be storing the same text now: only an update returns its row
    on conflict (user_id, id) do update set hash = observations.hash
    returning id, hash
  )
  insert into observation_sources (observation_id, project_id, session, event_key, agent_id, tool, about, masked, at)
  select s."observationId", s."projectId", s.session, s."eventKey", s."agentId", s.tool, s.about, s.masked, s.at
  from jsonb_to_recordset(sources) as s ("observationId" text, "projectId" uuid, session text, "eventKey" text,
    "agentId" text, tool text, about text, masked boolean, at timestamptz)
  join given g on g.id = s."observationId"
  join (select * from known union select * from stored) o on o.id = g.id and o.hash = g.hash
  on conflict do nothing
$$;
--> statement-breakpoint
-- ── sql/plans/agent_model.sql ──

-- Returns the model that does the work of an agent of a session, as far as the client has said it: of the session's own
-- agent its transcript tells; of a subagent the answer to the call that started it, before
-- that what the call asks for.
create or replace function agent_model(session uuid, agent text, call text) returns text
language sql stable
set search_path = ''
as $$
  select case when agent is null and call is null then (select s.model from public.sessions s where s.id = session)
    else (
      select coalesce(e.payload #>> '{tool_response,resolvedModel}', e.payload #>> '{tool_input,model}')
      from public.events e
      where e.session_id = session and e.tool_name in ('Agent', 'Task') and e.event in ('PreToolUse', 'PostToolUse')
        and (e.tool_use_id = call or e.payload #>> '{tool_response,agentId}' = agent)
      order by e.payload #>> '{tool_response,resolvedModel}' is null, e.id desc limit 1) end
$$;
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
      (select count(*) from public.incidents i
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
    (select 'stopped' as kind, k.code as id, k.session_id, k.command as text, k.reason as about, k.times, k.at
     from (
       select distinct on (c.code) c.code, c.session_id, c.command, c.reason, c.checked_at as at,
         count(*) over (partition by c.code) as times
       from public.command_checks c
       where c.user_id = (select auth.uid()) and c.checked_at >= (select start from today)
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
        'errors', (select count(*) from public.incidents i
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
-- ── sql/search/search_filtered.sql ──

-- Returns how many texts are in the scope of a search, and how many of them its filters leave out, for a search that is
-- explained. `asked` has the filters as the API names them. It reads the whole scope.
create or replace function search_filtered(in_project uuid, asked jsonb, out in_scope int, out left_out int)
language sql stable as $$
  select
    count(*),
    count(*) filter (where not coalesce(
      (asked -> 'kinds' is null or asked -> 'kinds' ? d.kind)
        and (asked -> 'minConfidence' is null or d.confidence >= (asked ->> 'minConfidence')::real)
        and (asked -> 'maxAgeDays' is null
          or d.confirmed_at >= now() - make_interval(secs => (asked ->> 'maxAgeDays')::float8 * 86400))
        and (asked -> 'excludeAgent' is null or d.agent is distinct from asked ->> 'excludeAgent')
        and (asked -> 'onlyAgent' is null or d.agent = asked ->> 'onlyAgent')
        and (asked -> 'channels' is null or asked -> 'channels' ? d.channel)
        and (asked -> 'messageTypes' is null or asked -> 'messageTypes' ? d.message_type)
        and (asked -> 'mentions' is null
          or d.mentions && array(select lower(m) from jsonb_array_elements_text(asked -> 'mentions') m))
        and (asked -> 'hasBreadcrumbs' is null or d.has_breadcrumbs = (asked ->> 'hasBreadcrumbs')::boolean)
        and (asked -> 'minWords' is null or d.words >= (asked ->> 'minWords')::int),
      false))
  from search_documents d
  where d.user_id = (select auth.uid()) and d.part = 0
    and (in_project is null or d.project_id is null or d.project_id = in_project)
$$;
--> statement-breakpoint
-- ── sql/search/search_hybrid.sql ──

-- Hybrid search, by words and by meaning. docs/search.md explains each step and factor. Runs as the caller, so row
-- level security applies.
--
-- scope → candidates → relevance × confidence × recency × telling × links → variety
-- → amendments above what they amend
--
-- The scope of a project is its own texts and the user's texts that belong to no project. Without a project, the scope
-- is all texts of the user. Either has only what stands on the shelves of the kinds (see search_shelves).
--
--   score        the product of the factors; the rows are ordered by it
--   relevance    0.6 similarity + 0.4 lexical; 0.8 lexical if the query has no vector. The similarity of a text that
--                waits for its vector is guessed from its words (0.25 + 0.5 lexical), so that it keeps about its place.
--   similarity   cosine of text and query; null when one of them has no vector of the model
--   lexical      BM25 / sum of the query's inverse document frequencies: about 1 when the text has all its words once
--   sure         similarity + 0.4 lexical, or lexical without a vector; by it a result is labelled. A text that amends
--                another one answers as surely as the other.
--   amended      the score that a newer text took over from the older one that it amends; null otherwise
--   in_scope     number of texts in scope, an estimate from 300 on; exact: whether each of them was scored
create or replace function search_hybrid(
  query text, query_embedding vector(384), model text, in_project uuid, in_kinds text[], max_rows int,
  as_of timestamptz default now(), min_confidence real default 0, max_age_days real default null,
  exclude_agent text default null, in_channels text[] default null, superseded boolean default false,
  only_agent text default null, message_types text[] default null, mentioning text[] default null,
  breadcrumbs boolean default null, min_words int default null, per_kind int default null
) returns table (
  kind text, source_id uuid, content text, score float8, relevance float8, similarity float8, lexical float8,
  confidence real, confidence_factor float8, age_days float8, recency_factor float8, telling_factor float8,
  link_factor float8, variety_factor float8, sure float8, amended float8, valid_from timestamptz,
  valid_until timestamptz, project_id uuid, in_scope int, exact boolean
)
language plpgsql volatile
-- One plan for all calls: planning would take longer than searching.
set plan_cache_mode = force_generic_plan
-- The planner does not know how little a shelf may have of the table.
set enable_seqscan = off
set jit = off
set work_mem = '16MB'
as $$
#variable_conflict use_column
declare
  -- With more texts than this in scope, only candidates are scored. (lore.exact_limit lets a benchmark score all texts,
  -- to compare.)
  small constant int := 5000;
  exact_limit constant int := coalesce(nullif(current_setting('lore.exact_limit', true), '')::int, small);
  me constant uuid := auth.uid();
  shelves constant text[] := search_shelves(in_kinds);
  oldest constant timestamptz := coalesce(as_of - make_interval(secs => max_age_days * 86400.0), '-infinity');
  size int;
  texts int;
  lexemes text[];
  counts float8[];
  asked sparsevec;
  asked_idf float8;
  candidates uuid[];
  all_scored boolean := true;
begin
  select array_agg(l.lexeme order by l.lexeme) into lexemes
  from (
    select u.lexeme from unnest(search_lexemes(query)) u order by length(u.lexeme) desc, u.lexeme limit 32
  ) l;
  select f.counts, f.texts, f.size into counts, texts, size from lexeme_frequencies(lexemes, in_project, shelves) f;
  if size > small then
    candidates := search_passing(in_project, exclude_agent, in_channels, only_agent, message_types, mentioning,
      breadcrumbs, min_words, small);
    all_scored := candidates is not null;
  end if;
  if not all_scored then
    select c.counts, c.candidates into counts, candidates
    from search_candidates(lexemes, counts, texts, size, query_embedding, model, in_project, in_kinds, shelves, as_of,
      superseded, exclude_agent, in_channels, only_agent, message_types, mentioning, breadcrumbs, min_words) c;
    texts := size;
  end if;
  if size > small then
    -- A text that amends one of them may be found by none of its words. Materialized, because the planner would join
    -- the two readings of search_documents first.
    candidates := candidates || array(
      with amending as materialized (
        select a.kind, a.newer_id
        from search_documents o
        join amendments a on a.user_id = me and a.kind = o.kind and a.older_id = o.source_id and a.undone_at is null
        where o.user_id = me and o.id = any (candidates)
      )
      select n.id
      from amending m
      join search_documents n on n.user_id = me and n.kind = m.kind and n.source_id = m.newer_id);
  end if;
  select w.weights, w.total into asked, asked_idf from search_weights(lexemes, counts, texts) w;

  return query
  with recursive scope as (
    -- Only one of these cases has rows: all texts of the user, the two halves of a project's scope, or the candidates.
    select d.*
    from unnest(shelves) s(shelf), lateral (
      select d.ctid as tid, d.*
      from search_documents d
      where size <= exact_limit and in_project is null and d.user_id = me and d.shelf = s.shelf
      union all
      select d.ctid, d.*
      from search_documents d
      where size <= exact_limit and d.user_id = me and d.project_id = in_project and d.shelf = s.shelf
      union all
      select d.ctid, d.*
      from search_documents d
      where size <= exact_limit and in_project is not null and d.user_id = me and d.project_id is null
        and d.shelf = s.shelf
    ) d
    union all
    select d.ctid, d.*
    from search_documents d
    where size > exact_limit and d.user_id = me and d.id = any (candidates)
  ), compared_to_query as (
    select d.tid, d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until,
      d.half_life_days, d.telling,
      case when d.embedding_model = model then 1 - (d.embedding <=> query_embedding) end as similarity,
      coalesce(-(d.terms <#> asked) / asked_idf, 0) as lexical,
      greatest(date_part('epoch', as_of - d.confirmed_at), 0) / 86400 as age_days
    from scope d
    where d.valid_from <= as_of
      and (superseded or d.valid_until is null or d.valid_until > as_of)
      and (in_kinds is null or d.kind = any (in_kinds))
      -- what is private to a project is found in that project only
      and (in_project is not null or not d.private)
      and d.confidence >= min_confidence
      and d.confirmed_at >= oldest
      and (in_channels is null or d.channel = any (in_channels))
      and (exclude_agent is null or d.agent is distinct from exclude_agent)
      and (only_agent is null or d.agent = only_agent)
      and (message_types is null or d.message_type = any (message_types))
      and (mentioning is null or d.mentions && mentioning)
      and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
      and (min_words is null or d.words >= min_words)
    offset 0 -- without it, each use of a column would compute it again
  ), factored as (
    select c.*,
      case
        when query_embedding is null then 0.8 * c.lexical
        when c.similarity is null then case when c.lexical > 0 then 0.15 + 0.7 * c.lexical else 0 end
        else 0.6 * greatest(c.similarity, 0) + 0.4 * c.lexical
      end as relevance,
      case when c.similarity is null then c.lexical else c.similarity + 0.4 * c.lexical end as sure,
      0.5 + 0.5 * c.confidence as confidence_factor,
      0.9 + 0.1 * power(0.5::float8, c.age_days / c.half_life_days) as recency_factor
    from compared_to_query c
    offset 0
  ), scored as (
    select f.*, f.relevance * f.confidence_factor * f.recency_factor * f.telling as score
    from factored f
    where f.relevance > 0
  ), best as (
    -- Only one of these has rows: the best of all, or the best of each kind, so that none takes the place of another.
    (select s.* from scored s where per_kind is null
     order by s.score desc, s.confirmed_at desc limit greatest(2 * max_rows, 20))
    union all
    select b.*
    from unnest(in_kinds) k(kind),
      lateral (
        select s.* from scored s where per_kind is not null and s.kind = k.kind
        order by s.score desc, s.confirmed_at desc limit per_kind) b
  ), amending as (
    -- from a text that was found to all that amended it since
    select a.kind, a.older_id, a.newer_id
    from amendments a
    where a.user_id = me and a.undone_at is null
      and (a.kind, a.older_id) in (select b.kind, b.source_id from best b)
    union
    select m.kind, m.older_id, a.newer_id
    from amending m
    join amendments a on a.user_id = me and a.kind = m.kind and a.older_id = m.newer_id and a.undone_at is null
  ), items as (
    -- A text in several parts is represented by its best part.
    select distinct on (s.kind, s.source_id) s.*
    from (
      select b.* from best b
      union all
      select s.* from scored s where (s.kind, s.source_id) in (select m.kind, m.newer_id from amending m)
    ) s
    order by s.kind, s.source_id, s.score desc
  ), detailed as materialized (
    select i.*, row_number() over (order by i.score desc, i.confirmed_at desc, i.id) as place,
      d.part, d.content, d.embedding, d.embedding_model, d.links
    from items i
    -- Rows are found again by their place in the table: within one statement it leads to the same version of the row.
    join search_documents d on d.ctid = i.tid
  ), linked as materialized (
    select a.*,
      case
        when a.links <> '{}' and exists (
          select from detailed b where b.place <= 3 and b.id <> a.id and b.links && a.links) then 1.1
        else 1.0
      end::float8 as link_factor
    from detailed a
  ), compared as (
    -- a is a text with a higher score than b.
    select b.id, max(pair.alike) as alike
    from linked a
    join linked b on a.place < b.place,
      lateral (select 1 - (a.embedding <=> b.embedding) as alike offset 0) pair
    where a.embedding_model = model and b.embedding_model = model
    group by b.id
  ), varied as (
    select l.*, v.factor as variety_factor, l.score * l.link_factor * v.factor as own_score
    from linked l
    left join compared c on c.id = l.id
    cross join lateral (select 1 - 0.5 * greatest(coalesce(c.alike, 0) - 0.9, 0) / 0.1 as factor) v
  ), amended as (
    select m.kind, m.newer_id, max(o.own_score) as score, max(o.sure) as sure
    from amending m
    join varied o on o.kind = m.kind and o.source_id = m.older_id
    group by m.kind, m.newer_id
  )
  select v.kind, v.source_id,
    case
      -- a whole text (see search_parts)
      when v.part = 0 and length(v.content) < 100 and v.kind <> 'error' then v.content
      else (
        select string_agg(d.content, '' order by d.part)
        from search_documents d
        where d.user_id = me and d.kind = v.kind and d.source_id = v.source_id)
    end,
    greatest(v.own_score, a.score), v.relevance, v.similarity, v.lexical, v.confidence, v.confidence_factor::float8,
    v.age_days, v.recency_factor, v.telling::float8, v.link_factor, v.variety_factor, greatest(v.sure, a.sure), a.score,
    v.valid_from, v.valid_until, v.project_id, size, size <= exact_limit or all_scored
  from varied v
  left join amended a on a.kind = v.kind and a.newer_id = v.source_id
  -- Of two rows with the same score the newer comes first, and a text comes directly above what it amends.
  order by 4 desc, case when a.score is not null then v.valid_from end desc nulls last, v.confirmed_at desc, v.source_id
  limit max_rows;
end $$;
--> statement-breakpoint
-- ── sql/skills/skill_outcome.sql ──

-- Returns what came of a skill (a version of it) that a session was offered: it helped if it ran afterwards, in the
-- session or by an activation in its project; it failed if all its runs with a known end failed.
create or replace function skill_outcome(offered uuid, since timestamptz, session uuid, project uuid) returns text
language sql stable as $$
  select case
    when count(*) = 0 then 'unused'
    when bool_or(l.result = 'failed') and not bool_or(l.result = 'succeeded') then 'failed'
    else 'helped'
  end
  from skill_logs l
  where l.user_id = auth.uid() and l.at >= since
    and l.skill = (select s.name from skills s where s.user_id = auth.uid() and s.id = offered)
    and (l.session_id = session or l.session_id is null and coalesce(l.project_id, project) = project)
$$;
--> statement-breakpoint
-- ── sql/tenancy/instance.sql ──

-- The id of this database. A journal on disk holds it too, so that a server can tell whether the journal belongs to
-- this database. One row, which belongs to no tenant; only the server's own role reads it. A copy of the database has
-- the same id.
create table if not exists lore.instance (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);
--> statement-breakpoint
insert into lore.instance default values on conflict do nothing;
--> statement-breakpoint
-- For how many days raw events and checks are kept, as the server that started last was told (LORE_RETENTION_DAYS; 0:
-- for ever). A night that pg_cron begins reads it here. Null: no server has said yet, and nothing is deleted.
alter table lore.instance add column if not exists retention_days int;
--> statement-breakpoint
-- The newest migration, as the digits of its file's name. Each migration writes its own at its end.
alter table lore.instance add column if not exists migration text;
--> statement-breakpoint
create or replace function lore.keep_raw_for(days int) returns void
language sql as $$
  update lore.instance set retention_days = days where retention_days is distinct from days
$$;
--> statement-breakpoint
-- The embedding model whose vectors this database uses (sql/index/embedding_model.sql). Null: nothing has been
-- embedded yet.
alter table lore.instance
  add column if not exists embedding_model text,
  drop column if exists next_model;
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
-- ── sql/tenancy/waiting_users.sql ──

-- These functions return the users who have rows waiting for a background worker. They return ids only; the work is
-- done as that user. (lore.users_to_embed and lore.users_to_reindex are in sql/index.) Those that are asked every few
-- seconds are in PL/pgSQL, which keeps its plans.

-- Returns the workers that have something to do now, so that one statement looks at all queues. `model`: that of the
-- vectors, null while there is none. `owner`: the account whose files are on the server's machine.
create or replace function lore.waiting_work(model text, owner uuid) returns table (worker text)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select w.worker
  from (values
    ('free steps', exists (select from lore.users_with_expired_steps())),
    ('distil', exists (select from lore.users_to_distil())),
    ('audit', exists (select from lore.users_to_audit())),
    ('cut', exists (select from lore.users_to_cut())),
    ('embed', model is not null and exists (select from lore.users_to_embed(model))),
    ('decide amendments', model is not null and exists (select from lore.users_to_decide_amendments(model))),
    ('baselines', exists (
      select from public.citations c
      where c.user_id = owner and c.state = 'waiting' and c.cited_at > now() - interval '10 minutes'))
  ) w(worker, waits)
  where w.waits;
end $$;
--> statement-breakpoint
-- Returns the users who have lessons to distil now.
create or replace function lore.users_to_distil() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct r.user_id
  from public.learning_requests r
  where r.status = 'pending' and r.run_after <= now();
end $$;
--> statement-breakpoint
-- Returns the users who have sessions to cut into episodes now.
create or replace function lore.users_to_cut() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct c.user_id
  from public.episode_cuts c
  where c.failed_at is null and c.run_after <= now();
end $$;
--> statement-breakpoint
-- Returns the users who have an active session without an event for this long.
create or replace function lore.users_with_idle_sessions(idle interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct s.user_id
  from public.sessions s
  where s.status = 'active' and s.last_activity < now() - idle
$$;
--> statement-breakpoint
-- Returns the users who have a step of a plan whose agent has been silent for too long.
create or replace function lore.users_with_expired_steps() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct s.user_id
  from public.plan_steps s
  where s.status = 'in_progress' and s.lease_until <= pg_catalog.clock_timestamp();
end $$;
--> statement-breakpoint
-- Returns the users who have sessions to look back on now: not those of which something still waits to be judged,
-- because an audit must find the lessons of the session's turns.
create or replace function lore.users_to_audit() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct a.user_id
  from public.session_audits a
  where a.status = 'pending' and a.run_after <= now()
    and not exists (
      select from public.learning_requests r
      where r.user_id = a.user_id and r.session_id = a.session_id and r.status = 'pending');
end $$;
--> statement-breakpoint
-- Returns the users who worked, or were taught something, within this time: what the dashboard says of their projects
-- may be old where no server hears of it.
create or replace function lore.users_at_work(within interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select p.user_id
  from public.profiles p
  where p.removed_at is null and (
    exists (select from public.sessions s where s.user_id = p.user_id and s.last_activity > now() - within)
    or exists (select from public.learnings l where l.user_id = p.user_id and l.created_at > now() - within))
$$;
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

update lore.instance set migration = '20261129172950';
