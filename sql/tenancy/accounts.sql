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
  where k.key_hash = hash and k.revoked_at is null
$$;

-- Returns the owner's id. The owner is created on first use and gets this key. Adding the same key again does nothing.
create or replace function lore.ensure_owner(hash text, key_name text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  owner uuid;
begin
  insert into public.profiles (user_id, name, role)
  values (gen_random_uuid(), 'owner', 'owner')
  on conflict do nothing;
  select p.user_id into owner from public.profiles p where p.role = 'owner';
  insert into public.api_keys (user_id, name, key_hash)
  values (owner, key_name, hash)
  on conflict (key_hash) do nothing;
  return owner;
end $$;

-- Creates a member with a first key. Returns the member's id.
create or replace function lore.create_member(member_name text, hash text, key_name text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  member uuid := gen_random_uuid();
begin
  insert into public.profiles (user_id, name, role) values (member, member_name, 'member');
  insert into public.api_keys (user_id, name, key_hash) values (member, key_name, hash);
  return member;
end $$;
