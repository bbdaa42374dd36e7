-- ── sql/platform.sql ──

-- What Supabase has and a plain PostgreSQL lacks. Each step looks first, so the same file runs on both.

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
  -- roles belong to the whole cluster: a server that migrates another database made them at the same moment
  when duplicate_object or unique_violation then null;
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
-- Functions that see past row level security live here. Of these, tenants may call only what is granted to them.
create schema if not exists lore;
--> statement-breakpoint
revoke all on schema lore from public;
--> statement-breakpoint
grant usage on schema lore to authenticated;
--> statement-breakpoint
-- These built-ins run a query given as text. A caller who changed the role inside that query would read past row level
-- security (docs/tenancy.md). Only a superuser may revoke them; elsewhere they stay.
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
-- ── tables of accounts ──

CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "profiles" (
	"user_id" uuid PRIMARY KEY DEFAULT auth.uid() NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "profiles" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_one_owner" ON "profiles" USING btree ("role") WHERE role = 'owner';
--> statement-breakpoint
CREATE POLICY "own rows" ON "api_keys" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "profiles" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── tables of commands ──

CREATE TABLE "command_cache" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"key" text NOT NULL,
	"code" text NOT NULL,
	"command" text NOT NULL,
	"cwd" text NOT NULL,
	"decision" text NOT NULL,
	"reason" text NOT NULL,
	"checked_by" text NOT NULL,
	"once" boolean DEFAULT false NOT NULL,
	"hit_count" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	CONSTRAINT "command_cache_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
ALTER TABLE "command_cache" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "command_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "command_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"session_id" uuid,
	"key" text NOT NULL,
	"code" text NOT NULL,
	"command" text NOT NULL,
	"cwd" text NOT NULL,
	"decision" text NOT NULL,
	"source" text NOT NULL,
	"rule" text,
	"severity" text,
	"reason" text NOT NULL,
	"cached" boolean NOT NULL,
	"ms" real NOT NULL,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "command_checks" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "command_cache_code" ON "command_cache" USING btree ("user_id","code");
--> statement-breakpoint
CREATE INDEX "command_checks_code" ON "command_checks" USING btree ("user_id","code");
--> statement-breakpoint
CREATE INDEX "command_checks_time" ON "command_checks" USING btree ("user_id","checked_at");
--> statement-breakpoint
CREATE POLICY "own rows" ON "command_cache" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "command_checks" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── tables of incidents ──

CREATE TABLE "incidents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"agent_id" text,
	"tool_name" text NOT NULL,
	"tool_use_id" text NOT NULL,
	"target" text,
	"input" jsonb NOT NULL,
	"error" text NOT NULL,
	"error_type" text,
	"signature" text NOT NULL,
	"signature_text" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"resolution" jsonb,
	"opened_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "incidents_once" UNIQUE("user_id","session_id","tool_use_id"),
	CONSTRAINT "incidents_tenant" UNIQUE("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "incidents" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "incidents_signature" ON "incidents" USING btree ("user_id","project_id","signature");
--> statement-breakpoint
CREATE INDEX "incidents_session" ON "incidents" USING btree ("session_id","status");
--> statement-breakpoint
CREATE POLICY "own rows" ON "incidents" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── tables of learnings ──

CREATE TABLE "learning_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"incident_id" uuid,
	"session_id" uuid,
	"agent_id" text,
	"event" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"run_after" timestamp with time zone DEFAULT now() NOT NULL,
	"error" text,
	"candidate" jsonb,
	"evidence" jsonb,
	"evaluator" text,
	"decision" text,
	"reason" text,
	"score" real,
	"learning_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "learning_requests_incident" UNIQUE("user_id","incident_id")
);
--> statement-breakpoint
ALTER TABLE "learning_requests" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "learnings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"lineage_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"supersedes" uuid,
	"status" text NOT NULL,
	"lesson" text NOT NULL,
	"context" text NOT NULL,
	"why" text,
	"error_type" text,
	"keywords" text[] DEFAULT '{}' NOT NULL,
	"applies_to" text[] DEFAULT '{}' NOT NULL,
	"signature" text,
	"target" text,
	"branch" text,
	"confidence" real NOT NULL,
	"prior_confidence" real NOT NULL,
	"usage_count" integer DEFAULT 0 NOT NULL,
	"success_count" integer DEFAULT 0 NOT NULL,
	"failure_count" integer DEFAULT 0 NOT NULL,
	"quality_score" real NOT NULL,
	"evaluated_by" text NOT NULL,
	"source_session_id" uuid,
	"source_subagent" text,
	"source_incident_id" uuid,
	"source_error" text,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp with time zone,
	"last_confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "learnings_tenant" UNIQUE("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "learnings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "learning_requests_queue" ON "learning_requests" USING btree ("run_after") WHERE status = 'pending';
--> statement-breakpoint
CREATE INDEX "learnings_current" ON "learnings" USING btree ("user_id","project_id","status") WHERE valid_until is null;
--> statement-breakpoint
CREATE INDEX "learnings_signature" ON "learnings" USING btree ("user_id","project_id","signature");
--> statement-breakpoint
CREATE POLICY "own rows" ON "learning_requests" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "learnings" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── tables of llm ──

CREATE TABLE "llm_usage" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"day" date NOT NULL,
	"purpose" text NOT NULL,
	"model" text NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"input_tokens" integer DEFAULT 0 NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "llm_usage_user_id_day_purpose_model_pk" PRIMARY KEY("user_id","day","purpose","model")
);
--> statement-breakpoint
ALTER TABLE "llm_usage" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "own rows" ON "llm_usage" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── tables of notes ──

