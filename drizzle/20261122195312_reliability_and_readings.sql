-- ── data ──

-- Verdicts of 0.2 were kept under hashes that are not keyed: whoever read one could guess the files behind it.
delete from command_cache;
--> statement-breakpoint
update command_checks set key = '', code = '';
--> statement-breakpoint
-- How an error was answered has more names now.
update incidents set resolution = resolution || '{"kind": "arguments"}' where resolution ->> 'kind' = 'variant';
--> statement-breakpoint
-- ── dropped ──

drop view searchable, searchable_learning, searchable_note;
--> statement-breakpoint
drop function lore.count_to_embed(text);
--> statement-breakpoint
drop function lore.ensure_owner(text,text);
--> statement-breakpoint
alter table learnings drop constraint learnings_pkey;
--> statement-breakpoint
alter table notes drop constraint notes_pkey;
--> statement-breakpoint
-- ── tables ──

CREATE TABLE "erasures" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"session" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "erasures_user_id_session_pk" PRIMARY KEY("user_id","session")
);
--> statement-breakpoint
ALTER TABLE "erasures" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "learnings" DROP CONSTRAINT "learnings_tenant";
--> statement-breakpoint
ALTER TABLE "notes" DROP CONSTRAINT "notes_tenant";
--> statement-breakpoint
DROP INDEX "projects_root";
--> statement-breakpoint
DROP INDEX "search_documents_model";
--> statement-breakpoint
ALTER TABLE "learnings" ADD CONSTRAINT "learnings_own" PRIMARY KEY("user_id","id");
--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_own" PRIMARY KEY("user_id","id");
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "source" text;
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "removed_at" timestamp with time zone;
--> statement-breakpoint
CREATE UNIQUE INDEX "learning_requests_turn" ON "learning_requests" USING btree ("user_id","session_id") WHERE status = 'pending' and event = 'turn';
--> statement-breakpoint
CREATE INDEX "search_documents_failing" ON "search_documents" USING btree ("user_id") WHERE embed_error is not null;
--> statement-breakpoint
CREATE INDEX "sessions_root" ON "sessions" USING hash ("root");
--> statement-breakpoint
CREATE INDEX "search_documents_model" ON "search_documents" USING btree ("user_id","embedding_model");
--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "root";
--> statement-breakpoint
CREATE POLICY "own rows" ON "erasures" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── sql/tables.sql ──

-- Properties of tables that Drizzle cannot express.

-- A lineage has at most one version at any instant.
do $$ begin
  if not exists (select from pg_constraint where conname = 'learnings_no_overlap') then
    alter table learnings add constraint learnings_no_overlap
      exclude using gist (user_id with =, lineage_id with =, tstzrange(valid_from, valid_until) with &&);
  end if;
end $$;
--> statement-breakpoint
do $$ begin
  if not exists (select from pg_constraint where conname = 'notes_confidence') then
    alter table notes add constraint notes_confidence check (confidence between 0 and 1);
  end if;
end $$;
--> statement-breakpoint
-- A search compares thousands of these values. Plain storage keeps them in the row and without the header of a
-- compressible value. With that header each comparison copies the value: seven terms against 1,000 texts took 11 ms
-- instead of 1.6 ms.
alter table search_documents
  alter column embedding set storage plain,
  alter column terms set storage plain;
--> statement-breakpoint
-- Leaves room on the page for the next version of a row, so that an update does not have to change the indexes.
alter table sessions set (fillfactor = 50);
--> statement-breakpoint
-- No row belongs to an account that does not exist: not after a member was erased while a request was under way, nor
-- when events wait for a user whom a restored database does not have. All other tables hang on a project or a session.
-- Rows from before this rule are not checked (not valid), so that it can be added to any database.
do $$
declare
  t text;
