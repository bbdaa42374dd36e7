-- ── data ──

-- Verdicts of 0.2 were kept under hashes that are not keyed: whoever read one could guess the files behind it.
delete from command_cache;
--> statement-breakpoint
update command_checks set key = '', code = '';
--> statement-breakpoint
-- How an error was answered has more names now.
update incidents set resolution = resolution || '{"kind": "arguments"}' where resolution ->> 'kind' = 'variant';
--> statement-breakpoint
-- The name of a sender is in an index from now on, which holds 2,704 bytes.
update notes set sender = left(sender, 500) where octet_length(sender) > 2400;
--> statement-breakpoint
-- ── dropped ──

drop view searchable, searchable_learning, searchable_note;
--> statement-breakpoint
drop function documents_near(vector,text,uuid,text[],text,timestamp with time zone,boolean,integer);
--> statement-breakpoint
drop function lexeme_frequencies(text[],uuid);
--> statement-breakpoint
drop function lore.authenticate(text);
--> statement-breakpoint
drop function lore.count_to_embed(text);
--> statement-breakpoint
drop function lore.documents_with_each(text[],uuid,integer);
--> statement-breakpoint
drop function lore.ensure_owner(text,text);
--> statement-breakpoint
drop function says_changed(text);
--> statement-breakpoint
drop function search_candidates(text[],double precision[],integer,integer,vector,text,uuid,text[],text,timestamp with time zone,boolean);
--> statement-breakpoint
drop function search_hybrid(text,vector,text,uuid,text[],integer,timestamp with time zone,real,real,text,text,boolean);
--> statement-breakpoint
alter table learnings drop constraint learnings_pkey;
--> statement-breakpoint
alter table notes drop constraint notes_pkey;
--> statement-breakpoint
-- ── tables ──

