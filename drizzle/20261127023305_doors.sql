-- ── sql/platform.sql ──

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
--> statement-breakpoint
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
--> statement-breakpoint
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
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end $$;
--> statement-breakpoint
create extension if not exists vector;
--> statement-breakpoint
create extension if not exists btree_gist;
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
-- The schema of the functions that bypass row level security. Tenants may call only those that are granted to them.
create schema if not exists lore;
--> statement-breakpoint
revoke all on schema lore from public;
--> statement-breakpoint
revoke all on schema lore from anon, authenticated;
--> statement-breakpoint
grant usage on schema lore to lore_user, lore_server;
--> statement-breakpoint
grant usage on schema public to lore_user, lore_server;
--> statement-breakpoint
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
--> statement-breakpoint
-- ── dropped ──

drop view searchable, searchable_conversation, searchable_decision, searchable_episode, searchable_error, searchable_fact, searchable_finding, searchable_learning, searchable_note, searchable_pattern, searchable_relation, searchable_skill;
--> statement-breakpoint
drop routine capture_metrics(timestamp with time zone);
--> statement-breakpoint
drop routine lore.consolidate();
--> statement-breakpoint
drop routine lore.list_users();
--> statement-breakpoint
drop routine note_step(uuid,integer,text,text);
--> statement-breakpoint
drop routine session_counts(uuid);
--> statement-breakpoint
-- ── tables ──

CREATE TABLE "push_subscriptions" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"key_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_subscriptions_user_id_key_id_pk" PRIMARY KEY("user_id","key_id")
);
--> statement-breakpoint
ALTER TABLE "push_subscriptions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "push_told" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"code" text NOT NULL,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_told_user_id_code_pk" PRIMARY KEY("user_id","code")
);
--> statement-breakpoint
ALTER TABLE "push_told" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "next_vectors" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"id" uuid NOT NULL,
	"model" text NOT NULL,
	"embedding" vector(384),
	"attempts" integer DEFAULT 0 NOT NULL,
	"run_after" timestamp with time zone DEFAULT now() NOT NULL,
	"error" text,
	CONSTRAINT "next_vectors_user_id_id_model_pk" PRIMARY KEY("user_id","id","model")
);
--> statement-breakpoint
ALTER TABLE "next_vectors" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "auth_id" uuid;
--> statement-breakpoint
ALTER TABLE "command_checks" ADD COLUMN "tool_use_id" text;
--> statement-breakpoint
ALTER TABLE "command_checks" ADD COLUMN "judged" text;
--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "written_by" text;
--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "permissions" text DEFAULT 'allow' NOT NULL;
--> statement-breakpoint
ALTER TABLE "session_measures" ADD COLUMN "checked" boolean;
--> statement-breakpoint
ALTER TABLE "notes" ADD COLUMN "written_by" text;
--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "agent_id" text;
--> statement-breakpoint
ALTER TABLE "searches" ADD COLUMN "in_scope" integer;
--> statement-breakpoint
ALTER TABLE "searches" ADD COLUMN "left_out" integer;
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "permissions" text;
--> statement-breakpoint
ALTER TABLE "skills" ADD COLUMN "files" jsonb DEFAULT '[]'::jsonb NOT NULL;
--> statement-breakpoint
CREATE INDEX "push_told_time" ON "push_told" USING btree ("user_id","told_at");
--> statement-breakpoint
CREATE INDEX "next_vectors_waiting" ON "next_vectors" USING btree ("user_id","run_after") WHERE embedding is null;
--> statement-breakpoint
CREATE INDEX "command_checks_stopped" ON "command_checks" USING btree ("session_id") WHERE decision in ('deny', 'hold');
--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_auth_id_unique" UNIQUE("auth_id");
--> statement-breakpoint
CREATE POLICY "own rows" ON "push_subscriptions" AS PERMISSIVE FOR ALL TO "lore_user" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "push_told" AS PERMISSIVE FOR ALL TO "lore_user" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "next_vectors" AS PERMISSIVE FOR ALL TO "lore_user" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "api_keys" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "pairings" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "profiles" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "session_audits" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "command_cache" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "command_checks" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "working_states" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "consolidation_items" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "consolidation_pairs" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "consolidation_queue" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "consolidation_runs" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "episode_cuts" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "episodes" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "decisions" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "facts" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "relations" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "finding_links" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "findings" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "citations" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "guards" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "incidents" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "learning_requests" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "learnings" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "llm_usage" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "settings" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "session_measures" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "agents" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "channels" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "notes" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "observation_sources" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "observations" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "offers" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "pattern_changes" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "patterns" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "plan_changes" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "plan_steps" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "plans" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "amendment_queue" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "amendments" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "note_finds" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "search_documents" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "searches" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "dashboard_projects" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "erasures" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "events" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "projects" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "sessions" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "transcript_cursors" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "turns" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "skill_logs" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "skill_memories" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
ALTER POLICY "own rows" ON "skills" TO lore_user USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── sql/amendments/decide_amendments.sql ──

-- Whether a text amends an older one is decided once: in the background, after the write, when both texts have their
-- vectors. A search only follows the links that were found.

