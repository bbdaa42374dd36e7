-- ── dropped ──

drop view searchable, searchable_learning, searchable_note;
--> statement-breakpoint
drop function is_inside(text,text,text[]);
--> statement-breakpoint
drop function lore.erase_checks(uuid[],timestamp with time zone,text,text[]);
--> statement-breakpoint
-- ── sql/events/is_inside.sql ──

-- Returns whether a path is one of some folders or inside it, and not in one of some other folders.
create or replace function is_inside(path text, folders text[], except_folders text[]) returns boolean
language sql immutable
set search_path = ''
as $$
  select exists (select from unnest(folders) own where path = own or starts_with(path, own || '/'))
    and not exists (
      select from unnest(except_folders) other where path = other or starts_with(path, other || '/'))
$$;
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
-- no session made in some folders, without other folders inside them. Returns their number.
create or replace function lore.erase_checks(
  in_sessions uuid[], before timestamptz, folders text[], except_folders text[]
) returns bigint
language sql security definer
set search_path = ''
as $$
  with gone as (
    delete from public.command_checks c
    where c.user_id = auth.uid()
      and (c.session_id = any (in_sessions)
        or c.checked_at < before
        or (c.session_id is null and public.is_inside(c.cwd, folders, except_folders)))
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