begin
  foreach t in array array['projects', 'command_checks', 'command_cache', 'transcript_cursors', 'erasures', 'llm_usage']
  loop
    if not exists (select from pg_constraint where conname = t || '_account') then
      execute format('alter table %I add constraint %I foreign key (user_id) references profiles (user_id)
        on delete cascade not valid', t, t || '_account');
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- ── sql/events/is_inside.sql ──

-- Returns whether a path is a folder or inside it, and not in one of some other folders. Null when there is no folder.
create or replace function is_inside(path text, folder text, except_folders text[]) returns boolean
language sql immutable
set search_path = ''
as $$
  select (path = folder or starts_with(path, folder || '/'))
    and not exists (
      select from unnest(except_folders) other where path = other or starts_with(path, other || '/'))
$$;
--> statement-breakpoint
-- ── sql/events/record_event.sql ──

-- Stores a hook event once and updates its session. This is one function, because each statement of a hook is a round
-- trip to the database. Runs as the caller, so row level security applies.
--
--   files              the files that the tool wrote
--   task, title, said  task and title from a prompt, and the assistant's last words at the end of a turn
--
-- Returns null for a new event. A repeated delivery changes nothing and returns the time of the first one.
create or replace function record_event(
  in_session uuid, hook jsonb, key text, from_source text, at timestamptz, on_target text, files text[],
  task text, title text, said text
) returns timestamptz
language plpgsql as $$
declare
  name constant text := hook ->> 'hook_event_name';
  tool constant text := hook ->> 'tool_name';
  failing constant boolean := name = 'PostToolUseFailure';
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
  where s.id = in_session;

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
revoke all on function record_event from public, anon;
--> statement-breakpoint
grant execute on function record_event to authenticated, service_role;
--> statement-breakpoint
-- Stores several events in their order, in one call. Returns for each what record_event returns.
create or replace function record_events(entries jsonb) returns timestamptz[]
language plpgsql as $$
declare
  e record;
  results timestamptz[] := '{}';
begin
  for e in
    select *
    from jsonb_to_recordset(entries) as r (session_id uuid, hook jsonb, key text, source text, at timestamptz,
      target text, files text[], task text, title text, said text)
  loop
    results := results || record_event(e.session_id, e.hook, e.key, e.source, e.at, e.target, e.files, e.task, e.title,
      e.said);
  end loop;
  return results;
end $$;
--> statement-breakpoint
revoke all on function record_events from public, anon;
--> statement-breakpoint
grant execute on function record_events to authenticated, service_role;
--> statement-breakpoint
-- ── sql/index/embedding_queue.sql ──

-- Rows without a vector of the model in use are the embedding worker's queue. `<` and `>` use an index, while
-- `is distinct from` would read the whole table every few seconds. Both functions look for one row of each user, because
-- to read all that wait would take longer the more there are.

-- Returns the users who have documents waiting for a vector.
create or replace function lore.users_to_embed(model text) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select p.user_id
  from public.profiles p
  where exists (
    select from public.search_documents d
    where d.user_id = p.user_id and d.embedding_model is null and d.embed_after <= now()
  ) or exists (
    select from public.search_documents d
    where d.user_id = p.user_id and d.embedding_model < model and d.embed_after <= now()
  ) or exists (
    select from public.search_documents d
    where d.user_id = p.user_id and d.embedding_model > model and d.embed_after <= now()
  )
$$;
--> statement-breakpoint
-- Returns whether any document of any tenant lacks a vector, for /health. If model is null, every document does.
create or replace function lore.lacks_vectors(model text) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (
    select from public.profiles p
    where exists (
      select from public.search_documents d
      where d.user_id = p.user_id and (model is null or d.embedding_model is null)
    ) or exists (
      select from public.search_documents d where d.user_id = p.user_id and d.embedding_model < model
    ) or exists (
      select from public.search_documents d where d.user_id = p.user_id and d.embedding_model > model
    ))
$$;
--> statement-breakpoint
-- ── sql/index/index_health.sql ──

-- Returns how complete the caller's index is. `lore doctor`, /v1/index and /v1/metrics show it.
--
--   sources    records that can be found
--   documents  index rows; more than sources if long texts are in parts
--   embedded   rows with a vector of the model in use; pending: the other rows
--   failing    rows whose last embedding failed
--   missing    records without an index row; orphaned: rows without a record. `lore reindex` repairs both.
create or replace function index_health(
  model text,
  out sources int, out documents int, out embedded int, out pending int, out failing int, out missing int,
  out orphaned int
)
language plpgsql stable as $$
declare
  me constant uuid := auth.uid();
begin
  -- Each count can be read from an index, without the rows, which are large because of their vectors. A full join,
  -- because the planner never runs it as a nested loop, however wrong its estimate of the rows is.
  select
    count(r.source_id),
    coalesce(sum(i.documents), 0),
    count(*) filter (where i.source_id is null),
    coalesce(sum(i.documents) filter (where r.source_id is null), 0)
  into sources, documents, missing, orphaned
  from (
    select s.kind, s.source_id from searchable s where s.user_id = me
  ) r
  full join (
    select d.kind, d.source_id, count(*) as documents
    from search_documents d
    where d.user_id = me
    group by d.kind, d.source_id
  ) i on i.kind = r.kind and i.source_id = r.source_id;
  select count(*) into embedded from search_documents d where d.user_id = me and d.embedding_model = model;
  select count(*) into failing from search_documents d where d.user_id = me and d.embed_error is not null;
  pending := documents - embedded;
end $$;
--> statement-breakpoint
-- ── sql/index/index_records.sql ──

-- Writes the index rows of some records of one kind as they are in the view searchable_<kind>, and deletes the rows of
-- records that are not in the view. A text that has not changed keeps its vector.
create or replace function index_records(owner uuid, of_kind text, ids uuid[]) returns void
language plpgsql
-- One plan for all calls. Without this, the planner would plan again for each record, to use the name of the kind.
set plan_cache_mode = force_generic_plan
as $$
declare
  obsolete uuid[];
begin
  with written as (
    insert into search_documents as d (user_id, project_id, kind, source_id, part, content, label, context, agent,
      channel, confidence, valid_from, valid_until, confirmed_at, links, amends, half_life_days)
    select s.user_id, s.project_id, s.kind, s.source_id, p.part, p.content, s.label,
      case when p.part = 0 then s.context end,
      s.agent, s.channel, s.confidence, s.valid_from, s.valid_until, s.confirmed_at, coalesce(s.links, '{}'),
      s.amends, s.half_life_days
    -- Each record is looked up by its id. With `source_id = any (ids)` the planner, which has no statistics of a table
    -- that was just filled, would read all records of the owner for each one that is written.
    from unnest(ids) i(id),
      lateral (
        select * from searchable r where r.kind = of_kind and r.source_id = i.id
        offset 0
      ) s,
      search_parts(s.content) p
    on conflict (user_id, kind, source_id, part) do update set
      project_id = excluded.project_id,
      content = excluded.content,
      label = excluded.label,
      context = excluded.context,
      agent = excluded.agent,
      channel = excluded.channel,
      confidence = excluded.confidence,
      valid_from = excluded.valid_from,
      valid_until = excluded.valid_until,
      confirmed_at = excluded.confirmed_at,
      links = excluded.links,
      amends = excluded.amends,
      half_life_days = excluded.half_life_days,
      embedding_model = case
        when (d.content, d.label, d.context) is not distinct from (excluded.content, excluded.label, excluded.context)
          then d.embedding_model
      end,
      embed_attempts = 0,
      embed_after = now(),
      embed_error = null
    returning d.source_id, d.part
  )
  select array_agg(o.id) into obsolete
  from unnest(ids) i(id)
  left join (select w.source_id, max(w.part) as last from written w group by w.source_id) w on w.source_id = i.id,
    lateral (
      select r.id from search_documents r
      where r.user_id = owner and r.kind = of_kind and r.source_id = i.id and r.part > coalesce(w.last, -1)
      offset 0
    ) o;
  if obsolete is not null then
    delete from search_documents d where d.user_id = owner and d.id = any (obsolete);
  end if;
end $$;
--> statement-breakpoint
-- Trigger function for all kinds of records. Its argument is the kind.
create or replace function index_record() returns trigger
language plpgsql as $$
begin
  -- A deleted record is no longer in its view, so its index rows are deleted.
  if tg_op = 'DELETE' then
    perform index_records(old.user_id, tg_argv[0], array[old.id]);
  else
    perform index_records(new.user_id, tg_argv[0], array[new.id]);
  end if;
  return null;
end $$;
--> statement-breakpoint
-- ── sql/index/rebuild_search_documents.sql ──

-- Rebuilds a piece of the caller's index: at most `most` records of a kind, with ids above `after`. It works in pieces,
-- because the embedded engine runs nothing else meanwhile. Returns the last id of the piece, null at the end.
create or replace function rebuild_search_documents(of_kind text, after uuid, most int) returns uuid
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  ids uuid[];
begin
  -- From the view of the kind, which can be read in the order of its ids. The view of all kinds would be sorted anew for
  -- each piece.
  execute format(
    'select array_agg(piece.source_id order by piece.source_id)
    from (
      select s.source_id from %I s where s.user_id = $1 and s.source_id > $2 order by s.source_id limit $3
    ) piece', 'searchable_' || of_kind)
  into ids using me, after, most;
  perform index_records(me, of_kind, ids);
  return ids[cardinality(ids)];
end $$;
--> statement-breakpoint
-- Deletes those rows of the caller's index whose record no longer exists or must not be found.
create or replace function delete_orphaned_search_documents() returns void
language plpgsql
-- However wrong its estimate of the rows is, the planner must not compare each row with each other one.
set enable_nestloop = off
as $$
declare
  me constant uuid := auth.uid();
begin
  delete from search_documents d
  where d.user_id = me and (d.kind, d.source_id) in (
    select i.kind, i.source_id from search_documents i where i.user_id = me
    except
    select s.kind, s.source_id from searchable s where s.user_id = me);
end $$;
--> statement-breakpoint
-- Returns the users who have records that are missing from the index.
create or replace function lore.users_to_reindex() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct missing.user_id
  from (
    select s.user_id, s.kind, s.source_id from public.searchable s
    except
    select d.user_id, d.kind, d.source_id from public.search_documents d
  ) missing;
end $$;
--> statement-breakpoint
-- ── sql/index/search_parts.sql ──

-- Cuts a text into parts short enough for the model, which reads 256 word pieces. It cuts at the end of a paragraph,
-- else of a line, a sentence or a word. Joined again, the parts are the whole text.
create or replace function search_parts(body text) returns table (part int, content text)
language plpgsql immutable as $$
declare
  longest constant int := 1200;
  shortest constant int := 300;
  -- A long text is taken into `rest` piece by piece. To cut each part off the whole text would take time that grows with
  -- the square of its length.
  piece constant int := 20000;
  rest text := left(body, piece);
  taken int := piece;
  size int;
  backwards text;
  at int;
  ending text;
begin
  part := 0;
  loop
    if length(rest) <= longest + shortest and taken < length(body) then
      rest := rest || substr(body, taken + 1, piece);
      taken := taken + piece;
    end if;
    exit when length(rest) <= longest + shortest;
    size := longest;
    -- The last ending is the first one backwards. All signs that end a sentence are made one.
    backwards := reverse(left(rest, longest));
    foreach ending in array array[E'\n\n', E'\n', ' .', ' '] loop
      at := strpos(case when ending = ' .' then translate(backwards, '!?;', '...') else backwards end, ending);
      if at between 1 and longest - shortest + 1 then
        size := longest - at + 1;
        exit;
      end if;
    end loop;
    content := left(rest, size);
    return next;
    part := part + 1;
    rest := substr(rest, size + 1);
  end loop;
  content := rest;
  return next;
end $$;
--> statement-breakpoint
-- ── sql/index/searchable_learning.sql ──

-- Returns the text by which a lesson is found.
create or replace function learning_document(l learnings) returns text
language sql immutable as $$
  select concat_ws(E'\n', l.lesson, l.context, l.why, nullif(array_to_string(l.keywords, ' '), ''),
    nullif(array_to_string(l.applies_to, ' '), ''))
$$;
--> statement-breakpoint
-- The lessons that can be found. A lesson under review is kept, but cannot be found.
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
  false as amends,
  90::real as half_life_days
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
  -- Of two decisions about the same matter the later one is valid, whether it says so or not.
  n.message_type in ('decision', 'policy') as amends,
  60::real as half_life_days
from notes n;
--> statement-breakpoint
create or replace trigger index_note
  after insert or delete or update of project_id, sender, content, confidence, metadata, message_type, channel,
    valid_until
  on notes
  for each row execute function index_record('note');
--> statement-breakpoint
-- ── sql/search/search_terms.sql ──

-- Returns the number that stands for a lexeme in a sparse vector: the first 28 bits of its MD5, plus 1.
create or replace function search_term(lexeme text) returns int
language sql immutable parallel safe as $$
  select ('x' || substr(md5(lexeme), 1, 7))::bit(28)::int + 1
$$;
--> statement-breakpoint
-- Returns the BM25 weight of each lexeme of a text, without the inverse document frequency. The inner product with the
-- weights of a query (search_weights) is the text's score (Robertson, Zaragoza 2009, "The Probabilistic Relevance
-- Framework"). k1 = 0.9 and b = 0.4 (Trotman, Puurula, Burgess 2014). The average length is fixed at 30 lexemes, so
-- that a text's weights do not depend on other texts. A lexeme of the context counts 0.3 (docs/search.md).
create or replace function search_terms(lexemes tsvector) returns sparsevec
language plpgsql immutable parallel safe as $$
begin
  return (
    with counted as (
      select search_term(l.lexeme) as term, cardinality(array_positions(l.weights, 'A')) as own,
        cardinality(l.weights) as n
      from unnest(lexemes) l
    ), long as (
      -- float8, because a calculation in numeric takes several times as long
      select 0.9::float8 * (0.6::float8 + 0.4::float8 * sum(own) / 30) as norm from counted
    ), weighed as (
      select term,
        round(sum(
          own * 1.9::float8 / (own + norm) + 0.3::float8 * (n - own) * 1.9::float8 / (n - own + 0.9::float8)
        )::numeric, 3) as weight
      from counted, long
      group by term
      -- at most 256 terms: a row must fit into a page
      order by 2 desc, 1
      limit 256
    )
    select ('{' || coalesce(string_agg(term || ':' || weight, ','), '') || '}/268435456')::sparsevec
    from weighed);
end $$;
--> statement-breakpoint
-- Returns the weight of each lexeme of a query, and the sum of the weights. A weight is the inverse document frequency
-- in the form that is never negative, ln(1 + (N - n + 1/2) / (n + 1/2)). N is the number of texts plus 50: otherwise,
-- in a scope of three texts, every word that occurs would count as common.
create or replace function search_weights(
  lexemes text[], counts float8[], texts int, out weights sparsevec, out total float8
)
language plpgsql immutable parallel safe as $$
begin
  select ('{' || string_agg(w.term || ':' || w.idf::real, ',') || '}/268435456')::sparsevec, sum(w.idf)
  into weights, total
  from (
    select search_term(l.lexeme) as term, max(ln(1 + (texts + 50 - least(l.n, texts) + 0.5) / (l.n + 0.5))) as idf
    from unnest(lexemes, counts) l(lexeme, n)
    -- two lexemes may share a term
    group by 1
  ) w;
end $$;
--> statement-breakpoint
-- ── sql/tenancy/accounts.sql ──

-- Accounts are looked up and created before the caller's claims are known. So these functions bypass row level
-- security.

-- Returns the account that a device key belongs to; no row when the key is unknown or revoked. hash: SHA-256 of the
-- key, in hex.
create or replace function lore.authenticate(hash text)
returns table (user_id uuid, key_id uuid, role text, name text)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, k.id, p.role, p.name
  from public.api_keys k
  join public.profiles p on p.user_id = k.user_id
  where k.key_hash = hash and k.revoked_at is null and p.removed_at is null
$$;
--> statement-breakpoint
-- Makes a key the owner's. The owner is created on first use. A new key from LORE_KEY replaces the ones from LORE_KEY
-- before it, and the key of the data folder: they are revoked. Keys that the owner made by hand stay.
--
--   key_source   where the key comes from: LORE_KEY or 'key file'
--   folder_hash  hash of the key in the data folder, if there is one
--
-- Returns the owner's id. `refused` says why the key cannot be the owner's: 'revoked', or 'member' for a member's key.
create or replace function lore.ensure_owner(hash text, key_source text, folder_hash text)
returns table (owner_id uuid, refused text)
language plpgsql security definer
set search_path = ''
as $$
declare
  known public.api_keys;
begin
  insert into public.profiles (user_id, name, role)
  values (gen_random_uuid(), 'owner', 'owner')
  on conflict do nothing;
  select p.user_id into owner_id from public.profiles p where p.role = 'owner';
  insert into public.api_keys (user_id, name, key_hash, source)
  values (owner_id, 'first device', hash, key_source)
  on conflict (key_hash) do nothing;
  if found and key_source = 'LORE_KEY' then
    update public.api_keys k set revoked_at = now()
    where k.user_id = owner_id and k.revoked_at is null and k.key_hash <> hash
      -- Before 0.3 the database did not hold where a key came from, but its name tells.
      and (coalesce(k.source, case when k.name = 'first device' then 'LORE_KEY' end) = 'LORE_KEY'
        or k.key_hash = folder_hash);
  end if;
  select k.* into known from public.api_keys k where k.key_hash = hash;
  if known.user_id <> owner_id then
    refused := 'member';
  elsif known.revoked_at is not null then
    refused := 'revoked';
  elsif known.source is null and known.name = 'first device' then
    update public.api_keys k set source = key_source where k.key_hash = hash;
  end if;
  return next;
end $$;
--> statement-breakpoint
-- Creates a member with a first key. Returns the member's id.
create or replace function lore.create_member(member_name text, hash text, key_name text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  member uuid := gen_random_uuid();
begin
  insert into public.profiles (user_id, name, role) values (member, member_name, 'member');
  insert into public.api_keys (user_id, name, key_hash, source) values (member, key_name, hash, 'person');
  return member;
end $$;
--> statement-breakpoint
-- Returns all accounts, the oldest first, with their keys as JSON, the newest first. No key's hash is among it.
create or replace function lore.list_users()
returns table (user_id uuid, name text, role text, created_at timestamptz, removed_at timestamptz, keys jsonb)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, p.name, p.role, p.created_at, p.removed_at,
    coalesce(
      (select jsonb_agg(
         jsonb_build_object('id', k.id, 'name', k.name, 'createdAt', k.created_at, 'lastUsedAt', k.last_used_at,
           'revokedAt', k.revoked_at)
         order by k.created_at desc)
       from public.api_keys k where k.user_id = p.user_id),
      '[]')
  from public.profiles p
  order by p.created_at, p.user_id
$$;
--> statement-breakpoint
-- Revokes a live key of a member. Returns whether there was one.
create or replace function lore.revoke_member_key(member uuid, key_id uuid) returns boolean
language sql security definer
set search_path = ''
as $$
  with revoked as (
    update public.api_keys k set revoked_at = now()
    from public.profiles p
    where k.id = key_id and k.user_id = member and k.revoked_at is null
      and p.user_id = k.user_id and p.role = 'member'
    returning 1
  )
  select exists (select from revoked)
$$;
--> statement-breakpoint
-- Closes a member's account: none of its keys is valid any more. The rows stay. Returns the member's name; null when
-- there is no such member. Closing it again changes nothing.
create or replace function lore.remove_member(member uuid) returns text
language plpgsql security definer
set search_path = ''
as $$
declare
  member_name text;
begin
  update public.profiles p set removed_at = coalesce(p.removed_at, now())
  where p.user_id = member and p.role = 'member'
  returning p.name into member_name;
  if found then
    update public.api_keys k set revoked_at = now() where k.user_id = member and k.revoked_at is null;
  end if;
  return member_name;
end $$;
--> statement-breakpoint
-- Deletes the account of a removed member with its keys, and what is left of its rows.
create or replace function lore.delete_member(member uuid) returns void
language sql security definer
set search_path = ''
as $$
  delete from public.profiles p where p.user_id = member and p.role = 'member' and p.removed_at is not null
$$;
--> statement-breakpoint
-- Servers keep keys that they looked up in memory. This tells them whose keys they must look up again.
create or replace function notify_keys() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_keys', old.user_id::text);
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_keys
  after delete or update of revoked_at on api_keys
  for each row execute function notify_keys();
--> statement-breakpoint
-- ── sql/tenancy/erase.sql ──

-- Events and checks are append-only: nobody may change or delete single rows. Erasing at their owner's request is the
-- one exception, so it has functions of its own. They look past the rights of the caller, and touch only rows of
-- auth.uid().

-- Deletes the caller's events of these sessions, and those from before an instant (null: none). Returns their number.
create or replace function lore.erase_events(in_sessions uuid[], before timestamptz) returns bigint
language sql security definer
set search_path = ''
as $$
  with gone as (
    delete from public.events e
    where e.user_id = auth.uid() and (e.session_id = any (in_sessions) or e.occurred_at < before)
    returning 1
  )
  select count(*) from gone
$$;
--> statement-breakpoint
grant execute on function lore.erase_events to authenticated;
--> statement-breakpoint
-- Deletes the caller's checks of commands of these sessions, those from before an instant (null: none), and those that
-- no session made in a folder (null: none) without some folders inside it. Returns their number.
create or replace function lore.erase_checks(
  in_sessions uuid[], before timestamptz, folder text, except_folders text[]
) returns bigint
language sql security definer
set search_path = ''
as $$
  with gone as (
    delete from public.command_checks c
    where c.user_id = auth.uid()
      and (c.session_id = any (in_sessions)
        or c.checked_at < before
        or (c.session_id is null and public.is_inside(c.cwd, folder, except_folders)))
    returning 1
  )
  select count(*) from gone
$$;
--> statement-breakpoint
grant execute on function lore.erase_checks to authenticated;
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
--   amends                     true: it outranks an older text about the same matter even if it does not say so
--   half_life_days             days until its recency has fallen half way
do $$ begin
  execute 'create or replace view searchable with (security_invoker = true) as ' || (
    select string_agg(
      'select user_id, project_id, kind, source_id, content, label, context, agent, channel, confidence, valid_from,
         valid_until, confirmed_at, links, amends, half_life_days from searchable_' || kind,
      ' union all ' order by kind)
    from searchable_kinds() kind);
end $$;
--> statement-breakpoint
-- ── sql/tenancy/rights.sql ──

-- Sets the rights of all tables, views and functions. It ends every migration, so that new ones get their rights
-- without a line of their own.

do $$
declare
  t regclass;
begin
  -- A tenant table is one with the policy of ownRows(). Row level security is forced, so that it holds for the table's
  -- owner too. The API role gets all rights on the table, and the policy limits them to the caller's rows.
  for t in select p.polrelid from pg_policy p where p.polname = 'own rows' order by 1
  loop
    execute format('alter table %s enable row level security, force row level security', t);
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to authenticated', t);
    execute format('grant all on %s to service_role', t);
  end loop;
  -- These views run with the rights of their caller, so row level security holds in them too.
  for t in select c.oid from pg_class c where c.relkind = 'v' and c.relname ~ '^searchable(_|$)' order by 1
  loop
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select on %s to authenticated, service_role', t);
  end loop;
end $$;
--> statement-breakpoint
-- Writing to an identity column needs no right to its sequence, and nothing else uses the sequences.
revoke all on all sequences in schema public from anon, authenticated;
--> statement-breakpoint
-- Events and command checks are append-only.
revoke update, delete on events, command_checks from authenticated;
--> statement-breakpoint
-- Users must not give themselves another role, so they may change only their name.
revoke insert, update, delete on profiles from authenticated;
--> statement-breakpoint
grant update (name) on profiles to authenticated;
--> statement-breakpoint
-- A function that a role may call grants that right in its own file.
revoke all on all functions in schema lore from public;
