-- What Supabase has and plain Postgres lacks. Every step is guarded, so the same file runs on both.
do $$ begin
  if not exists (select 1 from pg_roles where rolname = 'anon') then create role anon nologin noinherit; end if;
  if not exists (select 1 from pg_roles where rolname = 'authenticated') then create role authenticated nologin noinherit; end if;
  if not exists (select 1 from pg_roles where rolname = 'service_role') then create role service_role nologin noinherit bypassrls; end if;
exception when duplicate_object or unique_violation then null; -- another database of the cluster was faster
end $$;
--> statement-breakpoint
create schema if not exists auth;
--> statement-breakpoint
do $$ begin
  if to_regprocedure('auth.uid()') is null then
    create function auth.uid() returns uuid language sql stable as
      'select (nullif(current_setting(''request.jwt.claims'', true), '''')::jsonb ->> ''sub'')::uuid';
    create function auth.jwt() returns jsonb language sql stable as
      'select nullif(current_setting(''request.jwt.claims'', true), '''')::jsonb';
    grant usage on schema auth to anon, authenticated, service_role;
  end if;
  if not exists (select 1 from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end $$;
--> statement-breakpoint
create extension if not exists vector;
--> statement-breakpoint
create extension if not exists btree_gist;
--> statement-breakpoint
-- Functions that see past row level security live here, out of reach of the API roles.
create schema if not exists lore;
--> statement-breakpoint
revoke all on schema lore from public;
--> statement-breakpoint
-- These built-ins run a query given as text; a caller who had changed the role inside that query would read past
-- row level security (see docs/tenancy.md). Only a superuser may revoke them; elsewhere they stay.
do $$
declare f regprocedure;
begin
  for f in
    select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'pg_catalog'
      and (p.proname ~ '_to_xml' or p.proname ~ '_to_xmlschema' or p.proname = 'ts_stat'
           or (p.proname = 'ts_rewrite' and p.pronargs = 2))
  loop
    execute format('revoke execute on function %s from public', f);
  end loop;
exception when insufficient_privilege then
  raise notice 'not a superuser: query_to_xml and ts_stat stay executable';
end $$;