CREATE TABLE "notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"sender" text,
	"sender_project" text,
	"content" text NOT NULL,
	"confidence" real DEFAULT 0.5 NOT NULL,
	"mentions" text[] DEFAULT '{}' NOT NULL,
	"message_type" text DEFAULT 'reflection' NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"conversation" text,
	"dedup_key" text,
	"supersedes" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp with time zone,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "notes_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "notes_tenant" UNIQUE("user_id","id"),
	CONSTRAINT "notes_once" UNIQUE("user_id","dedup_key")
);
--> statement-breakpoint
ALTER TABLE "notes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "notes_order" ON "notes" USING btree ("user_id","project_id","created_at","seq");
--> statement-breakpoint
CREATE INDEX "notes_channel" ON "notes" USING btree ("user_id","channel","created_at");
--> statement-breakpoint
CREATE POLICY "own rows" ON "notes" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── tables of offers ──

CREATE TABLE "offers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"session_id" uuid NOT NULL,
	"dedup_key" text NOT NULL,
	"event" text NOT NULL,
	"kind" text NOT NULL,
	"source_id" uuid,
	"relevance" text,
	"position" integer NOT NULL,
	"text" text NOT NULL,
	"tokens" integer NOT NULL,
	"offered_at" timestamp with time zone NOT NULL,
	"withheld" boolean DEFAULT false NOT NULL,
	"outcome" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "offers_once" UNIQUE("user_id","session_id","dedup_key","position")
);
--> statement-breakpoint
ALTER TABLE "offers" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "offers_source" ON "offers" USING btree ("user_id","source_id");
--> statement-breakpoint
CREATE POLICY "own rows" ON "offers" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── tables of search ──

CREATE TABLE "search_documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"kind" text NOT NULL,
	"source_id" uuid NOT NULL,
	"part" integer DEFAULT 0 NOT NULL,
	"content" text NOT NULL,
	"label" text,
	"context" text,
	"tsv" "tsvector" DEFAULT '' NOT NULL,
	"terms" sparsevec(268435456),
	"links" text[] DEFAULT '{}' NOT NULL,
	"amends" boolean DEFAULT false NOT NULL,
	"embedding" vector(384),
	"embedding_model" text,
	"embed_attempts" integer DEFAULT 0 NOT NULL,
	"embed_after" timestamp with time zone DEFAULT now() NOT NULL,
	"embed_error" text,
	"agent" text,
	"channel" text,
	"confidence" real NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_until" timestamp with time zone,
	"confirmed_at" timestamp with time zone NOT NULL,
	"half_life_days" real DEFAULT 90 NOT NULL,
	CONSTRAINT "search_documents_part" UNIQUE("user_id","kind","source_id","part")
);
--> statement-breakpoint
ALTER TABLE "search_documents" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "search_documents_scope" ON "search_documents" USING btree ("user_id","project_id","id");
--> statement-breakpoint
CREATE INDEX "search_documents_user" ON "search_documents" USING btree ("user_id","id");
--> statement-breakpoint
CREATE INDEX "search_documents_recent" ON "search_documents" USING btree ("user_id","confirmed_at");
--> statement-breakpoint
CREATE INDEX "search_documents_tsv" ON "search_documents" USING gin ("tsv");
--> statement-breakpoint
CREATE INDEX "search_documents_near" ON "search_documents" USING hnsw ("embedding" vector_cosine_ops) WITH (m=10,ef_construction=64);
--> statement-breakpoint
CREATE INDEX "search_documents_model" ON "search_documents" USING btree ("embedding_model");
--> statement-breakpoint
CREATE POLICY "own rows" ON "search_documents" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── tables of sessions ──

CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"session_id" uuid NOT NULL,
	"event" text NOT NULL,
	"dedup_key" text NOT NULL,
	"source" text NOT NULL,
	"agent_id" text,
	"tool_name" text,
	"tool_use_id" text,
	"target" text,
	"payload" jsonb NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_once" UNIQUE("user_id","session_id","dedup_key")
);
--> statement-breakpoint
ALTER TABLE "events" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"name" text NOT NULL,
	"root" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_activity" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_name" UNIQUE("user_id","name"),
	CONSTRAINT "projects_tenant" UNIQUE("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "projects" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"client_session_id" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"task_description" text,
	"short_title" text,
	"outcome" text,
	"summary" text,
	"cwd" text,
	"root" text,
	"branch" text,
	"transcript_path" text,
	"starts" integer DEFAULT 0 NOT NULL,
	"errors_encountered" integer DEFAULT 0 NOT NULL,
	"files_modified" text[] DEFAULT '{}' NOT NULL,
	"tools_used" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_activity" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "sessions_client" UNIQUE("user_id","client_session_id"),
	CONSTRAINT "sessions_tenant" UNIQUE("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "sessions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "transcript_cursors" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"path" text NOT NULL,
	"offset" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcript_cursors_user_id_path_pk" PRIMARY KEY("user_id","path")
);
--> statement-breakpoint
ALTER TABLE "transcript_cursors" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "events_session" ON "events" USING btree ("session_id","occurred_at");
--> statement-breakpoint
CREATE INDEX "projects_root" ON "projects" USING btree ("user_id","root");
--> statement-breakpoint
CREATE INDEX "sessions_project" ON "sessions" USING btree ("user_id","project_id");
--> statement-breakpoint
CREATE POLICY "own rows" ON "events" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "projects" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "sessions" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "transcript_cursors" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
-- ── foreign keys ──

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "command_checks" ADD CONSTRAINT "command_checks_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "learning_requests" ADD CONSTRAINT "learning_requests_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "learning_requests" ADD CONSTRAINT "learning_requests_user_id_incident_id_incidents_user_id_id_fk" FOREIGN KEY ("user_id","incident_id") REFERENCES "public"."incidents"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "learnings" ADD CONSTRAINT "learnings_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- ── sql/tables.sql ──

-- What Drizzle cannot say about the tables.

-- At any instant a lineage has at most one version.
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
-- A search compares thousands of these. They stay in the row, and without the header of a compressible value: with it,
-- each comparison copies the value (seven terms against 1,000 texts took 11 ms instead of 1.6).
alter table search_documents
  alter column embedding set storage plain,
  alter column terms set storage plain;
--> statement-breakpoint
-- Leaves room on the page for the next version of a row, so that an update need not touch the indexes.
alter table sessions set (fillfactor = 50);
--> statement-breakpoint
-- ── sql/events/notify_verdicts.sql ──

-- Servers hold the verdicts of their users in memory. This tells them whose verdicts to read again; a use that is
-- counted is no reason to.
create or replace function notify_verdicts() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_verdicts', coalesce(new.user_id, old.user_id)::text);
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_verdicts
  after insert or delete or update of decision, reason, once, expires_at
  on command_cache
  for each row execute function notify_verdicts();
--> statement-breakpoint
-- ── sql/events/record_event.sql ──

-- Stores a hook event once and keeps its session up to date. One call, because each statement of a hook is a round trip
-- to the database. Runs as the caller, so row level security applies.
--
--   files              what the tool wrote
--   task, title, said  what a prompt, or the end of a turn, tells of the session
--
-- Returns null for a new event. A repeated delivery changes nothing, and returns the time of the first one.
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
    -- an event from before the end, recovered later, does not reopen the session
    status = case when s.ended_at is null or s.ended_at < at then 'active' else s.status end,
    ended_at = case when s.ended_at >= at then s.ended_at end,
    tools_used = case
      when (name = 'PostToolUse' or failing) and tool <> ''
        then s.tools_used || jsonb_build_object(tool, coalesce((s.tools_used ->> tool)::int, 0) + 1)
      else s.tools_used
    end,
    errors_encountered = s.errors_encountered + failing::int
  where s.id = in_session;

  -- separate updates, because few events need them and they would make every event slower
  if name = 'SessionStart' then
    update sessions s set
      starts = s.starts + 1,
      branch = coalesce(hook #>> '{lore,branch}', s.branch),
      -- a session may be resumed in another work tree
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

-- Rows without a vector of the model in use are the embedding worker's queue. `<` and `>` are index scans, where
-- `is distinct from` would read the whole table every few seconds.

-- Returns the users whose documents wait.
create or replace function lore.users_to_embed(model text) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct d.user_id
  from public.search_documents d
  where (d.embedding_model is null or d.embedding_model < model or d.embedding_model > model)
    and d.embed_after <= now()
$$;
--> statement-breakpoint
-- Returns how many documents wait, over all tenants: a bare number for /health. model null: all of them.
create or replace function lore.count_to_embed(model text) returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*)
  from public.search_documents d
  where model is null or d.embedding_model is null or d.embedding_model < model or d.embedding_model > model
$$;
--> statement-breakpoint
-- ── sql/index/index_health.sql ──

-- How complete the caller's index is. `lore doctor`, /v1/index and /v1/metrics all show this.
--
--   sources    records that can be found
--   documents  index rows: more than sources, when long texts are in parts
--   embedded   rows with a vector of the model in use; pending: the other rows
--   failing    rows whose last try to embed failed
--   missing    records without an index row; orphaned: rows without a record. `lore reindex` mends both.
create or replace function index_health(
  model text,
  out sources int, out documents int, out embedded int, out pending int, out failing int, out missing int,
  out orphaned int
)
language plpgsql stable as $$
declare
  me constant uuid := auth.uid();
begin
  -- A full join is never done as a nested loop, however wrong the planner is about the number of rows.
  select
    count(r.source_id),
    coalesce(sum(i.documents), 0),
    coalesce(sum(i.embedded), 0),
    coalesce(sum(i.documents - i.embedded), 0),
    coalesce(sum(i.failing), 0),
    count(*) filter (where i.source_id is null),
    coalesce(sum(i.documents) filter (where r.source_id is null), 0)
  into sources, documents, embedded, pending, failing, missing, orphaned
  from (
    select s.kind, s.source_id from searchable s where s.user_id = me
  ) r
  full join (
    select d.kind, d.source_id,
      count(*) as documents,
      count(*) filter (where d.embedding_model = model) as embedded,
      count(*) filter (where d.embed_error is not null) as failing
    from search_documents d
    where d.user_id = me
    group by d.kind, d.source_id
  ) i on i.kind = r.kind and i.source_id = r.source_id;
end $$;
--> statement-breakpoint
-- ── sql/index/index_records.sql ──

-- Writes the index rows of some records of one kind, as the view searchable_<kind> gives them, and deletes the rows of
-- those that the view does not give. An unchanged text keeps its vector.
create or replace function index_records(owner uuid, of_kind text, ids uuid[]) returns void
language plpgsql
-- planned once: with the kind's name at hand, the planner would plan again for each record
set plan_cache_mode = force_generic_plan
as $$
begin
  with written as (
    insert into search_documents as d (user_id, project_id, kind, source_id, part, content, label, context, agent,
      channel, confidence, valid_from, valid_until, confirmed_at, links, amends, half_life_days)
    select s.user_id, s.project_id, s.kind, s.source_id, p.part, p.content, s.label,
      case when p.part = 0 then s.context end,
      s.agent, s.channel, s.confidence, s.valid_from, s.valid_until, s.confirmed_at, coalesce(s.links, '{}'),
      s.amends, s.half_life_days
    from searchable s, search_parts(s.content) p
    where s.user_id = owner and s.kind = of_kind and s.source_id = any (ids)
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
  delete from search_documents d
  where d.user_id = owner and d.kind = of_kind and d.source_id = any (ids)
    and not exists (select from written w where w.source_id = d.source_id and w.part = d.part);
end $$;
--> statement-breakpoint
-- The trigger of every kind of record. Its argument is the kind.
create or replace function index_record() returns trigger
language plpgsql as $$
begin
  -- a deleted record has no row in its view any more, so its index rows go
  if tg_op = 'DELETE' then
    perform index_records(old.user_id, tg_argv[0], array[old.id]);
  else
    perform index_records(new.user_id, tg_argv[0], array[new.id]);
  end if;
  return null;
end $$;
--> statement-breakpoint
-- ── sql/index/prepare_search_document.sql ──

-- Whether a text says that something is no longer as it was. English only.
create or replace function says_changed(body text) returns boolean
language sql immutable parallel safe as $$
  select body ~* ('\m(no longer|not any ?more|anymore|instead of|in place of|replac(es?|ed|ing)|supersed\w+|'
    || 'supplant\w+|amend\w+|revis(es?|ed|ion)|revers(es?|ed)|overturn\w*|deprecat\w+|retired?|abandon\w*|'
    || 'abolish\w*|dropped|scrapped|removed|taken out|torn down|obsolete|outdated|until now|used to|formerly|'
    || 'previously|switch(ed|es)|moved (to|from|over|away)|migrated|changed|raised|lowered|increased|decreased|'
    || 'reduced|tightened|relaxed|extended|shortened|doubled|halved|shrank|cut (to|from)|went (up|down)|bumped|'
    || 'lifted|upgraded|updated|corrected|correction|new (rule|policy|limit|standard|default)|from now on|as of|'
    || 'since|now|back to|after all|turned off|frozen)\M')
$$;
--> statement-breakpoint
-- Fills what search goes by.
create or replace function prepare_search_document() returns trigger
language plpgsql as $$
begin
  new.tsv := search_lexemes(concat_ws(E'\n', new.label, new.content), new.context);
  new.terms := search_terms(new.tsv);
  -- a record may amend without saying so: its view knows
  new.amends := new.amends or says_changed(new.content);
  return new;
end $$;
--> statement-breakpoint
create or replace trigger prepare_search_document
  before insert or update of label, content, context on search_documents
  for each row execute function prepare_search_document();
--> statement-breakpoint
-- ── sql/index/rebuild_search_documents.sql ──

-- Rebuilds a piece of the caller's index: the records of a kind whose id follows `after`, at most `most` of them. In
-- pieces, because the embedded engine answers nothing else meanwhile. Returns the last id, null at the end.
create or replace function rebuild_search_documents(of_kind text, after uuid, most int) returns uuid
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  ids uuid[];
begin
  select array_agg(piece.source_id order by piece.source_id) into ids
  from (
    select s.source_id
    from searchable s
    where s.user_id = me and s.kind = of_kind and s.source_id > after
    order by s.source_id
    limit most
  ) piece;
  perform index_records(me, of_kind, ids);
  return ids[cardinality(ids)];
end $$;
--> statement-breakpoint
-- Deletes the rows of the caller's index whose record is gone or may not be found.
create or replace function delete_orphaned_search_documents() returns void
language plpgsql as $$
declare
  me constant uuid := auth.uid();
begin
  delete from search_documents d
  where d.user_id = me and (d.kind, d.source_id) in (
    -- a set operation is never done as a nested loop
    select i.kind, i.source_id from search_documents i where i.user_id = me
    except
    select s.kind, s.source_id from searchable s where s.user_id = me);
end $$;
--> statement-breakpoint
-- Returns the users some of whose records are not in the index.
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

-- Cuts a text into parts that the model reads whole (256 word pieces): at a paragraph, else a line, a sentence, a word.
-- Joined again, the parts are the text.
create or replace function search_parts(body text) returns table (part int, content text)
language plpgsql immutable as $$
declare
  longest constant int := 1200;
  shortest constant int := 300;
  rest text := body;
  head text;
  size int;
  pattern text;
begin
  part := 0;
  while length(rest) > longest + shortest loop
    size := longest;
    head := left(rest, longest);
    foreach pattern in array array[E'^.*\n\n', E'^.*\n', '^.*[.!?;] ', '^.* '] loop
      if length(substring(head from pattern)) >= shortest then
        size := length(substring(head from pattern));
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

create or replace function learning_document(l learnings) returns text
language sql immutable as $$
  select concat_ws(E'\n', l.lesson, l.context, l.why, nullif(array_to_string(l.keywords, ' '), ''),
    nullif(array_to_string(l.applies_to, ' '), ''))
$$;
--> statement-breakpoint
-- Lessons that may be found: one under review is kept, but is not found.
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
  -- the incident that it came from, and the files that were edited to end that
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
-- Not for the counters: they change with each session that is given the lesson.
create or replace trigger index_learning
  after insert or delete or update of project_id, status, lesson, context, why, keywords, applies_to,
    source_subagent, source_incident_id, confidence, valid_from, valid_until, last_confirmed_at
  on learnings
  for each row execute function index_record('learning');
--> statement-breakpoint
-- ── sql/index/searchable_note.sql ──

-- Who speaks, where the content does not say it itself: the sender, else whom the metadata name.
create or replace function note_label(n notes) returns text
language sql immutable as $$
  select coalesce(n.sender, n.metadata ->> 'speaker', n.metadata ->> 'author')
$$;
--> statement-breakpoint
-- Who speaks: as above, else the name that a chat line begins with, perhaps after a time in brackets.
create or replace function note_speaker(n notes) returns text
language sql immutable as $$
  select coalesce(note_label(n), substring(n.content from '^(?:[[(][^])]{1,60}[])] ?)?([A-Z][A-Za-z .''-]{0,30}): '))
$$;
--> statement-breakpoint
-- What was said before a note in its conversation: the two notes before it, of the last hour. Notes are a conversation
-- when the client says so, or when different speakers take turns in short texts. Null otherwise.
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
-- What a note's breadcrumbs name: commits, issues, pull requests, and files.
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
  -- of two decisions about one matter the later one holds, whether it says so or not
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
-- ── sql/notes/close_superseded_note.sql ──

-- A note that replaces another ends that one's validity.
create or replace function close_superseded_note() returns trigger
language plpgsql as $$
begin
  update notes n set valid_until = greatest(new.created_at, n.created_at)
  where n.user_id = new.user_id and n.id = new.supersedes and n.valid_until is null;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger close_superseded_note
  after insert on notes
  for each row when (new.supersedes is not null)
  execute function close_superseded_note();
--> statement-breakpoint
-- ── sql/search/documents_near.sql ──

-- The nearest documents of the caller by the HNSW index. A function of its own for the sake of the settings: the
-- planner takes the conditions for far more selective than they are, and would read and sort the whole table.
create or replace function documents_near(
  query_embedding vector(384), model text, in_project uuid, in_kinds text[], in_channel text, as_of timestamptz,
  superseded boolean, most int
) returns setof uuid
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set hnsw.ef_search = 100 -- changed below, restored at the end
set hnsw.iterative_scan = relaxed_order
set hnsw.max_scan_tuples = 40000
as $$
begin
  perform set_config('hnsw.ef_search', greatest(most, 40)::text, true);
  return query
  select d.id
  from search_documents d
  where d.embedding_model = model
    and (in_project is null or d.project_id = in_project or d.project_id is null)
    and (in_kinds is null or d.kind = any (in_kinds))
    and (in_channel is null or d.channel = in_channel)
    and d.valid_from <= as_of
    and (superseded or d.valid_until is null or d.valid_until > as_of)
  order by d.embedding <=> query_embedding
  limit most;
end $$;
--> statement-breakpoint
-- ── sql/search/documents_with_each.sql ──

-- The ids of the caller's documents that have a lexeme, at most `most` for each. Row level security lets no full text
-- index be used, because a match could tell of rows that the caller may not see. So this looks past it, at the caller's
-- own rows alone. It is the only function of schema lore that tenants may call.
create or replace function lore.documents_with_each(lexemes text[], in_project uuid, most int)
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
        and (in_project is null or d.project_id = in_project or d.project_id is null)
      limit most)
  from unnest(lexemes) l(lexeme);
end $$;
--> statement-breakpoint
grant execute on function lore.documents_with_each to authenticated;
--> statement-breakpoint
-- ── sql/search/lexeme_frequencies.sql ──

-- From a sample of a scope: in how many of its texts each lexeme occurs (counts), how many texts it has (texts), and
-- how many the scope has (size). A sample is enough, because only the logarithm of a frequency counts. Ids are random,
-- so the smallest of them are a sample.
--
-- The size is told by how far the k smallest ids reach into their range, to 6 % for k = 300 ("k minimum values":
-- Bar-Yossef et al. 2002, "Counting distinct elements in a data stream"). The k smallest ids of a union are among the
-- k smallest of its halves, so a project's texts and those of no project give one sample and one size.
create or replace function lexeme_frequencies(
  lexemes text[], in_project uuid, out counts float8[], out texts int, out size int
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
declare
  most constant int := 300;
  me constant uuid := auth.uid();
  terms sparsevec[];
  largest uuid;
begin
  select array_agg(('{' || search_term(l.lexeme) || ':1}/268435456')::sparsevec order by l.i) into terms
  from unnest(lexemes) with ordinality l(lexeme, i);

  with sampled as materialized (
    select halves.*
    from (
      (
        select d.id, d.terms from search_documents d
        where in_project is null and d.user_id = me
        order by d.user_id, d.id limit most
      )
      union all
      (
        select d.id, d.terms from search_documents d
        where d.user_id = me and d.project_id = in_project
        order by d.user_id, d.project_id, d.id limit most
      )
      union all
      (
        select d.id, d.terms from search_documents d
        where in_project is not null and d.user_id = me and d.project_id is null
        order by d.user_id, d.project_id, d.id limit most
      )
    ) halves
    order by halves.id
    limit most
  )
  select
    array_agg((select count(*) from sampled s where (s.terms <#> t.term) < 0) order by t.i),
    (select count(*) from sampled),
    (select s.id from sampled s order by s.id desc limit 1)
  into counts, texts, largest
  from unnest(terms) with ordinality t(term, i);

  size := case
    when texts < most then texts
    else (most - 1) * 2 ^ 32 / ('x' || left(largest::text, 8))::bit(32)::bigint
  end;
end $$;
--> statement-breakpoint
-- ── sql/search/search_candidates.sql ──

-- For a scope too large to score each of its texts: which ones to score (the nearest by vector, those that the rarest
-- words lead to, and without a project the 50 confirmed last), and how many texts have each lexeme. The counts that
-- come in are those of a sample of `texts` texts; rare words are counted anew, by the full text index.
create or replace function search_candidates(
  lexemes text[], inout counts float8[], texts int, size int,
  query_embedding vector(384), model text, in_project uuid, in_kinds text[], in_channel text, as_of timestamptz,
  superseded boolean, out candidates uuid[]
)
language plpgsql volatile as $$
declare
  me constant uuid := auth.uid();
  -- measured: recall of the ten best 0.99 and more at 20,000 and 100,000 texts
  most_near constant int := least(200, 50 + size / 2000);
  most_by_words constant int := least(1500, 300 + size / 333);
begin
  with found as (
    select l.lexeme, l.n, l.n < 5 or l.n * size / texts <= most_by_words or l.n = min(l.n) over () as rare
    from unnest(lexemes, counts) l(lexeme, n)
  ), looked_up as materialized (
    select w.lexeme, w.ids, cardinality(w.ids) as n
    from lore.documents_with_each(
      (select array_agg(f.lexeme) from found f where f.rare), in_project, most_by_words * 2 / 3) w
  ), led as (
    select u.ids, u.n, sum(u.n) over (order by u.n, u.lexeme) as led_to
    from looked_up u
  )
  select
    (
      select array_agg(coalesce(u.n, f.n * size / texts) order by f.lexeme)
      from found f left join looked_up u using (lexeme)
    ), (
      select array_agg(d.id)
      from led l, unnest(l.ids) d(id)
      where l.led_to <= most_by_words or l.led_to = l.n
    )
  into counts, candidates;

  select array_agg(c.id) into candidates
  from (
    (
      select near.id
      from documents_near(query_embedding, model, in_project, in_kinds, in_channel, as_of, superseded, most_near)
        near(id)
      where query_embedding is not null
    )
    union
    (
      select unnest(candidates)
    )
    union
    (
      select d.id
      from search_documents d
      where in_project is null and d.user_id = me
      order by d.confirmed_at desc
      limit 50
    )
  ) c;
end $$;
--> statement-breakpoint
-- ── sql/search/search_hybrid.sql ──

-- Hybrid search: docs/search.md says why each step and factor is as it is. Runs as the caller, so row level security
-- applies.
--
-- scope → candidates → relevance × confidence × recency × links → newer above what it amends → variety
--
-- The scope of a project is its own texts and the user's that belong to no project; without a project, all of the
-- user's.
--
--   score        the product, by which the rows come ordered
--   relevance    0.6 similarity + 0.4 lexical; 0.8 lexical without a vector
--   similarity   cosine of text and query; null when either has no vector of the model
--   lexical      BM25 / sum of the query's inverse document frequencies: about 1 when all its words are there once
--   amended      score that a newer text took over from the older one that it amends; null otherwise
--   in_scope     texts in scope, from 300 on an estimate; exact: whether each of them was scored
create or replace function search_hybrid(
  query text, query_embedding vector(384), model text, in_project uuid, in_kinds text[], max_rows int,
  as_of timestamptz default now(), min_confidence real default 0, max_age_days real default null,
  exclude_agent text default null, in_channel text default null, superseded boolean default false
) returns table (
  kind text, source_id uuid, content text, score float8, relevance float8, similarity float8, lexical float8,
  confidence real, confidence_factor float8, age_days float8, recency_factor float8, link_factor float8,
  variety_factor float8, amended float8, valid_from timestamptz, valid_until timestamptz, project_id uuid,
  in_scope int, exact boolean
)
language plpgsql volatile
-- one plan for all: planning would take longer than searching
set plan_cache_mode = force_generic_plan
set jit = off
set work_mem = '16MB'
as $$
#variable_conflict use_column
declare
  -- beyond this many texts in scope, only candidates are scored (a benchmark has all scored, to compare)
  small constant int := 5000;
  exact_limit constant int := coalesce(nullif(current_setting('lore.exact_limit', true), '')::int, small);
  me constant uuid := auth.uid();
  oldest constant timestamptz := coalesce(as_of - make_interval(secs => max_age_days * 86400.0), '-infinity');
  size int;
  texts int;
  lexemes text[];
  counts float8[];
  asked sparsevec;
  asked_idf float8;
  candidates uuid[];
begin
  select array_agg(l.lexeme order by l.lexeme) into lexemes
  from (
    select u.lexeme from unnest(search_lexemes(query)) u order by length(u.lexeme) desc, u.lexeme limit 32
  ) l;
  select f.counts, f.texts, f.size into counts, texts, size from lexeme_frequencies(lexemes, in_project) f;
  if size > small then
    select c.counts, c.candidates into counts, candidates
    from search_candidates(lexemes, counts, texts, size, query_embedding, model, in_project, in_kinds, in_channel,
      as_of, superseded) c;
    texts := size;
  end if;
  select w.weights, w.total into asked, asked_idf from search_weights(lexemes, counts, texts) w;

  return query
  with scope as (
    -- one of these has rows: all that is the user's, the two halves of a project's scope, or the candidates
    select d.ctid as tid, d.*
    from search_documents d
    where size <= exact_limit and in_project is null and d.user_id = me
    union all
    select d.ctid, d.*
    from search_documents d
    where size <= exact_limit and d.user_id = me and d.project_id = in_project
    union all
    select d.ctid, d.*
    from search_documents d
    where size <= exact_limit and in_project is not null and d.user_id = me and d.project_id is null
    union all
    select d.ctid, d.*
    from search_documents d
    where size > exact_limit and d.user_id = me and d.id = any (candidates)
  ), compared_to_query as (
    select d.tid, d.id, d.kind, d.source_id, d.project_id, d.confidence, d.confirmed_at, d.valid_from, d.valid_until,
      d.half_life_days,
      case when d.embedding_model = model then 1 - (d.embedding <=> query_embedding) end as similarity,
      coalesce(-(d.terms <#> asked) / asked_idf, 0) as lexical,
      greatest(date_part('epoch', as_of - d.confirmed_at), 0) / 86400 as age_days
    from scope d
    where d.valid_from <= as_of
      and (superseded or d.valid_until is null or d.valid_until > as_of)
      and (in_kinds is null or d.kind = any (in_kinds))
      and d.confidence >= min_confidence
      and d.confirmed_at >= oldest
      and (exclude_agent is null or d.agent is distinct from exclude_agent)
      and (in_channel is null or d.channel = in_channel)
    offset 0 -- else each use of its columns would compute them again
  ), factored as (
    select c.*,
      case
        when c.similarity is null then 0.8 * c.lexical
        else 0.6 * greatest(c.similarity, 0) + 0.4 * c.lexical
      end as relevance,
      0.5 + 0.5 * c.confidence as confidence_factor,
      0.9 + 0.1 * power(0.5::float8, c.age_days / c.half_life_days) as recency_factor
    from compared_to_query c
    offset 0
  ), scored as (
    select f.*, f.relevance * f.confidence_factor * f.recency_factor as score
    from factored f
    where f.relevance > 0
    order by score desc, f.confirmed_at desc
    limit greatest(2 * max_rows, 20)
  ), items as (
    -- a text in parts answers by its best part
    select distinct on (s.kind, s.source_id) s.*
    from scored s
    order by s.kind, s.source_id, s.score desc
  ), detailed as materialized (
    select i.*, row_number() over (order by i.score desc, i.confirmed_at desc, i.id) as place,
      d.content, d.embedding, d.embedding_model, d.amends, d.links, d.context is not null as in_conversation
    from items i
    -- found again by its place in the table: the same statement, so the same version of it
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
    -- a: a text that stands above b
    select b.id, max(pair.alike) as alike,
      max(a.score * a.link_factor) filter (
        where b.valid_from > a.valid_from
          and b.project_id is not distinct from a.project_id
          and b.kind = a.kind
          and not a.in_conversation
          and not b.in_conversation
          and (pair.alike >= 0.65 and b.relevance >= 0.6 * a.relevance
            or b.amends and pair.alike >= 0.45 and b.relevance >= 0.3 * a.relevance)
      ) as amended
    from linked a
    join linked b on a.place < b.place,
      lateral (select 1 - (a.embedding <=> b.embedding) as alike offset 0) pair
    where a.embedding_model = model and b.embedding_model = model
    group by b.id
  ), varied as (
    select l.*, c.amended, 1 - 0.5 * greatest(coalesce(c.alike, 0) - 0.9, 0) / 0.1 as variety_factor
    from linked l
    left join compared c on c.id = l.id
  )
  select v.kind, v.source_id,
    case
      when length(v.content) < 300 then v.content -- no text in parts has one as short as that
      else (
        select string_agg(d.content, '' order by d.part)
        from search_documents d
        where d.user_id = me and d.kind = v.kind and d.source_id = v.source_id)
    end,
    greatest(v.score * v.link_factor * case when v.amended is null then v.variety_factor else 1 end, v.amended),
    v.relevance, v.similarity, v.lexical, v.confidence, v.confidence_factor::float8, v.age_days, v.recency_factor,
    v.link_factor, v.variety_factor, v.amended, v.valid_from, v.valid_until, v.project_id, size, size <= exact_limit
  from varied v
  -- of two equals the newer
  order by 4 desc, v.confirmed_at desc, v.source_id
  limit max_rows;
end $$;
--> statement-breakpoint
-- ── sql/search/search_lexemes.sql ──

-- These are PL/pgSQL because it keeps its plans; a function in SQL is planned at each call.

-- The words of code: everything but letters and digits becomes a blank, camelCase and PascalCase are taken apart.
-- ASCII only, because what counts as a letter beyond it depends on the database's locale.
create or replace function search_words(body text) returns text
language plpgsql immutable parallel safe as $$
begin
  return regexp_replace(regexp_replace(regexp_replace(
    body,
    '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g'),
    '([a-z0-9])([A-Z])', '\1 \2', 'g'),
    '([A-Z])([A-Z][a-z])', '\1 \2', 'g');
end $$;
--> statement-breakpoint
-- Identifiers, paths, flags, versions and error codes as they stand, in lower case: src/db/open.ts, no-verify, v1.2.
create or replace function search_identifiers(body text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(string_agg(distinct quote_literal(lower(m[1])) || ':1A', ' '), '')::tsvector
    from regexp_matches(body, '([A-Za-z0-9]+(?:[._/:@#-]+[A-Za-z0-9]+)+|[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*)', 'g') m
    where length(m[1]) <= 100);
end $$;
--> statement-breakpoint
-- What full text search goes by. What was said before has weight D, all else A.
create or replace function search_lexemes(body text, context text default null) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  own constant tsvector := setweight(to_tsvector('english', search_words(body)), 'A') || search_identifiers(body);
begin
  if context is null then
    return own;
  end if;
  return own || setweight(to_tsvector('english', search_words(context)), 'D');
end $$;
--> statement-breakpoint
-- ── sql/search/search_terms.sql ──

-- The number that stands for a lexeme in a sparse vector: the first 28 bits of its MD5.
create or replace function search_term(lexeme text) returns int
language sql immutable parallel safe as $$
  select ('x' || substr(md5(lexeme), 1, 7))::bit(28)::int + 1
$$;
--> statement-breakpoint
-- The BM25 weight of each lexeme of a text, without the inverse document frequency. The inner product with the weights
-- of a query (search_weights) is the text's score (Robertson, Zaragoza 2009, "The Probabilistic Relevance Framework").
-- k1 = 0.9, b = 0.4 (Trotman, Puurula, Burgess 2014); the average length is fixed at 30 lexemes, so that a text's
-- weights do not depend on other texts. A lexeme of the context counts 0.3 (docs/search.md).
create or replace function search_terms(lexemes tsvector) returns sparsevec
language plpgsql immutable parallel safe as $$
begin
  return (
    with counted as (
      select search_term(l.lexeme) as term, cardinality(array_positions(l.weights, 'A')) as own,
        cardinality(l.weights) as n
      from unnest(lexemes) l
    ), long as (
      select 0.9 * (1 - 0.4 + 0.4 * sum(own) / 30.0) as norm from counted
    ), weighed as (
      select term, round(sum(own * 1.9 / (own + norm) + 0.3 * (n - own) * 1.9 / (n - own + 0.9))::numeric, 3) as weight
      from counted, long
      group by term
      -- a row has to fit a page
      order by 2 desc, 1
      limit 256
    )
    select ('{' || coalesce(string_agg(term || ':' || weight, ','), '') || '}/268435456')::sparsevec
    from weighed);
end $$;
--> statement-breakpoint
-- The weight of each lexeme of a query, and their sum: the inverse document frequency that is never negative,
-- ln(1 + (N - n + 1/2) / (n + 1/2)), in 50 texts more than there are, lest in a scope of three texts every word that
-- occurs count as common.
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

-- Accounts are looked up and made before there are claims, so these functions see past row level security.

-- Returns the account that a device key belongs to; none when the key is unknown or revoked. hash: SHA-256 of the key,
-- in hex.
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
--> statement-breakpoint
-- Returns the owner, who is made on first use and gets this key. Adding the key again does nothing.
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
--> statement-breakpoint
-- Returns the new member.
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
--> statement-breakpoint
-- ── sql/tenancy/instance.sql ──

-- Names this database, so that a journal on disk can tell whether it was written for it. One row, no tenant's; only the
-- server's own role reads it. A copy of the database has the same name.
create table if not exists lore.instance (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);
--> statement-breakpoint
insert into lore.instance default values on conflict do nothing;
--> statement-breakpoint
-- ── sql/tenancy/waiting_users.sql ──

-- Which users have rows that wait for a background worker. These return ids only; the work itself is done as that user.
-- (lore.users_to_embed and lore.users_to_reindex stand with the index.)

create or replace function lore.users_to_distil() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct r.user_id
  from public.learning_requests r
  where r.status = 'pending' and r.run_after <= now()
$$;
--> statement-breakpoint
create or replace function lore.users_with_idle_sessions(idle interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct s.user_id
  from public.sessions s
  where s.status = 'active' and s.last_activity < now() - idle
$$;
--> statement-breakpoint
-- ── sql/index/searchable.sql ──

-- The kinds of records that can be found: each has a view searchable_<kind>.
create or replace function searchable_kinds() returns setof text
language sql stable as $$
  select substr(c.relname, length('searchable_') + 1)
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ~ '^searchable_'
  order by 1
$$;
--> statement-breakpoint
-- All of them as one view. It is made from the catalog in every migration, so that a new kind is one view and one
-- trigger. These are the columns that such a view has:
--
--   user_id, project_id        whose it is; without a project it belongs to all of the user's
--   kind, source_id            the record; source_id is its column `id`
--   content, label, context    the text, who said it, and what was said before it
--   agent, channel             to filter by
--   confidence, valid_from, valid_until, confirmed_at
--                              how sure it is, when it holds (valid_until null: still), when it was last found true
--   links                      what it shares with others: file:src/a.ts, incident:<id>, commit:<sha>
--   amends                     it outranks an older text about the same matter even if it does not say so
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

-- The last part of every migration, so that a new table, view or function needs nothing by hand.

do $$
declare
  t regclass;
begin
  -- Tenants' tables are those with the policy that ownRows() makes. Row level security holds for their owner too; the
  -- API role gets what the policy then narrows down.
  for t in select p.polrelid from pg_policy p where p.polname = 'own rows' order by 1
  loop
    execute format('alter table %s enable row level security, force row level security', t);
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to authenticated', t);
    execute format('grant all on %s to service_role', t);
  end loop;
  -- The views run as their caller.
  for t in select c.oid from pg_class c where c.relkind = 'v' and c.relname ~ '^searchable(_|$)' order by 1
  loop
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select on %s to authenticated, service_role', t);
  end loop;
end $$;
--> statement-breakpoint
-- Identity columns need no right to their sequence, and nobody else needs one.
revoke all on all sequences in schema public from anon, authenticated;
--> statement-breakpoint
-- Events and command checks stay on record as they came.
revoke update, delete on events, command_checks from authenticated;
--> statement-breakpoint
-- Nobody gives themselves another role.
revoke insert, update, delete on profiles from authenticated;
--> statement-breakpoint
grant update (name) on profiles to authenticated;
--> statement-breakpoint
-- A grant to a single role stands with its function.
revoke all on all functions in schema lore from public;
