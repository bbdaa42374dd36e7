-- Creates what Supabase has and plain PostgreSQL lacks. Each step checks first, so the same file runs on both.

do $$ begin
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'service_role') then
    create role service_role nologin noinherit bypassrls;
  end if;
exception
  -- Roles belong to the whole cluster. A server that migrates another database has just created them.
  when duplicate_object or unique_violation then null;
end $$;

-- Lore's own roles. `asUser` enters lore_user: only with it can somebody work with a tenant's rows. The roles of the
-- platform's API belong to whoever holds an access token, so Lore does not work through them. A login role that is not
-- to own anything gets lore_server, which may do what a server must.
do $$ begin
  if not exists (select from pg_roles where rolname = 'lore_user') then
    create role lore_user nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'lore_server') then
    create role lore_server nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
end $$;

do $$ begin
  if not pg_has_role('lore_server', 'lore_user', 'set') then
    grant lore_user to lore_server with inherit false, set true;
  end if;
  if not pg_has_role('lore_user', 'set') then
    execute format('grant lore_user to %I with inherit false, set true', current_user);
  end if;
exception
  -- A server that migrates another database has just done it (unique_violation, internal_error), or this role did not
  -- make the roles. Then the server says at its start what is missing.
  when unique_violation or internal_error or insufficient_privilege then
    raise notice 'lore_user was not granted: %', sqlerrm;
end $$;

create schema if not exists auth;

do $$ begin
  if to_regprocedure('auth.uid()') is null then
    create function auth.uid() returns uuid language sql stable as
      'select (nullif(current_setting(''request.jwt.claims'', true), '''')::jsonb ->> ''sub'')::uuid';
    create function auth.jwt() returns jsonb language sql stable as
      'select nullif(current_setting(''request.jwt.claims'', true), '''')::jsonb';
    grant usage on schema auth to anon, authenticated, service_role;
  end if;
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end $$;

create extension if not exists vector;

create extension if not exists btree_gist;

-- Supabase has a schema for extensions. Whoever migrates must find them there.
do $$
declare
  e name;
begin
  if 'extensions' = any (current_schemas(false)) then
    for e in
      select x.extname from pg_extension x
      where x.extname in ('vector', 'btree_gist') and x.extnamespace = 'public'::regnamespace
    loop
      execute format('alter extension %I set schema extensions', e);
    end loop;
  end if;
exception
  when insufficient_privilege then
    raise notice 'the extensions stay where they are: %', sqlerrm;
end $$;

-- Lore's functions call auth.uid(), and its statements name types of the extensions. Where these schemas belong to the
-- platform, the first grant has no effect. Then the right comes from `anon`, which has it, and none of Lore's.
do $$
declare
  n record;
begin
  for n in
    select r.role, s.oid, s.nspname as schema
    from (values ('lore_user'), ('lore_server')) r(role), pg_namespace s
    where s.nspname in ('auth', 'extensions') and not has_schema_privilege(r.role, s.oid, 'usage')
  loop
    execute format('grant usage on schema %I to %I', n.schema, n.role);
    if not has_schema_privilege(n.role, n.oid, 'usage') then
      execute format('grant anon to %I', n.role);
    end if;
  end loop;
exception
  when unique_violation or internal_error then null;
end $$;

-- The schema of the functions that bypass row level security. Tenants may call only those that are granted to them.
create schema if not exists lore;

revoke all on schema lore from public;

revoke all on schema lore from anon, authenticated;

grant usage on schema lore to lore_user, lore_server;

grant usage on schema public to lore_user, lore_server;

-- These built-in functions run a query given as text. A caller who changed the role inside that query would bypass row
-- level security (docs/tenancy.md). Only a superuser can revoke them; without one they stay executable.
do $$
declare
  f regprocedure;
begin
  for f in
    select p.oid
    from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace
      and (p.proname ~ '_to_xml' or p.proname = 'ts_stat' or (p.proname = 'ts_rewrite' and p.pronargs = 2))
  loop
    execute format('revoke execute on function %s from public', f);
  end loop;
exception
  when insufficient_privilege then
    raise notice 'not a superuser: query_to_xml and ts_stat stay executable';
end $$;
