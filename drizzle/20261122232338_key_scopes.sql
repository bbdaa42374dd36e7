-- ── dropped ──

drop view searchable, searchable_learning, searchable_note;
--> statement-breakpoint
drop function lore.authenticate(text);
--> statement-breakpoint
-- ── tables ──

ALTER TABLE "api_keys" ADD COLUMN "scope" text DEFAULT 'person' NOT NULL;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scope" CHECK (scope in ('hooks', 'person', 'device'));
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
-- ── sql/tenancy/accounts.sql ──

-- Accounts are looked up and created before the caller's claims are known. So these functions bypass row level
-- security.

-- Returns the account that a device key belongs to; no row when the key is unknown or revoked. hash: SHA-256 of the
-- key, in hex.
create or replace function lore.authenticate(hash text)
returns table (user_id uuid, key_id uuid, role text, name text, scope text)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, k.id, p.role, p.name, k.scope
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
-- Returns the owner's id. `refused` says why the key cannot be the owner's: 'revoked', 'member' for a member's key, or
-- 'scope' for one that is not a person's.
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
  elsif known.scope <> 'person' then
    refused := 'scope';
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
         jsonb_build_object('id', k.id, 'name', k.name, 'scope', k.scope, 'createdAt', k.created_at,
           'lastUsedAt', k.last_used_at, 'revokedAt', k.revoked_at)
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
