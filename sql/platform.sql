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

-- The schema of the functions that bypass row level security. Tenants may call only those that are granted to them.
create schema if not exists lore;

revoke all on schema lore from public;

grant usage on schema lore to authenticated;

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