DROP INDEX "projects_root";
--> statement-breakpoint
ALTER TABLE "search_documents" DROP COLUMN "amends";
--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "root";
--> statement-breakpoint
CREATE TABLE "working_states" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"session_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"event_key" text NOT NULL,
	"trigger" text,
	"state" jsonb NOT NULL,
	"items_saved" integer NOT NULL,
	"items_restored" integer,
	"tokens_before" integer,
	"tokens_after" integer,
	"measured" text,
	"saved_at" timestamp with time zone NOT NULL,
	"restored_at" timestamp with time zone,
	CONSTRAINT "working_states_once" UNIQUE("user_id","session_id","event_key")
);
--> statement-breakpoint
ALTER TABLE "working_states" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "episodes" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"session_id" uuid,
	"start_key" text NOT NULL,
	"agent_id" text,
	"agent_type" text,
	"parent_id" uuid,
	"description" text NOT NULL,
	"type" text NOT NULL,
	"complexity" text NOT NULL,
	"branch" text,
	"work_items" text[] DEFAULT '{}' NOT NULL,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tools_used" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"files_modified" text[] DEFAULT '{}' NOT NULL,
	"outcome" text DEFAULT 'unknown' NOT NULL,
	"tests_passed" boolean,
	"build_passed" boolean,
	"error" text,
	"last_message" text,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"duration_ms" bigint,
	"tokens" integer,
	"findings" uuid[] DEFAULT '{}' NOT NULL,
	"learnings" uuid[] DEFAULT '{}' NOT NULL,
	"plan_id" uuid,
	"private" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "episodes_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "episodes_once" UNIQUE("user_id","session_id","start_key")
);
--> statement-breakpoint
ALTER TABLE "episodes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "decisions" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"scope_id" uuid GENERATED ALWAYS AS (coalesce(project_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED NOT NULL,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp with time zone,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"recorded_until" timestamp with time zone,
	"opened_by" text DEFAULT 'put' NOT NULL,
	"closed_by" text,
	"tier" text NOT NULL,
	"source" text,
	"evidence" text,
	"session_id" uuid,
	"agent" text,
	"confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmations" integer DEFAULT 0 NOT NULL,
	"condition" text NOT NULL,
	"action" text NOT NULL,
	"confidence" real NOT NULL,
	"stated_until" timestamp with time zone,
	"subject" uuid GENERATED ALWAYS AS (id) STORED NOT NULL,
	CONSTRAINT "decisions_own" PRIMARY KEY("user_id","id","recorded_at")
);
--> statement-breakpoint
ALTER TABLE "decisions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "facts" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"scope_id" uuid GENERATED ALWAYS AS (coalesce(project_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED NOT NULL,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp with time zone,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"recorded_until" timestamp with time zone,
	"opened_by" text DEFAULT 'put' NOT NULL,
	"closed_by" text,
	"tier" text NOT NULL,
	"source" text,
	"evidence" text,
	"session_id" uuid,
	"agent" text,
	"confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmations" integer DEFAULT 0 NOT NULL,
	"type" text NOT NULL,
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"subject" uuid GENERATED ALWAYS AS (md5(quote_literal(type) || ',' || quote_literal(key))::uuid) STORED NOT NULL,
	CONSTRAINT "facts_own" PRIMARY KEY("user_id","id","recorded_at")
);
--> statement-breakpoint
ALTER TABLE "facts" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "relations" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"scope_id" uuid GENERATED ALWAYS AS (coalesce(project_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED NOT NULL,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp with time zone,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"recorded_until" timestamp with time zone,
	"opened_by" text DEFAULT 'put' NOT NULL,
	"closed_by" text,
	"tier" text NOT NULL,
	"source" text,
	"evidence" text,
	"session_id" uuid,
	"agent" text,
	"confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmations" integer DEFAULT 0 NOT NULL,
	"from_type" text NOT NULL,
	"from_key" text NOT NULL,
	"relation" text NOT NULL,
	"to_type" text NOT NULL,
	"to_key" text NOT NULL,
	"attributes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"subject" uuid GENERATED ALWAYS AS (md5(quote_literal(from_type) || ',' || quote_literal(from_key) || ',' || quote_literal(relation) || ',' || quote_literal(to_type) || ',' || quote_literal(to_key))::uuid) STORED NOT NULL,
	"from_entity" uuid GENERATED ALWAYS AS (md5(quote_literal(from_type) || ',' || quote_literal(from_key))::uuid) STORED NOT NULL,
	"to_entity" uuid GENERATED ALWAYS AS (md5(quote_literal(to_type) || ',' || quote_literal(to_key))::uuid) STORED NOT NULL,
	CONSTRAINT "relations_own" PRIMARY KEY("user_id","id","recorded_at")
);
--> statement-breakpoint
ALTER TABLE "relations" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "finding_links" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"kind" text NOT NULL,
	"from_id" uuid NOT NULL,
	"to_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "finding_links_user_id_kind_from_id_to_id_pk" PRIMARY KEY("user_id","kind","from_id","to_id")
);
--> statement-breakpoint
ALTER TABLE "finding_links" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "findings" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"title" text NOT NULL,
	"detail" text DEFAULT '' NOT NULL,
	"severity" text DEFAULT 'medium' NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"resolution" text,
	"file" text,
	"line" integer,
	"agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "findings_own" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "findings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "citations" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"kind" text NOT NULL,
	"source_id" uuid NOT NULL,
	"ref" text NOT NULL,
	"project_id" uuid,
	"root" text,
	"head" text,
	"size" bigint,
	"hash" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"cited_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp with time zone,
	CONSTRAINT "citations_user_id_kind_source_id_ref_pk" PRIMARY KEY("user_id","kind","source_id","ref")
);
--> statement-breakpoint
ALTER TABLE "citations" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "settings" (
	"user_id" uuid PRIMARY KEY DEFAULT auth.uid() NOT NULL,
	"model_spending" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "settings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "agents" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_active" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
ALTER TABLE "agents" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "channels" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channels_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
ALTER TABLE "channels" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "observation_sources" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"observation_id" text NOT NULL,
	"project_id" uuid NOT NULL,
	"session" text NOT NULL,
	"event_key" text NOT NULL,
	"agent_id" text,
	"tool" text NOT NULL,
	"about" text NOT NULL,
	"masked" boolean DEFAULT false NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "observation_sources_user_id_session_event_key_observation_id_pk" PRIMARY KEY("user_id","session","event_key","observation_id")
);
--> statement-breakpoint
ALTER TABLE "observation_sources" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "observations" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"id" text NOT NULL,
	"hash" text NOT NULL,
	"characters" integer NOT NULL,
	"lines" integer NOT NULL,
	"whole" boolean NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "observations_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "observations" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "amendment_queue" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"kind" text NOT NULL,
	"source_id" uuid NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	CONSTRAINT "amendment_queue_user_id_kind_source_id_pk" PRIMARY KEY("user_id","kind","source_id")
);
--> statement-breakpoint
ALTER TABLE "amendment_queue" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "amendments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"kind" text NOT NULL,
	"newer_id" uuid NOT NULL,
	"older_id" uuid NOT NULL,
	"evidence" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "amendments_once" UNIQUE("user_id","kind","newer_id","older_id")
);
--> statement-breakpoint
ALTER TABLE "amendments" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "erasures" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"session" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "erasures_user_id_session_pk" PRIMARY KEY("user_id","session")
);
--> statement-breakpoint
ALTER TABLE "erasures" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"session" text NOT NULL,
	"start_key" text NOT NULL,
	"branch" text,
	"prompt" text NOT NULL,
	"said" text,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "turns_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "turns_once" UNIQUE("user_id","session","start_key")
);
--> statement-breakpoint
ALTER TABLE "turns" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "skill_logs" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"session_id" uuid,
	"agent_id" text,
	"skill" text NOT NULL,
	"action" text NOT NULL,
	"result" text NOT NULL,
	"duration_ms" bigint,
	"observation_ref" text,
	"run" uuid NOT NULL,
	"tool_use_id" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "skill_logs_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "skill_logs_call" UNIQUE("user_id","session_id","tool_use_id")
);
--> statement-breakpoint
ALTER TABLE "skill_logs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "skill_memories" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"scope" uuid GENERATED ALWAYS AS (coalesce(project_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED NOT NULL,
	"skill" text NOT NULL,
	"version" integer NOT NULL,
	"text" text NOT NULL,
	"added" text,
	"compacted" boolean DEFAULT false NOT NULL,
	"evaluated_by" text NOT NULL,
	"source_session_id" uuid,
	"source_subagent" text,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp with time zone,
	CONSTRAINT "skill_memories_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "skill_memories_version" UNIQUE("user_id","scope","skill","version")
);
--> statement-breakpoint
ALTER TABLE "skill_memories" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "skills" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"scope" uuid GENERATED ALWAYS AS (coalesce(project_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"category" text,
	"config" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"front_matter" text DEFAULT '' NOT NULL,
	"content" text NOT NULL,
	"memory_place" jsonb,
	"evaluated_by" text NOT NULL,
	"source_session_id" uuid,
	"source_subagent" text,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp with time zone,
	CONSTRAINT "skills_own" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "skills" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "learnings" DROP CONSTRAINT "learnings_tenant";
--> statement-breakpoint
ALTER TABLE "notes" DROP CONSTRAINT "notes_tenant";
--> statement-breakpoint
DROP INDEX "search_documents_scope";
--> statement-breakpoint
DROP INDEX "search_documents_user";
--> statement-breakpoint
DROP INDEX "search_documents_model";
--> statement-breakpoint
ALTER TABLE "notes" ALTER COLUMN "project_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "learnings" ADD CONSTRAINT "learnings_own" PRIMARY KEY("user_id","id");
--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_own" PRIMARY KEY("user_id","id");
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "source" text;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "scope" text DEFAULT 'person' NOT NULL;
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "removed_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "command_checks" ADD COLUMN "covered" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "tried" jsonb;
--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "agent_type" text;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "shelf" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "message_type" text;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "mentions" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "has_breadcrumbs" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "words" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "working_states" ADD CONSTRAINT "working_states_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_parent" FOREIGN KEY ("user_id","parent_id") REFERENCES "public"."episodes"("user_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "facts" ADD CONSTRAINT "facts_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "relations" ADD CONSTRAINT "relations_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "finding_links" ADD CONSTRAINT "finding_links_user_id_from_id_findings_user_id_id_fk" FOREIGN KEY ("user_id","from_id") REFERENCES "public"."findings"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "finding_links" ADD CONSTRAINT "finding_links_user_id_to_id_findings_user_id_id_fk" FOREIGN KEY ("user_id","to_id") REFERENCES "public"."findings"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "citations" ADD CONSTRAINT "citations_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "observation_sources" ADD CONSTRAINT "observation_sources_user_id_observation_id_observations_user_id_id_fk" FOREIGN KEY ("user_id","observation_id") REFERENCES "public"."observations"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "observation_sources" ADD CONSTRAINT "observation_sources_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "skill_logs" ADD CONSTRAINT "skill_logs_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "skill_logs" ADD CONSTRAINT "skill_logs_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "skill_memories" ADD CONSTRAINT "skill_memories_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "working_states_session" ON "working_states" USING btree ("session_id","saved_at");
--> statement-breakpoint
CREATE INDEX "episodes_order" ON "episodes" USING btree ("user_id","project_id","started_at","id");
--> statement-breakpoint
CREATE INDEX "episodes_recent" ON "episodes" USING btree ("user_id","started_at","id");
--> statement-breakpoint
CREATE INDEX "decisions_order" ON "decisions" USING btree ("user_id","valid_from","id");
--> statement-breakpoint
CREATE INDEX "decisions_session" ON "decisions" USING btree ("user_id","session_id");
--> statement-breakpoint
CREATE INDEX "facts_subject" ON "facts" USING btree ("user_id","subject","valid_from");
--> statement-breakpoint
CREATE INDEX "facts_type" ON "facts" USING btree ("user_id","type","valid_from");
--> statement-breakpoint
CREATE INDEX "facts_order" ON "facts" USING btree ("user_id","valid_from","id");
--> statement-breakpoint
CREATE INDEX "facts_session" ON "facts" USING btree ("user_id","session_id");
--> statement-breakpoint
CREATE INDEX "relations_subject" ON "relations" USING btree ("user_id","subject","valid_from");
--> statement-breakpoint
CREATE INDEX "relations_from" ON "relations" USING btree ("user_id","from_entity");
--> statement-breakpoint
CREATE INDEX "relations_to" ON "relations" USING btree ("user_id","to_entity");
--> statement-breakpoint
CREATE INDEX "relations_order" ON "relations" USING btree ("user_id","valid_from","id");
--> statement-breakpoint
CREATE INDEX "relations_session" ON "relations" USING btree ("user_id","session_id");
--> statement-breakpoint
CREATE INDEX "finding_links_to" ON "finding_links" USING btree ("user_id","to_id");
--> statement-breakpoint
CREATE INDEX "findings_order" ON "findings" USING btree ("user_id","project_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "findings_recent" ON "findings" USING btree ("user_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "citations_state" ON "citations" USING btree ("user_id","state");
--> statement-breakpoint
CREATE INDEX "citations_project" ON "citations" USING btree ("user_id","project_id","checked_at");
--> statement-breakpoint
CREATE INDEX "observation_sources_observation" ON "observation_sources" USING btree ("user_id","observation_id");
--> statement-breakpoint
CREATE INDEX "observation_sources_session" ON "observation_sources" USING btree ("user_id","session","at");
--> statement-breakpoint
CREATE INDEX "observations_day" ON "observations" USING btree ("user_id","created_at");
--> statement-breakpoint
CREATE INDEX "amendment_queue_order" ON "amendment_queue" USING btree ("user_id","valid_from");
--> statement-breakpoint
CREATE INDEX "amendments_older" ON "amendments" USING btree ("user_id","kind","older_id");
--> statement-breakpoint
CREATE INDEX "turns_session" ON "turns" USING btree ("user_id","session","started_at");
--> statement-breakpoint
CREATE INDEX "skill_logs_skill" ON "skill_logs" USING btree ("user_id","skill","at");
--> statement-breakpoint
CREATE INDEX "skill_logs_order" ON "skill_logs" USING btree ("user_id","at");
--> statement-breakpoint
CREATE INDEX "skill_logs_session" ON "skill_logs" USING btree ("session_id");
--> statement-breakpoint
CREATE INDEX "skills_name" ON "skills" USING btree ("user_id","name","scope","valid_from");
--> statement-breakpoint
CREATE UNIQUE INDEX "learning_requests_turn" ON "learning_requests" USING btree ("user_id","session_id") WHERE status = 'pending' and event = 'turn';
--> statement-breakpoint
CREATE INDEX "notes_recent" ON "notes" USING btree ("user_id","created_at","seq");
--> statement-breakpoint
CREATE INDEX "notes_sender" ON "notes" USING btree ("user_id","sender","created_at");
--> statement-breakpoint
CREATE INDEX "notes_mentions" ON "notes" USING btree ("user_id","created_at") WHERE mentions <> '{}';
--> statement-breakpoint
CREATE INDEX "search_documents_types" ON "search_documents" USING btree ("user_id","message_type","has_breadcrumbs","words","project_id","id");
--> statement-breakpoint
CREATE INDEX "search_documents_channels" ON "search_documents" USING btree ("user_id","channel");
--> statement-breakpoint
CREATE INDEX "search_documents_failing" ON "search_documents" USING btree ("user_id") WHERE embed_error is not null;
--> statement-breakpoint
CREATE INDEX "sessions_root" ON "sessions" USING hash ("root");
--> statement-breakpoint
CREATE INDEX "search_documents_scope" ON "search_documents" USING btree ("user_id","project_id","shelf","id");
--> statement-breakpoint
CREATE INDEX "search_documents_user" ON "search_documents" USING btree ("user_id","shelf","id");
--> statement-breakpoint
CREATE INDEX "search_documents_model" ON "search_documents" USING btree ("user_id","embedding_model");
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scope" CHECK (scope in ('hooks', 'person', 'device'));
--> statement-breakpoint
CREATE POLICY "own rows" ON "working_states" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "episodes" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "decisions" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "facts" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "relations" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "finding_links" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "findings" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "citations" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "settings" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "agents" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "channels" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "observation_sources" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "observations" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "amendment_queue" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "amendments" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "erasures" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "turns" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "skill_logs" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "skill_memories" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "skills" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
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
-- So has a skill, and what was noted under its memory.
do $$ begin
  if not exists (select from pg_constraint where conname = 'skills_no_overlap') then
    alter table skills add constraint skills_no_overlap
      exclude using gist (user_id with =, scope with =, name with =, tstzrange(valid_from, valid_until) with &&);
    alter table skill_memories add constraint skill_memories_no_overlap
      exclude using gist (user_id with =, scope with =, skill with =, tstzrange(valid_from, valid_until) with &&);
  end if;
end $$;
--> statement-breakpoint
do $$ begin
  if not exists (select from pg_constraint where conname = 'notes_confidence') then
    alter table notes add constraint notes_confidence check (confidence between 0 and 1);
  end if;
end $$;
--> statement-breakpoint
-- Facts, relations and decisions: at any instant of either clock a subject has one row at most. No row is empty.
do $$
declare
  t text;
begin
  foreach t in array array['facts', 'relations', 'decisions'] loop
    if not exists (select from pg_constraint where conname = t || '_no_overlap') then
      execute format('alter table %I
        add constraint %I check (valid_until > valid_from and recorded_until > recorded_at),
        add constraint %I exclude using gist (user_id with =, scope_id with =, subject with =,
          tstzrange(valid_from, valid_until) with &&, tstzrange(recorded_at, recorded_until) with &&)',
        t, t || '_periods', t || '_no_overlap');
    end if;
  end loop;
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
-- when events wait for a user whom a restored database does not have. All other tables hang on a project or a
-- session; facts, relations, decisions, notes and what these cite may belong to no project.
-- Rows from before this rule are not checked (not valid), so that it can be added to any database.
do $$
declare
  t text;
begin
  foreach t in array array['projects', 'command_checks', 'command_cache', 'transcript_cursors', 'erasures', 'llm_usage',
    'facts', 'relations', 'decisions', 'skills', 'skill_memories', 'skill_logs', 'notes', 'channels', 'agents',
    'citations']
  loop
    if not exists (select from pg_constraint where conname = t || '_account') then
      execute format('alter table %I add constraint %I foreign key (user_id) references profiles (user_id)
        on delete cascade not valid', t, t || '_account');
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- It is deflated already, so trying to compress it again would only take time.
alter table observations alter column content set storage external;
--> statement-breakpoint
-- ── sql/amendments/amendment_words.sql ──

-- Returns the words by which a text says that something has changed, and how near (cosine) an older text must be to
-- count as what changed: words that announce an amendment need less than words that are common in any report. Nothing
-- when the text has no such words. English only. Thresholds measured, see docs/search.md.
create or replace function amendment_words(body text, out words text, out least_alike float8)
language plpgsql immutable parallel safe as $$
begin
  words := substring(body, '(?i)\m(amend(?:s|ed|ments?)?|no longer|not any ?more|anymore|no more|instead of|'
    || 'in place of|supersed\w+|supplant\w+|overturn\w*|revers(?:es?|ed)|revis(?:es?|ed)|replac(?:es|ed)|'
    || 'update (?:to|of|on)|from now on|from today|until now|used to|formerly|previously|retired|abolish\w*|scrapped|'
    || 'decommissioned|uninstalled|taken out|torn down|shut (?:off|down)|turned off|switched (?:to|from|over|off)|'
    || 'moved (?:to|from|over|away)|migrated|go(?:es)? back on|'
    || '(?:we|was|were|is|has been|have been) (?:changed|raised|lowered|increased|decreased|reduced|tightened|relaxed|'
    || 'extended|shortened|doubled|halved|dropped|removed|dissolved))\M');
  least_alike := 0.45;
  if words is null then
    words := substring(body, '(?i)\m(since|now|replacing|switch(?:ed|es)|changed?|raised|lowered|increased|decreased|'
      || 'reduced|tightened|relaxed|extended|shortened|doubled|halved|shrank|cut (?:to|from)|went (?:up|down)|bumped|'
      || 'lifted|upgraded|updated|corrected|correction|deprecat\w+|abandon\w*|dropped|removed|obsolete|outdated|'
      || 'amending|revision|retire|new (?:rule|policy|limit|standard|default)|as of|back to|after all|frozen|'
      || 'gone|deleted|archived|again)\M');
    least_alike := case when words is not null then 0.6 end;
  end if;
end $$;
--> statement-breakpoint
-- ── sql/amendments/decide_amendments.sql ──

-- Whether a text amends an older one is decided once, behind the write, when the texts have their vectors. A search
-- then only follows the links.

-- Puts those of the caller's documents into the queue that may amend another record: they say that something changed,
-- or hold what may be the beginning of an id. What was said in a conversation amends nothing, and neither do facts and
-- relations, which are replaced by their keys, nor a skill, which has versions, nor an error.
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

  select w.words, w.least_alike into said, least_alike from amendment_words(newer.content) w;
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
-- Decides about at most `most` queued records of the caller, the oldest first, because what is amended already has no
-- neighbours. Returns how many there were.
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
language sql stable security definer
set search_path = ''
as $$
  select q.user_id
  from (select distinct w.user_id from public.amendment_queue w) q
  where not exists (
    select from public.search_documents d
    where d.user_id = q.user_id and d.embed_error is null
      and (d.embedding_model is null or d.embedding_model < model or d.embedding_model > model))
$$;
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
-- ── sql/events/notify_learnings.sql ──

-- Servers keep the lessons of the projects that are worked on in memory, with what these cite, and the decisions that
-- are told before a call. This tells them which project's they must read again. Counting an offer of a lesson does not
-- notify, because it changes nothing that is told.
create or replace function notify_learnings() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_learnings',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  return null;
end $$;
--> statement-breakpoint
create or replace trigger notify_learnings
  after insert or delete or update of status, lesson, why, applies_to, target, confidence, success_count, failure_count,
    valid_until, last_confirmed_at
  on learnings
  for each row execute function notify_learnings();
--> statement-breakpoint
create or replace trigger notify_learnings
  after insert or delete or update of recorded_until, confirmed_at, session_id
  on decisions
  for each row execute function notify_learnings();
--> statement-breakpoint
create or replace trigger notify_learnings
  after update of hash, state
  on citations
  for each row
  when (new.kind = 'learning' and (new.hash is distinct from old.hash or new.state is distinct from old.state))
  execute function notify_learnings();
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
-- ── sql/findings/close_finding.sql ──

-- Keeps when a finding was closed, whoever changes its status.
create or replace function close_finding() returns trigger
language plpgsql as $$
begin
  if new.status in ('open', 'in_progress') then
    new.closed_at := null;
  elsif new.closed_at is null then
    new.closed_at := greatest(now(), new.created_at);
  end if;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger close_finding
  before insert or update of status on findings
  for each row execute function close_finding();
--> statement-breakpoint
-- ── sql/index/about_statement.sql ──

-- Returns how sure a statement of a tier is, where it does not say so itself.
create or replace function tier_confidence(tier text) returns real
language sql immutable parallel safe as $$
  select case tier when 'person' then 1 when 'observed' then 0.9 when 'agent' then 0.7 else 0.5 end::real
$$;
--> statement-breakpoint
-- Returns what the metadata of a result tells about every fact, relation and decision.
create or replace function statement_metadata(
  tier text, source text, evidence text, agent text, session_id uuid, recorded_at timestamptz, confirmations int
) returns jsonb
language sql stable as $$
  select jsonb_build_object('tier', tier, 'source', source, 'evidence', evidence, 'agent', agent,
    'sessionId', session_id, 'recordedAt', recorded_at, 'confirmations', confirmations)
$$;
--> statement-breakpoint
-- ── sql/index/embedding_queue.sql ──

-- Rows without a vector of the model in use are the embedding worker's queue. `<` and `>` use an index, while
-- `is distinct from` would read the whole table every few seconds. Both functions look for one row of each user: to
-- read all that wait would take longer the more there are.

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
    insert into search_documents as d (user_id, project_id, kind, shelf, source_id, part, content, label, context,
      agent, channel, message_type, mentions, has_breadcrumbs, words, confidence, valid_from, valid_until,
      confirmed_at, links, half_life_days)
    select s.user_id, s.project_id, s.kind, search_shelf(s.kind), s.source_id, p.part, p.content, s.label,
      case when p.part = 0 then s.context end,
      s.agent, s.channel, f.message_type, f.mentions, f.has_breadcrumbs, f.words, s.confidence, s.valid_from,
      s.valid_until, s.confirmed_at, coalesce(s.links, '{}'), s.half_life_days
    -- Each record is looked up by its id. With `source_id = any (ids)` the planner, which has no statistics of a table
    -- that was just filled, would read all records of the owner for each one that is written.
    from unnest(ids) i(id),
      lateral (
        select * from searchable r where r.kind = of_kind and r.source_id = i.id
        offset 0
      ) s,
      search_filters(s.metadata, s.content) f,
      lateral (
        -- a form feed ends a part of an error: its lines are compared without what stands behind them
        select (row_number() over (order by piece.n, cut.part) - 1)::int as part, cut.content
        from unnest(case s.kind when 'error' then string_to_array(s.content, E'\f') else array[s.content] end)
            with ordinality piece(content, n),
          search_parts(piece.content) cut
      ) p
    on conflict (user_id, kind, source_id, part) do update set
      project_id = excluded.project_id,
      content = excluded.content,
      label = excluded.label,
      context = excluded.context,
      agent = excluded.agent,
      channel = excluded.channel,
      message_type = excluded.message_type,
      mentions = excluded.mentions,
      has_breadcrumbs = excluded.has_breadcrumbs,
      words = excluded.words,
      confidence = excluded.confidence,
      valid_from = excluded.valid_from,
      valid_until = excluded.valid_until,
      confirmed_at = excluded.confirmed_at,
      links = excluded.links,
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
    perform forget_amendments(old.user_id, tg_argv[0], old.id);
  else
    perform index_records(new.user_id, tg_argv[0], array[new.id]);
  end if;
  return null;
end $$;
--> statement-breakpoint
-- ── sql/index/prepare_search_document.sql ──

-- Fills the columns that a search uses.
create or replace function prepare_search_document() returns trigger
language plpgsql as $$
begin
  new.tsv := search_lexemes(concat_ws(E'\n', new.label, new.content), new.context);
  new.terms := search_terms(new.tsv);
  return new;
end $$;
--> statement-breakpoint
create or replace trigger prepare_search_document
  before insert or update of label, content, context on search_documents
  for each row execute function prepare_search_document();
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
  -- From the view of the kind, which can be read in the order of its ids. The view of all kinds would be sorted anew
  -- for each piece.
  execute format(
    'select array_agg(piece.source_id order by piece.source_id)
    from (
      select s.source_id from %I s where s.user_id = $1 and s.source_id > $2 order by s.source_id limit $3
    ) piece', 'searchable_' || of_kind)
  into ids using me, after, most;
  perform index_records(me, of_kind, ids);
  perform queue_amendments(array(
    select d.id from search_documents d where d.user_id = me and d.kind = of_kind and d.source_id = any (ids)));
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
-- Returns the users who have records that are missing from the index, or that were indexed before there were filters.
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
  ) missing
  union
  select d.user_id from public.search_documents d where d.kind = 'note' and d.message_type is null;
end $$;
--> statement-breakpoint
-- ── sql/index/search_filters.sql ──

-- Returns what a search may filter a record by, from its metadata and its text: the names in lower case, and the number
-- of words (what stands between white space).
create or replace function search_filters(
  metadata jsonb, body text, out message_type text, out mentions text[], out has_breadcrumbs boolean, out words int
)
language sql immutable as $$
  select
    metadata ->> 'messageType',
    coalesce((
      select array_agg(distinct lower(m))
      from jsonb_array_elements_text(
        case when jsonb_typeof(metadata -> 'mentions') = 'array' then metadata -> 'mentions' end) m), '{}'),
    exists (
      select
      from jsonb_each(case when jsonb_typeof(metadata -> 'breadcrumbs') = 'object' then metadata -> 'breadcrumbs' end) b
      where jsonb_typeof(b.value) = 'array' and b.value <> '[]'),
    regexp_count(body, '\S+')
$$;
--> statement-breakpoint
-- ── sql/index/search_parts.sql ──

-- Cuts a text into parts short enough for the model, which reads 256 word pieces: in Chinese, Japanese and Korean about
-- one for each character. It cuts at the end of a paragraph, else of a line, a sentence or a word. Joined again, the
-- parts are the whole text. Of several parts the first has at least 100 characters.
create or replace function search_parts(body text) returns table (part int, content text)
language plpgsql immutable as $$
declare
  dense constant boolean := length(replace(search_bigrams(left(body, 20000)), ' ', '')) > length(left(body, 20000));
  longest constant int := case when dense then 240 else 1200 end;
  shortest constant int := case when dense then 100 else 300 end;
  -- A long text is taken into `rest` piece by piece. To cut each part off the whole text would take time that grows
  -- with the square of its length.
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
    foreach ending in array array[E'\n\n', E'\n', ' .', '。', ' '] loop
      at := strpos(
        case ending
          when ' .' then translate(backwards, '!?;', '...')
          when '。' then translate(backwards, '！？', '。。')
          else backwards
        end, ending);
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
-- ── sql/index/searchable_conversation.sql ──

-- The turns of sessions: what a person asked, and what the agent said at the end. They are told less surely than what
-- was kept on purpose, so of two texts that answer equally well the other comes first.
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
-- which is the one that is told of.
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
    'tool', i.tool_name,
    'call', incident_call(i),
    'error', i.error,
    'errorType', i.error_type,
    'signature', i.signature,
    'outcome', incident_outcome(i),
    'createdAt', to_char(i.opened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'resolvedAt', to_char(i.resolved_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as metadata
from incidents i
where not exists (
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
-- ── sql/notes/keep_channels_and_agents.sql ──

-- Keeps a record of each channel that notes are written to, and of each agent that writes them.
create or replace function keep_channels_and_agents() returns trigger
language plpgsql as $$
begin
  -- always in the same order, or two transactions could deadlock
  insert into channels (user_id, name, created_at)
  select n.user_id, n.channel, min(n.created_at)
  from new_notes n
  group by n.user_id, n.channel
  order by n.user_id, n.channel
  on conflict (user_id, name) do nothing;
  insert into agents as a (user_id, name, created_at, last_active)
  select n.user_id, n.sender, min(n.created_at), max(n.created_at)
  from new_notes n
  where n.sender is not null
  group by n.user_id, n.sender
  order by n.user_id, n.sender
  on conflict (user_id, name) do update set last_active = excluded.last_active
  where a.last_active < excluded.last_active;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_channels_and_agents
  after insert on notes
  referencing new table as new_notes
  for each statement
  execute function keep_channels_and_agents();
--> statement-breakpoint
-- Those of notes that were stored before there were such records.
do $$ begin
  insert into channels (user_id, name, created_at)
  select n.user_id, n.channel, min(n.created_at) from notes n group by n.user_id, n.channel
  on conflict (user_id, name) do nothing;
  insert into agents (user_id, name, created_at, last_active)
  select n.user_id, n.sender, min(n.created_at), max(n.created_at)
  from notes n
  where n.sender is not null
  group by n.user_id, n.sender
  on conflict (user_id, name) do nothing;
end $$;
--> statement-breakpoint
-- ── sql/search/documents_near.sql ──

-- Returns the ids of the caller's nearest documents by the HNSW index. It is a separate function because of its
-- settings: the planner believes that the conditions are far more selective than they are, and without the settings it
-- would read and sort the whole table.
create or replace function documents_near(
  query_embedding vector(384), model text, in_project uuid, in_kinds text[], shelves text[], as_of timestamptz,
  superseded boolean, exclude_agent text, in_channels text[], only_agent text, message_types text[],
  mentioning text[], breadcrumbs boolean, min_words int, most int
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
    and d.shelf = any (shelves)
    and (in_kinds is null or d.kind = any (in_kinds))
    and (in_channels is null or d.channel = any (in_channels))
    and (exclude_agent is null or d.agent is distinct from exclude_agent)
    and (only_agent is null or d.agent = only_agent)
    and (message_types is null or d.message_type = any (message_types))
    and (mentioning is null or d.mentions && mentioning)
    and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
    and (min_words is null or d.words >= min_words)
    and d.valid_from <= as_of
    and (superseded or d.valid_until is null or d.valid_until > as_of)
  order by d.embedding <=> query_embedding
  limit most;
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
grant execute on function lore.documents_with_each to authenticated;
--> statement-breakpoint
-- ── sql/search/kind_shelves.sql ──

-- A search reads the shelves on which its kinds stand. Errors and conversations are many and are seldom asked for, so
-- each has a shelf of its own, and all other kinds stand together on '': what hooks look for there takes no longer, and
-- is found no less surely, the more was said.

-- Returns the shelf of a kind.
create or replace function search_shelf(kind text) returns text
language sql immutable parallel safe as $$
  select case when kind in ('error', 'conversation') then kind else '' end
$$;
--> statement-breakpoint
-- Returns the shelves of some kinds. Null stands for all kinds.
create or replace function search_shelves(kinds text[]) returns text[]
language sql immutable parallel safe as $$
  select case
    when kinds is null then array['', 'conversation', 'error']
    else array(select distinct search_shelf(k) from unnest(kinds) k)
  end
$$;
--> statement-breakpoint
-- ── sql/search/lexeme_frequencies.sql ──

-- Takes a sample of a scope and returns in how many texts of the sample each lexeme occurs (counts), how many texts the
-- sample has (texts), and how many the scope has (size). A sample is enough, because only the logarithm of a frequency
-- counts. Ids are random, so the texts with the smallest ids are a random sample.
--
-- The size is estimated from how far the k smallest ids reach into the range of ids, with an error of 6 % for k = 300
-- ("k minimum values": Bar-Yossef et al. 2002, "Counting distinct elements in a data stream"). The k smallest ids of a
-- union are among the k smallest ids of its halves, so a project's texts and the texts without a project, and those of
-- several shelves, give one sample and one size.
create or replace function lexeme_frequencies(
  lexemes text[], in_project uuid, shelves text[], out counts float8[], out texts int, out size int
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
    from unnest(shelves) s(shelf), lateral (
      (
        select d.id, d.terms from search_documents d
        where in_project is null and d.user_id = me and d.shelf = s.shelf
        order by d.user_id, d.shelf, d.id limit most
      )
      union all
      (
        select d.id, d.terms from search_documents d
        where d.user_id = me and d.project_id = in_project and d.shelf = s.shelf
        order by d.user_id, d.project_id, d.shelf, d.id limit most
      )
      union all
      (
        select d.id, d.terms from search_documents d
        where in_project is not null and d.user_id = me and d.project_id is null and d.shelf = s.shelf
        order by d.user_id, d.project_id, d.shelf, d.id limit most
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

-- Chooses the texts to score when the scope is too large to score all of them: the nearest by vector, those with the
-- rarest words of the query, and without a project also the 50 confirmed last. Also returns how many texts have each
-- lexeme. The counts passed in are those of a sample of `texts` texts; rare words are counted again, exactly, by the
-- full text index. What the filters leave out is no candidate, so that they never leave a search without results.
create or replace function search_candidates(
  lexemes text[], inout counts float8[], texts int, size int,
  query_embedding vector(384), model text, in_project uuid, in_kinds text[], shelves text[], as_of timestamptz,
  superseded boolean, exclude_agent text, in_channels text[], only_agent text, message_types text[],
  mentioning text[], breadcrumbs boolean, min_words int, out candidates uuid[]
)
language plpgsql volatile as $$
declare
  me constant uuid := auth.uid();
  -- With these limits the recall of the ten best was 0.99 or more at 20,000 and at 100,000 texts.
  most_near constant int := least(200, 50 + size / 2000);
  most_by_words constant int := least(1500, 300 + size / 333);
begin
  with found as (
    select l.lexeme, l.n, l.n < 5 or l.n * size / texts <= most_by_words or l.n = min(l.n) over () as rare
    from unnest(lexemes, counts) l(lexeme, n)
  ), looked_up as materialized (
    select w.lexeme, w.ids, cardinality(w.ids) as n
    from lore.documents_with_each(
      (select array_agg(f.lexeme) from found f where f.rare), in_project, shelves, exclude_agent, in_channels,
      only_agent, message_types, mentioning, breadcrumbs, min_words, most_by_words * 2 / 3) w
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
      from documents_near(query_embedding, model, in_project, in_kinds, shelves, as_of, superseded,
        exclude_agent, in_channels, only_agent, message_types, mentioning, breadcrumbs,
        min_words, most_near) near(id)
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
      where in_project is null and d.user_id = me and d.shelf = any (shelves)
      order by d.confirmed_at desc
      limit 50
    )
  ) c;
end $$;
--> statement-breakpoint
-- ── sql/search/search_filtered.sql ──

-- Returns how many texts a scope has, and how many of them pass the filters of a search, for a search that is
-- explained. The parameters are those of search_hybrid. It reads the whole scope, which is made of the
-- shelves of the kinds.
create or replace function search_filtered(
  in_project uuid, in_kinds text[], as_of timestamptz, min_confidence real, max_age_days real, exclude_agent text,
  in_channels text[], superseded boolean, only_agent text, message_types text[], mentioning text[], breadcrumbs boolean,
  min_words int, out in_scope int, out passed int
)
language sql stable as $$
  select
    count(*),
    count(*) filter (
      where d.valid_from <= as_of
        and (superseded or d.valid_until is null or d.valid_until > as_of)
        and (in_kinds is null or d.kind = any (in_kinds))
        and d.confidence >= min_confidence
        and (max_age_days is null or d.confirmed_at >= as_of - make_interval(secs => max_age_days * 86400.0))
        and (in_channels is null or d.channel = any (in_channels))
        and (exclude_agent is null or d.agent is distinct from exclude_agent)
        and (only_agent is null or d.agent = only_agent)
        and (message_types is null or d.message_type = any (message_types))
        and (mentioning is null or d.mentions && mentioning)
        and (breadcrumbs is null or d.has_breadcrumbs = breadcrumbs)
        and (min_words is null or d.words >= min_words))
  from search_documents d
  where d.user_id = (select auth.uid()) and d.shelf = any (search_shelves(in_kinds))
    and (in_project is null or d.project_id = in_project or d.project_id is null)
$$;
--> statement-breakpoint
-- ── sql/search/search_hybrid.sql ──

-- Hybrid search, by words and by meaning. docs/search.md explains each step and factor. Runs as the caller, so row
-- level security applies.
--
-- scope → candidates → relevance × confidence × recency × links → variety → amendments above what they amend
--
-- The scope of a project is its own texts and the user's texts that belong to no project. Without a project, the scope
-- is all texts of the user. Either has only what stands on the shelves of the kinds (see search_shelves).
--
--   score        the product of the factors; the rows are ordered by it
--   relevance    0.6 similarity + 0.4 lexical; 0.8 lexical without a vector
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
  breadcrumbs boolean default null, min_words int default null
) returns table (
  kind text, source_id uuid, content text, score float8, relevance float8, similarity float8, lexical float8,
  confidence real, confidence_factor float8, age_days float8, recency_factor float8, link_factor float8,
  variety_factor float8, sure float8, amended float8, valid_from timestamptz, valid_until timestamptz, project_id uuid,
  in_scope int, exact boolean
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
        when c.similarity is null then 0.8 * c.lexical
        else 0.6 * greatest(c.similarity, 0) + 0.4 * c.lexical
      end as relevance,
      case when c.similarity is null then c.lexical else c.similarity + 0.4 * c.lexical end as sure,
      0.5 + 0.5 * c.confidence as confidence_factor,
      0.9 + 0.1 * power(0.5::float8, c.age_days / c.half_life_days) as recency_factor
    from compared_to_query c
    offset 0
  ), scored as (
    select f.*, f.relevance * f.confidence_factor * f.recency_factor as score
    from factored f
    where f.relevance > 0
  ), best as (
    select s.* from scored s order by s.score desc, s.confirmed_at desc limit greatest(2 * max_rows, 20)
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
    v.age_days, v.recency_factor, v.link_factor, v.variety_factor, greatest(v.sure, a.sure), a.score, v.valid_from,
    v.valid_until, v.project_id, size, size <= exact_limit or all_scored
  from varied v
  left join amended a on a.kind = v.kind and a.newer_id = v.source_id
  -- Of two rows with the same score the newer comes first, and a text comes directly above what it amends.
  order by 4 desc, case when a.score is not null then v.valid_from end desc nulls last, v.confirmed_at desc, v.source_id
  limit max_rows;
end $$;
--> statement-breakpoint
-- ── sql/search/search_lexemes.sql ──

-- These functions are in PL/pgSQL because it keeps its plans. A function in SQL is planned at each call.

-- Returns the runs of Chinese, Japanese and Korean characters of a text as pairs of neighbours, with blanks between:
-- these scripts write words without blanks, or with endings joined to them. A single character stays as it is.
create or replace function search_bigrams(body text) returns text
language plpgsql immutable parallel safe as $$
begin
  return (
    select string_agg(substr(m[1], i, 2), ' ')
    from regexp_matches(body, '([\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff'
        || '\U00020000-\U0003ffff]+)', 'g') m,
      generate_series(1, greatest(length(m[1]) - 1, 1)) i);
end $$;
--> statement-breakpoint
-- Splits text and code into words in lower case: characters other than letters and digits become blanks, camelCase and
-- PascalCase are split. Which characters are replaced, and how they become lower case, does not depend on the locale of
-- the database.
create or replace function search_words(body text) returns text
language plpgsql immutable parallel safe as $$
declare
  words text := body;
  ascii constant boolean := body !~ '[^\x01-\x7f]';
begin
  if not ascii then
    -- the same form for „ﬁ“ and „fi“, full and half width; then the punctuation beyond ASCII
    words := regexp_replace(normalize(words, NFKC), '[\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
      || '\u2000-\u206f\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\ufe00-\ufe0f\ufe30-\ufe4f]+', ' ', 'g');
  end if;
  words := regexp_replace(regexp_replace(regexp_replace(
    words,
    '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g'),
    '([a-z0-9])([A-Z])', '\1 \2', 'g'),
    '([A-Z])([A-Z][a-z])', '\1 \2', 'g');
  if ascii then
    return lower(words);
  end if;
  words := lower(words collate pg_c_utf8);
  return concat_ws(' ', regexp_replace(words,
    '[\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+', ' ', 'g'),
    search_bigrams(words));
end $$;
--> statement-breakpoint
-- Returns whether a text is in English, as far as its small words tell: two more of the others say no. The others are
-- small words of German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian, Turkish.
create or replace function search_is_english(words text) returns boolean
language plpgsql immutable parallel safe as $$
declare
  english int;
  other int;
begin
  select
    count(*) filter (where w = any ('{the,and,of,to,is,that,for,it,with,are,be,this,not,from,by,or,which,when,we,must,'
      'how,what,where,does,who,why,if,our,has,have,its,they,at,in,on,as,a,an,can,do,was}'::text[])),
    count(*) filter (where w = any ('{der,die,das,und,ist,nicht,ein,eine,einen,einer,dem,den,des,mit,für,auf,von,'
      'vom,zu,zum,zur,im,am,um,sich,auch,wird,werden,wurde,wenn,oder,bei,nach,wir,sind,aus,nur,noch,wie,kein,keine,'
      'le,la,les,et,est,une,un,du,dans,pour,pas,que,qui,sur,avec,nous,sont,ne,au,aux,par,ce,cette,il,'
      'el,los,las,una,del,por,para,es,se,su,como,está,pero,más,y,en,'
      'lo,gli,di,che,è,non,sono,della,nel,os,um,uma,da,em,com,não,é,dos,'
      'het,een,van,dat,niet,met,voor,op,zijn,wordt,de,aan,ook,nie,jest,się,na,że,oraz,'
      'och,är,att,det,som,på,för,inte,med,ikke,og,til,av,af,på,ve,bir,bu,için,ile}'::text[]))
  into english, other
  from string_to_table(words, ' ') w;
  return other < english + 2;
end $$;
--> statement-breakpoint
-- Returns the identifiers, paths, flags, versions and error codes of a text as whole lexemes in lower case, such as
-- src/db/open.ts, no-verify, v1.2.
create or replace function search_identifiers(body text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(string_agg(distinct quote_literal(lower(m[1])) || ':1A', ' '), '')::tsvector
    from regexp_matches(body, '([A-Za-z0-9]+(?:[._/:@#-]+[A-Za-z0-9]+)+|[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*)', 'g') m
    where length(m[1]) <= 100);
end $$;
--> statement-breakpoint
-- Returns the lexemes of words: English stems. A text in another language is found by its words as they are; their
-- English stems are kept beside them, because a short question does not tell its language.
create or replace function search_stems(words text) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  stems constant tsvector := to_tsvector('english', words);
  plain tsvector;
begin
  if search_is_english(words) then
    return stems;
  end if;
  plain := to_tsvector('simple', words);
  return plain || ts_delete(stems, tsvector_to_array(plain));
end $$;
--> statement-breakpoint
-- Returns the lexemes by which a text is found. Those of the context (what was said before) have weight D, the others
-- weight A.
create or replace function search_lexemes(body text, context text default null) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  own constant tsvector := setweight(search_stems(search_words(body)), 'A') || search_identifiers(body);
begin
  if context is null then
    return own;
  end if;
  return own || setweight(search_stems(search_words(context)), 'D');
end $$;
--> statement-breakpoint
-- ── sql/search/search_passing.sql ──

-- Returns the caller's texts that pass the filters of a search, if these are at most `most`, so that each of them can
-- be scored. Null if they leave more, or if no filter is given. The statement is made of the filters that
-- are given, because a plan for all of them could use no index.
create or replace function search_passing(
  in_project uuid, exclude_agent text, in_channels text[], only_agent text, message_types text[], mentioning text[],
  breadcrumbs boolean, min_words int, most int
) returns uuid[]
language plpgsql stable as $$
declare
  filters text := concat_ws(' and ',
    case when in_channels is not null then 'd.channel = any ($3)' end,
    case when only_agent is not null then 'd.agent = $4' end,
    case when message_types is not null then 'd.message_type = any ($5)' end,
    case when mentioning is not null then 'd.mentions && $6' end,
    case when breadcrumbs is not null then 'd.has_breadcrumbs = $7' end,
    case when min_words is not null then 'd.words >= $8' end);
  passing uuid[];
begin
  if filters = '' then
    return null;
  end if;
  execute 'select array(select d.id from search_documents d where d.user_id = auth.uid() and '
    || case when in_project is null then '' else '(d.project_id = $1 or d.project_id is null) and ' end
    || case when exclude_agent is null then '' else 'd.agent is distinct from $2 and ' end
    || filters || ' limit $9)'
  into passing
  using in_project, exclude_agent, in_channels, only_agent, message_types, mentioning, breadcrumbs, min_words, most + 1;
  return case when cardinality(passing) <= most then passing end;
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
      and not starts_with(ltrim(e.payload ->> 'prompt', E' \n\r\t'), '<task-notification>')
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
revoke all on function keep_turns from public, anon;
--> statement-breakpoint
grant execute on function keep_turns to authenticated, service_role;
--> statement-breakpoint
-- ── sql/temporal/as_of.sql ──

-- Return what was true at one instant, as Lore believed it at another (null: as it believes now). That a row begins
-- before the instant follows from its period; said by itself, it lets an index be used.

create or replace function facts_as_of(as_of timestamptz default now(), recorded_as_of timestamptz default null)
returns setof facts
language sql stable as $$
  select f.* from facts f
  where tstzrange(f.valid_from, f.valid_until) @> as_of and f.valid_from <= as_of
    and case when recorded_as_of is null then f.recorded_until is null
      else tstzrange(f.recorded_at, f.recorded_until) @> recorded_as_of end
$$;
--> statement-breakpoint
create or replace function relations_as_of(as_of timestamptz default now(), recorded_as_of timestamptz default null)
returns setof relations
language sql stable as $$
  select r.* from relations r
  where tstzrange(r.valid_from, r.valid_until) @> as_of and r.valid_from <= as_of
    and case when recorded_as_of is null then r.recorded_until is null
      else tstzrange(r.recorded_at, r.recorded_until) @> recorded_as_of end
$$;
--> statement-breakpoint
create or replace function decisions_as_of(as_of timestamptz default now(), recorded_as_of timestamptz default null)
returns setof decisions
language sql stable as $$
  select d.* from decisions d
  where tstzrange(d.valid_from, d.valid_until) @> as_of and d.valid_from <= as_of
    and case when recorded_as_of is null then d.recorded_until is null
      else tstzrange(d.recorded_at, d.recorded_until) @> recorded_as_of end
$$;
--> statement-breakpoint
-- ── sql/temporal/end_decision.sql ──

-- Ends a decision of the caller at an instant (null: now). Returns whether it held then; otherwise nothing is changed.
create or replace function end_decision(of_id uuid, ends timestamptz) returns boolean
language plpgsql as $$
declare
  scope constant uuid := (
    select d.scope_id from decisions d where d.user_id = auth.uid() and d.id = of_id and d.recorded_until is null);
  at constant timestamptz := temporal_begin('decisions', scope, of_id);
  last constant timestamptz := coalesce(ends, at);
  held constant jsonb := (select r from temporal_rows('decisions', scope, of_id) r where temporal_period(r) @> last);
begin
  if held is null or (held ->> 'valid_from')::timestamptz = last then
    return false;
  end if;
  perform temporal_change('decisions', at, array[of_id],
    array[held || jsonb_build_object('valid_until', last, 'stated_until', last)], 'end');
  return true;
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
  begins constant timestamptz := coalesce((stated ->> 'valid_from')::timestamptz, at);
  ends constant timestamptz := (stated ->> 'valid_until')::timestamptz;
  known jsonb;
begin
  if after is null and stated ->> 'valid_from' is null and ends is null then
    select to_jsonb(d) into known
    from decisions_as_of(at) d
    where d.user_id = me and d.scope_id = scope
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
        from relations_as_of(as_of, recorded_as_of) r
        where direction in ('out', 'both') and r.user_id = me and r.from_entity = any (frontier)
        union all
        select r
        from relations_as_of(as_of, recorded_as_of) r
        where direction in ('in', 'both') and r.user_id = me and r.to_entity = any (frontier)
          -- what leads from one of them to another was found above
          and (direction = 'in' or not exists (select from unnest(frontier) f(entity) where f.entity = r.from_entity))
      ) e(r)
      where (in_project is null or (e.r).project_id = in_project or (e.r).project_id is null)
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
-- A decision is amended by none of a lighter tier: what an agent decides does not end what a person did.
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

-- Lets one change of a subject be made at a time, until the transaction ends. Returns the instant of this change: now,
-- but later than every change before it. Without the lock the constraint on the rows would refuse the later of two.
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
-- ── sql/temporal/temporal_end.sql ──

-- Ends what holds of a subject at an instant (null: now), without a successor. What is known to begin later stays.
-- Returns `outcome`: ended (with the `id` of what held), nothing (nothing holds then) or outranked (by the row `by`).
create or replace function temporal_end(
  of_table regclass, in_scope uuid, of_subject uuid, ends timestamptz, by_tier text
) returns jsonb
language plpgsql as $$
declare
  at constant timestamptz := temporal_begin(of_table, in_scope, of_subject);
  last constant timestamptz := coalesce(ends, at);
  held constant jsonb := (
    select r from temporal_rows(of_table, in_scope, of_subject) r where temporal_period(r) @> last);
begin
  if held is null then
    return jsonb_build_object('outcome', 'nothing');
  elsif temporal_weight(held ->> 'tier') > temporal_weight(by_tier) then
    return jsonb_build_object('outcome', 'outranked', 'by', held);
  end if;
  perform temporal_change(of_table, at, array[(held ->> 'id')::uuid],
    case
      when (held ->> 'valid_from')::timestamptz < last then array[held || jsonb_build_object('valid_until', last)]
      else '{}'
    end, 'end');
  return jsonb_build_object('outcome', 'ended', 'id', held ->> 'id', 'ended', held);
end $$;
--> statement-breakpoint
-- ── sql/temporal/temporal_put.sql ──

-- Returns the period of a row.
create or replace function temporal_period(of_row jsonb) returns tstzrange
language sql stable as $$
  select tstzrange((of_row ->> 'valid_from')::timestamptz, (of_row ->> 'valid_until')::timestamptz)
$$;
--> statement-breakpoint
-- States a value of a subject. `stated` holds the columns of its row; `value_column` is the one that a value is in.
--
--   valid_from missing    from now on, or rather from the instant of the change
--   valid_until missing   until the next row that is known begins. If the row that held has ended already, until its
--                         end; an end that was planned for it is taken back
--   valid_until alone     then nothing holds, until the next row begins
--   both                  only this period changes: what held goes on behind it
--
-- The same value again confirms the row that holds, and makes no other; from a weightier tier it takes that tier. A
-- value does not replace one of a weightier tier anywhere in its period.
--
-- Returns `outcome`: opened, confirmed, outranked (by the row `by`) or empty (it would end before it begins), and for
-- the first two the `id` of the row that holds the value, and the row that held before (`replaced`).
create or replace function temporal_put(
  of_table regclass, of_subject uuid, stated jsonb, value_column text
) returns jsonb
language plpgsql as $$
declare
  scope constant uuid := coalesce(stated ->> 'project_id', '00000000-0000-0000-0000-000000000000')::uuid;
  at constant timestamptz := temporal_begin(of_table, scope, of_subject);
  weight constant int := temporal_weight(stated ->> 'tier');
  begins constant timestamptz := coalesce((stated ->> 'valid_from')::timestamptz, at);
  ends constant timestamptz := (stated ->> 'valid_until')::timestamptz;
  is_period constant boolean := stated ->> 'valid_from' is not null and ends is not null;
  known constant jsonb[] := array(select temporal_rows(of_table, scope, of_subject));
  held constant jsonb := (select r from unnest(known) r where temporal_period(r) @> begins);
  held_until constant timestamptz := (held ->> 'valid_until')::timestamptz;
  is_same constant boolean := coalesce(held -> value_column = stated -> value_column, false);
  stop timestamptz := ends;
  changed jsonb[];
  opened jsonb;
  outranked_by jsonb;
begin
  if ends <= begins then
    return jsonb_build_object('outcome', 'empty');
  end if;
  if is_same and weight <= temporal_weight(held ->> 'tier')
    and (ends is null or ends is not distinct from held_until or is_period and coalesce(ends < held_until, true))
  then
    execute format(
      'update %s t set confirmed_at = $1, confirmations = t.confirmations + 1
       where t.user_id = auth.uid() and t.recorded_until is null and t.id = $2', of_table)
    using at, (held ->> 'id')::uuid;
    return jsonb_build_object('outcome', 'confirmed', 'id', held ->> 'id');
  end if;

  if ends is null then
    stop := least(
      (
        select min((r ->> 'valid_from')::timestamptz)
        from unnest(known) r
        where (r ->> 'valid_from')::timestamptz > begins
      ),
      case when held_until <= at then held_until end);
  end if;
  changed := array(select r from unnest(known) r where temporal_period(r) && tstzrange(begins, stop));
  select r into outranked_by from unnest(changed) r where temporal_weight(r ->> 'tier') > weight limit 1;
  if found then
    return jsonb_build_object('outcome', 'outranked', 'by', outranked_by);
  end if;

  opened := stated || jsonb_build_object('id', gen_random_uuid(), 'valid_from', begins, 'valid_until', stop,
    'confirmed_at', at, 'confirmations', 0);
  if is_same and weight = temporal_weight(held ->> 'tier') then
    -- only its end is another one
    opened := held || jsonb_build_object('valid_until', stop, 'confirmed_at', at,
      'confirmations', (held ->> 'confirmations')::int + 1);
  elsif is_same and ends is null then
    -- the same, from a weightier tier
    opened := opened || jsonb_build_object('id', held -> 'id', 'valid_from', held -> 'valid_from',
      'valid_until', held -> 'valid_until', 'confirmations', (held ->> 'confirmations')::int + 1);
  end if;
  perform temporal_change(of_table, at, array(select (r ->> 'id')::uuid from unnest(changed) r), array(
    select r || jsonb_build_object('valid_until', begins)
    from unnest(changed) r
    where (r ->> 'valid_from')::timestamptz < begins and opened ->> 'id' <> r ->> 'id'
    union all
    select opened
    union all
    select r || jsonb_build_object('valid_from', ends)
      -- the two parts that are left of one row are two statements from now on
      || case when r = held then jsonb_build_object('id', gen_random_uuid()) else '{}' end
    from unnest(changed) r
    where (is_period or r is distinct from held)
      and (upper(temporal_period(r)) > ends or ends is not null and upper_inf(temporal_period(r)))
  ), 'put');
  return jsonb_build_object('outcome', 'opened', 'id', opened ->> 'id', 'replaced', held);
end $$;
--> statement-breakpoint
-- ── sql/temporal/temporal_subject.sql ──

-- Returns the subject of a fact (type, key), of an entity (type, key) or of a relation (from type, from key, relation,
-- to type, to key): the hash that the generated columns of these tables have. Quoted, so that no two lists are alike.
create or replace function temporal_subject(variadic parts text[]) returns uuid
language sql immutable parallel safe as $$
  select md5(string_agg(quote_literal(p.part), ',' order by p.n))::uuid from unnest(parts) with ordinality p(part, n)
$$;
--> statement-breakpoint
-- Returns the weight of a tier: a statement replaces one of the same weight or a lower one.
create or replace function temporal_weight(tier text) returns int
language sql immutable parallel safe as $$
  select case tier when 'person' then 4 when 'observed' then 3 when 'agent' then 2 when 'inferred' then 1 else 0 end
$$;
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
  change record;
  wanted timestamptz;
  present jsonb[];
  past jsonb[];
begin
  for change in execute format(
    'select c.instant, bool_or(c.kind = ''undo'') as takes_back
     from %s t, lateral (values (t.recorded_at, t.opened_by), (t.recorded_until, t.closed_by)) c(instant, kind)
     where t.user_id = auth.uid() and t.scope_id = $1 and t.subject = $2 and c.instant is not null
     group by c.instant order by c.instant', of_table)
    using in_scope, of_subject
  loop
    standing := case
      when change.takes_back then standing[:cardinality(standing) - 1]
      else standing || change.instant
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
