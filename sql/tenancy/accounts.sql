-- Accounts are looked up and created before the caller's claims are known. So these functions bypass row level
-- security.

-- Returns the account that a device key belongs to; no row when the key is unknown or revoked. hash: SHA-256 of the
-- key, in hex.
create or replace function lore.authenticate(hash text)
returns table (user_id uuid, key_id uuid, role text, name text, scope text, project_id uuid, project text)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, k.id, p.role, p.name, k.scope, k.project, j.name
  from public.api_keys k
  join public.profiles p on p.user_id = k.user_id
  left join public.projects j on j.id = k.project
  where k.key_hash = hash and k.revoked_at is null and p.removed_at is null
$$;

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

-- Creates a member with a first key. Returns the member's id; null if there is an account with that name, because
-- people name members by it.
create or replace function lore.create_member(member_name text, hash text, key_name text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  member uuid := gen_random_uuid();
begin
  -- of two at once the second one sees the first
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lore.create_member', 0));
  if exists (select from public.profiles p where p.name = member_name) then
    return null;
  end if;
  insert into public.profiles (user_id, name, role) values (member, member_name, 'member');
  insert into public.api_keys (user_id, name, key_hash, source) values (member, key_name, hash, 'person');
  return member;
end $$;

-- Returns the account that a user of Supabase Auth signs in to. Who signs in for the first time becomes a member: with
-- the same id, so that row level security means the same with the user's own token. If the name is taken, the id makes
-- it another. No row when the account was closed.
create or replace function lore.ensure_profile(auth_user uuid, wanted_name text)
returns table (user_id uuid, role text, name text)
language plpgsql security definer
set search_path = ''
as $$
begin
  if not exists (select from public.profiles p where p.auth_id = auth_user) then
    -- of two requests at once, and of two people with one name, the second one sees the first
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lore.create_member', 0));
    if exists (select from public.profiles p where p.name = wanted_name) then
      wanted_name := wanted_name || ' ' || left(auth_user::text, 8);
    end if;
    insert into public.profiles (user_id, name, role, auth_id)
    values (auth_user, wanted_name, 'member', auth_user)
    on conflict do nothing;
  end if;
  return query
  select p.user_id, p.role, p.name
  from public.profiles p
  where p.auth_id = auth_user and p.removed_at is null;
end $$;

-- Lets a user of Supabase Auth sign in to the owner's account, in place of whoever did before; null: nobody does any
-- more. The account that the user had as a member is closed; its rows stay. Returns the owner's id, and the name of
-- the account that was closed.
create or replace function lore.claim_owner(auth_user uuid) returns table (owner_id uuid, closed text)
language plpgsql security definer
set search_path = ''
as $$
declare
  member uuid;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lore.create_member', 0));
  update public.profiles p set auth_id = null, removed_at = coalesce(p.removed_at, now())
  where p.auth_id = auth_user and p.role = 'member'
  returning p.user_id, p.name into member, closed;
  update public.api_keys k set revoked_at = now() where k.user_id = member and k.revoked_at is null;
  update public.profiles p set auth_id = auth_user where p.role = 'owner' returning p.user_id into owner_id;
  -- live clients that signed in ask again whether they may
  perform pg_catalog.pg_notify('lore_keys', u::text) from unnest(array[member, owner_id]) u where u is not null;
  return next;
end $$;

-- Returns all accounts, the oldest first, with their keys as JSON, the newest first. No key's hash is among it.
create or replace function lore.list_users()
returns table (user_id uuid, name text, role text, created_at timestamptz, removed_at timestamptz, auth_id uuid,
  keys jsonb)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, p.name, p.role, p.created_at, p.removed_at, p.auth_id,
    coalesce(
      (select jsonb_agg(
         jsonb_build_object('id', k.id, 'name', k.name, 'scope', k.scope,
           'project', (select j.name from public.projects j where j.id = k.project),
           'createdAt', k.created_at, 'lastUsedAt', k.last_used_at, 'revokedAt', k.revoked_at)
         order by k.created_at desc)
       from public.api_keys k where k.user_id = p.user_id),
      '[]')
  from public.profiles p
  order by p.created_at, p.user_id
$$;

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
    -- an account without a key may have live clients too
    perform pg_catalog.pg_notify('lore_keys', member::text);
  end if;
  return member_name;
end $$;

-- Deletes the account of a removed member with its keys, and what is left of its rows.
create or replace function lore.delete_member(member uuid) returns void
language sql security definer
set search_path = ''
as $$
  delete from public.profiles p where p.user_id = member and p.role = 'member' and p.removed_at is not null
$$;

-- Redeems the code of a pairing: the code is used up, and its user gets a key of scope 'device'. Two requests with one
-- code wait for each other at its row, and only the first one finds it. code, hash: SHA-256 of the code and of the new
-- key, in hex.
--
-- Returns the id of the key; null when the code is unknown, used, expired, or made with a key that is revoked.
create or replace function lore.redeem_pairing(code text, key_name text, hash text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  paired uuid;
  made uuid;
begin
  delete from public.pairings p
  where p.code_hash = code and p.expires_at > now()
    and exists (
      select from public.api_keys k
      join public.profiles a on a.user_id = k.user_id
      where k.id = p.made_by and k.user_id = p.user_id and k.revoked_at is null and a.removed_at is null)
  returning p.user_id into paired;
  if paired is null then
    return null;
  end if;
  insert into public.api_keys (user_id, name, key_hash, source, scope)
  values (paired, key_name, hash, 'person', 'device')
  returning id into made;
  return made;
end $$;

-- A revoked key stays revoked, whoever asks: nobody who finds a way to the caller's rows can make it live again.
create or replace function keep_revoked() returns trigger
language plpgsql as $$
begin
  raise exception 'A revoked key stays revoked. Make a new one: lore keys add.' using errcode = '42501';
end $$;

create or replace trigger keep_revoked
  before update on api_keys
  for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function keep_revoked();

-- Servers keep keys that they looked up in memory, and for a moment those that they did not find. This tells them whose
-- keys they must look up again, and that there is a new one.
create or replace function notify_keys() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_keys', coalesce(old.user_id, new.user_id)::text);
  return null;
end $$;

create or replace trigger notify_keys
  after insert or delete or update of revoked_at, project on api_keys
  for each row execute function notify_keys();