-- Queues those of the caller's documents that may amend another record: they say that something changed, or contain
-- what may be the beginning of an id. Four kinds are left out: conversations and errors amend nothing, facts and
-- relations are replaced by key, and skills have versions.
create or replace function queue_amendments(documents uuid[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into amendment_queue (user_id, kind, source_id, valid_from)
  select distinct d.user_id, d.kind, d.source_id, d.valid_from
  from search_documents d
  where d.user_id = auth.uid() and d.id = any (documents) and d.context is null
    and d.kind not in ('fact', 'relation', 'skill', 'error', 'conversation')
    and ((amendment_words(d.content)).words is not null or d.content ~ '\m[0-9a-f]{8}\M')
  -- An update waits for a worker that is just deciding about this record, so that it is decided about again.
  on conflict (user_id, kind, source_id) do update set valid_from = excluded.valid_from;
end $$;
--> statement-breakpoint
-- Returns the caller's documents of a kind and project that were there at an instant, are valid still, and are not
-- amended by another record than `besides`. A decision that `besides` itself has ended counts as valid.
create or replace function amendable_documents(
  of_kind text, in_project uuid, at timestamptz, model text, besides uuid
) returns setof search_documents
language sql stable as $$
  select d.*
  from search_documents d
  where d.user_id = auth.uid()
    and (d.project_id = in_project or in_project is null and d.project_id is null)
    and d.kind = of_kind
    and d.valid_from <= at
    and (d.valid_until is null or d.kind = 'decision' and exists (
      select from amendments a
      where a.user_id = d.user_id and a.kind = d.kind and a.older_id = d.source_id and a.newer_id = besides
        and a.undone_at is null))
    and d.context is null
    and d.embedding_model = model
    and not exists (
      select from amendments a
      where a.user_id = d.user_id and a.kind = d.kind and a.older_id = d.source_id and a.newer_id <> besides
        and a.undone_at is null)
$$;
--> statement-breakpoint
-- Decides whether a record of the caller amends an older one, and stores the link. It does when
--   1. of the older texts of its project and kind that still hold, the other one has the part nearest to a part of it,
--   2. at that time no other text was nearer to that part: each is the other's nearest neighbour, and
--   3. it says that something changed, or names the other by the first eight characters of its id (amendment_words
--      tells how near they must be).
-- A new decision about the same record replaces the old one. What a person has undone stays undone, and what was stated
-- stays.
create or replace function decide_amendment(of_kind text, of_id uuid, model text) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  me constant uuid := auth.uid();
  newer record;
  pair record;
  own_words text;
  said text;
  least_alike float8;
  chosen uuid;
begin
  select d.project_id, d.valid_from, string_agg(d.content, '' order by d.part) as content into newer
  from search_documents d
  where d.user_id = me and d.kind = of_kind and d.source_id = of_id and d.context is null
  group by d.project_id, d.valid_from;

  -- Exact, not by HNSW, which would look for the neighbours in all projects.
  select o.source_id, o.embedding, near.alike into pair
  from search_documents n
  join amendable_documents(of_kind, newer.project_id, newer.valid_from, model, of_id) o
    on o.valid_from < newer.valid_from and o.source_id <> of_id
  cross join lateral (select 1 - (n.embedding <=> o.embedding) as alike offset 0) near
  where n.user_id = me and n.kind = of_kind and n.source_id = of_id and n.embedding_model = model
  order by near.alike desc
  limit 1;

  -- A lesson's context quotes the prompt. A change that the prompt speaks of is not a change that this lesson states.
  select replace(newer.content, coalesce(max(l.context), ''), '') into own_words
  from learnings l
  where of_kind = 'learning' and l.user_id = me and l.id = of_id;
  select w.words, w.least_alike into said, least_alike from amendment_words(own_words) w;
  if position(left(pair.source_id::text, 8) in newer.content) > 0 then
    said := left(pair.source_id::text, 8);
    least_alike := 0.45;
  end if;
  if pair.alike >= least_alike and not exists (
    select
    from amendable_documents(of_kind, newer.project_id, newer.valid_from, model, of_id) r
    where r.source_id not in (of_id, pair.source_id) and 1 - (r.embedding <=> pair.embedding) > pair.alike)
  then
    chosen := pair.source_id;
    insert into amendments (user_id, kind, newer_id, older_id, evidence)
    values (me, of_kind, of_id, chosen,
      jsonb_build_object('words', said, 'similarity', round(pair.alike::numeric, 3), 'model', model))
    on conflict (user_id, kind, newer_id, older_id) do nothing;
  end if;
  delete from amendments a
  where a.user_id = me and a.kind = of_kind and a.newer_id = of_id and a.older_id is distinct from chosen
    and a.undone_at is null and a.evidence ->> 'model' is not null;
end $$;
--> statement-breakpoint
-- Decides about at most `most` queued records of the caller and returns how many there were. The oldest come first: a
-- record that has been amended is no longer compared with newer ones, so the order matters.
create or replace function decide_amendments(model text, most int) returns int
language plpgsql as $$
declare
  queued record;
  decided int := 0;
begin
  for queued in
    select q.kind, q.source_id
    from amendment_queue q
    where q.user_id = auth.uid()
    order by q.valid_from, q.source_id
    limit most
    for update skip locked
  loop
    perform decide_amendment(queued.kind, queued.source_id, model);
    delete from amendment_queue q
    where q.user_id = auth.uid() and q.kind = queued.kind and q.source_id = queued.source_id;
    decided := decided + 1;
  end loop;
  return decided;
end $$;
--> statement-breakpoint
-- Returns the users who have records to decide about. Those who have texts without a vector come later, because a
-- neighbour may be among these; texts that could not be embedded at once are not waited for.
create or replace function lore.users_to_decide_amendments(model text) returns setof uuid
language plpgsql stable security definer
set search_path = ''
-- one plan for all calls: planning would take longer than looking
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select q.user_id
  from (select distinct w.user_id from public.amendment_queue w) q
  where not exists (
    select from public.search_documents d
    where d.user_id = q.user_id and d.embed_error is null
      and (d.embedding_model is null or d.embedding_model < model or d.embedding_model > model));
end $$;
--> statement-breakpoint
-- Deletes the links and the place in the queue of a record that is erased.
create or replace function forget_amendments(owner uuid, of_kind text, of_id uuid) returns void
language plpgsql as $$
begin
  delete from amendments a
  where a.user_id = owner and a.kind = of_kind and (a.newer_id = of_id or a.older_id = of_id);
  delete from amendment_queue q where q.user_id = owner and q.kind = of_kind and q.source_id = of_id;
end $$;
--> statement-breakpoint
-- Texts that were stored before there were amendments are decided about too.
do $$ begin
  insert into amendment_queue (user_id, kind, source_id, valid_from)
  select distinct d.user_id, d.kind, d.source_id, d.valid_from
  from search_documents d
  where d.context is null and d.embedding_model is not null and (amendment_words(d.content)).words is not null
  on conflict do nothing;
end $$;
--> statement-breakpoint
-- ── sql/consolidation/expire_raw.sql ──

-- Events and checks are append-only, so deleting old ones needs functions that look past the rights of the caller.
-- They touch only rows of auth.uid().

-- Deletes the caller's events from before an instant, session by session from `session` on, until an instant of the
-- clock. It keeps what an incident cites (the call that failed and the one that worked), the event with which an
-- episode begins, and all of a session that a lesson may still be learned from. Returns how many are gone, and the
-- session to go on with; null when all are done.
create or replace function lore.expire_events(
  before timestamptz, inout session uuid, until timestamptz, out gone bigint
)
language plpgsql security definer
set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  -- at once; the embedded engine answers nothing else meanwhile
  most constant int := 200;
  one uuid;
  n bigint;
begin
  gone := 0;
  for one in
    select s.id from public.sessions s
    where s.user_id = me and (session is null or s.id >= session)
    order by s.id
  loop
    session := one;
    if not exists (
      select from public.learning_requests r
      where r.user_id = me and r.session_id = one and r.status = 'pending')
    then
      loop
        delete from public.events x
        where x.id in (
          select e.id
          from public.events e
          where e.user_id = me and e.session_id = one and e.occurred_at < before
            and not exists (
              select from public.incidents i
              where i.user_id = me and i.session_id = one and i.tool_use_id = e.tool_use_id)
            and not exists (
              select from public.incidents i
              where i.user_id = me and i.resolution ->> 'toolUseId' = e.tool_use_id
                and coalesce(i.resolution ->> 'sessionId', i.session_id::text) = one::text)
            and not exists (
              select from public.episodes p
              where p.user_id = me and p.session_id = one and p.start_key = e.dedup_key)
          order by e.occurred_at
          limit most);
        get diagnostics n = row_count;
        gone := gone + n;
        if clock_timestamp() > until then
          return;
        end if;
        exit when n < most;
      end loop;
    end if;
  end loop;
  session := null;
end $$;
--> statement-breakpoint
grant execute on function lore.expire_events to lore_user;
--> statement-breakpoint
-- Deletes up to `most` of the caller's checks of commands from before an instant. Returns their number.
create or replace function lore.expire_checks(before timestamptz, most int) returns bigint
language sql security definer
set search_path = ''
as $$
  with gone as (
    delete from public.command_checks x
    where x.id in (
      select c.id from public.command_checks c
      where c.user_id = auth.uid() and c.checked_at < before
      order by c.checked_at limit most)
    returning 1
  )
  select count(*) from gone
$$;
--> statement-breakpoint
grant execute on function lore.expire_checks to lore_user;
--> statement-breakpoint
-- Adds to a count in the report of a run.
create or replace function count_in_run(run consolidation_runs, name text, n bigint) returns void
language sql as $$
  update consolidation_runs r
  set counts = r.counts || jsonb_build_object(name, coalesce((r.counts ->> name)::bigint, 0) + n)
  where r.user_id = auth.uid() and r.id = (run).id and n > 0
$$;
--> statement-breakpoint
-- Deletes raw events of a run's user that are older than it keeps. Returns whether none is left.
create or replace function expire_events(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  deleted record;
begin
  if run.keep_from is null then
    return true;
  end if;
  select * into deleted from lore.expire_events(run.keep_from, run.position, until);
  perform count_in_run(run, 'events', deleted.gone);
  update consolidation_runs r set position = deleted.session where r.user_id = auth.uid() and r.id = run.id;
  return deleted.session is null;
end $$;
--> statement-breakpoint
-- Deletes old checks of commands. Returns whether none is left.
create or replace function expire_checks(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  deleted bigint;
begin
  loop
    deleted := case when run.keep_from is null then 0 else lore.expire_checks(run.keep_from, 200) end;
    perform count_in_run(run, 'checks', deleted);
    if deleted = 0 then
      return true;
    elsif clock_timestamp() > until then
      return false;
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- Returns how many raw events and checks of the caller are from before an instant, for a dry run. What is cited and
-- stays counts too.
create or replace function raw_before(instant timestamptz, out events bigint, out checks bigint)
language sql stable as $$
  select (select count(*) from events e where e.user_id = auth.uid() and e.occurred_at < instant),
    (select count(*) from command_checks c where c.user_id = auth.uid() and c.checked_at < instant)
$$;
--> statement-breakpoint
-- ── sql/consolidation/nightly.sql ──

-- Returns the users with an open run, and those for whom no run has begun since `night`, the last time when one was
-- due. An account that was made after that time is not late. Where pg_cron begins the runs, this server waits for a
-- day and two hours before it begins one itself.
create or replace function lore.users_to_consolidate(night timestamptz) returns table (id uuid, open boolean)
language plpgsql stable security definer
set search_path = ''
as $$
declare
  due constant timestamptz :=
    case when lore.cron_is_set() then least(night, now() - interval '26 hours') else night end;
begin
  return query
  select p.user_id, r.open
  from public.profiles p
  cross join lateral (
    select coalesce(bool_or(o.finished_at is null), false) as open,
      coalesce(bool_or(o.started_at >= due), false) as begun
    from (
      select c.finished_at, c.started_at from public.consolidation_runs c
      where c.user_id = p.user_id order by c.started_at desc limit 1
    ) o
  ) r
  where p.removed_at is null and (r.open or not r.begun and p.created_at < due);
end $$;
--> statement-breakpoint
-- Returns when a night last ended, of any user, and whether a user's has not for a day and two hours. For /health.
create or replace function lore.consolidation_state(out last_run timestamptz, out late boolean)
language sql stable security definer
set search_path = ''
as $$
  select max(r.last), coalesce(bool_or(p.created_at < now() - interval '26 hours'
    and (r.last is null or r.last < now() - interval '26 hours')), false)
  from public.profiles p
  left join lateral (
    select c.finished_at as last from public.consolidation_runs c
    where c.user_id = p.user_id and c.finished_at is not null
    order by c.finished_at desc limit 1
  ) r on true
  where p.removed_at is null
$$;
--> statement-breakpoint
-- Returns whether a text has waited for its vector for a day, although nothing was wrong with it. For /health: it
-- looks at a few of each user.
create or replace function lore.embedding_stands_still() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (
    select from public.profiles p
    cross join lateral (
      select d.embed_after from public.search_documents d
      where d.user_id = p.user_id and d.embedding_model is null limit 20
    ) w
    where w.embed_after < now() - interval '1 day')
$$;
--> statement-breakpoint
-- Returns whether pg_cron is there and begins the nights of this database.
create or replace function lore.cron_is_set() returns boolean
language plpgsql stable as $$
declare
  found boolean := false;
begin
  if to_regclass('cron.job') is not null then
    execute format($q$select exists (select from %s j
      where j.jobname = 'lore-consolidation' and j.active and j.database = current_database())$q$,
      to_regclass('cron.job')) into found;
  end if;
  return found;
exception when insufficient_privilege then
  return false;
end $$;
--> statement-breakpoint
-- Lets the rest of the transaction run as a user, under row level security, as src/db/as-user.ts does.
create or replace function lore.act_as(account uuid) returns void
language sql as $$
  select set_config('request.jwt.claims', json_build_object('sub', account, 'role', 'authenticated')::text, true),
    set_config('role', 'lore_user', true)
$$;
--> statement-breakpoint
-- Begins the night of an account.
create or replace function lore.begin_night(account uuid) returns void
language plpgsql as $$
declare
  days constant int := (select i.retention_days from lore.instance i);
begin
  perform lore.act_as(account);
  perform public.begin_consolidation('cron', days);
end $$;
--> statement-breakpoint
-- Does a piece of the part of an account's night that is SQL. Returns whether there is more of it. Pairs of lessons,
-- and mining, wait for a worker of any server.
create or replace function lore.go_on_with_night(account uuid) returns boolean
language plpgsql as $$
declare
  stage text;
begin
  perform lore.act_as(account);
  stage := public.consolidation_step(500);
  return stage <> 'done' and stage <> 'patterns' and not (stage = 'settle' and exists (
    select from public.consolidation_pairs p where p.user_id = account));
end $$;
--> statement-breakpoint
-- Wakes the servers that are connected, and the function `nightly` where there are Edge Functions.
create or replace function lore.wake_after_nights() returns void
language plpgsql as $$
begin
  notify lore_consolidation;
  perform lore.wake_function('nightly');
end $$;
--> statement-breakpoint
-- Returns what pg_cron runs: the nights of all accounts, one after the other, with a commit after each piece. (It is no
-- procedure, because one that commits can have no search_path of its own.)
create or replace function lore.nights() returns text
language sql immutable as $$
  select 'do $nights$
declare
  account uuid;
  more boolean;
begin
  for account in select p.user_id from public.profiles p where p.removed_at is null order by p.user_id loop
    perform lore.begin_night(account);
    commit;
    loop
      more := lore.go_on_with_night(account);
      commit;
      exit when more is not true;
    end loop;
  end loop;
  perform lore.wake_after_nights();
end $nights$'
$$;
--> statement-breakpoint
-- Every night at three where pg_cron is there (in its own time zone, usually UTC). It lives in one database only.
-- Elsewhere the servers begin the nights.
do $$ begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron')
    and current_setting('cron.database_name', true) = current_database()
  then
    create extension if not exists pg_cron;
    execute $q$select cron.schedule('lore-consolidation', '0 3 * * *', lore.nights())$q$;
  end if;
exception when others then
  raise notice 'pg_cron is not used: %', sqlerrm;
end $$;
--> statement-breakpoint
-- ── sql/consolidation/wake_functions.sql ──

-- Starts Edge Functions, which do what a server's workers do where no server runs: pg_cron calls this, and pg_net posts
-- to the function. Where they are and the secret that they ask for stand in Supabase's Vault, as `lore_functions_url`
-- (https://<project>.supabase.co/functions/v1) and `lore_wake_secret`; without a Vault, in the row of lore.wake. (Every
-- session can read a setting of the database.)

-- One row, which belongs to no tenant; only the server's own role reads it.
create table if not exists lore.wake (
  only_row boolean primary key default true check (only_row),
  functions_url text not null check (functions_url ~ '^https?://'),
  secret text not null check (length(secret) >= 32)
);
--> statement-breakpoint
-- Returns where the functions are, and the secret: from the Vault, else from the row. No row where neither says it.
create or replace function lore.wake_address() returns table (functions_url text, secret text)
language plpgsql stable as $$
declare
  vault constant regclass := to_regclass('vault.decrypted_secrets');
begin
  if vault is not null then
    return query execute format('select u.decrypted_secret, s.decrypted_secret from %1$s u, %1$s s
      where u.name = ''lore_functions_url'' and s.name = ''lore_wake_secret''', vault);
    if found then
      return;
    end if;
  end if;
  return query select w.functions_url, w.secret from lore.wake w;
end $$;
--> statement-breakpoint
-- Starts a function if it is known where it is. Returns the number of the request of pg_net, null if there is none.
create or replace function lore.wake_function(name text) returns bigint
language plpgsql as $$
declare
  post constant regproc := to_regproc('net.http_post');
  address record;
  request bigint;
begin
  select * into address from lore.wake_address();
  if post is null or address.functions_url is null then
    return null;
  end if;
  execute format('select %s(url := $1, body := $2, headers := $3, timeout_milliseconds := 30000)', post)
  into request
  using rtrim(address.functions_url, '/') || '/' || name, '{}'::jsonb,
    jsonb_build_object('authorization', 'Bearer ' || address.secret, 'content-type', 'application/json');
  return request;
end $$;
--> statement-breakpoint
-- Returns what is missing for the functions to be started by the database; none where nothing is.
create or replace function lore.wake_lacks() returns setof text
language plpgsql stable as $$
declare
  scheduled boolean := false;
begin
  if to_regclass('cron.job') is null then
    return next 'the extension pg_cron';
  else
    execute format('select exists (select from %s j
      where j.jobname = ''lore-work'' and j.active and j.database = current_database())', to_regclass('cron.job'))
    into scheduled;
    if not scheduled then
      return next 'the job lore-work of pg_cron: select lore.schedule_work()';
    end if;
  end if;
  if to_regproc('net.http_post') is null then
    return next 'the extension pg_net';
  end if;
  if not exists (select from lore.wake_address()) then
    return next 'the secrets lore_functions_url and lore_wake_secret in the Vault, or the row of lore.wake';
  end if;
end $$;
--> statement-breakpoint
-- Lets pg_cron start the function `work` every half minute. It does nothing until their address is known.
create or replace function lore.schedule_work() returns void
language plpgsql as $$
declare
  -- by its name in a variable, because the extension may not be there
  schedule constant regproc := to_regprocedure('cron.schedule(text, text, text)')::regproc;
begin
  if schedule is null then
    raise exception 'pg_cron is not installed' using hint = 'create extension pg_cron';
  end if;
  execute format('select %s($1, $2, $3)', schedule)
  using 'lore-work', '30 seconds', $q$select lore.wake_function('work')$q$;
end $$;
--> statement-breakpoint
do $$ begin
  if to_regclass('cron.job') is not null then
    perform lore.schedule_work();
  end if;
exception when others then
  raise notice 'pg_cron does not start the function work: %', sqlerrm;
end $$;
--> statement-breakpoint
-- ── sql/events/is_persons_prompt.sql ──

-- Returns whether a person wrote the prompt of an event, by its payload. The event says so itself; those from before
-- 0.4 do not, and there only one kind is known.
create or replace function is_persons_prompt(payload jsonb) returns boolean
language sql immutable as $$
  select payload #>> '{lore,by}' is null
    and not starts_with(ltrim(payload ->> 'prompt', E' \n\r\t'), '<task-notification>')
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
      target text, files text[], task text, title text, said text, begins text)
  loop
    results := results || record_event(e.session_id, e.hook, e.key, e.source, e.at, e.target, e.files, e.task, e.title,
      e.said, e.begins);
  end loop;
  return results;
end $$;
--> statement-breakpoint
-- ── sql/events/waits_after.sql ──

-- Returns what a session's client waits for a person to do, after an event: a list of
--
--   what          what the person is to do
--   agent         the agent that waits; null is the main one
--   tool, input   the call that waits, with a hash of its input
--   call          the id of that call, if it is known
--   since         when it began
--
-- What waits is a call, so it goes on with that call only: other calls and other agents go on meanwhile. It ends with
-- the answer to the call, with the same call made anew, and with the turn of its agent.
--
--   begins   what the person is to do, if the event says that its call waits now; else null
--   call     the id of the event's call, if it is known
create or replace function waits_after(waits jsonb, hook jsonb, at timestamptz, begins text, call text) returns jsonb
language sql stable
set search_path = ''
as $$
  with event as (
    select hook ->> 'hook_event_name' as name, hook ->> 'agent_id' as agent, hook ->> 'tool_name' as tool,
      md5((hook -> 'tool_input')::text) as input),
  kept as (
    select w.entry, w.n
    from event e, jsonb_array_elements(waits) with ordinality w (entry, n)
    where (w.entry ->> 'since')::timestamptz > at or not (
      -- a dialog takes the keyboard, so whoever prompts has answered it
      e.name in ('SessionStart', 'SessionEnd', 'UserPromptSubmit')
      or (w.entry ->> 'agent') is not distinct from e.agent and (
        e.name in ('Stop', 'StopFailure', 'SubagentStop', 'PostToolBatch')
        or e.name in ('PostToolUse', 'PostToolUseFailure', 'PermissionDenied') and case
          when w.entry ->> 'call' is not null and call is not null then w.entry ->> 'call' = call
          else (w.entry ->> 'tool', w.entry ->> 'input') is not distinct from (e.tool, e.input) end
        or e.name in ('PreToolUse', 'PermissionRequest')
          and (w.entry ->> 'tool', w.entry ->> 'input') is not distinct from (e.tool, e.input)
          and w.entry ->> 'call' is distinct from call))
    union all
    select jsonb_build_object('what', begins, 'agent', e.agent, 'tool', e.tool, 'input', e.input, 'call', call,
      'since', at), 1000
    from event e
    where begins is not null
      and not exists (select from jsonb_array_elements(waits) w
        where (w ->> 'agent') is not distinct from e.agent and (w ->> 'call') is not distinct from call
          and (w ->> 'tool', w ->> 'input') is not distinct from (e.tool, e.input)))
  select coalesce(jsonb_agg(k.entry order by k.n), '[]') from kept k
$$;
--> statement-breakpoint
-- ── sql/incidents/is_error.sql ──

-- Returns whether an incident is an error of an agent. What a rule of commands denied is kept with the errors, because
-- the next try may answer it, but it never ran. Its text begins as DENIED in src/incidents/incidents.ts.
create or replace function is_error(i incidents) returns boolean
language sql immutable as $$
  select i.error not like 'Denied by rule %'
$$;
--> statement-breakpoint
-- ── sql/index/embedding_model.sql ──

-- A database has one embedding model: vectors of two models cannot be compared. Otherwise two servers with different
-- models would overwrite each other's vectors for ever. A change to another model makes all new vectors first, beside
-- the old ones, which are used until then (next_vectors). Then one update of lore.instance makes the new model the one
-- in use, and the embedding worker takes the vectors that were made over to search_documents.

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
-- Begins to change the vectors to those of a model, or goes on with it. If that model is the one in use, a change to
-- another one ends.
create or replace function lore.begin_model_change(model text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if lore.may_embed(model) then
    update lore.instance set next_model = null where next_model is not null;
  else
    update lore.instance set next_model = model where next_model is distinct from model;
  end if;
  delete from public.next_vectors v where v.model <> begin_model_change.model;
end $$;
--> statement-breakpoint
-- Returns the users who have texts that need a vector of the model to which the database is being changed.
create or replace function lore.users_to_prepare(model text) returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select p.user_id
  from public.profiles p
  where exists (
    select from public.next_vectors v
    where v.user_id = p.user_id and v.model = users_to_prepare.model and v.embedding is null and v.run_after <= now()
  ) or exists (
    select from public.search_documents d
    where d.user_id = p.user_id and not exists (
      select from public.next_vectors v
      where v.user_id = d.user_id and v.id = d.id and v.model = users_to_prepare.model));
end $$;
--> statement-breakpoint
-- Queues at most `most` of the caller's texts that have no row in next_vectors yet. Returns how many there were.
create or replace function prepare_vectors(of_model text, most int) returns int
language plpgsql as $$
declare
  n int;
begin
  insert into next_vectors (user_id, id, model)
  select d.user_id, d.id, of_model
  from search_documents d
  where d.user_id = auth.uid() and not exists (
    select from next_vectors v where v.user_id = d.user_id and v.id = d.id and v.model = of_model)
  limit most
  on conflict do nothing;
  get diagnostics n = row_count;
  return n;
end $$;
--> statement-breakpoint
-- Makes a model the one in use, once all texts have their new vector; those that could not be embedded are not waited
-- for. Returns whether it did.
create or replace function lore.end_model_change(model text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  if exists (
    select from public.next_vectors v
    where v.model = end_model_change.model and v.embedding is null and v.run_after < 'infinity'
  ) or exists (select from lore.users_to_prepare(end_model_change.model)) then
    return false;
  end if;
  update lore.instance set embedding_model = next_model, next_model = null where next_model = end_model_change.model;
  if not found then
    return false;
  end if;
  delete from public.next_vectors v where v.embedding is null;
  return true;
end $$;
--> statement-breakpoint
-- Returns how far a change is, over all users: texts, those with a vector of the model in use, and those whose vector
-- of the next model is made.
create or replace function lore.model_progress(out documents int, out embedded int, out prepared int)
language plpgsql stable security definer
set search_path = ''
as $$
declare
  i record;
begin
  select m.embedding_model, m.next_model into i from lore.instance m;
  select count(*), count(*) filter (where d.embedding_model = i.embedding_model) into documents, embedded
  from public.search_documents d;
  select count(*) into prepared from public.next_vectors v where v.model = i.next_model and v.embedding is not null;
end $$;
--> statement-breakpoint
-- The new vector goes with its text.
create or replace function forget_next_vectors() returns trigger
language plpgsql as $$
begin
  delete from next_vectors v using gone g where v.user_id = g.user_id and v.id = g.id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger forget_next_vectors
  after delete on search_documents
  referencing old table as gone
  for each statement execute function forget_next_vectors();
--> statement-breakpoint
-- ── sql/index/index_size.sql ──

-- Returns how many bytes the caller's newest texts have in the index, and how many the index needs beside them to find
-- them: lexemes, weights and vectors. Of all texts it would be the same proportion, but reading them all takes long.
create or replace function index_size(
  most int, out texts int, out content_bytes bigint, out index_bytes bigint
)
language sql stable as $$
  select count(*)::int, coalesce(sum(octet_length(d.content)), 0)::bigint,
    coalesce(sum(pg_column_size(d.tsv) + coalesce(pg_column_size(d.terms), 0)
      + coalesce(pg_column_size(d.embedding), 0)), 0)::bigint
  from (
    select s.content, s.tsv, s.terms, s.embedding from search_documents s
    where s.user_id = auth.uid() order by s.confirmed_at desc limit most) d
$$;
--> statement-breakpoint
-- ── sql/index/prepare_search_document.sql ──

-- Fills the columns that a search uses, and forgets the vector that was made of another text.
create or replace function prepare_search_document() returns trigger
language plpgsql as $$
begin
  new.tsv := search_lexemes(concat_ws(E'\n', new.label, new.content), new.context);
  new.terms := search_terms(new.tsv);
  new.telling := search_telling(new.content, new.context);
  if tg_op = 'UPDATE'
    and (old.content, old.label, old.context) is distinct from (new.content, new.label, new.context)
  then
    delete from next_vectors v where v.user_id = new.user_id and v.id = new.id;
  end if;
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

-- Returns the text by which an episode is found: its task, what the agent said of it, its work items and files.
create or replace function episode_document(e episodes) returns text
language sql immutable as $$
  select concat_ws(E'\n',
    e.description,
    nullif(left(e.last_message, 400), ''),
    e.error,
    nullif(concat_ws(' ', variadic e.work_items), ''),
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
  e.agent_type as agent,
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
    'complexity', e.complexity,
    'branch', e.branch,
    'workItems', e.work_items,
    'filesModified', e.files_modified,
    'agentType', e.agent_type,
    'private', e.private,
    'startedAt', to_char(e.started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from episodes e;
--> statement-breakpoint
create or replace trigger index_episode
  after insert or delete or update of project_id, description, last_message, error, work_items, files_modified, outcome,
    agent_type, started_at, ended_at, private
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
  p.confidence,
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
    'failures', p.failures,
    'private', p.private,
    'pinned', p.pinned)) as metadata
from patterns p
where p.status = 'active';
--> statement-breakpoint
-- The counters are not in this list, because they change with each session.
create or replace trigger index_pattern
  after insert or delete or update of project_id, name, triggers, template, confidence, private, status, last_used,
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

-- Returns the text by which a skill is found: its name, what it is for, and its category. Not its whole text: a step
-- that happens to mention a word does not make it the skill for it.
create or replace function skill_document(s skills) returns text
language sql immutable as $$
  select concat_ws(E'\n', translate(s.name, '-_.', '   '), s.description, s.category)
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
  s.source_subagent as agent,
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
    'description', s.description,
    'category', s.category,
    'evaluatedBy', s.evaluated_by,
    'sourceSubagent', s.source_subagent)) as metadata
from skills s;
--> statement-breakpoint
create or replace trigger index_skill
  after insert or delete or update of project_id, name, description, category, source_subagent, valid_from, valid_until
  on skills
  for each row execute function index_record('skill');
--> statement-breakpoint
-- ── sql/metrics/measure_session.sql ──

-- Returns what the events of one of the caller's sessions tell about how it went, and its shell commands, each with the
-- first time that it passed (null: it never did): whether one of them is a check is not for SQL to say.
--
-- The agent is at work from a prompt on until the turn ends. Waiting for the person does not count. A pause of more
-- than ten minutes counts as ten, because then the machine was asleep, or a question waited.
create or replace function session_counts(
  in_session uuid,
  out started timestamptz, out first_prompt timestamptz, out prompts int, out calls int, out commands int,
  out errors int, out repeated_errors int, out working_ms bigint, out lines jsonb
)
language sql stable as $$
  with e as (
    select e.id, e.event, e.tool_name, e.tool_use_id, e.occurred_at as at,
      e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload) as prompt,
      e.event in ('PostToolUse', 'PostToolUseFailure') as call,
      lag(e.occurred_at) over (order by e.occurred_at, e.id) as before
    from events e
    where e.session_id = in_session
  ), c as (
    select min(at) as started, min(at) filter (where prompt) as first_prompt,
      count(*) filter (where prompt) as prompts, count(*) filter (where call) as calls,
      count(*) filter (where call and tool_name = 'Bash') as commands,
      sum(least(extract(epoch from at - before), 600)) filter (
        where not prompt and event not in ('SessionStart', 'SessionEnd')) as working
    from e
  ), n as (
    select e.*, count(*) filter (where e.call and e.tool_name = 'Bash' and e.at >= c.first_prompt)
        over (order by e.at, e.id) as nth
    from e, c
  ), i as (
    select i.signature, bool_or(exists (
        select from incidents o
        where o.user_id = i.user_id and o.project_id = i.project_id and o.signature = i.signature
          and o.session_id <> i.session_id and o.opened_at < i.opened_at)) as repeated
    from incidents i
    where i.session_id = in_session and is_error(i)
    group by i.signature
  )
  select c.started, c.first_prompt, c.prompts::int, c.calls::int, c.commands::int,
    (select count(*)::int from i), (select count(*)::int from i where i.repeated), (c.working * 1000)::bigint,
    (select coalesce(jsonb_agg(p order by p.at), '[]') from (
      select r.target, min(r.at) filter (where r.passed) as at, min(r.nth) filter (where r.passed) as commands
      from (
        select t.target, e.at, e.nth, e.event = 'PostToolUse' and not exists (
            select from incidents x where x.session_id = in_session and x.tool_use_id = e.tool_use_id) as passed
        from n e join events t on t.id = e.id
        where e.call and e.tool_name = 'Bash' and e.at >= c.first_prompt and t.target is not null) r
      group by r.target) p)
  from c
$$;
--> statement-breakpoint
-- ── sql/metrics/offer_metrics.sql ──

-- What became of what the caller's agents were offered since an instant, each record once a session: how many have an
-- outcome and how many of these were followed; the same of those that were told at a failure, or with the result of a
-- call that failed; and how many sessions were offered any, and followed none.
create or replace function offer_metrics(since timestamptz)
returns table (settled int, followed int, recoveries int, recovered int, sessions int, skipped int)
language sql stable as $$
  with o as (
    select o.session_id, bool_or(o.outcome <> 'unused') as followed,
      bool_or(o.event in ('PostToolUse', 'PostToolUseFailure') or o.event = 'PreToolUse' and exists (
        select from incidents i
        where i.session_id = o.session_id and 'PreToolUse:' || i.tool_use_id = o.dedup_key)) as recovery
    from offers o
    where o.user_id = auth.uid() and o.offered_at >= since and o.outcome is not null and not o.withheld
    group by o.session_id, o.source_id
  )
  select count(*)::int, (count(*) filter (where followed))::int, (count(*) filter (where recovery))::int,
    (count(*) filter (where recovery and followed))::int, count(distinct session_id)::int,
    (count(distinct session_id) - count(distinct session_id) filter (where followed))::int
  from o
$$;
--> statement-breakpoint
-- What the caller's agents were told since an instant: sessions that were told anything, the tokens of all, and the
-- median of a session.
create or replace function offer_costs(since timestamptz, out sessions int, out tokens bigint, out median float8)
language sql stable as $$
  select count(*)::int, coalesce(sum(s.tokens), 0)::bigint, percentile_cont(0.5) within group (order by s.tokens)
  from (
    select sum(o.tokens) as tokens from offers o
    where o.user_id = auth.uid() and o.offered_at >= since and not o.withheld
    group by o.session_id) s
$$;
--> statement-breakpoint
-- The caller's answers to an error that were discarded when they were judged, and lessons that were closed without a
-- successor, since an instant; and how many of these an error asked for again, in a later session.
create or replace function discarded_metrics(since timestamptz)
returns table (discarded int, needed int)
language sql stable as $$
  with d as (
    select i.project_id, i.signature, r.session_id, r.finished_at as at
    from learning_requests r
    join incidents i on i.user_id = r.user_id and i.id = r.incident_id
    where r.user_id = auth.uid() and r.decision = 'discarded' and r.finished_at >= since
    union all
    select l.project_id, l.signature, l.source_session_id, l.valid_until
    from learnings l
    where l.user_id = auth.uid() and l.valid_until >= since and l.signature is not null
      and not exists (select from learnings n where n.user_id = l.user_id and n.supersedes = l.id)
  )
  select count(*)::int, (count(*) filter (where exists (
      select from incidents i
      where i.user_id = auth.uid() and i.project_id = d.project_id and i.signature = d.signature
        and i.opened_at > d.at and i.session_id is distinct from d.session_id)))::int
  from d
$$;
--> statement-breakpoint
-- ── sql/metrics/session_metrics.sql ──

-- Returns how the caller's sessions went that began after an instant and have ended, one row for each arm of the
-- comparison (null: sessions outside of it), and one for each half of those without memory (`control 1`, `control 2`;
-- a hash of the id says which): what differs between these is chance. Values that are compared as ratios come as mean
-- and variance of their logarithms.
create or replace function session_metrics(since timestamptz)
returns table (
  arm text, sessions int, repeating int, commands jsonb, working jsonb, tokens jsonb
)
language sql stable as $$
  select side.arm, count(*)::int, (count(*) filter (where m.repeated_errors > 0))::int,
    jsonb_build_object('n', count(m.commands_to_success), 'mean', avg(ln(m.commands_to_success)),
      'variance', var_samp(ln(m.commands_to_success))),
    jsonb_build_object('n', count(*) filter (where m.working_ms > 0),
      'mean', avg(ln(m.working_ms)) filter (where m.working_ms > 0),
      'variance', var_samp(ln(m.working_ms)) filter (where m.working_ms > 0)),
    jsonb_build_object('n', count(*) filter (where s.tokens > 0), 'mean', avg(ln(s.tokens)) filter (where s.tokens > 0),
      'variance', var_samp(ln(s.tokens)) filter (where s.tokens > 0))
  from session_measures m
  join sessions s on s.user_id = m.user_id and s.id = m.session_id
  cross join lateral (
    select s.arm
    union all
    select case when left(md5(s.id::text), 1) < '8' then 'control 1' else 'control 2' end where s.arm = 'withheld'
  ) side (arm)
  where m.user_id = auth.uid() and m.started_at >= since and m.calls > 0
  group by side.arm
$$;
--> statement-breakpoint
-- Returns how many of the caller's sessions met an error that their project had met before: those that began after an
-- instant, and those of the period of the same length before it.
create or replace function repeating_by_period(
  since timestamptz, out sessions int, out repeating int, out sessions_before int, out repeating_before int
)
language sql stable as $$
  select (count(*) filter (where m.started_at >= since))::int,
    (count(*) filter (where m.started_at >= since and m.repeated_errors > 0))::int,
    (count(*) filter (where m.started_at < since))::int,
    (count(*) filter (where m.started_at < since and m.repeated_errors > 0))::int
  from session_measures m
  where m.user_id = auth.uid() and m.started_at >= since - (now() - since) and m.calls > 0
$$;
--> statement-breakpoint
-- Of the caller's sessions with a prompt and five calls or more: how many have an episode. Of those in which a check
-- passed: the median time until then, and in how many it took two minutes at most. Of those with a prompt and a call in
-- which none passed: how many ran checks all the same, and how many ran none.
create or replace function capture_metrics(since timestamptz)
returns table (meaningful int, captured int, green int, green_median float8, green_soon int,
  red int, unchecked int)
language sql stable as $$
  select count(*) filter (where m.prompts >= 1 and m.calls >= 5)::int,
    count(*) filter (where m.prompts >= 1 and m.calls >= 5 and exists (
      select from episodes e where e.user_id = m.user_id and e.session_id = m.session_id))::int,
    count(m.green_seconds)::int,
    percentile_cont(0.5) within group (order by m.green_seconds),
    count(*) filter (where m.green_seconds <= 120)::int,
    count(*) filter (where m.green_seconds is null and m.prompts >= 1 and m.checked)::int,
    count(*) filter (where m.prompts >= 1 and m.calls >= 1 and not m.checked)::int
  from session_measures m
  where m.user_id = auth.uid() and m.started_at >= since
$$;
--> statement-breakpoint
-- The time of the caller's tasks by type, the agent's own only: with memory and without where sessions were compared,
-- else in this period and in the one of the same length before it. As logarithms, see session_metrics.
create or replace function task_times(since timestamptz)
returns table (type text, side text, n int, mean float8, variance float8)
language sql stable as $$
  select e.type, side, count(*)::int, avg(ln(e.duration_ms))::float8, var_samp(ln(e.duration_ms))::float8
  from episodes e
  left join sessions s on s.user_id = e.user_id and s.id = e.session_id
  cross join lateral (
    select s.arm where e.started_at >= since and s.arm is not null
    union all select case when e.started_at >= since then 'now' else 'before' end
  ) o (side)
  where e.user_id = auth.uid() and e.started_at >= since - (now() - since) and e.agent_id is null
    and e.duration_ms > 0
  group by e.type, side
$$;
--> statement-breakpoint
-- ── sql/offers/claim_offers.sql ──

-- Stores what an answer is about to tell a session, before it tells it, where several servers may answer one session.
-- Each offer names how often this agent was told its record as far as the server knows (`known`): if it was told more
-- often, another answer told it meanwhile, and this one does not. A call is held for a record only if no call was
-- answered with it before. Answers to one session wait for each other here.
--
-- Returns a row for each offer: whether it is told, whether it may hold the call, and whether it is new.
create or replace function claim_offers(in_session uuid, delivery text, about jsonb, shown jsonb)
returns table (place int, tells boolean, may_hold boolean, is_new boolean)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('offers of ' || in_session, 0));
  return query
    with wanted as (
      select *
      from jsonb_to_recordset(shown) as w (position int, kind text, "sourceId" uuid, relevance text, text text,
        tokens int, withheld boolean, known int)
    ), judged as (
      select w.*,
        w."sourceId" is null or w.known >= (
          select count(*) from offers o
          where o.session_id = in_session and o.source_id = w."sourceId" and o.dedup_key <> delivery
            and o.agent_id is not distinct from about ->> 'agentId') as told,
        not exists (
          select from offers o
          where o.session_id = in_session and o.source_id = w."sourceId" and o.dedup_key <> delivery
            and o.event = 'PreToolUse') as holds
      from wanted w
    ), numbered as (
      select j.*, (row_number() over (partition by j.told order by j.position) - 1)::int as spot
      from judged j
    ), stored as (
      insert into offers (session_id, dedup_key, event, agent_id, agent_type, kind, source_id, relevance, position,
        text, tokens, offered_at, withheld)
      select in_session, delivery, about ->> 'event', about ->> 'agentId', about ->> 'agentType', n.kind, n."sourceId",
        n.relevance, n.spot, n.text, n.tokens, (about ->> 'at')::timestamptz, coalesce(n.withheld, false)
      from numbered n where n.told
      on conflict do nothing
      returning offers.position
    )
    select n.position, n.told, n.holds, n.told and exists (select from stored s where s.position = n.spot)
    from numbered n order by n.position;
end $$;
--> statement-breakpoint
-- ── sql/patterns/read_episodes.sql ──

-- Returns the steps of an episode as mining compares them: the tool, and the kind of thing that it worked on.
create or replace function episode_steps(steps jsonb) returns text[]
language sql immutable as $$
  select coalesce(array_agg(concat_ws(':', s.step ->> 'tool', s.step ->> 'targetKind') order by s.n), '{}')
  from jsonb_array_elements(case when jsonb_typeof(steps) = 'array' then steps end) with ordinality s(step, n)
$$;
--> statement-breakpoint
-- Returns a page of a project's episodes in the order of their time, behind an episode. `with_vectors`: also what their
-- descriptions mean, where the search index has it.
create or replace function episodes_to_mine(
  in_project uuid, after_time timestamptz, after_id uuid, max_rows int, with_vectors boolean
) returns table (
  id uuid, session_id uuid, type text, outcome text, description text, steps text[], tools text[], files text[],
  vector text, model text, started_at timestamptz, private boolean
)
language sql stable as $$
  select e.id, coalesce(e.session_id, e.id), e.type, e.outcome, left(e.description, 300), episode_steps(e.steps),
    array(select k from jsonb_object_keys(e.tools_used) k order by k), e.files_modified[1:50], d.embedding::text,
    d.embedding_model, e.started_at, e.private
  from episodes e
  left join search_documents d on with_vectors and d.user_id = e.user_id and d.kind = 'episode' and d.source_id = e.id
    and d.part = 0 and d.embedding_model is not null
  where e.user_id = auth.uid() and e.project_id = in_project
    and (after_id is null or (e.started_at, e.id) > (after_time, after_id))
  order by e.started_at, e.id
  limit max_rows
$$;
--> statement-breakpoint
-- Returns how many episodes a project has and, if these are more than `most`, the newest one that is too many.
create or replace function count_episodes(in_project uuid, most int, out n int, out id uuid, out started_at text)
language sql stable as $$
  select c.n, e.id, e.started_at::text
  from (select count(*)::int as n from episodes where user_id = auth.uid() and project_id = in_project) c
  left join lateral (
    select e.id, e.started_at
    from episodes e
    where e.user_id = auth.uid() and e.project_id = in_project
    order by e.started_at desc, e.id desc
    offset most limit 1
  ) e on true
$$;
--> statement-breakpoint
-- Returns the episodes that have not been counted yet, of all of the caller's projects. They are locked: mining, which
-- counts them too, waits.
create or replace function episodes_to_count(max_rows int) returns table (
  episode_id uuid, project_id uuid, session_id uuid, type text, outcome text, steps text[], files text[],
  started_at timestamptz
)
language sql volatile as $$
  select c.episode_id, c.project_id, coalesce(e.session_id, e.id), e.type, e.outcome, episode_steps(e.steps),
    e.files_modified[1:50], e.started_at
  from pattern_changes c
  left join episodes e on e.user_id = c.user_id and e.id = c.episode_id
  where c.user_id = auth.uid() and not c.counted
  order by c.changed_at, c.episode_id
  limit max_rows
  for update of c
$$;
--> statement-breakpoint
-- Returns what a session did since an instant, an episode a row. Where an episode had begun before, all of it counts.
create or replace function episodes_since(in_session uuid, since timestamptz) returns table (steps text[], outcome text)
language sql stable as $$
  select episode_steps(e.steps), e.outcome
  from episodes e
  where e.user_id = auth.uid() and e.session_id = in_session and coalesce(e.ended_at, e.started_at) >= since
  order by e.started_at, e.id
$$;
--> statement-breakpoint
-- Returns the caller's ended sessions that were offered patterns whose outcome is still unknown. A session's episodes
-- are written a moment after its end, and some sessions have none. Only once the session has been read is it known
-- whether its errors were solved.
create or replace function sessions_offered_patterns(max_rows int) returns table (session_id uuid)
language sql stable as $$
  select distinct s.id
  from offers o
  join sessions s on s.user_id = o.user_id and s.id = o.session_id
  where o.user_id = auth.uid() and o.kind = 'pattern' and o.outcome is null and not o.withheld
    and s.status <> 'active'
    and (s.ended_at < now() - interval '10 minutes'
      or exists (select from episodes e where e.user_id = s.user_id and e.session_id = s.id and e.ended_at is not null)
        and not exists (
          select from learning_requests r
          where r.user_id = s.user_id and r.session_id = s.id and r.status = 'pending'))
  order by 1
  limit max_rows
$$;
--> statement-breakpoint
-- ── sql/patterns/wilson.sql ──

-- Returns the 95 % confidence interval of a share, of which `good` of `n` were seen; null if n is 0. It is also right
-- for few observations. Wilson, “Probable inference, the law of succession, and statistical inference” (JASA 22,
-- 1927).
create or replace function wilson_interval(good int, n int, out low real, out high real)
language sql immutable as $$
  select ((p + z * z / (2 * m) - half) / (1 + z * z / m))::real, ((p + z * z / (2 * m) + half) / (1 + z * z / m))::real
  from (
    select p, z, m, z * sqrt(p * (1 - p) / m + z * z / (4 * m * m)) as half
    from (select good::float8 / n as p, 1.959964::float8 as z, n::float8 as m where n > 0) a
  ) b
$$;
--> statement-breakpoint
-- ── sql/plans/change_step.sql ──

-- What agents do with the steps of a plan. Each function locks the plan first, so changes of one plan come one after
-- the other, and two agents never hold one step. Each returns null if it was done, else why not:
--
--   missing    there is no such plan or step
--   stale      the plan has another version than the caller saw
--   held       another agent holds the step
--   free       nobody holds it
--   waits      a step before it is not completed
--   proposed   it was not accepted yet
--   closed     it is completed, failed or stopped, or its plan is

-- Returns whether a step is held by somebody whose lease has not ended. It is volatile like its clock: only then does
-- PostgreSQL write its text into the statement that calls it, which saves a tenth of a millisecond a call.
create or replace function is_step_held(s plan_steps) returns boolean
language sql volatile as $$
  select s.status = 'in_progress' and coalesce(s.lease_until > clock_timestamp(), true)
$$;
--> statement-breakpoint
-- Returns whether a step before this one is not completed. Its numbers are looked up one by one: `= any` is answered by
-- reading all steps of the user while the table has no statistics yet.
create or replace function does_step_wait(s plan_steps) returns boolean
language plpgsql stable as $$
declare
  before integer;
begin
  foreach before in array s.dependencies loop
    if exists (select from plan_steps d
        where d.plan_id = s.plan_id and d.number = before and d.status <> 'completed') then
      return true;
    end if;
  end loop;
  return false;
end $$;
--> statement-breakpoint
-- Locks a plan and returns it. Whoever waits for an advisory lock then finds the row as it is; whoever waits for the
-- row itself reads it twice.
create or replace function lock_plan(of_plan uuid) returns plans
language plpgsql as $$
declare
  p plans;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_plan::text, 0));
  select * into p from plans where id = of_plan for no key update;
  return p;
end $$;
--> statement-breakpoint
-- Returns why nothing can be done with a plan that was locked; null if something can.
create or replace function plan_fault(p plans, seen integer) returns text
language sql immutable as $$
  select case
    when p.id is null then 'missing'
    when seen <> p.version then 'stale'
  end
$$;
--> statement-breakpoint
-- Locks a plan. Returns why nothing can be done with it; null if something can.
create or replace function hold_plan(of_plan uuid, seen integer) returns text
language plpgsql as $$
begin
  return plan_fault(lock_plan(of_plan), seen);
end $$;
--> statement-breakpoint
create or replace function claim_step(
  of_plan uuid, step integer, by_holder text, shown text, lease_seconds integer, seen integer default null,
  in_session uuid default null, with_call text default null
) returns text
language plpgsql as $$
declare
  fault text;
  p plans;
  s plan_steps;
begin
  -- If another agent already holds the step, say so at once, without waiting for locks.
  if seen is null and exists (select from plan_steps h where h.plan_id = of_plan and h.number = step
      and is_step_held(h) and h.holder is distinct from by_holder) then
    return 'held';
  end if;
  -- If another agent is claiming this step right now, say so too, instead of waiting for its transaction to end.
  if not pg_try_advisory_xact_lock(hashtextextended(of_plan || ' ' || step, 0)) then
    return 'held';
  end if;
  p := lock_plan(of_plan);
  fault := plan_fault(p, seen);
  if fault is not null then
    return fault;
  end if;
  select * into s from plan_steps where plan_id = of_plan and number = step;
  fault := case
    when s.id is null then 'missing'
    when s.proposed then 'proposed'
    when s.status not in ('pending', 'in_progress') or p.status not in ('planning', 'in_progress') then 'closed'
    when is_step_held(s) and s.holder is distinct from by_holder then 'held'
    when cardinality(s.dependencies) > 0 and does_step_wait(s) then 'waits'
  end;
  if fault is not null then
    return fault;
  end if;
  if is_step_held(s) then
    -- the same agent claims again, as when its first answer was lost
    update plan_steps set lease_until = clock_timestamp() + make_interval(secs => lease_seconds) where id = s.id;
    return null;
  end if;
  update plan_steps set
    status = 'in_progress', assigned_to = shown, holder = by_holder, session_id = in_session, tool_use_id = with_call,
    agent_id = null, lease_until = clock_timestamp() + make_interval(secs => lease_seconds), attempts = attempts + 1,
    waiting_for = null, changed_by = shown, started_at = clock_timestamp(), ended_at = null
  where id = s.id;
  if p.status = 'planning' then
    update plans set status = 'in_progress', changed_by = shown where id = of_plan;
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Renews the lease of who holds a step.
create or replace function heartbeat_step(of_plan uuid, step integer, by_holder text, lease_seconds integer)
returns text
language plpgsql as $$
declare
  s plan_steps;
begin
  select * into s from plan_steps where plan_id = of_plan and number = step for update;
  if s.id is null then
    return 'missing';
  elsif s.status not in ('pending', 'in_progress') then
    return 'closed';
  elsif s.status <> 'in_progress' then
    return 'free';
  elsif s.holder is distinct from by_holder then
    return 'held';
  end if;
  update plan_steps set lease_until = clock_timestamp() + make_interval(secs => lease_seconds) where id = s.id;
  return null;
end $$;
--> statement-breakpoint
-- Completes a step, fails it, has it stopped, or gives it back (to_status pending). Who holds it may be told; then
-- nobody else's step is changed. With its last step a plan is completed. A failed or stopped step that is given back
-- can be tried again.
create or replace function end_step(
  of_plan uuid, step integer, to_status text, by_holder text, shown text, what_came text default null,
  seen integer default null, said jsonb default null
) returns text
language plpgsql as $$
declare
  fault text := hold_plan(of_plan, seen);
  s plan_steps;
begin
  if fault is not null then
    return fault;
  end if;
  select * into s from plan_steps where plan_id = of_plan and number = step;
  fault := case
    when s.id is null then 'missing'
    when s.proposed then 'proposed'
    when s.status = 'completed' then 'closed'
    when s.status in ('failed', 'stopped') and to_status <> 'pending' then 'closed'
    when by_holder is not null and is_step_held(s) and s.holder is distinct from by_holder then 'held'
    when to_status = 'completed' and does_step_wait(s) then 'waits'
    when to_status = 'pending' and s.status = 'pending' then 'free'
  end;
  if fault is not null then
    return fault;
  end if;
  update plan_steps set
    status = to_status, lease_until = null, waiting_for = null, changed_by = shown,
    holder = case when to_status <> 'pending' then holder end,
    assigned_to = case when to_status <> 'pending' then coalesce(assigned_to, shown) end,
    agent_id = case when to_status <> 'pending' then agent_id end,
    tool_use_id = case when to_status <> 'pending' then tool_use_id end,
    session_id = case when to_status <> 'pending' then session_id end,
    -- why it failed before is not what came of it now
    outcome = case when to_status = 'completed' then what_came else coalesce(what_came, outcome) end,
    report = coalesce(said, report),
    ended_at = case when to_status <> 'pending' then clock_timestamp() end
  where id = s.id;
  perform settle_plan(of_plan, shown);
  return null;
end $$;
--> statement-breakpoint
-- Says what a plan's steps make of it: it is completed with the last one, and goes on when one is added or given back.
-- One that a person closed as failed stays so.
create or replace function settle_plan(of_plan uuid, shown text) returns void
language plpgsql as $$
declare
  is_left boolean;
begin
  is_left := exists (select from plan_steps s
    where s.plan_id = of_plan and not s.proposed and s.status <> 'completed');
  if is_left then
    update plans set status = 'in_progress', changed_by = shown
    where id = of_plan and status = 'completed';
  else
    update plans set status = 'completed', changed_by = shown
    where id = of_plan and status in ('planning', 'in_progress')
      and exists (select from plan_steps where plan_id = of_plan and not proposed);
  end if;
end $$;
--> statement-breakpoint
-- Adds a note to a step, or to the plan itself (step 0). `writer` is a person or an agent, by the key. Returns why not.
create or replace function note_step(of_plan uuid, step integer, words text, shown text, writer text) returns text
language plpgsql as $$
declare
  fault text := hold_plan(of_plan, null);
begin
  if fault is null and step <> 0
      and not exists (select from plan_steps where plan_id = of_plan and number = step) then
    fault := 'missing';
  end if;
  if fault is not null then
    return fault;
  end if;
  perform keep_plan_version(of_plan, step, 'noted', shown,
    jsonb_strip_nulls(jsonb_build_object('text', words, 'writer', writer)));
  return null;
end $$;
--> statement-breakpoint
-- Gives back the caller's steps whose lease has ended. Returns how many.
create or replace function free_expired_steps() returns integer
language plpgsql as $$
declare
  s record;
  n integer := 0;
begin
  -- in an order, so that two servers do not wait for each other
  for s in
    select plan_id, number, assigned_to from plan_steps
    where status = 'in_progress' and lease_until <= clock_timestamp()
    order by plan_id, number
  loop
    perform hold_plan(s.plan_id, null);
    -- it may have been renewed or given back meanwhile
    if exists (select from plan_steps x where x.plan_id = s.plan_id and x.number = s.number
        and x.status = 'in_progress' and x.lease_until <= clock_timestamp()) then
      perform note_step(s.plan_id, s.number, 'Nothing was heard of ' || coalesce(s.assigned_to, 'its agent') ||
        ', so the step is free again.', 'lore', null);
      perform end_step(s.plan_id, s.number, 'pending', null, 'lore');
      n := n + 1;
    end if;
  end loop;
  return n;
end $$;
--> statement-breakpoint
-- ── sql/plans/keep_plan_changes.sql ──

-- Every change of a plan and of its steps is kept with an image of the row, whoever makes it. Each change is one
-- version of the plan. An import brings its own changes, so it turns this off (lore.restoring).

-- Returns what a change of a step was, in one word.
create or replace function plan_step_action(before plan_steps, now_is plan_steps) returns text
language sql immutable as $$
  select case
    when before.proposed and not now_is.proposed then 'accepted'
    when before.status is distinct from now_is.status then case now_is.status
      when 'in_progress' then 'claimed'
      when 'pending' then 'released'
      else now_is.status
    end
    when before.waiting_for is null and now_is.waiting_for is not null then 'waits'
    when before.waiting_for is not null and now_is.waiting_for is null then 'goes on'
    else 'changed'
  end
$$;
--> statement-breakpoint
-- The API gives times in milliseconds. So changes are recorded in milliseconds too: a caller who asks for the plan as
-- of a time that it was given must see the change made at that time.
create or replace function plan_clock() returns timestamptz
language sql volatile as $$
  select date_trunc('milliseconds', clock_timestamp())
$$;
--> statement-breakpoint
-- Counts one more version of a plan and keeps what it is. The plan's row stays locked until the end of the transaction,
-- so two changes never have the same version. (In plpgsql, because it keeps its plans for the next call.)
create or replace function keep_plan_version(of_plan uuid, step integer, action text, by_whom text, image jsonb)
returns void
language plpgsql as $$
begin
  with next as (
    update plans set version = version + 1, updated_at = plan_clock(), changed_by = by_whom
    where id = of_plan
    returning version, updated_at
  )
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  select of_plan, n.version, keep_plan_version.step, keep_plan_version.action, by_whom, keep_plan_version.image,
    n.updated_at
  from next n;
end $$;
--> statement-breakpoint
create or replace function keep_plan_step_change() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  -- renewing a lease or learning the agent's id is not a change worth a version
  if to_jsonb(old) - '{lease_until,changed_by,agent_id}'::text[]
      = to_jsonb(new) - '{lease_until,changed_by,agent_id}'::text[] then
    return null;
  end if;
  perform keep_plan_version(new.plan_id, new.number, plan_step_action(old, new),
    new.changed_by, to_jsonb(new) - 'user_id');
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_plan_step_change
  after update on plan_steps
  for each row execute function keep_plan_step_change();
--> statement-breakpoint
-- Steps that are added in one statement change their plan's row once: a plan may have a thousand.
create or replace function keep_plan_steps_added() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  with counted as (
    select a.plan_id, count(*)::int as n, max(a.changed_by) as by_whom from added a group by a.plan_id
  ), next as (
    update plans p set version = p.version + c.n, updated_at = plan_clock(), changed_by = c.by_whom
    from counted c where p.id = c.plan_id
    returning p.id, p.version - c.n as before, p.updated_at
  )
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  select a.plan_id, n.before + row_number() over (partition by a.plan_id order by a.number), a.number,
    case when a.proposed then 'proposed' else 'added' end, a.changed_by, to_jsonb(a) - 'user_id', n.updated_at
  from added a join next n on n.id = a.plan_id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_plan_steps_added
  after insert on plan_steps
  referencing new table as added
  for each statement execute function keep_plan_steps_added();
--> statement-breakpoint
-- The columns of a plan that do not change with its steps. It is stable like to_jsonb, so that PostgreSQL writes its
-- text into the statement that calls it.
create or replace function plan_itself(p plans) returns jsonb
language sql stable as $$
  select to_jsonb(p) - '{user_id,version,updated_at,changed_by}'::text[]
$$;
--> statement-breakpoint
create or replace function start_plan() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) is distinct from 'on' then
    new.updated_at := plan_clock();
  end if;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger start_plan
  before insert on plans
  for each row execute function start_plan();
--> statement-breakpoint
create or replace function count_plan_change() returns trigger
language plpgsql as $$
begin
  if plan_itself(old) is distinct from plan_itself(new)
      and current_setting('lore.restoring', true) is distinct from 'on' then
    new.version := old.version + 1;
    new.updated_at := plan_clock();
    new.closed_at := case
      when new.status not in ('planning', 'in_progress') then coalesce(old.closed_at, new.updated_at)
    end;
  end if;
  return new;
end $$;
--> statement-breakpoint
-- Most changes of a plan's row only count a version for a step.
create or replace trigger count_plan_change
  before update on plans
  for each row when (new.version = old.version) execute function count_plan_change();
--> statement-breakpoint
create or replace function keep_plan_change() returns trigger
language plpgsql as $$
begin
  if current_setting('lore.restoring', true) = 'on' then
    return null;
  end if;
  insert into plan_changes (plan_id, version, step, action, actor, image, recorded_at)
  values (new.id, new.version, 0,
    case
      when tg_op = 'INSERT' then 'added'
      when old.status is distinct from new.status then new.status
      else 'changed'
    end,
    new.changed_by, to_jsonb(new) - 'user_id', new.updated_at);
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_plan_made
  after insert on plans
  for each row execute function keep_plan_change();
--> statement-breakpoint
create or replace trigger keep_plan_change
  after update on plans
  for each row when (plan_itself(old) is distinct from plan_itself(new)) execute function keep_plan_change();
--> statement-breakpoint
-- Servers keep the plans of the projects that are worked on in memory. This tells them which to read again. The plan of
-- a prompt that is one task is told to no agent, so it is not kept there.
create or replace function notify_plans() returns trigger
language plpgsql as $$
begin
  if coalesce(new.drafted_by, old.drafted_by) = 'prompt' then
    return null;
  end if;
  perform pg_notify('lore_plans',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_plans
  after insert or update or delete on plans
  for each row execute function notify_plans();
--> statement-breakpoint
-- ── sql/realtime/at_work.sql ──

-- Returns whether a session was ever prompted or made a call. A client that resumes a session may first start another
-- one, in which nothing ever happens.
create or replace function has_worked(session uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from public.events e
    where e.session_id = session
      and e.event in ('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'))
$$;
--> statement-breakpoint
-- Returns whether an open session is at work: it was prompted or made a call, and its turn has not ended since. Agents
-- that go on behind the turn are at work until they stop. What tells of neither (a notification …) is passed over.
create or replace function is_at_work(session uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce((
    select e.event not in ('Stop', 'StopFailure', 'SessionStart', 'SessionEnd')
    from public.events e
    where e.session_id = session
      and (e.event in ('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch',
          'PermissionRequest', 'PermissionDenied', 'Stop', 'StopFailure', 'SessionEnd')
        -- compaction starts the session anew in the middle of a turn
        or e.event = 'SessionStart' and e.payload ->> 'source' is distinct from 'compact')
      and (e.agent_id is null or not exists (
        select from public.events z
        where z.session_id = session and z.event = 'SubagentStop' and z.agent_id = e.agent_id and z.id > e.id))
    order by e.occurred_at desc, e.id desc limit 1), false)
$$;
--> statement-breakpoint
-- ── sql/realtime/dashboard.sql ──

-- Returns what the phone page shows first, of the caller: how each project stands, the counts of the day that it is in
-- a time zone, and what waits for a person. Statuses are those that refresh_dashboard_project keeps.
--
--   waiting   commands that were denied within a day, that nobody has decided on since, and whose session could still
--             use the answer; steps of open plans that wait for somebody; sessions whose client waits, unless one of
--             their steps says so already
--   working   what agents do: each step at work, and each session of the last day at work that holds none
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
         and public.is_error(i)) as errors,
      task.told as task
    from public.projects p
    left join public.dashboard_projects d on d.user_id = p.user_id and d.project_id = p.id
    left join sessions s on s.project_id = p.id
    left join lessons l on l.project_id = p.id
    left join checks c on c.project_id = p.id
    left join lateral (
      select jsonb_build_object(
          'planId', q.id, 'goal', q.goal, 'done', n.done, 'total', n.total,
          'step', case when at_work.number is not null then
            jsonb_build_object('number', at_work.number, 'description', at_work.description) end,
          'agent', at_work.assigned_to,
          'model', coalesce(
            (select o.model from public.sessions o where o.user_id = q.user_id and o.id = at_work.session_id),
            (select o.model from public.sessions o
             where o.user_id = q.user_id and o.project_id = q.project_id and o.plan_id = q.id and o.model is not null
             order by o.last_activity desc limit 1))) as told
      from public.plans q
      cross join lateral (
        select count(*) filter (where not s.proposed) as total,
          count(*) filter (where not s.proposed and s.status = 'completed') as done
        from public.plan_steps s where s.user_id = q.user_id and s.plan_id = q.id) n
      left join lateral (
        select s.number, s.description, s.assigned_to, s.session_id
        from public.plan_steps s
        where s.user_id = q.user_id and s.plan_id = q.id and s.status = 'in_progress'
        order by s.number limit 1) at_work on true
      where q.user_id = p.user_id and q.project_id = p.id and q.status = 'in_progress'
      order by q.updated_at desc limit 1) task on true
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
      coalesce(
        -- the client says with the answer to the call that started it which model a subagent runs on
        (select e.payload #>> '{tool_response,resolvedModel}' from public.events e
         where s.agent_id is not null and e.session_id = s.session_id and e.event = 'PostToolUse'
           and (e.tool_use_id = s.tool_use_id or e.payload #>> '{tool_response,agentId}' = s.agent_id)
           and e.payload #>> '{tool_response,resolvedModel}' is not null
         order by e.id desc limit 1),
        case when s.agent_id is null then coalesce(o.model,
          (select m.model from public.sessions m
           where m.user_id = q.user_id and m.project_id = q.project_id and m.plan_id = q.id and m.model is not null
           order by m.last_activity desc limit 1)) end) as model,
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
    select p.id, p.name, null, null, null, null, null, null, null, s.id, s.short_title, s.model,
      s.waiting_for, s.last_activity
    from public.sessions s
    join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    where s.user_id = (select auth.uid()) and s.status = 'active' and s.last_activity > now() - interval '1 day'
      and (s.waiting_for is not null or public.is_at_work(s.id))
      and not exists (select from public.plan_steps t
        where t.user_id = s.user_id and t.session_id = s.id and t.status = 'in_progress')),
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
    (select 'stopped' as kind, k.code as id, k.session_id, k.command as text, k.at
     from (
       select distinct on (c.code) c.code, c.session_id, c.command, c.checked_at as at from public.command_checks c
       where c.user_id = (select auth.uid()) and c.checked_at >= (select start from today)
         and c.decision in ('deny', 'hold') and c.source <> 'person'
       order by c.code, c.checked_at desc) k
     order by k.at desc limit 20)
    union all
    (select coalesce(case when t.outcome <> 'unused' then t.outcome end, 'told'), l.id::text, t.session_id, l.lesson,
       t.at
     from told t join public.learnings l on l.user_id = (select auth.uid()) and l.id = t.source_id
     order by t.outcome is not distinct from 'helped' desc, t.at desc limit 20)),
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
        'toldSessions', (select count(distinct session_id) from told),
        'helped', (select count(*) from told where outcome = 'helped'),
        'failed', (select count(*) from told where outcome = 'failed'),
        'safetyRate', sum(c.allowed)::float8 / nullif(sum(c.allowed) + sum(c.denied), 0))
      from checks c),
    'projects', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', p.id, 'name', p.name, 'status', p.status, 'reason', p.reason, 'lastActivity', p.last_activity,
          'lastTitle', p.last_title, 'activeSessions', p.active_sessions,
          'today', jsonb_build_object('sessions', p.sessions, 'learnings', p.learnings, 'commands', p.commands,
            'errors', p.errors, 'denied', p.denied),
          'task', p.task)
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
          'title', w.title, 'agent', w.agent, 'model', w.model, 'waitingFor', w.waiting_for, 'heardAt', w.heard,
          'plan', case when w.plan_id is not null then jsonb_build_object('id', w.plan_id, 'goal', w.goal,
            'step', w.number, 'description', w.description, 'done', w.done, 'total', w.total) end)
        order by w.heard desc, w.plan_id, w.number), '[]')
      from (select * from working order by heard desc limit 100) w),
    'did', (
      select coalesce(jsonb_agg(
        jsonb_build_object('kind', d.kind, 'id', d.id, 'sessionId', d.session_id, 'project', p.name, 'text', d.text,
          'at', d.at)
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
-- ── sql/realtime/published.sql ──

-- Returns the account of the token that a statement is run with: of the user who signed in, or whom Lore's server
-- named.
create or replace function lore.signed_in() returns uuid
language sql stable security definer
set search_path = ''
as $$
  select p.user_id
  from public.profiles p
  where p.removed_at is null and auth.uid() in (p.auth_id, p.user_id)
  order by p.auth_id = auth.uid() desc nulls last
  limit 1
$$;
--> statement-breakpoint
-- The tables whose changes are published, each with the rows that count (all, if there is no condition). Supabase's
-- Realtime reads the publication; elsewhere the triggers tell Lore's own endpoint. To publish another table, add a
-- line. The holder of an access token, who has the role `authenticated`, may read these rows if they are his own, and
-- nothing else.
do $$
declare
  t record;
  condition text;
begin
  for t in
    select *
    from (values
      ('learnings', null, null),
      ('incidents', null, null),
      ('consolidation_runs', null, null),
      ('command_checks', 'decision', 'deny'),
      ('command_cache', 'checked_by', 'person'),
      ('notes', null, null),
      ('dashboard_projects', null, null),
      ('plans', null, null),
      ('plan_steps', null, null)
    ) as published (name, condition_column, condition_value)
  loop
    condition := coalesce(t.condition_column || ' = ' || quote_literal(t.condition_value), 'user_id is not null');
    execute format('create or replace trigger publish_change after insert or update on %I for each row
      when (new.%s) execute function lore.publish_change()', t.name, condition);
    execute format('create or replace trigger publish_delete after delete on %I for each row
      when (old.%s) execute function lore.publish_change()', t.name, condition);
    execute format('drop policy if exists "published rows" on %I', t.name);
    execute format('create policy "published rows" on %I for select to authenticated
      using ((select lore.signed_in()) = user_id and %s)', t.name, condition);
    if not exists (select from pg_publication_tables p
      where p.pubname = 'supabase_realtime' and p.schemaname = 'public' and p.tablename = t.name)
    then
      execute format('alter publication supabase_realtime add table %I', t.name);
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- ── sql/realtime/refresh_dashboard_project.sql ──

-- Updates a project's row on the dashboard. Nothing is written if nothing changed.
--
-- blocked   a session waits for a person (`waits_after`), as the list of what waits says
-- active    a session is at work: a person prompted it or it made a call, and its turn has not ended
-- idle      neither
create or replace function refresh_dashboard_project(project uuid) returns void
language sql
set search_path = ''
as $$
  insert into public.dashboard_projects as d
    (user_id, project_id, name, status, reason, last_activity, last_title, active_sessions, day, errors_today,
      lessons_today)
  select p.user_id, p.id, p.name,
    case when a.blocked > 0 then 'blocked' when a.working > 0 then 'active' else 'idle' end,
    a.reason,
    greatest(p.last_activity, last.last_activity), last.short_title, a.working + a.blocked, today.day,
    (select count(*) from public.incidents i
     where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= today.start and public.is_error(i)),
    (select count(*) from public.learnings l
     where l.user_id = p.user_id and l.project_id = p.id and l.valid_until is null and l.created_at >= today.start)
  from public.projects p
  cross join (
    select (now() at time zone 'utc')::date as day, date_trunc('day', now(), 'utc') as start) today
  left join lateral (
    select s.last_activity, s.short_title
    from public.sessions s
    where s.user_id = p.user_id and s.project_id = p.id
    order by s.last_activity desc limit 1) last on true
  cross join lateral (
    select count(*) filter (where s.waiting_for is not null) as blocked,
      count(*) filter (where s.waiting_for is null and public.is_at_work(s.id)) as working,
      min('waits for ' || s.waiting_for) as reason
    from public.sessions s
    where s.user_id = p.user_id and s.project_id = p.id and s.status = 'active') a
  where p.id = project
  on conflict (user_id, project_id) do update set
    name = excluded.name, status = excluded.status, reason = excluded.reason,
    last_activity = excluded.last_activity, last_title = excluded.last_title,
    active_sessions = excluded.active_sessions, day = excluded.day, errors_today = excluded.errors_today,
    lessons_today = excluded.lessons_today
  where (d.name, d.status, d.reason, d.last_activity, d.last_title, d.active_sessions, d.day, d.errors_today,
      d.lessons_today)
    is distinct from (excluded.name, excluded.status, excluded.reason, excluded.last_activity, excluded.last_title,
      excluded.active_sessions, excluded.day, excluded.errors_today, excluded.lessons_today)
$$;
--> statement-breakpoint
-- ── sql/realtime/take_changes.sql ──

-- Returns the parts of an object that have one of these names.
create or replace function lore.parts_of(image jsonb, names text[]) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(image) where key = any (names)
$$;
--> statement-breakpoint
-- Takes the next changes that wait for a server, the oldest first, and says who hears of them. This is where row level
-- security holds, as in Supabase's Realtime: the filter is tried on the row as it was then, and the row must be one
-- that the subscriber may read now. A deleted row cannot be read any more, so its subscribers (as always, only the
-- row's own user) get its primary key and nothing else.
--
-- A row for each change and each group of subscribers that are told the same: `targets` are [[channel, binding]],
-- `data` is what they are told, as JSON. If a filter fails on a row, the subscriptions of its channels end, because
-- they would miss changes, and all others go on: then `failed` says why and there is no data. The last row has no
-- targets, and the number of changes taken as its data.
create or replace function lore.take_changes(for_server uuid, most int)
returns table (targets jsonb, data text, failed text)
language plpgsql
set search_path = ''
as $$
declare
  change record;
  about record;
  listener record;
  taken int := 0;
  fits boolean;
  visible boolean;
  asked jsonb;
  columns_told jsonb;
  told jsonb;
  own_role constant text := current_setting('role');
  -- Supabase's limit of a row in bytes, and the longest value that is told of a larger row
  most_bytes constant int := 1048576;
  most_of_value constant int := 64;
begin
  for change in
    with next as (
      delete from lore.realtime_changes c
      where c.id in (select w.id from lore.realtime_changes w where w.server = for_server order by w.id limit most)
      returning c.*
    )
    select next.*, n.nspname as schema, r.relname as table_name, octet_length(next.image::text) > most_bytes as large
    from next
    join pg_class r on r.oid = next.relation
    join pg_namespace n on n.oid = r.relnamespace
    order by next.id
  loop
    taken := taken + 1;
    asked := null;
    -- the columns of the primary key, and SQL that compares them with those of the image
    select array_agg(a.attname::text) as key,
      string_agg(format('t.%I = ($1 ->> %L)::%s', a.attname, a.attname, format_type(a.atttypid, a.atttypmod)), ' and ')
        as is_row
    into about
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
    where i.indrelid = change.relation and i.indisprimary;
    if change.type = 'DELETE' then
      change.image := lore.parts_of(change.image, about.key);
    end if;
    for listener in
      select s.claims, s.columns, s.condition, jsonb_agg(jsonb_build_array(s.channel, s.binding)) as who
      from lore.realtime_subscriptions s
      where s.server = for_server and s.relation = change.relation and s.user_id = change.user_id
        and s.event in ('*', change.type)
      group by s.claims, s.columns, s.condition
      order by s.claims
    loop
      if listener.condition is not null then
        begin
          execute format('select exists (select from jsonb_populate_record(null::%s, $1) r where %s)',
            change.relation, listener.condition) into fits using change.image;
        exception
          when others then failed := sqlerrm;
        end;
        if failed is not null then
          delete from lore.realtime_subscriptions s
          where s.server = for_server
            and s.channel in (select (w.target ->> 0)::int from jsonb_array_elements(listener.who) w (target));
          targets := listener.who;
          data := null;
          return next;
          failed := null;
          continue;
        end if;
        continue when not fits;
      end if;
      if change.type = 'DELETE' then
        visible := true;
      elsif asked is distinct from listener.claims then
        asked := listener.claims;
        perform set_config('request.jwt.claims', asked::text, true), set_config('role', 'lore_user', true);
        execute format('select exists (select from %s t where %s)', change.relation, about.is_row)
          into visible using change.image;
        perform set_config('role', own_role, true), set_config('request.jwt.claims', '', true);
      end if;
      continue when not visible;
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', y.typname) order by a.attnum),
        lore.parts_of(change.image, array_agg(a.attname::text))
      into columns_told, told
      from pg_attribute a
      join pg_type y on y.oid = a.atttypid
      where a.attrelid = change.relation and a.attnum > 0 and not a.attisdropped
        and (listener.columns is null or a.attname = any (listener.columns || about.key))
        and has_column_privilege(listener.claims ->> 'role', change.relation, a.attnum, 'select');
      if change.large then
        select jsonb_object_agg(key, value) into told from jsonb_each(told)
        where octet_length(value::text) <= most_of_value;
      end if;
      targets := listener.who;
      data := jsonb_build_object(
        'schema', change.schema, 'table', change.table_name, 'type', change.type, 'columns', columns_told,
        'commit_timestamp', to_char(change.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'errors', case when change.large then jsonb_build_array('Error 413: Payload Too Large') end)
        || case when change.type <> 'DELETE' then jsonb_build_object('record', told) else '{}' end
        || case when change.type <> 'INSERT' then jsonb_build_object('old_record', lore.parts_of(told, about.key))
          else '{}' end;
      return next;
    end loop;
  end loop;
  targets := null;
  data := taken::text;
  return next;
end $$;
--> statement-breakpoint
-- ── sql/realtime/waiting_commands.sql ──

-- Returns the blocked commands that wait for the caller's decision: those that were denied within a day, that nobody
-- has decided on since, and whose session could still use the answer.
--
-- In PL/pgSQL, so that it is planned once for a connection and not for each call.
create or replace function waiting_commands()
returns table (code text, project text, command text, reason text, checked_at timestamptz, about jsonb)
language plpgsql stable
set search_path = ''
as $$
begin
  return query
  select k.code, coalesce(p.name, k.cwd), k.command, k.reason, k.checked_at,
    jsonb_build_object('rule', k.rule, 'tool', k.tool, 'held', k.source = 'guard',
      'catastrophic', k.severity is not distinct from 'catastrophic', 'covered', k.covered, 'cwd', k.cwd)
  from public.command_checks k
  left join public.sessions s on s.user_id = k.user_id and s.id = k.session_id
  left join public.projects p on p.user_id = s.user_id and p.id = s.project_id
  where k.user_id = (select auth.uid()) and k.checked_at > now() - interval '24 hours'
    and k.decision = 'deny' and k.source <> 'person'
    -- a session that has ended tries it no more
    and (k.session_id is null or s.status = 'active')
    -- the last word on this command; by its code, because that has an index
    and not exists (select from public.command_checks l
      where l.user_id = k.user_id and l.code = k.code and l.key = k.key and l.id > k.id)
    and not exists (select from public.command_cache v
      where v.user_id = k.user_id and v.key = k.key and v.checked_by = 'person');
end $$;
--> statement-breakpoint
-- ── sql/search/documents_with_each.sql ──

-- Returns, for each lexeme, the ids of the caller's documents that have it, at most `most` of them. Under row level
-- security PostgreSQL does not use a full text index, because a match could reveal rows that the caller may not see. So
-- this function bypasses row level security and reads only the caller's own rows. 
create or replace function lore.documents_with_each(
  lexemes text[], in_project uuid, shelves text[], exclude_agent text, in_channels text[], only_agent text,
  message_types text[], mentioning text[], breadcrumbs boolean, min_words int, most int
)
returns table (lexeme text, ids uuid[])
language plpgsql stable security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  me constant uuid := auth.uid();
begin
  return query
  select l.lexeme, array(
      select d.id
      from public.search_documents d
      where d.tsv @@ quote_literal(l.lexeme)::tsquery
        and d.user_id = me
        and d.shelf = any (shelves)
        and (in_project is null or d.project_id = in_project or d.project_id is null)
        and (in_channels is null or d.channel = any (in_channels))
        and (exclude_agent is null or d.agent is distinct from exclude_agent)
        and (only_agent is null or d.agent = only_agent)
        and (message_types is null or d.message_type = any (message_types))
        and (mentioning is null or d.mentions && mentioning)
        and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
        and (min_words is null or d.words >= min_words)
      limit most)
  from unnest(lexemes) l(lexeme);
end $$;
--> statement-breakpoint
grant execute on function lore.documents_with_each to lore_user;
--> statement-breakpoint
-- ── sql/search/search_hybrid.sql ──

-- Hybrid search, by words and by meaning. docs/search.md explains each step and factor. Runs as the caller, so row
-- level security applies.
--
-- scope → candidates → relevance × confidence × recency × telling × links → variety → amendments above what they amend
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
  -- whether new vectors of the model wait to be put into their place (see sql/index/embedding_model.sql)
  prepared constant boolean := query_embedding is not null
    and (select v.model from next_vectors v where v.user_id = me limit 1) = model;
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
      case
        when d.embedding_model = model then 1 - (d.embedding <=> query_embedding)
        -- after a change of the model: the new vector is there, but not in its place yet
        when prepared then (
          select 1 - (v.embedding <=> query_embedding)
          from next_vectors v
          where v.user_id = me and v.id = d.id and v.model = search_hybrid.model)
      end as similarity,
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
-- that a text's weights do not depend on other texts. A lexeme of the context counts 0.5 (docs/search.md).
create or replace function search_terms(lexemes tsvector) returns sparsevec
language plpgsql immutable parallel safe as $$
begin
  return (
    with counted as (
      -- search_term, written out: called 250 times it would take 0.5 ms longer than all the rest
      select ('x' || substr(md5(l.lexeme), 1, 7))::bit(28)::int + 1 as term,
        cardinality(array_positions(l.weights, 'A')) as own, cardinality(l.weights) as n
      from unnest(lexemes) l
    ), long as (
      -- float8, because a calculation in numeric takes several times as long
      select 0.9::float8 * (0.6::float8 + 0.4::float8 * sum(own) / 30) as norm from counted
    ), weighed as (
      select term,
        round(sum(
          own * 1.9::float8 / (own + norm) + 0.5::float8 * (n - own) * 1.9::float8 / (n - own + 0.9::float8)
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
-- Returns whether a lexeme is a word that any English text may have, whatever it is about. PostgreSQL's stop words are
-- no lexemes, so they are not among these. Words that mean something to a programmer (get, go, make, put, let, kind)
-- are left out.
create or replace function search_is_common(lexeme text) returns boolean
language sql immutable parallel safe as $$
  select lexeme = any ('{look,see,seen,saw,use,come,came,take,took,taken,give,gave,given,know,known,knew,think,thought,'
    'want,need,say,said,tell,told,ask,happen,seem,mean,meant,like,way,thing,much,mani,also,still,alreadi,yet,ever,'
    'never,even,well,away,around,within,may,might,could,would,shall,must,cannot,upon,among,amongst,us,one,someth,'
    'anyth,noth,everyth,someon,anyon,everyon,somebodi,anybodi,everybodi,nobodi,els,mayb,realli,actual,quit,rather,'
    'often,usual,alway,sometim,sure,lot,per,via,etc,done,whether,though,although,howev,instead}'::text[])
$$;
--> statement-breakpoint
-- Returns the weight of each lexeme of a query, and the sum of their inverse document frequencies. This is taken in the
-- form that is never negative, ln(1 + (N - n + 1/2) / (n + 1/2)). N is the number of texts plus 50: otherwise, in a
-- scope of three texts, every word that occurs would count as common. The weight of a lexeme is the same number, except
-- for common words: even if few texts of a small scope have them, they weigh as if half of the texts had them.
create or replace function search_weights(
  lexemes text[], counts float8[], texts int, out weights sparsevec, out total float8
)
language plpgsql immutable parallel safe as $$
begin
  select
    ('{' || string_agg(w.term || ':' || (case when w.common then least(w.idf, ln(2)) else w.idf end)::real, ',')
      || '}/268435456')::sparsevec,
    sum(w.idf)
  into weights, total
  from (
    select search_term(l.lexeme) as term, bool_and(search_is_common(l.lexeme)) as common,
      max(ln(1 + (texts + 50 - least(l.n, texts) + 0.5) / (l.n + 0.5))) as idf
    from unnest(lexemes, counts) l(lexeme, n)
    -- two lexemes may share a term
    group by 1
  ) w;
end $$;
--> statement-breakpoint
-- ── sql/sessions/join_projects.sql ──

-- Moves everything that belongs to one of the caller's projects into another one, names included, and deletes the first
-- project. If both have a fact, relation, decision, skill, skill memory or pattern with the same key, that of the first
-- project stays where it is, and the project is kept under the name `<name> (joined)`.
--
-- Returns how many rows of each table were moved, and how many stayed. It cannot be undone.
create or replace function join_projects(source uuid, target uuid)
returns table (kind text, moved int, stayed int)
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  -- what makes a row of these tables the same as one of the other project
  same constant jsonb := '{"facts": "subject", "relations": "subject", "decisions": "subject", "skills": "name",
    "skill_memories": "skill", "patterns": "type, form"}';
  left_over int := 0;
  names text[];
begin
  -- Sessions are locked before anything else, as they are when events are stored. So the two cannot deadlock.
  perform from sessions s where s.user_id = me and s.project_id = source order by s.id for update;
  for kind in
    select c.relname
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      -- these two are derived
      and c.relname not in ('search_documents', 'dashboard_projects')
    order by c.relname <> 'sessions', c.relname
  loop
    execute format('update %I t set project_id = $2 where t.user_id = $3 and t.project_id = $1', kind)
      || case when same ? kind then format(
        ' and not exists (select from %1$I o where o.user_id = $3 and o.project_id = $2 and (%2$s) = (%3$s))', kind,
        'o.' || replace(same ->> kind, ', ', ', o.'), 't.' || replace(same ->> kind, ', ', ', t.')) else '' end
    using source, target, me;
    get diagnostics moved = row_count;
    execute format('select count(*) from %I t where t.user_id = $2 and t.project_id = $1', kind)
    into stayed using source, me;
    left_over := left_over + stayed;
    if moved + stayed > 0 then
      return next;
    end if;
  end loop;
  select p.name || p.also into names from projects p where p.user_id = me and p.id = source;
  if left_over = 0 then
    delete from projects p where p.user_id = me and p.id = source;
  else
    update projects p set also = '{}',
      name = p.name || case
        when exists (select from projects o where o.user_id = me and o.name = p.name || ' (joined)')
          then ' (joined, ' || left(p.id::text, 8) || ')'
        else ' (joined)'
      end
    where p.user_id = me and p.id = source;
  end if;
  update projects p
  set also = array(select distinct n from unnest(p.also || names) n where n <> p.name order by n)
  where p.user_id = me and p.id = target;
end $$;
--> statement-breakpoint
-- ── sql/sessions/keep_turns.sql ──

-- Keeps the turns of a session: each prompt of a person, with what the agent said last before the next one. It reads
-- the events, so a turn that is kept already only gets the end that it did not have. Prompt and answer together have at
-- most 1,500 characters. `whole`: all turns, and not only the last one that is kept and those after it.
create or replace function keep_turns(in_session uuid, whole boolean) returns void
language plpgsql as $$
declare
  longest constant int := 1499; -- a line end stands between the two
  least_prompt constant int := 700;
  owner_session record;
  since timestamptz := '-infinity';
begin
  select s.client_session_id as name, s.project_id, s.branch into owner_session from sessions s where s.id = in_session;
  if not whole then
    select coalesce(max(t.started_at), since) into since from turns t where t.session = owner_session.name;
  end if;
  insert into turns (project_id, session, start_key, branch, prompt, said, started_at, ended_at)
  select owner_session.project_id, owner_session.name, p.dedup_key, owner_session.branch,
    left(p.prompt, greatest(least_prompt, longest - coalesce(length(a.said), 0))),
    left(a.said, greatest(longest - length(p.prompt), longest - least_prompt)), p.occurred_at, a.occurred_at
  from (
    select e.dedup_key, e.occurred_at, btrim(e.payload ->> 'prompt', E' \n\r\t') as prompt,
      lead(e.occurred_at) over (order by e.occurred_at, e.id) as next_at
    from events e
    where e.session_id = in_session and e.event = 'UserPromptSubmit' and e.agent_id is null
      and e.occurred_at >= since
      and btrim(e.payload ->> 'prompt', E' \n\r\t') <> ''
      and is_persons_prompt(e.payload)
  ) p
  left join lateral (
    select btrim(e.payload ->> 'last_assistant_message', E' \n\r\t') as said, e.occurred_at
    from events e
    where e.session_id = in_session and e.event = 'Stop' and e.agent_id is null
      and e.occurred_at >= p.occurred_at and (p.next_at is null or e.occurred_at < p.next_at)
      and btrim(e.payload ->> 'last_assistant_message', E' \n\r\t') <> ''
    order by e.occurred_at desc, e.id desc
    limit 1
  ) a on true
  on conflict (user_id, session, start_key) do update set said = excluded.said, ended_at = excluded.ended_at
  where excluded.said is not null
    and (turns.said, turns.ended_at) is distinct from (excluded.said, excluded.ended_at);
end $$;
--> statement-breakpoint
-- ── sql/temporal/make_decision.sql ──

-- States a decision. `stated` holds its columns; without valid_from it holds from the instant of the change. It begins
-- after the instant `after`, if there is one: that is when the decision begins which it supersedes.
--
-- The same condition and action again, without a period, confirm the decision that is in force, and from a weightier
-- tier give it that tier. Returns the id and what came of it: opened or confirmed; empty (it would end before it
-- begins) and late (it would not begin after `after`) change nothing.
create or replace function make_decision(stated jsonb, after timestamptz, out id uuid, out outcome text)
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  scope constant uuid := coalesce(stated ->> 'project_id', '00000000-0000-0000-0000-000000000000')::uuid;
  -- one at a time, so that two who state the same make one decision
  at timestamptz := temporal_begin('decisions', scope, temporal_subject(stated ->> 'condition', stated ->> 'action'));
  begins constant timestamptz := coalesce(
    (stated ->> 'valid_from')::timestamptz,
    case when temporal_now(at) > after is not false then temporal_now(at) else at end);
  ends constant timestamptz := (stated ->> 'valid_until')::timestamptz;
  known jsonb;
begin
  if after is null and stated ->> 'valid_from' is null and ends is null then
    select to_jsonb(d) into known
    -- as in decisions_as_of, which would read all decisions
    from decisions d
    where tstzrange(d.valid_from, d.valid_until) @> at and d.valid_from <= at and d.recorded_until is null
      and d.user_id = me and d.scope_id = scope
      and d.condition = stated ->> 'condition' and d.action = stated ->> 'action'
    order by temporal_weight(d.tier) desc
    limit 1;
  end if;
  id := known ->> 'id';
  outcome := 'confirmed';
  if known is null then
    id := gen_random_uuid();
    outcome := case when ends <= begins then 'empty' when begins <= after then 'late' else 'opened' end;
    if outcome = 'opened' then
      perform temporal_change('decisions', at, '{}', array[stated || jsonb_build_object('id', id, 'valid_from', begins,
        'stated_until', ends, 'confirmed_at', at, 'confirmations', 0)], 'put');
    end if;
  elsif temporal_weight(stated ->> 'tier') > temporal_weight(known ->> 'tier') then
    at := temporal_begin('decisions', scope, id);
    perform temporal_change('decisions', at, array[id], array[stated || jsonb_build_object('id', id,
      'valid_from', known -> 'valid_from', 'valid_until', known -> 'valid_until',
      'stated_until', known -> 'stated_until', 'confirmed_at', at,
      'confirmations', (known ->> 'confirmations')::int + 1)], 'put');
  else
    update decisions d set confirmed_at = at, confirmations = d.confirmations + 1
    where d.user_id = me and d.recorded_until is null and d.id = make_decision.id;
  end if;
end $$;
--> statement-breakpoint
-- ── sql/temporal/neighbourhood.sql ──

-- Walks the caller's relations from an entity, up to `hops` steps, as of two instants (see as_of.sql). Each relation
-- comes once, with the step at which it was reached; a circle ends where it meets what was reached before.
--
--   direction    out: from the entity on; in: towards it; both
--   in_project   null: the relations of all projects; else those of that project and those of none
--   most         no more relations than that
create or replace function neighbourhood(
  of_type text, of_key text, hops int default 1, direction text default 'both', in_project uuid default null,
  as_of timestamptz default now(), recorded_as_of timestamptz default null, most int default 500
) returns table (hop int, edge relations)
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
declare
  me constant uuid := auth.uid();
  frontier uuid[] := array[temporal_subject(of_type, of_key)];
  reached uuid[] := frontier;
  walked uuid[] := '{}';
  step relations[];
begin
  for n in 1 .. hops loop
    step := array(
      select e.r
      from (
        select r
        from relations r
        where direction in ('out', 'both') and r.user_id = me and r.from_entity = any (frontier)
        union all
        select r
        from relations r
        where direction in ('in', 'both') and r.user_id = me and r.to_entity = any (frontier)
          -- what leads from one of them to another was found above
          and (direction = 'in' or not exists (select from unnest(frontier) f(entity) where f.entity = r.from_entity))
      ) e(r)
      -- as in relations_as_of, which would read all relations
      where tstzrange((e.r).valid_from, (e.r).valid_until) @> as_of and (e.r).valid_from <= as_of
        and case when recorded_as_of is null then (e.r).recorded_until is null
          else tstzrange((e.r).recorded_at, (e.r).recorded_until) @> recorded_as_of end
        and (in_project is null or (e.r).project_id = in_project or (e.r).project_id is null)
        and not exists (select from unnest(walked) w(id) where w.id = (e.r).id)
      order by (e.r).id
      limit most - cardinality(walked));
    exit when cardinality(step) = 0;
    return query select n, s from unnest(step) s;
    walked := walked || array(select s.id from unnest(step) s);
    frontier := array(
      select s.from_entity from unnest(step) s where direction in ('in', 'both')
      union
      select s.to_entity from unnest(step) s where direction in ('out', 'both')
      except
      select unnest(reached));
    reached := reached || frontier;
  end loop;
end $$;
--> statement-breakpoint
-- ── sql/temporal/settle_decision.sql ──

-- A decision ends where it was stated to, or where a newer one begins that amends it. Links of amendments say which do,
-- the stated ones and those that were found, so undoing a link lets the older decision hold again.

-- Ends a decision of the caller by the links that stand now.
create or replace function settle_decision(of_id uuid) returns void
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  scope constant uuid := (
    select d.scope_id from decisions d where d.user_id = me and d.id = of_id and d.recorded_until is null);
  at timestamptz;
  present jsonb;
  until timestamptz;
begin
  if scope is null then
    return;
  end if;
  at := temporal_begin('decisions', scope, of_id);
  present := temporal_rows('decisions', scope, of_id);
  select least((present ->> 'stated_until')::timestamptz, min(n.valid_from)) into until
  from amendments a
  join decisions n on n.user_id = me and n.id = a.newer_id and n.recorded_until is null
  where a.user_id = me and a.kind = 'decision' and a.older_id = of_id and a.undone_at is null
    and n.valid_from > (present ->> 'valid_from')::timestamptz;
  if until is distinct from (present ->> 'valid_until')::timestamptz then
    perform temporal_change('decisions', at, array[of_id],
      array[present || jsonb_build_object('valid_until', until)], 'amendment');
  end if;
end $$;
--> statement-breakpoint
create or replace function settle_amended_decision() returns trigger
language plpgsql as $$
begin
  if coalesce(new.kind, old.kind) = 'decision' then
    perform settle_decision(coalesce(new.older_id, old.older_id));
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger settle_amended_decision
  after insert or delete or update of undone_at on amendments
  for each row execute function settle_amended_decision();
--> statement-breakpoint
-- A decision of a lower tier never amends one of a higher tier: an agent's decision does not end a person's.
create or replace function refuse_light_amendment() returns trigger
language plpgsql as $$
begin
  if exists (
    select
    from decisions n
    join decisions o on o.user_id = n.user_id and o.id = new.older_id and o.recorded_until is null
    where n.user_id = new.user_id and n.id = new.newer_id and n.recorded_until is null
      and temporal_weight(n.tier) < temporal_weight(o.tier))
  then
    return null;
  end if;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger refuse_light_amendment
  before insert on amendments
  for each row when (new.kind = 'decision')
  execute function refuse_light_amendment();
--> statement-breakpoint
-- ── sql/temporal/temporal_change.sql ──

-- The core of facts, relations and decisions. A change closes rows and opens others, at one instant of the clock of
-- records. `of_table` is one of these tables, `in_scope` a project or the zero id, `of_subject` what rows are about.
-- Rows travel as jsonb, with the names of their columns.

-- Locks a subject until the transaction ends, so that only one change of it is made at a time. Returns the instant of
-- this change: now, but later than every change before it. Without the lock the constraint on the rows would refuse the
-- later one of two changes.
create or replace function temporal_begin(of_table regclass, in_scope uuid, of_subject uuid) returns timestamptz
language plpgsql as $$
declare
  last timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat(of_table, auth.uid(), in_scope, of_subject), 0));
  execute format(
    'select max(greatest(t.recorded_at, t.recorded_until)) from %s t
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2', of_table)
  into last using in_scope, of_subject;
  return greatest(clock_timestamp(), last + interval '1 microsecond');
end $$;
--> statement-breakpoint
-- Returns from when a statement is valid: from the time of its change, but never from a time in the future. The time of
-- a change can lie in the future because recorded times never go back, even after the machine's clock was once ahead.
create or replace function temporal_now(at timestamptz) returns timestamptz
language sql volatile as $$
  select case when at > clock_timestamp() + interval '1 second' then clock_timestamp() else at end
$$;
--> statement-breakpoint
-- Returns the rows of a subject that are believed, in the order of their periods. `before`: those that were believed
-- just before that instant.
create or replace function temporal_rows(
  of_table regclass, in_scope uuid, of_subject uuid, before timestamptz default null
) returns setof jsonb
language plpgsql stable as $$
begin
  return query execute format(
    'select to_jsonb(t) from %s t
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2
       and case when $3 is null then t.recorded_until is null
         else t.recorded_at < $3 and (t.recorded_until is null or t.recorded_until >= $3) end
     order by t.valid_from', of_table)
  using in_scope, of_subject, before;
end $$;
--> statement-breakpoint
-- Closes open rows and opens others. One statement, so that the index of search sees what came of both.
--
--   closing   ids of rows that are open
--   opening   rows; those that differ from a closed one only in their period have its id
--   kind      what makes the change: put, end, undo, amendment
create or replace function temporal_change(
  of_table regclass, at timestamptz, closing uuid[], opening jsonb[], kind text
) returns void
language plpgsql as $$
declare
  columns constant text := (
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
    from pg_attribute a
    where a.attrelid = of_table and a.attnum > 0 and not a.attisdropped and a.attgenerated = '');
begin
  execute format(
    'with closed as (
       update %1$s t set recorded_until = $1, closed_by = $2
       where t.user_id = auth.uid() and t.recorded_until is null and t.id = any ($3)
       returning 1
     )
     insert into %1$s (%2$s)
     select %2$s from jsonb_populate_recordset(null::%1$s, $4)
     where (select count(*) from closed) >= 0', of_table, columns)
  using at, kind, closing, (
    select coalesce(jsonb_agg(o.opened || jsonb_build_object(
      'user_id', auth.uid(), 'recorded_at', at, 'recorded_until', null, 'opened_by', kind, 'closed_by', null)), '[]')
    from unnest(opening) o(opened));
end $$;
--> statement-breakpoint
-- ── sql/temporal/temporal_undo.sql ──

-- Undoes the last change of a subject that still stands: what was believed before it is believed again. Changes that
-- were undone do not count, so the next undo takes back the change before.
--
--   statement   the change to undo is the one that first stated this id; null: the last one
--
-- Returns `outcome`: undone, nothing (no change stands), unknown (there is no such statement), undone_before, or
-- built_on (`later` changes stand that came after it).
create or replace function temporal_undo(
  of_table regclass, in_scope uuid, of_subject uuid, statement uuid default null
) returns jsonb
language plpgsql as $$
declare
  at constant timestamptz := temporal_begin(of_table, in_scope, of_subject);
  clocks constant text[] := '{recorded_at, recorded_until, opened_by, closed_by, confirmed_at, confirmations}';
  standing timestamptz[] := '{}';
  instant timestamptz;
  takes_back boolean;
  wanted timestamptz;
  present jsonb[];
  past jsonb[];
begin
  for instant, takes_back in execute format(
    'select c.instant, bool_or(c.kind = ''undo'')
     from %s t, lateral (values (t.recorded_at, t.opened_by), (t.recorded_until, t.closed_by)) c(instant, kind)
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2 and c.instant is not null
     group by c.instant order by c.instant', of_table)
    using in_scope, of_subject
  loop
    standing := case
      when takes_back then standing[:cardinality(standing) - 1]
      else standing || instant
    end;
  end loop;
  wanted := standing[cardinality(standing)];
  if statement is not null then
    execute format(
      'select min(t.recorded_at) from %s t
       where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2 and t.id = $3', of_table)
    into wanted using in_scope, of_subject, statement;
    if wanted is null then
      return jsonb_build_object('outcome', 'unknown');
    elsif wanted <> all (standing) then
      return jsonb_build_object('outcome', 'undone_before');
    elsif wanted < standing[cardinality(standing)] then
      return jsonb_build_object('outcome', 'built_on',
        'later', cardinality(standing) - array_position(standing, wanted));
    end if;
  end if;
  if wanted is null then
    return jsonb_build_object('outcome', 'nothing');
  end if;

  present := array(select temporal_rows(of_table, in_scope, of_subject));
  past := array(select temporal_rows(of_table, in_scope, of_subject, wanted));
  perform temporal_change(of_table, at,
    array(
      select (r ->> 'id')::uuid from unnest(present) r
      where not exists (select from unnest(past) p where p - clocks = r - clocks)),
    array(
      select p from unnest(past) p
      where not exists (select from unnest(present) r where r - clocks = p - clocks)),
    'undo');
  return jsonb_build_object('outcome', 'undone', 'change', wanted);
end $$;
--> statement-breakpoint
-- ── sql/tenancy/accounts.sql ──

-- Accounts are looked up and created before the caller's claims are known. So these functions bypass row level
-- security.

-- Returns the account that a device key belongs to; no row when the key is unknown or revoked. hash: SHA-256 of the
-- key, in hex.
create or replace function lore.authenticate(hash text)
returns table (user_id uuid, key_id uuid, role text, name text, scope text, project text)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, k.id, p.role, p.name, k.scope, k.project
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
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
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
         jsonb_build_object('id', k.id, 'name', k.name, 'scope', k.scope, 'project', k.project,
           'createdAt', k.created_at, 'lastUsedAt', k.last_used_at, 'revokedAt', k.revoked_at)
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
    -- an account without a key may have live clients too
    perform pg_catalog.pg_notify('lore_keys', member::text);
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
--> statement-breakpoint
-- A revoked key stays revoked, whoever asks: nobody who finds a way to the caller's rows can make it live again.
create or replace function keep_revoked() returns trigger
language plpgsql as $$
begin
  raise exception 'A revoked key stays revoked. Make a new one: lore keys add.' using errcode = '42501';
end $$;
--> statement-breakpoint
create or replace trigger keep_revoked
  before update on api_keys
  for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function keep_revoked();
--> statement-breakpoint
-- Servers keep keys that they looked up in memory, and for a moment those that they did not find. This tells them whose
-- keys they must look up again, and that there is a new one.
create or replace function notify_keys() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_keys', coalesce(old.user_id, new.user_id)::text);
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_keys
  after insert or delete or update of revoked_at, project on api_keys
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
grant execute on function lore.erase_events to lore_user;
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
grant execute on function lore.erase_checks to lore_user;
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
-- The embedding model whose vectors this database uses, and the one to which it is being changed
-- (sql/index/embedding_model.sql). Null: nothing has been embedded yet; no change is under way.
alter table lore.instance
  add column if not exists embedding_model text,
  add column if not exists next_model text;
--> statement-breakpoint
-- ── sql/tenancy/push.sql ──

-- The key by which push services know this installation (VAPID, RFC 8292): one for the database, however many servers
-- use it. Browsers subscribe for its public half, so it stays as it was made. Only the server's own role reads it.
create table if not exists lore.push_key (
  only_row boolean primary key default true check (only_row),
  public_key text not null,
  private_key text not null
);
--> statement-breakpoint
-- A device that is signed out is sent nothing more, whoever signs it out.
create or replace function end_push() returns trigger
language plpgsql as $$
begin
  delete from public.push_subscriptions s where s.user_id = old.user_id and s.key_id = old.id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger end_push
  after delete or update of revoked_at on api_keys
  for each row execute function end_push();
--> statement-breakpoint
-- ── sql/tenancy/servers.sql ──

-- The servers that use this database, so that each knows whether it is the only one. What a session was told is kept in
-- a server's memory as long as no other server can tell it something. A row counts until `until`; a server that lives
-- renews it. One row for each server, and they belong to no tenant.
create table if not exists lore.servers (
  id uuid primary key,
  seen_at timestamptz not null,
  until timestamptz not null
);
--> statement-breakpoint
-- Which servers have read a session. One that two have read may be changed by either.
create table if not exists lore.session_readers (
  session uuid not null,
  server uuid not null references lore.servers (id) on delete cascade,
  since timestamptz not null default now(),
  primary key (session, server)
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
  delete from lore.session_readers r where r.since < now() - interval '7 days';
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
-- Says that a server has read a session. Returns whether another one has, and tells that one.
create or replace function lore.reads_session(reader uuid, read uuid) returns boolean
language plpgsql as $$
begin
  -- two that read it at once see each other
  perform pg_advisory_xact_lock(hashtextextended('readers of ' || read, 0));
  insert into lore.session_readers (session, server) values (read, reader) on conflict do nothing;
  if not exists (
    select from lore.session_readers r join lore.servers s on s.id = r.server
    where r.session = read and r.server <> reader and s.until > now())
  then
    return false;
  end if;
  perform pg_notify('lore_sessions', read::text);
  return true;
end $$;
--> statement-breakpoint
-- Returns the sessions that another server has read as well as this one.
create or replace function lore.sessions_of_several(reader uuid) returns setof uuid
language sql stable as $$
  select o.session
  from lore.session_readers o
    join lore.session_readers r on r.session = o.session and r.server <> o.server
    join lore.servers s on s.id = r.server and s.until > now()
  where o.server = reader
  group by o.session
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
    ('count patterns', exists (select from lore.users_to_count_patterns())),
    ('change model', exists (select from lore.instance i where i.next_model = model)),
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
-- Returns the users whose patterns have something to count: episodes that are new, or sessions that have ended and were
-- offered a pattern. A session has its episodes a moment after its end, and some have none; until it has been read, it
-- is not known whether its errors are gone.
create or replace function lore.users_to_count_patterns() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct c.user_id
  from public.pattern_changes c
  where not c.counted
  union
  select o.user_id
  from public.offers o
  join public.sessions s on s.user_id = o.user_id and s.id = o.session_id
  where o.kind = 'pattern' and o.outcome is null and not o.withheld and s.status <> 'active'
    and (s.ended_at < now() - interval '10 minutes'
      or exists (
          select from public.episodes e
          where e.user_id = s.user_id and e.session_id = s.id and e.ended_at is not null)
        and not exists (
          select from public.learning_requests r
          where r.user_id = s.user_id and r.session_id = s.id and r.status = 'pending'));
end $$;
--> statement-breakpoint
-- Returns the users with episodes that have waited to be mined for this long.
create or replace function lore.users_to_mine_patterns(waited interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct c.user_id
  from public.pattern_changes c
  where c.changed_at <= now() - waited
$$;
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

update lore.instance set migration = '20261127023305';
