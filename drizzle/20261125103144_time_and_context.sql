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
CREATE TABLE "pairings" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pairings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "session_audits" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"session_id" uuid,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"run_after" timestamp with time zone DEFAULT now() NOT NULL,
	"error" text,
	"tokens" integer DEFAULT 0 NOT NULL,
	"evaluated_by" text,
	"answer" jsonb,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "session_audits_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "session_audits_session" UNIQUE("user_id","session_id")
);
--> statement-breakpoint
ALTER TABLE "session_audits" ENABLE ROW LEVEL SECURITY;
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
CREATE TABLE "consolidation_items" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"run_id" uuid NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "consolidation_items_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"kind" text NOT NULL,
	"record_id" uuid NOT NULL,
	"kept_id" uuid,
	"reason" text NOT NULL,
	"changes" jsonb NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "consolidation_items_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "consolidation_items" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "consolidation_pairs" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"left_id" uuid NOT NULL,
	"right_id" uuid NOT NULL,
	"similarity" real,
	CONSTRAINT "consolidation_pairs_user_id_left_id_right_id_pk" PRIMARY KEY("user_id","left_id","right_id")
);
--> statement-breakpoint
ALTER TABLE "consolidation_pairs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "consolidation_queue" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"learning_id" uuid NOT NULL,
	"queued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"by_words" boolean DEFAULT false NOT NULL,
	CONSTRAINT "consolidation_queue_user_id_learning_id_pk" PRIMARY KEY("user_id","learning_id")
);
--> statement-breakpoint
ALTER TABLE "consolidation_queue" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "consolidation_runs" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"started_by" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stage" text NOT NULL,
	"position" uuid,
	"keep_from" timestamp with time zone,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"error" text,
	"finished_at" timestamp with time zone,
	CONSTRAINT "consolidation_runs_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "consolidation_runs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "episode_cuts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"session_id" uuid NOT NULL,
	"asked" integer DEFAULT 1 NOT NULL,
	"part" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"run_after" timestamp with time zone DEFAULT now() NOT NULL,
	"error" text,
	"failed_at" timestamp with time zone,
	CONSTRAINT "episode_cuts_once" UNIQUE("user_id","session_id","part")
);
--> statement-breakpoint
ALTER TABLE "episode_cuts" ENABLE ROW LEVEL SECURITY;
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
	"prompts" text[] DEFAULT '{}' NOT NULL,
	"corrected" text[] DEFAULT '{}' NOT NULL,
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
	"origin" text,
	"proposed_status" text,
	"proposed_by" uuid,
	"solved_by" uuid,
	"resembles" uuid,
	"closed_at" timestamp with time zone,
	CONSTRAINT "findings_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "findings_origin" UNIQUE("user_id","origin")
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
CREATE TABLE "session_measures" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"session_id" uuid NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"prompts" integer NOT NULL,
	"calls" integer NOT NULL,
	"commands" integer NOT NULL,
	"errors" integer NOT NULL,
	"repeated_errors" integer NOT NULL,
	"green_seconds" real,
	"commands_to_success" integer,
	"working_ms" bigint,
	"measured_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_measures_own" PRIMARY KEY("user_id","session_id")
);
--> statement-breakpoint
ALTER TABLE "session_measures" ENABLE ROW LEVEL SECURITY;
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
CREATE TABLE "pattern_changes" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"episode_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"counted" boolean DEFAULT false NOT NULL,
	"taken" boolean DEFAULT false NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pattern_changes_user_id_episode_id_pk" PRIMARY KEY("user_id","episode_id")
);
--> statement-breakpoint
ALTER TABLE "pattern_changes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "patterns" (
	"id" uuid NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"scope" uuid GENERATED ALWAYS AS (coalesce(project_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED NOT NULL,
	"type" text NOT NULL,
	"form" text NOT NULL,
	"name" text NOT NULL,
	"named_by" text DEFAULT 'rules' NOT NULL,
	"triggers" text[] DEFAULT '{}' NOT NULL,
	"template" jsonb NOT NULL,
	"signature" text,
	"episodes" integer NOT NULL,
	"sessions" integer NOT NULL,
	"successes" integer NOT NULL,
	"failures" integer NOT NULL,
	"lift" real,
	"evidence" uuid[] DEFAULT '{}' NOT NULL,
	"offered" integer DEFAULT 0 NOT NULL,
	"followed" integer DEFAULT 0 NOT NULL,
	"helped" integer DEFAULT 0 NOT NULL,
	"harmed" integer DEFAULT 0 NOT NULL,
	"confidence" real NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"private" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"last_used" timestamp with time zone NOT NULL,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "patterns_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "patterns_form" UNIQUE("user_id","scope","type","form")
);
--> statement-breakpoint
ALTER TABLE "patterns" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "plan_changes" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "plan_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"plan_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"step" integer NOT NULL,
	"action" text NOT NULL,
	"actor" text,
	"image" jsonb NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "plan_changes_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "plan_changes_version" UNIQUE("user_id","plan_id","version")
);
--> statement-breakpoint
ALTER TABLE "plan_changes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "plan_steps" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"plan_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"description" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"proposed" boolean DEFAULT false NOT NULL,
	"dependencies" integer[] DEFAULT '{}' NOT NULL,
	"assigned_to" text,
	"holder" text,
	"agent_id" text,
	"session_id" uuid,
	"tool_use_id" text,
	"lease_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"waiting_for" text,
	"outcome" text,
	"report" jsonb,
	"changed_by" text,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "plan_steps_own" PRIMARY KEY("user_id","id"),
	CONSTRAINT "plan_steps_number" UNIQUE("user_id","plan_id","number")
);
--> statement-breakpoint
ALTER TABLE "plan_steps" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"session_id" uuid,
	"goal" text NOT NULL,
	"status" text DEFAULT 'planning' NOT NULL,
	"project_type" text,
	"constraints" text[] DEFAULT '{}' NOT NULL,
	"learnings" uuid[] DEFAULT '{}' NOT NULL,
	"agent_template" text DEFAULT 'You are working on step {current}. The goal is: {goal}. Previous steps completed: {completedSteps}. Your specific task: {stepDesc}' NOT NULL,
	"drafted_by" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "plans_own" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "plans" ENABLE ROW LEVEL SECURITY;
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
CREATE TABLE "note_finds" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"note_id" uuid NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	CONSTRAINT "note_finds_user_id_note_id_pk" PRIMARY KEY("user_id","note_id")
);
--> statement-breakpoint
ALTER TABLE "note_finds" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "searches" (
	"id" uuid NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"results" uuid[] NOT NULL,
	"useful" uuid[] DEFAULT '{}' NOT NULL,
	"not_useful" uuid[] DEFAULT '{}' NOT NULL,
	"searched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"rated_at" timestamp with time zone,
	CONSTRAINT "searches_own" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "searches" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "dashboard_projects" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"last_activity" timestamp with time zone NOT NULL,
	"last_title" text,
	"active_sessions" integer NOT NULL,
	"day" date NOT NULL,
	"errors_today" integer NOT NULL,
	"lessons_today" integer NOT NULL,
	CONSTRAINT "dashboard_projects_user_id_project_id_pk" PRIMARY KEY("user_id","project_id")
);
--> statement-breakpoint
ALTER TABLE "dashboard_projects" ENABLE ROW LEVEL SECURITY;
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
ALTER TABLE "learning_requests" ALTER COLUMN "created_at" SET DEFAULT clock_timestamp();
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
ALTER TABLE "command_checks" ADD COLUMN "entry_id" uuid;
--> statement-breakpoint
ALTER TABLE "command_checks" ADD COLUMN "covered" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "tried" jsonb;
--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "agent_type" text;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "shelf" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "telling" real DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "message_type" text;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "mentions" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "has_breadcrumbs" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "words" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "private" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "private_episodes" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "task_type" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "complexity" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "mode" text DEFAULT 'quick' NOT NULL;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "plan_id" uuid;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "waiting_for" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "arm" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "tokens" bigint;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "model" text;
--> statement-breakpoint
ALTER TABLE "pairings" ADD CONSTRAINT "pairings_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "session_audits" ADD CONSTRAINT "session_audits_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "session_audits" ADD CONSTRAINT "session_audits_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "working_states" ADD CONSTRAINT "working_states_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "consolidation_items" ADD CONSTRAINT "consolidation_items_run" FOREIGN KEY ("user_id","run_id") REFERENCES "public"."consolidation_runs"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "episode_cuts" ADD CONSTRAINT "episode_cuts_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
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
ALTER TABLE "session_measures" ADD CONSTRAINT "session_measures_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "observation_sources" ADD CONSTRAINT "observation_sources_user_id_observation_id_observations_user_id_id_fk" FOREIGN KEY ("user_id","observation_id") REFERENCES "public"."observations"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "observation_sources" ADD CONSTRAINT "observation_sources_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pattern_changes" ADD CONSTRAINT "pattern_changes_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "patterns" ADD CONSTRAINT "patterns_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_plan" FOREIGN KEY ("user_id","plan_id") REFERENCES "public"."plans"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "plan_steps" ADD CONSTRAINT "plan_steps_plan" FOREIGN KEY ("user_id","plan_id") REFERENCES "public"."plans"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "searches" ADD CONSTRAINT "searches_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "dashboard_projects" ADD CONSTRAINT "dashboard_projects_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;
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
CREATE INDEX "pairings_user" ON "pairings" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "session_audits_queue" ON "session_audits" USING btree ("run_after") WHERE status = 'pending';
--> statement-breakpoint
CREATE INDEX "working_states_session" ON "working_states" USING btree ("session_id","saved_at");
--> statement-breakpoint
CREATE INDEX "consolidation_items_order" ON "consolidation_items" USING btree ("user_id","run_id","seq");
--> statement-breakpoint
CREATE INDEX "consolidation_items_record" ON "consolidation_items" USING btree ("user_id","record_id");
--> statement-breakpoint
CREATE INDEX "consolidation_items_kept" ON "consolidation_items" USING btree ("user_id","kept_id");
--> statement-breakpoint
CREATE INDEX "consolidation_pairs_order" ON "consolidation_pairs" USING btree ("user_id","similarity" DESC NULLS LAST,"left_id","right_id");
--> statement-breakpoint
CREATE INDEX "consolidation_pairs_right" ON "consolidation_pairs" USING btree ("user_id","right_id");
--> statement-breakpoint
CREATE INDEX "consolidation_queue_order" ON "consolidation_queue" USING btree ("user_id","by_words","queued_at","learning_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "consolidation_runs_open" ON "consolidation_runs" USING btree ("user_id") WHERE finished_at is null;
--> statement-breakpoint
CREATE INDEX "consolidation_runs_order" ON "consolidation_runs" USING btree ("user_id","started_at");
--> statement-breakpoint
CREATE INDEX "consolidation_runs_finished" ON "consolidation_runs" USING btree ("user_id","finished_at");
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
CREATE INDEX "session_measures_time" ON "session_measures" USING btree ("user_id","started_at");
--> statement-breakpoint
CREATE INDEX "observation_sources_observation" ON "observation_sources" USING btree ("user_id","observation_id");
--> statement-breakpoint
CREATE INDEX "observation_sources_session" ON "observation_sources" USING btree ("user_id","session","at");
--> statement-breakpoint
CREATE INDEX "observations_day" ON "observations" USING btree ("user_id","created_at");
--> statement-breakpoint
CREATE INDEX "pattern_changes_project" ON "pattern_changes" USING btree ("user_id","project_id","changed_at");
--> statement-breakpoint
CREATE INDEX "pattern_changes_uncounted" ON "pattern_changes" USING btree ("user_id") WHERE not counted;
--> statement-breakpoint
CREATE INDEX "patterns_signature" ON "patterns" USING btree ("user_id","signature");
--> statement-breakpoint
CREATE INDEX "patterns_order" ON "patterns" USING btree ("user_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "plan_steps_lease" ON "plan_steps" USING btree ("lease_until") WHERE status = 'in_progress';
--> statement-breakpoint
CREATE INDEX "plan_steps_session" ON "plan_steps" USING btree ("user_id","session_id") WHERE session_id is not null;
--> statement-breakpoint
CREATE INDEX "plans_order" ON "plans" USING btree ("user_id","project_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "plans_recent" ON "plans" USING btree ("user_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "plans_session" ON "plans" USING btree ("user_id","session_id") WHERE session_id is not null;
--> statement-breakpoint
CREATE INDEX "amendment_queue_order" ON "amendment_queue" USING btree ("user_id","valid_from");
--> statement-breakpoint
CREATE INDEX "amendments_older" ON "amendments" USING btree ("user_id","kind","older_id");
--> statement-breakpoint
CREATE INDEX "searches_rated" ON "searches" USING btree ("user_id","rated_at") WHERE rated_at is not null;
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
CREATE UNIQUE INDEX "command_checks_entry" ON "command_checks" USING btree ("user_id","entry_id") WHERE entry_id is not null;
--> statement-breakpoint
CREATE INDEX "incidents_opened" ON "incidents" USING btree ("user_id","project_id","opened_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "learning_requests_turn" ON "learning_requests" USING btree ("user_id","session_id") WHERE status = 'pending' and event = 'turn';
--> statement-breakpoint
CREATE INDEX "learning_requests_discarded" ON "learning_requests" USING btree ("user_id","finished_at") WHERE decision = 'discarded';
--> statement-breakpoint
CREATE INDEX "learnings_newest" ON "learnings" USING btree ("user_id","created_at","id") WHERE valid_until is null;
--> statement-breakpoint
CREATE INDEX "learnings_closed" ON "learnings" USING btree ("user_id","valid_until") WHERE valid_until is not null;
--> statement-breakpoint
CREATE INDEX "notes_recent" ON "notes" USING btree ("user_id","created_at","seq");
--> statement-breakpoint
CREATE INDEX "notes_sender" ON "notes" USING btree ("user_id","sender","created_at");
--> statement-breakpoint
CREATE INDEX "notes_mentions" ON "notes" USING btree ("user_id","created_at") WHERE mentions <> '{}';
--> statement-breakpoint
CREATE INDEX "offers_settled" ON "offers" USING btree ("user_id","offered_at") WHERE outcome is not null;
--> statement-breakpoint
CREATE INDEX "offers_open_patterns" ON "offers" USING btree ("user_id","session_id") WHERE kind = 'pattern' and outcome is null;
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
CREATE POLICY "own rows" ON "pairings" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "session_audits" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "working_states" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "consolidation_items" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "consolidation_pairs" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "consolidation_queue" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "consolidation_runs" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "episode_cuts" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
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
CREATE POLICY "own rows" ON "session_measures" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "agents" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "channels" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "observation_sources" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "observations" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "pattern_changes" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "patterns" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "plan_changes" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "plan_steps" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "plans" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "amendment_queue" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "amendments" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "note_finds" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "searches" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
--> statement-breakpoint
CREATE POLICY "own rows" ON "dashboard_projects" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);
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
-- session; facts, relations, decisions, notes, what these cite, patterns and nights may belong to no project.
-- Rows from before this rule are not checked (not valid), so that it can be added to any database.
do $$
declare
  t text;
begin
  foreach t in array array['projects', 'command_checks', 'command_cache', 'transcript_cursors', 'erasures', 'llm_usage',
    'facts', 'relations', 'decisions', 'skills', 'skill_memories', 'skill_logs', 'notes', 'channels', 'agents',
    'citations', 'consolidation_runs', 'consolidation_queue', 'consolidation_pairs', 'note_finds', 'patterns']
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
-- count as what changed. Words that announce an amendment need a lower cosine than words that are common in any report.
-- Returns nothing when the text has no such words. English only. Thresholds measured, see docs/search.md.
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

  -- The context of a lesson quotes the prompt. What changed by the prompt changes no other lesson of its turn.
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
-- ── sql/consolidation/close_lessons.sql ──

-- The confidence below which a lesson is not offered, and the night closes it. (MIN_CONFIDENCE in src/learnings; a
-- test compares the two.)
create or replace function lesson_floor() returns real
language sql immutable parallel safe as $$ select 0.5::real $$;
--> statement-breakpoint
-- Returns lessons of the caller that a night closes, with the reason: those below the floor, and those that nobody
-- was offered and nothing confirmed for 180 days, once confidence × ½^(days / 90) is below 0.25. What a person has
-- undone stays undone.
create or replace function lessons_to_close(at timestamptz, most int) returns table (id uuid, reason text)
language sql stable as $$
  select l.id,
    case
      when l.confidence < lesson_floor()
        then format('its confidence, %s, is below %s', round(l.confidence::numeric, 2), lesson_floor())
      else format('unused for %s days, and its confidence was %s', floor(u.days), round(l.confidence::numeric, 2))
    end
  from learnings l
  cross join lateral (
    select extract(epoch from at - greatest(l.last_confirmed_at, (
      select max(o.offered_at) from offers o
      where o.user_id = l.user_id and o.source_id = l.id and not o.withheld
        and l.last_confirmed_at < at - interval '180 days')))::float8 / 86400 as days
  ) u
  where l.user_id = auth.uid() and l.valid_until is null and l.status = 'active'
    and (l.confidence < lesson_floor()
      or l.last_confirmed_at < at - interval '180 days' and u.days > 180
        and l.confidence * power(0.5::float8, u.days / 90) < 0.25)
    and not exists (
      select from consolidation_items i
      where i.user_id = l.user_id and i.record_id = l.id and i.action = 'closed' and i.undone_at is not null)
  order by l.id
  limit most
$$;
--> statement-breakpoint
-- Keeps in the report of a run that it closed a record.
create or replace function report_closed(
  run consolidation_runs, of_kind text, of_table text, id uuid, reason text, before jsonb, after jsonb
) returns void
language sql as $$
  insert into consolidation_items (user_id, run_id, action, kind, record_id, reason, changes)
  values (auth.uid(), (run).id, 'closed', of_kind, id, reason, jsonb_build_array(
    jsonb_build_object('table', of_table, 'id', id, 'before', before, 'after', after)))
$$;
--> statement-breakpoint
-- Closes lessons until an instant of the clock. Returns whether none is left.
create or replace function close_lessons(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  ended record;
  before jsonb;
  after jsonb;
begin
  for ended in select * from lessons_to_close(run.started_at, 200)
  loop
    select jsonb_build_object('valid_until', l.valid_until, 'updated_at', l.updated_at) into before
    from learnings l where l.user_id = auth.uid() and l.id = ended.id
    for update;
    update learnings l
    set valid_until = greatest(run.started_at, l.valid_from), updated_at = run.started_at
    where l.user_id = auth.uid() and l.id = ended.id
    returning jsonb_build_object('valid_until', l.valid_until, 'updated_at', l.updated_at) into after;
    perform report_closed(run, 'learning', 'learnings', ended.id, ended.reason, before, after);
    if clock_timestamp() > until then
      return false;
    end if;
  end loop;
  return not exists (select from lessons_to_close(run.started_at, 1));
end $$;
--> statement-breakpoint
-- ── sql/consolidation/close_notes.sql ──

-- Returns reflections of the caller that a night closes: those of low confidence that are older than 180 days, were not
-- found or offered for 90 days, and have no living link. A living link is a citation that is not gone, a link to an
-- older note that it amends, or a decision that names it as its evidence. Decisions, policies and patterns are never
-- closed by age.
create or replace function notes_to_close(at timestamptz, most int) returns table (id uuid, reason text)
language sql stable as $$
  select n.id, format('a reflection of confidence %s from %s days ago, which nobody found for 90 days',
    round(n.confidence::numeric, 2), floor(extract(epoch from at - n.created_at) / 86400))
  from notes n
  where n.user_id = auth.uid() and n.valid_until is null and n.message_type = 'reflection'
    and n.confidence < 0.5 and n.created_at < at - interval '180 days'
    and not exists (
      select from note_finds f
      where f.user_id = n.user_id and f.note_id = n.id and f.found_at > at - interval '90 days')
    and not exists (
      select from offers o
      where o.user_id = n.user_id and o.source_id = n.id and o.offered_at > at - interval '90 days')
    and not exists (
      select from citations c
      where c.user_id = n.user_id and c.kind = 'note' and c.source_id = n.id and c.state <> 'gone')
    and not exists (
      select from amendments a
      where a.user_id = n.user_id and a.kind = 'note' and a.newer_id = n.id and a.undone_at is null)
    and not exists (
      select from decisions d
      where d.user_id = n.user_id and d.evidence = 'note:' || n.id
        and d.valid_until is null and d.recorded_until is null)
    and not exists (
      select from consolidation_items i
      where i.user_id = n.user_id and i.record_id = n.id and i.action = 'closed' and i.undone_at is not null)
  order by n.id
  limit most
$$;
--> statement-breakpoint
-- Closes reflections until an instant of the clock. Returns whether none is left.
create or replace function close_notes(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  ended record;
  after jsonb;
begin
  for ended in select * from notes_to_close(run.started_at, 200)
  loop
    update notes n set valid_until = run.started_at
    where n.user_id = auth.uid() and n.id = ended.id
    returning jsonb_build_object('valid_until', n.valid_until) into after;
    perform report_closed(run, 'note', 'notes', ended.id, ended.reason, '{"valid_until": null}', after);
    if clock_timestamp() > until then
      return false;
    end if;
  end loop;
  return not exists (select from notes_to_close(run.started_at, 1));
end $$;
--> statement-breakpoint
-- ── sql/consolidation/consolidation_candidates.sql ──

-- Returns for each of some lessons of one project of the caller the lessons that may say the same, or the opposite: its
-- nearest by meaning, at most 30, and those that answer the same error. If a lesson has no vector, returns those that
-- share its longest words. `similarity` is the cosine of the index rows, null if one has no vector.
--
--   size   how many records the project has, see project_size. In a small one every lesson is compared. Else the HNSW
--          index is asked, which finds most.
create or replace function consolidation_candidates(
  lessons uuid[], of_project uuid, size int
) returns table (lesson uuid, other uuid, similarity float8)
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set work_mem = '16MB'
as $$
#variable_conflict use_column
declare
  me constant uuid := auth.uid();
  most constant int := 30;
  exact constant boolean := size <= 5000;
  -- Of two lessons that agree, the index rows are at least so alike (measured, see docs/consolidation.md).
  alike constant float8 := 0.65;
  shelves constant text[] := search_shelves('{learning}');
begin
  return query
  with asked as materialized (
    select l.id, l.signature, d.embedding, d.embedding_model as model, d.tsv
    from learnings l
    left join search_documents d
      on d.user_id = me and d.kind = 'learning' and d.source_id = l.id and d.part = 0
    where l.user_id = me and l.id = any (lessons) and l.project_id = of_project
      and l.status = 'active' and l.valid_until is null
  ), stored as materialized (
    -- Vectors lie in a side table. The copy is read from there once, and not again for each lesson.
    select d.source_id, d.embedding_model as model, subvector(d.embedding, 1, 384) as embedding
    from search_documents d
    where exact and d.user_id = me and d.project_id = of_project and d.kind = 'learning' and d.part = 0
      and d.valid_until is null and d.embedding_model is not null
  ), found as (
    -- Of the first three, only one has rows for a lesson.
    select a.id as lesson, n.source_id as other
    from asked a, lateral (
      select s.source_id, s.embedding <=> a.embedding as far
      from stored s
      where s.model = a.model
      order by far, s.source_id
      limit most + 1) n
    where exact and n.far <= 1 - alike
    union
    select a.id, d.source_id
    from asked a,
      lateral documents_near(a.embedding, a.model, of_project, '{learning}', shelves, now(), false, null, null, null,
        null, null, null, null, most + 1) near(id)
    join search_documents d on d.user_id = me and d.id = near.id
    where not exact and a.model is not null and d.embedding <=> a.embedding <= 1 - alike
    union
    select a.id, w.source_id
    from asked a, lateral (
      select d.source_id
      from lore.documents_with_each(
          array(select u.lexeme from unnest(a.tsv) u order by length(u.lexeme) desc, u.lexeme limit 6),
          of_project, shelves, null, null, null, null, null, null, null, 60) w,
        unnest(w.ids) i(id)
      join search_documents d on d.user_id = me and d.id = i.id
      where d.kind = 'learning' and d.project_id = of_project
      group by d.source_id
      order by count(*) desc, d.source_id
      limit most) w
    where a.model is null
    union
    select a.id, s.id
    from asked a, lateral (
      select l.id
      from learnings l
      where l.user_id = me and l.project_id = of_project and l.signature = a.signature
        and l.status = 'active' and l.valid_until is null
      order by l.last_confirmed_at desc, l.id
      limit most) s
  )
  select f.lesson, f.other, (
      select 1 - (d.embedding <=> a.embedding)
      from search_documents d
      where d.user_id = me and d.kind = 'learning' and d.source_id = f.other and d.part = 0
        and d.embedding_model = a.model)
  from found f
  join asked a on a.id = f.lesson
  join learnings l on l.user_id = me and l.id = f.other
  where f.other <> f.lesson and l.project_id = of_project and l.status = 'active' and l.valid_until is null
    -- What a person has undone stays undone: a lesson that came back is left alone.
    and not exists (
      select from consolidation_items i
      where i.user_id = me and i.undone_at is not null and i.action <> 'closed'
        and i.record_id in (f.other, f.lesson));
end $$;
--> statement-breakpoint
-- Returns how many records a project of the caller has. It counts no further than 5,001: with more, comparing all of
-- them takes too long.
create or replace function project_size(of_project uuid) returns int
language sql stable as $$
  select count(*)::int
  from (
    select from search_documents d where d.user_id = auth.uid() and d.project_id = of_project limit 5001
  ) d
$$;
--> statement-breakpoint
-- Returns the lessons of the caller that a night compares: those that changed until an instant, in the order in which
-- they did. One that was compared by words alone is compared again when it has its vector.
create or replace function lessons_to_compare(at timestamptz, most int)
returns table (learning_id uuid, project_id uuid, vector boolean)
language sql stable as $$
  select q.learning_id, l.project_id, d.embedding_model is not null
  from consolidation_queue q
  left join learnings l
    on l.user_id = q.user_id and l.id = q.learning_id and l.status = 'active' and l.valid_until is null
  left join search_documents d
    on d.user_id = q.user_id and d.kind = 'learning' and d.source_id = q.learning_id and d.part = 0
  where q.user_id = auth.uid() and q.queued_at <= at and (not q.by_words or d.embedding_model is not null)
  order by q.by_words, q.queued_at, q.learning_id
  limit most
$$;
--> statement-breakpoint
-- Puts the pairs of lessons that have changed into the work table, until an instant of the clock or little later. The
-- lessons of a project go together, because they are compared with the same others. Returns whether all are there.
create or replace function gather_pairs(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  -- the embedded engine gives little time, and answers nothing else meanwhile
  patient constant boolean := until > clock_timestamp() + interval '100 ms';
  pack record;
  size int;
  piece uuid[];
  waited boolean := false;
begin
  for pack in
    select w.project_id, w.vector, array_agg(w.learning_id) as lessons
    from lessons_to_compare(run.started_at, case when patient then 10000 else 200 end) w
    group by w.project_id, w.vector
  loop
    waited := true;
    size := project_size(pack.project_id);
    while cardinality(pack.lessons) > 0 loop
      exit when clock_timestamp() > until;
      -- the more there is to compare with, the fewer
      piece := pack.lessons[:greatest(1, case when patient then 100000 else 16000 end / greatest(size, 1000))];
      pack.lessons := pack.lessons[cardinality(piece) + 1:];
      insert into consolidation_pairs (user_id, left_id, right_id, similarity)
      select distinct me, least(c.other, c.lesson), greatest(c.other, c.lesson), c.similarity
      from consolidation_candidates(piece, pack.project_id, size) c
      on conflict do nothing;
      if pack.vector or pack.project_id is null then
        delete from consolidation_queue q where q.user_id = me and q.learning_id = any (piece);
      else
        update consolidation_queue q set by_words = true where q.user_id = me and q.learning_id = any (piece);
      end if;
    end loop;
    exit when clock_timestamp() > until;
  end loop;
  return not waited;
end $$;
--> statement-breakpoint
-- ── sql/consolidation/consolidation_step.sql ──

-- A night of one user is a run, and a run is a row that says how far it is. Each step does a little of the work of
-- its stage, in a transaction of its own. So a run that was killed goes on where it was, and nobody waits long.

-- Begins a run of the caller, or returns the one that is open.
--
--   keep_days   events and checks that are older are deleted; null or 0: none
create or replace function begin_consolidation(by text, keep_days int) returns uuid
language plpgsql as $$
declare
  run uuid;
begin
  insert into consolidation_runs (started_by, stage, keep_from)
  values (by, (consolidation_stages())[1],
    case when keep_days > 0 then now() - make_interval(days => keep_days) end)
  on conflict (user_id) where finished_at is null do nothing
  returning id into run;
  return coalesce(run, (
    select r.id from consolidation_runs r where r.user_id = auth.uid() and r.finished_at is null));
end $$;
--> statement-breakpoint
-- The stages of a run, in their order. A room that has work for the night adds its stage here and its call below.
create or replace function consolidation_stages() returns text[]
language sql immutable as $$
  select array['gather', 'settle', 'lessons', 'notes', 'patterns', 'events', 'checks']
$$;
--> statement-breakpoint
-- Does some of the work of a stage, until an instant of the clock or little later. Returns whether the stage is done.
--
--   by_worker   whether a worker has done the work of a stage that is not SQL
create or replace function consolidation_stage(
  run consolidation_runs, until timestamptz, by_worker boolean
) returns boolean
language plpgsql as $$
begin
  case run.stage
    when 'gather' then return gather_pairs(run, until);
    -- the pairs are settled by a worker, with the functions by which lessons are admitted
    when 'settle' then return not exists (select from consolidation_pairs p where p.user_id = auth.uid());
    when 'lessons' then return close_lessons(run, until);
    when 'notes' then return close_notes(run, until);
    -- mining is plain code; a worker calls it
    when 'patterns' then return by_worker;
    when 'events' then return expire_events(run, until);
    when 'checks' then return expire_checks(run, until);
  end case;
end $$;
--> statement-breakpoint
-- Does one step of the caller's open run. Returns the stage that it is in afterwards: `settle` when pairs wait for a
-- worker, `patterns` when mining does, `done` when the run has ended, null when no run is open or another transaction
-- is doing a step.
--
--   worked   the stage whose work a worker has just done
create or replace function consolidation_step(budget_ms int, worked text default null) returns text
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  run consolidation_runs;
  stages constant text[] := consolidation_stages();
  next text;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('consolidation ' || me, 0)) then
    return null;
  end if;
  select * into run from consolidation_runs r where r.user_id = me and r.finished_at is null;
  if run.id is null then
    return null;
  end if;
  if not consolidation_stage(run, clock_timestamp() + make_interval(secs => budget_ms / 1000.0),
    worked is not distinct from run.stage)
  then
    return run.stage;
  end if;
  next := case
    -- what stays of a merge may have more neighbours than were compared
    when run.stage = 'settle' and exists (select from lessons_to_compare(run.started_at, 1)) then 'gather'
    else stages[array_position(stages, run.stage) + 1]
  end;
  update consolidation_runs r
  set stage = coalesce(next, 'done'), position = null, error = null,
    finished_at = case when next is null then clock_timestamp() end
  where r.user_id = me and r.id = run.id;
  return coalesce(next, 'done');
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
grant execute on function lore.expire_events to authenticated;
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
grant execute on function lore.expire_checks to authenticated;
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

-- Returns the users who have a run that is open, and those of whom none has begun since `night`, the last time when
-- one was due. An account that is newer than that is not late. Where pg_cron begins the runs, others wait for a day
-- and two hours.
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
    execute $q$select exists (select from cron.job j
      where j.jobname = 'lore-consolidation' and j.active and j.database = current_database())$q$ into found;
  end if;
  return found;
exception when insufficient_privilege then
  return false;
end $$;
--> statement-breakpoint
-- Does the part of the night that is SQL, for all users one after the other, and commits after each step. pg_cron calls
-- it.
-- Pairs of lessons, and mining, wait for a worker of any server; the notification wakes those that are connected. On
-- Supabase, where none is, pg_net posts to `lore.wake_url` (the address of POST /v1/consolidation/runs) with the key
-- `lore.wake_key`, if these settings of the database are set.
create or replace procedure lore.consolidate()
language plpgsql as $$
declare
  one uuid;
  days constant int := (select i.retention_days from lore.instance i);
  stage text;
begin
  for one in select p.user_id from public.profiles p where p.removed_at is null order by p.user_id
  loop
    perform lore.act_as(one);
    perform public.begin_consolidation('cron', days);
    commit;
    loop
      perform lore.act_as(one);
      stage := public.consolidation_step(500);
      if stage = 'patterns' or stage = 'settle' and exists (
        select from public.consolidation_pairs p where p.user_id = one)
      then
        stage := null;
      end if;
      commit;
      exit when stage is null or stage = 'done';
    end loop;
  end loop;
  notify lore_consolidation;
  if to_regproc('net.http_post') is not null and current_setting('lore.wake_url', true) <> '' then
    execute 'select net.http_post(url := $1, headers := $2)'
    using current_setting('lore.wake_url'),
      jsonb_build_object('authorization', 'Bearer ' || current_setting('lore.wake_key', true));
  end if;
end $$;
--> statement-breakpoint
-- Lets the rest of the transaction run as a user, under row level security, as src/db/as-user.ts does.
create or replace function lore.act_as(account uuid) returns void
language sql as $$
  select set_config('request.jwt.claims', json_build_object('sub', account, 'role', 'authenticated')::text, true),
    set_config('role', 'authenticated', true)
$$;
--> statement-breakpoint
-- Every night at three where pg_cron is there (in its own time zone, usually UTC). It lives in one database only.
-- Elsewhere the servers begin the nights.
do $$ begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron')
    and current_setting('cron.database_name', true) = current_database()
  then
    create extension if not exists pg_cron;
    execute $q$select cron.schedule('lore-consolidation', '0 3 * * *', 'call lore.consolidate()')$q$;
  end if;
exception when others then
  raise notice 'pg_cron is not used: %', sqlerrm;
end $$;
--> statement-breakpoint
-- ── sql/consolidation/queue_consolidation.sql ──

-- Puts a lesson that is new, or that says something else now, into the queue of the next night.
create or replace function queue_consolidation() returns trigger
language plpgsql as $$
begin
  insert into consolidation_queue (user_id, learning_id)
  values (new.user_id, new.id)
  on conflict (user_id, learning_id) do update set queued_at = excluded.queued_at, by_words = false;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger queue_consolidation
  after insert or update of lesson, signature, status, project_id, valid_until
  on learnings
  for each row when (new.status = 'active' and new.valid_until is null)
  execute function queue_consolidation();
--> statement-breakpoint
-- Deletes what the nights have stored about a record that is erased. Their changes to it can no longer be undone.
create or replace function forget_consolidation() returns trigger
language plpgsql as $$
begin
  delete from consolidation_queue q where q.user_id = old.user_id and q.learning_id = old.id;
  delete from consolidation_pairs p where p.user_id = old.user_id and p.left_id = old.id;
  delete from consolidation_pairs p where p.user_id = old.user_id and p.right_id = old.id;
  delete from consolidation_items i where i.user_id = old.user_id and i.record_id = old.id;
  delete from consolidation_items i where i.user_id = old.user_id and i.kept_id = old.id;
  delete from note_finds f where f.user_id = old.user_id and f.note_id = old.id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger forget_consolidation
  after delete on learnings
  for each row execute function forget_consolidation();
--> statement-breakpoint
create or replace trigger forget_consolidation
  after delete on notes
  for each row execute function forget_consolidation();
--> statement-breakpoint
-- Lessons from before there were nights are compared in the first one.
do $$ begin
  if not exists (select from consolidation_runs) then
    insert into consolidation_queue (user_id, learning_id)
    select l.user_id, l.id from learnings l where l.status = 'active' and l.valid_until is null
    on conflict do nothing;
  end if;
end $$;
--> statement-breakpoint
-- ── sql/consolidation/undo_consolidation.sql ──

-- Undoes one item of the caller's nights: each row that it changed gets its columns back. From counters that have grown
-- since, only the item's part is subtracted. Returns null when the item is undone. If a later change depends on a row,
-- returns the id of that row; then the caller rolls back.
create or replace function undo_consolidation(item uuid) returns uuid
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  counters constant text[] := '{usage_count, success_count, failure_count}';
  change record;
  present jsonb;
  after jsonb;
  restored jsonb;
  moved boolean;
  later uuid;
begin
  -- What a later night merged into another lesson, or closed, carries what this one brought.
  select l.record_id into later
  from consolidation_items i
  join consolidation_items l
    on l.user_id = i.user_id and l.record_id in (i.record_id, i.kept_id) and l.seq > i.seq and l.undone_at is null
  where i.user_id = me and i.id = item
  order by l.seq desc limit 1;
  if later is not null then
    return later;
  end if;
  for change in
    select c.* from consolidation_items i,
      jsonb_array_elements(i.changes) with ordinality e(change, n),
      jsonb_to_record(e.change) c("table" text, id uuid, before jsonb, after jsonb)
    where i.user_id = me and i.id = item and i.undone_at is null
    order by e.n desc
  loop
    if change."table" not in ('learnings', 'learning_requests', 'notes') then
      raise exception 'a night changes no rows of %', change."table";
    end if;
    -- Both go through the row's type, so that equal values look equal.
    execute format('select to_jsonb(t), to_jsonb(jsonb_populate_record(t, $3)) from %I t
      where t.user_id = $1 and t.id = $2 for update', change."table")
    into present, after using me, change.id, change.after;
    continue when present is null and change."table" = 'learning_requests'; -- erased since
    if present is null or exists (
      select from jsonb_object_keys(change.after) k
      where present -> k is distinct from after -> k
        and k <> all (counters || '{confidence, last_confirmed_at, updated_at}'::text[]))
    then
      return change.id;
    end if;
    select jsonb_object_agg(k, case
        when k = any (counters) then to_jsonb((present ->> k)::int - (after ->> k)::int + (change.before ->> k)::int)
        when present -> k is distinct from after -> k then present -> k
        else change.before -> k
      end),
      coalesce(bool_or(k = 'confidence' and present -> k is distinct from after -> k), false)
    into restored, moved
    from jsonb_object_keys(change.after) k;
    if moved then
      restored := restored || jsonb_build_object('confidence', learning_confidence(
        (coalesce(restored -> 'prior_confidence', present -> 'prior_confidence') #>> '{}')::float8,
        coalesce(restored ->> 'success_count', present ->> 'success_count')::int,
        coalesce(restored ->> 'failure_count', present ->> 'failure_count')::int));
    end if;
    execute (
      select format('update %1$I t set (%2$s) = row (%3$s) from jsonb_populate_record(null::%1$I, $3) r
        where t.user_id = $1 and t.id = $2', change."table",
        string_agg(quote_ident(k), ', ' order by k), string_agg('r.' || quote_ident(k), ', ' order by k))
      from jsonb_object_keys(change.after) k)
    using me, change.id, restored;
  end loop;
  update consolidation_items i set undone_at = now() where i.user_id = me and i.id = item and i.undone_at is null;
  return null;
end $$;
--> statement-breakpoint
-- Returns a lesson's confidence, see src/learnings/confidence.ts. (A test compares the two.)
create or replace function learning_confidence(prior float8, successes int, failures int) returns real
language sql immutable parallel safe as $$
  select ((prior * 4 + successes) / (4 + successes + failures))::real
$$;
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
    -- whoever goes on does not wait for a person any more
    waiting_for = case
      when name not in ('PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'Stop', 'SessionStart', 'SessionEnd')
        then s.waiting_for
    end,
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

-- Returns how sure a statement of a tier is, if it does not say so itself.
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
language plpgsql stable security definer
set search_path = ''
-- one plan for all calls: planning would take longer than looking
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
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
  );
end $$;
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
      agent, channel, message_type, mentions, has_breadcrumbs, words, private, confidence, valid_from, valid_until,
      confirmed_at, links, half_life_days)
    select s.user_id, s.project_id, s.kind, search_shelf(s.kind), s.source_id, p.part, p.content, s.label,
      case when p.part = 0 then s.context end,
      s.agent, s.channel, f.message_type, f.mentions, f.has_breadcrumbs, f.words, f.private, s.confidence, s.valid_from,
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
      private = excluded.private,
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
  new.telling := search_telling(new.content, new.context);
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
-- of words (what stands between white space). What says `private` of itself is found only in its own project.
create or replace function search_filters(
  metadata jsonb, body text, out message_type text, out mentions text[], out has_breadcrumbs boolean, out words int,
  out private boolean
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
    regexp_count(body, '\S+'),
    coalesce(metadata -> 'private' = 'true', false)
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
-- ── sql/index/search_telling.sql ──

-- Returns how much a turn of a conversation tells, from 0.6 to 1. It is less, the less the turn says besides questions.
-- A turn that asks has the same words as a later search, but the answer is in the turn after it, which has these words
-- as its context. It is 1 for a text that is not a turn. Measured, see docs/search.md.
create or replace function search_telling(body text, context text) returns real
language plpgsql immutable parallel safe as $$
begin
  if context is null then
    return 1;
  end if;
  return (
    -- bytes, because a Chinese character, which has three, says as much as about three letters
    select 1 - 0.4 * exp(-coalesce(sum(octet_length(s.sentence) + 1), 0) / 40.0::float8)
    from regexp_split_to_table(body, '(?<=[.!?…])["'')\]]?\s+|\n+|(?<=[。！？])') s(sentence)
    where s.sentence <> '' and s.sentence !~ '[?？]\W*$');
end $$;
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

-- Returns what the events of one of the caller's sessions tell about how it went, and the shell commands that passed,
-- each with its first time: whether one of them is a check is not for SQL to say.
--
-- The agent is at work from a prompt on until the turn ends. Waiting for the person does not count, nor does what of a
-- pause goes beyond ten minutes: then the machine was asleep, or a question waited.
create or replace function session_counts(
  in_session uuid,
  out started timestamptz, out first_prompt timestamptz, out prompts int, out calls int, out commands int,
  out errors int, out repeated_errors int, out working_ms bigint, out passed jsonb
)
language sql stable as $$
  with e as (
    select e.id, e.event, e.tool_name, e.tool_use_id, e.occurred_at as at,
      e.event = 'UserPromptSubmit' and not starts_with(ltrim(e.payload ->> 'prompt'), '<task-notification>') as prompt,
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
  ), i as (
    select i.signature, bool_or(exists (
        select from incidents o
        where o.user_id = i.user_id and o.project_id = i.project_id and o.signature = i.signature
          and o.session_id <> i.session_id and o.opened_at < i.opened_at)) as repeated
    from incidents i
    where i.session_id = in_session
    group by i.signature
  )
  select c.started, c.first_prompt, c.prompts::int, c.calls::int, c.commands::int,
    (select count(*)::int from i), (select count(*)::int from i where i.repeated), (c.working * 1000)::bigint,
    (select coalesce(jsonb_agg(p order by p.at), '[]') from (
      select t.target, min(e.at) as at,
        (select count(*) from e b where b.call and b.tool_name = 'Bash' and b.at >= c.first_prompt
          and (b.at, b.id) <= (min(e.at), min(e.id))) as commands
      from e join events t on t.id = e.id
      where e.event = 'PostToolUse' and e.tool_name = 'Bash' and e.at >= c.first_prompt and t.target is not null
        and not exists (
          select from incidents x where x.session_id = in_session and x.tool_use_id = e.tool_use_id)
      group by t.target) p)
  from c
$$;
--> statement-breakpoint
-- ── sql/metrics/metrics_by_day.sql ──

-- Returns numbers for each of the caller's days (UTC) since an instant; days without any are left out. They are: the
-- sessions that have ended, on the day on which they began; how many of these met an error that their project had met
-- before; their different errors, and how many of these the project had met before; the commands that were checked, and
-- how long they waited (milliseconds).
create or replace function metrics_by_day(since timestamptz)
returns table (
  day date, sessions int, repeating int, errors int, repeated_errors int, checks int, check_p50 float8, check_p95 float8
)
language sql stable as $$
  with m as (
    select (m.started_at at time zone 'UTC')::date as day, count(*)::int as sessions,
      (count(*) filter (where m.repeated_errors > 0))::int as repeating,
      sum(m.errors)::int as errors, sum(m.repeated_errors)::int as repeated_errors
    from session_measures m
    where m.user_id = auth.uid() and m.started_at >= since and m.calls > 0
    group by 1
  ), c as (
    select (c.checked_at at time zone 'UTC')::date as day, count(*)::int as checks,
      percentile_cont(0.5) within group (order by c.ms) as p50,
      percentile_cont(0.95) within group (order by c.ms) as p95
    from command_checks c
    where c.user_id = auth.uid() and c.checked_at >= since
    group by 1
  )
  select day, coalesce(m.sessions, 0), coalesce(m.repeating, 0), coalesce(m.errors, 0),
    coalesce(m.repeated_errors, 0), coalesce(c.checks, 0), c.p50, c.p95
  from m full join c using (day)
  order by day
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
    select o.session_id, bool_or(o.outcome in ('helped', 'failed')) as followed,
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

-- How the caller's sessions went that began since an instant and have ended, for each arm of the comparison (null:
-- those outside of it). Of what is compared by ratio, the mean and the variance of the logarithm.
create or replace function session_metrics(since timestamptz)
returns table (
  arm text, sessions int, repeating int, commands jsonb, working jsonb, tokens jsonb
)
language sql stable as $$
  select s.arm, count(*)::int, (count(*) filter (where m.repeated_errors > 0))::int,
    jsonb_build_object('n', count(m.commands_to_success), 'mean', avg(ln(m.commands_to_success)),
      'variance', var_samp(ln(m.commands_to_success))),
    jsonb_build_object('n', count(*) filter (where m.working_ms > 0),
      'mean', avg(ln(m.working_ms)) filter (where m.working_ms > 0),
      'variance', var_samp(ln(m.working_ms)) filter (where m.working_ms > 0)),
    jsonb_build_object('n', count(*) filter (where s.tokens > 0), 'mean', avg(ln(s.tokens)) filter (where s.tokens > 0),
      'variance', var_samp(ln(s.tokens)) filter (where s.tokens > 0))
  from session_measures m
  join sessions s on s.user_id = m.user_id and s.id = m.session_id
  where m.user_id = auth.uid() and m.started_at >= since and m.calls > 0
  group by s.arm
$$;
--> statement-breakpoint
-- Of the caller's sessions with a prompt and five calls or more: how many have an episode. Of those in which a check
-- passed: the median time until then, and in how many it took two minutes at most.
create or replace function capture_metrics(since timestamptz)
returns table (meaningful int, captured int, green int, green_median float8, green_soon int)
language sql stable as $$
  select count(*) filter (where m.prompts >= 1 and m.calls >= 5)::int,
    count(*) filter (where m.prompts >= 1 and m.calls >= 5 and exists (
      select from episodes e where e.user_id = m.user_id and e.session_id = m.session_id))::int,
    count(m.green_seconds)::int,
    percentile_cont(0.5) within group (order by m.green_seconds),
    count(*) filter (where m.green_seconds <= 120)::int
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
-- ── sql/patterns/mine_patterns.sql ──

-- Returns a line for what a resolution did: a file that was edited, a command that was run. The path of the work tree
-- is left out, so that the same fix reads the same in all clones.
create or replace function recovery_steps(resolution jsonb, root text) returns text[]
language sql immutable as $$
  select coalesce(array_agg(distinct_steps.step order by distinct_steps.n), '{}')
  from (
    select s.step, min(s.n) as n
    from (
      select 'edit ' || case
          when root is not null and starts_with(e.edit ->> 'file', root || '/')
            then substr(e.edit ->> 'file', length(root) + 2)
          else e.edit ->> 'file'
        end as step, e.n
      from jsonb_array_elements(resolution -> 'edits') with ordinality e(edit, n)
      union all
      select 'run ' || c.command, 1000 + c.n
      from jsonb_array_elements_text(resolution -> 'commands') with ordinality c(command, n)
      union all
      -- the same command that works now is no fix
      select 'run ' || (resolution ->> 'command'), 2000
      where resolution ->> 'kind' <> 'same' and resolution ->> 'command' is not null
    ) s
    group by s.step
    order by 2
    limit 4
  ) distinct_steps
$$;
--> statement-breakpoint
-- Mines what SQL can count in a project: which fix answers which error, and which skills succeed at which kind of task.
-- A fix is a pattern if it resolved its error in two sessions at least; each time that its command was tried in vain
-- for the same error counts against it. A skill is one after three runs in two sessions. Storing them again changes
-- nothing.
create or replace function mine_patterns(in_project uuid) returns int
language plpgsql as $$
declare
  found jsonb;
  ids uuid[];
begin
  with fixed as (
    select i.id, i.session_id, i.signature, i.error_type, i.error, i.tool_name, i.resolved_at,
      recovery_steps(i.resolution, s.root) as steps
    from incidents i
    join sessions s on s.user_id = i.user_id and s.id = i.session_id
    where i.user_id = auth.uid() and i.project_id = in_project and i.status = 'resolved'
      and jsonb_typeof(i.resolution) = 'object'
  ), fixes as (
    select f.signature, f.steps, count(*)::int as n, count(distinct f.session_id)::int as sessions,
      max(f.resolved_at) as last_used, (array_agg(distinct f.session_id))[1:50] as evidence,
      (array_agg(f.error order by f.resolved_at desc, f.id))[1] as error,
      (array_agg(f.error_type order by f.resolved_at desc, f.id))[1] as error_type
    from fixed f
    where f.steps <> '{}'
    group by f.signature, f.steps
    having count(distinct f.session_id) >= 2
  ), judged as (
    select x.*, (
        select count(*)::int
        from incidents i
        where i.user_id = auth.uid() and i.project_id = in_project and i.signature = x.signature
          and jsonb_typeof(i.resolution -> 'attempts') = 'array'
          and exists (
            select from jsonb_array_elements_text(i.resolution -> 'attempts') a(command)
            where 'run ' || a.command = any (x.steps))) as vain
    from fixes x
  ), best as (
    -- of several fixes of one error the one that can be trusted most
    select distinct on (j.signature) j.*
    from judged j
    order by j.signature, (wilson_interval(j.n, j.n + j.vain)).low desc, j.n desc, j.steps
  ), skill_runs as (
    select l.skill, l.run, min(l.at) as at, max(l.session_id::text)::uuid as session_id,
      bool_or(l.result = 'failed') as failed, bool_or(l.result = 'succeeded') as succeeded
    from skill_logs l
    where l.user_id = auth.uid() and l.project_id = in_project
    group by l.skill, l.run
  ), skilled as (
    select r.skill, (
        select e.type
        from episodes e
        where e.user_id = auth.uid() and e.session_id = r.session_id and e.started_at <= r.at
        order by e.started_at desc, e.id desc
        limit 1) as task, r.run, r.at, r.session_id, r.failed, r.succeeded
    from skill_runs r
  ), skills_found as (
    select r.skill as skill_name, r.task, count(*)::int as n, count(distinct r.session_id)::int as sessions,
      count(*) filter (where r.succeeded and not r.failed)::int as good, count(*) filter (where r.failed)::int as bad,
      max(r.at) as last_used,
      (array_agg(distinct r.session_id) filter (where r.session_id is not null))[1:50] as evidence
    from skilled r
    where r.task is not null
    group by r.skill, r.task
    having count(*) >= 3 and count(distinct r.session_id) >= 2
  ), all_found as (
    select jsonb_build_object('type', 'error_recovery',
      'form', b.signature || ' ' || md5(array_to_string(b.steps, E'\n')),
      'name', left('after ' || coalesce(b.error_type, split_part(b.error, E'\n', 1)), 120),
      'triggers', jsonb_build_array(left(b.error, 500)), 'signature', b.signature,
      'template', jsonb_build_object('steps', b.steps, 'commonFiles', '[]'::jsonb, 'typicalTools', '[]'::jsonb),
      'episodes', b.n + b.vain, 'sessions', b.sessions, 'successes', b.n, 'failures', b.vain, 'evidence', b.evidence,
      'lastUsed', b.last_used) as pattern
    from best b
    union all
    select jsonb_build_object('type', 'skill', 'form', s.skill_name || ' ' || s.task,
      'name', format('skill %s at a %s', s.skill_name, s.task), 'triggers', jsonb_build_array(s.task),
      'template', jsonb_build_object('steps', jsonb_build_array('skill ' || s.skill_name), 'commonFiles', '[]'::jsonb,
        'typicalTools', '["Skill"]'::jsonb),
      'episodes', s.n, 'sessions', s.sessions, 'successes', s.good, 'failures', s.bad, 'evidence', s.evidence,
      'lastUsed', s.last_used)
    from skills_found s
  )
  select coalesce(jsonb_agg(a.pattern), '[]'),
    coalesce(array_agg(
      md5(concat_ws(' ', auth.uid(), in_project, a.pattern ->> 'type', a.pattern ->> 'form'))::uuid), '{}')
  into found, ids
  from all_found a;
  perform store_patterns(in_project, found);
  perform close_patterns(in_project, array['error_recovery', 'skill'], ids);
  return jsonb_array_length(found);
end $$;
--> statement-breakpoint
-- Makes patterns of the same form in two projects their user's own, so that they hold everywhere. Private ones stay out
-- of it.
create or replace function share_patterns() returns void
language plpgsql as $$
declare
  found jsonb;
  ids uuid[];
begin
  with shared as (
    select p.type, p.form, (array_agg(p.name order by p.last_used desc, p.id))[1] as name,
      (array_agg(p.triggers[1] order by p.last_used desc, p.id))[1] as trigger,
      (array_agg(p.template order by p.last_used desc, p.id))[1] as template, max(p.signature) as signature,
      sum(p.episodes)::int as episodes, sum(p.sessions)::int as sessions, sum(p.successes)::int as successes,
      sum(p.failures)::int as failures, min(p.lift) as lift, max(p.last_used) as last_used,
      (array_agg(distinct e.session))[1:50] as evidence
    from patterns p
    left join lateral (select p.evidence[1] as session) e on true
    where p.user_id = auth.uid() and p.project_id is not null and p.status = 'active' and p.valid_until is null
      and not p.private and p.type in ('tool_sequence', 'error_recovery')
    group by p.type, p.form
    having count(*) >= 2
  )
  select coalesce(jsonb_agg(jsonb_build_object('type', s.type, 'form', s.form, 'name', s.name, 'triggers',
      case when s.trigger is null then '[]'::jsonb else jsonb_build_array(s.trigger) end, 'template', s.template,
      'signature', s.signature, 'episodes', s.episodes, 'sessions', s.sessions, 'successes', s.successes,
      'failures', s.failures, 'lift', s.lift, 'evidence', s.evidence, 'lastUsed', s.last_used)), '[]'),
    coalesce(array_agg(md5(concat_ws(' ', auth.uid(), null, s.type, s.form))::uuid), '{}')
  into found, ids
  from shared s;
  perform store_patterns(null, found);
  perform close_patterns(null, array['tool_sequence', 'error_recovery'], ids);
end $$;
--> statement-breakpoint
-- ── sql/patterns/note_changed_episode.sql ──

-- Notes that a project has an episode which its patterns do not know yet, or not as it is now. An erased project has
-- nothing to mine.
create or replace function note_changed_episode() returns trigger
language plpgsql as $$
declare
  changed episodes := coalesce(new, old);
begin
  insert into pattern_changes (user_id, episode_id, project_id, changed_at, counted)
  select changed.user_id, changed.id, changed.project_id, now(), tg_op <> 'INSERT'
  from projects p
  where p.user_id = changed.user_id and p.id = changed.project_id
  on conflict (user_id, episode_id) do update set taken = false, project_id = excluded.project_id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger note_changed_episode
  after insert or delete or update of project_id, session_id, description, type, steps, tools_used, files_modified,
    outcome
  on episodes
  for each row execute function note_changed_episode();
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
-- Returns the caller's sessions that have ended and were offered patterns of which it is not known what became of them.
-- A session has its episodes a moment after its end, and some have none; until it has been read, it is not known
-- whether its errors are gone.
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
-- ── sql/patterns/store_patterns.sql ──

-- A pattern's confidence is the mean of a Beta posterior, like that of a lesson (src/learnings/confidence.ts): the
-- share of successes among the episodes, by the rule of succession, counts as four observations beside what became of
-- it when it was offered.
create or replace function pattern_confidence(successes int, failures int, helped int, harmed int) returns real
language sql immutable as $$
  select ((4 * (successes + 1.0) / (successes + failures + 2.0) + helped) / (4.0 + helped + harmed))::real
$$;
--> statement-breakpoint
-- Whether a pattern does not help: what became of it when it was offered has put its confidence below 0.5.
create or replace function pattern_is_useless(confidence real, helped int, harmed int) returns boolean
language sql immutable as $$
  select confidence < 0.5 and helped + harmed > 0
$$;
--> statement-breakpoint
-- Stores patterns that mining found in a project (null: in several), as they are now. One that is there keeps its id,
-- its status, and wording that is not of the rules; one that was closed is open again, unless it does not help. Storing
-- the same again changes nothing.
create or replace function store_patterns(in_project uuid, found jsonb) returns void
language sql as $$
  insert into patterns as p (user_id, id, project_id, type, form, name, triggers, template, signature, episodes,
    sessions, successes, failures, lift, evidence, confidence, private, last_used, valid_from)
  select auth.uid(), md5(concat_ws(' ', auth.uid(), in_project, f.type, f.form))::uuid, in_project, f.type, f.form,
    f.name,
    coalesce(f.triggers, '{}'), f.template, f.signature, f.episodes, f.sessions, f.successes, f.failures, f.lift,
    coalesce(f.evidence, '{}'), pattern_confidence(f.successes, f.failures, 0, 0), coalesce(f.private, false),
    f."lastUsed", f."lastUsed"
  from jsonb_to_recordset(found) f (type text, form text, name text, triggers text[], template jsonb, signature text,
    episodes int, sessions int, successes int, failures int, lift real, evidence uuid[], private boolean,
    "lastUsed" timestamptz)
  on conflict (user_id, scope, type, form) do update set
    name = case when p.named_by = 'rules' then excluded.name else p.name end,
    triggers = excluded.triggers,
    template = excluded.template,
    episodes = excluded.episodes,
    sessions = excluded.sessions,
    successes = excluded.successes,
    failures = excluded.failures,
    lift = excluded.lift,
    evidence = excluded.evidence,
    last_used = excluded.last_used,
    private = p.private or excluded.private,
    confidence = pattern_confidence(excluded.successes, excluded.failures, p.helped, p.harmed),
    valid_until = case
      when p.pinned or not pattern_is_useless(
        pattern_confidence(excluded.successes, excluded.failures, p.helped, p.harmed), p.helped, p.harmed) then null
      else p.valid_until
    end,
    updated_at = now()
  where p.status = 'active' and (
    (p.triggers, p.template, p.episodes, p.sessions, p.successes, p.failures, p.lift, p.evidence, p.last_used)
      is distinct from (excluded.triggers, excluded.template, excluded.episodes, excluded.sessions, excluded.successes,
        excluded.failures, excluded.lift, excluded.evidence, excluded.last_used)
    or p.named_by = 'rules' and p.name <> excluded.name or excluded.private and not p.private
    or p.valid_until is not null and not pattern_is_useless(
      pattern_confidence(excluded.successes, excluded.failures, p.helped, p.harmed), p.helped, p.harmed))
$$;
--> statement-breakpoint
-- Closes what mining did not find any more in a project, by the ids of what it found, and what does not help. What is
-- pinned stays.
create or replace function close_patterns(in_project uuid, of_types text[], found uuid[]) returns int
language sql as $$
  with closed as (
    update patterns p set valid_until = greatest(now(), p.valid_from), updated_at = now()
    where p.user_id = auth.uid() and p.project_id is not distinct from in_project and p.type = any (of_types)
      and p.valid_until is null and not p.pinned
      and (not p.id = any (found) or pattern_is_useless(p.confidence, p.helped, p.harmed))
    returning 1
  )
  select count(*)::int from closed
$$;
--> statement-breakpoint
-- ── sql/patterns/wilson.sql ──

-- Returns the 95 % interval of a share of which `good` of `n` were seen; null for none. It is right for few
-- observations too. Wilson, “Probable inference, the law of succession, and statistical inference” (JASA 22,
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
--   closed     it is completed or failed, or its plan is

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
  -- An agent that comes too late need not wait for the others to be told so.
  if seen is null and exists (select from plan_steps h where h.plan_id = of_plan and h.number = step
      and is_step_held(h) and h.holder is distinct from by_holder) then
    return 'held';
  end if;
  -- Nor need the one that comes at the same moment wait for all who claim other steps of the plan.
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
    when s.status in ('completed', 'failed') or p.status in ('completed', 'failed') then 'closed'
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
  elsif s.status in ('completed', 'failed') then
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
-- Completes a step, fails it, or gives it back (to_status pending). Who holds it may be told; then nobody else's step
-- is changed. With its last step a plan is completed. A failed step that is given back can be tried again.
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
    when s.status = 'failed' and to_status <> 'pending' then 'closed'
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
-- Adds a note to a step, or to the plan itself (step 0). Returns why not.
create or replace function note_step(of_plan uuid, step integer, words text, shown text) returns text
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
  perform keep_plan_version(of_plan, step, 'noted', shown, jsonb_build_object('text', words));
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
        ', so the step is free again.', 'lore');
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
-- Answers tell times to the millisecond, and whoever asks how a plan stood at such a time must see what was told then.
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
  -- a heartbeat is no change, nor that the client tells the agent's id
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
    new.closed_at := case when new.status in ('completed', 'failed') then coalesce(old.closed_at, new.updated_at) end;
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
-- ── sql/plans/plan_as_of.sql ──

-- Returns the rows of a plan and of its steps (step 0: the plan itself) as they stood at an instant.
create or replace function plan_as_of(of_plan uuid, at timestamptz) returns table (step integer, image jsonb)
language sql stable as $$
  select distinct on (c.step) c.step, c.image
  from plan_changes c
  where c.plan_id = of_plan and c.recorded_at <= at and c.action <> 'noted'
  order by c.step, c.version desc
$$;
--> statement-breakpoint
-- Returns the numbers of steps that wait for each other in a circle; none if there is no circle.
create or replace function plan_circle(of_plan uuid) returns integer[]
language sql stable as $$
  with recursive edges (number, dependency) as (
    select s.number, unnest(s.dependencies) from plan_steps s where s.plan_id = of_plan
  ), reached (start, number) as (
    select number, dependency from edges
    union
    select r.start, e.dependency from reached r join edges e on e.number = r.number
  )
  select coalesce(array_agg(distinct start order by start), '{}') from reached where start = number
$$;
--> statement-breakpoint
-- ── sql/realtime/changes.sql ──

-- Changes of published rows on their way to the servers whose subscribers wait for them (docs/realtime.md). None of it
-- has to survive a crash: the servers then let their clients join again, and these read everything anew.

-- The servers that have subscribers. A server that does not renew `until` is gone.
create unlogged table if not exists lore.realtime_servers (
  id uuid primary key,
  until timestamptz not null
);
--> statement-breakpoint
-- What subscribers wait for: a row for each table of each binding of each channel.
create unlogged table if not exists lore.realtime_subscriptions (
  server uuid not null,
  -- the server's number of the channel, and the binding's id that its client knows
  channel int not null,
  binding bigint not null,
  relation regclass not null,
  -- INSERT, UPDATE, DELETE or *
  event text not null,
  user_id uuid not null,
  claims jsonb not null,
  -- the columns to send besides the primary key; null: all
  columns text[],
  -- the filter as SQL about a row `r`; null: none
  condition text,
  primary key (server, channel, binding, relation)
);
--> statement-breakpoint
create index if not exists realtime_subscriptions_user on lore.realtime_subscriptions (user_id, relation);
--> statement-breakpoint
-- A row for each server that must hear of a change. The server deletes it when it takes it.
create unlogged table if not exists lore.realtime_changes (
  id bigint primary key generated always as identity,
  server uuid not null,
  relation regclass not null,
  type text not null,
  user_id uuid not null,
  image jsonb not null,
  at timestamptz not null default clock_timestamp()
);
--> statement-breakpoint
create index if not exists realtime_changes_server on lore.realtime_changes (server, id);
--> statement-breakpoint
-- Notes a change of a row for each server with a subscriber who may wait for it, and wakes the servers. Without such a
-- subscriber it only looks into two small tables. It has more rights than the writer, who must not write to these
-- tables in any other way.
create or replace function lore.publish_change() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into lore.realtime_changes (server, relation, type, user_id, image)
  select v.id, tg_relid, tg_op, coalesce(new.user_id, old.user_id), to_jsonb(coalesce(new, old))
  from lore.realtime_servers v
  where v.until > now() and exists (
    select from lore.realtime_subscriptions s
    where s.server = v.id and s.relation = tg_relid and s.user_id = coalesce(new.user_id, old.user_id));
  if found then
    perform pg_notify('lore_changes', '');
  end if;
  return null;
end $$;
--> statement-breakpoint
-- ── sql/realtime/dashboard.sql ──

-- Returns what the phone page shows first, of the caller: how each project stands, the counts of the day that it is in
-- a time zone, and what waits for a person. Statuses are those that refresh_dashboard_project keeps.
--
--   waiting   commands that were denied within a day and that nobody has decided on since; steps of open plans that
--             wait for somebody; sessions whose client waits, unless one of their steps says so already
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
      sum(c.unverified) as unverified
    from (
      select k.session_id,
        count(*) as commands,
        count(*) filter (where k.decision = 'allow') as allowed,
        count(*) filter (where k.decision = 'deny') as denied,
        count(*) filter (where k.source = 'none') as unverified
      from public.command_checks k
      where k.user_id = (select auth.uid()) and k.checked_at >= (select start from today)
      group by k.session_id) c
    left join public.sessions s on s.user_id = (select auth.uid()) and s.id = c.session_id
    group by s.project_id),
  sessions as materialized (
    select s.project_id, count(*) as sessions
    from public.sessions s
    where s.user_id = (select auth.uid()) and s.last_activity >= (select start from today)
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
       where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= (select start from today)) as errors,
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
    select 'command' as kind, k.code as id, coalesce(p.name, k.cwd) as project, k.command as title, k.reason as detail,
      k.checked_at as at,
      jsonb_build_object('rule', k.rule, 'catastrophic', k.severity is not distinct from 'catastrophic',
        'covered', k.covered, 'cwd', k.cwd) as about
    from public.command_checks k
    left join public.sessions s on s.user_id = k.user_id and s.id = k.session_id
    left join public.projects p on p.user_id = s.user_id and p.id = s.project_id
    where k.user_id = (select auth.uid()) and k.checked_at > now() - interval '24 hours'
      and k.decision = 'deny' and k.source <> 'person'
      -- the last word on this command; by its code, because that has an index
      and not exists (select from public.command_checks l
        where l.user_id = k.user_id and l.code = k.code and l.key = k.key and l.id > k.id)
      and not exists (select from public.command_cache v
        where v.user_id = k.user_id and v.key = k.key and v.checked_by = 'person')
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
  newest as (select * from waiting order by at desc limit 100)
  select jsonb_build_object(
    'now', now(),
    'today', (
      select jsonb_build_object(
        'sessions', coalesce((select sum(sessions) from sessions), 0),
        'learnings', coalesce((select sum(today) from lessons), 0),
        'commands', coalesce(sum(c.commands), 0),
        'errors', (select count(*) from public.incidents i
          where i.user_id = (select auth.uid()) and i.opened_at >= (select start from today)),
        'allowed', coalesce(sum(c.allowed), 0),
        'denied', coalesce(sum(c.denied), 0),
        'unverified', coalesce(sum(c.unverified), 0),
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
    'counts', jsonb_build_object(
      'learnings', (
        select count(*) from public.learnings l
        where l.user_id = (select auth.uid()) and l.status = 'active' and l.valid_until is null),
      'waiting', (select count(*) from waiting))));
end $$;
--> statement-breakpoint
revoke all on function dashboard from public, anon;
--> statement-breakpoint
grant execute on function dashboard to authenticated, service_role;
--> statement-breakpoint
-- ── sql/realtime/join_changes.sql ──

-- Returns a filter as SQL about a row `r` of a table.
--
--   filters   [{column, not, op, values}], all of which must hold
--   to_role   the role that must be allowed to read the columns
create or replace function lore.filter_condition(relation regclass, filters jsonb, to_role text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  f record;
  a record;
  test text;
  conditions text[] := '{}';
begin
  for f in select * from jsonb_to_recordset(filters) as x ("column" text, "not" boolean, op text, "values" text[]) loop
    select format('r.%I', t.attname) as name, format_type(t.atttypid, t.atttypmod) as type into a
    from pg_attribute t
    where t.attrelid = relation and t.attname = f."column" and t.attnum > 0 and not t.attisdropped
      and has_column_privilege(to_role, relation, t.attnum, 'select');
    if not found then
      raise undefined_column using message = format('column %s does not exist', f."column");
    end if;
    -- such a pattern only fails on a value that it fits up to there
    if f.op in ('like', 'ilike') and (length(f."values"[1]) - length(rtrim(f."values"[1], '\'))) % 2 = 1 then
      raise invalid_escape_sequence using message = 'a pattern must not end with a backslash that escapes nothing';
    end if;
    test := case f.op
      when 'eq' then format('%s = %L::%s', a.name, f."values"[1], a.type)
      when 'neq' then format('%s <> %L::%s', a.name, f."values"[1], a.type)
      when 'lt' then format('%s < %L::%s', a.name, f."values"[1], a.type)
      when 'lte' then format('%s <= %L::%s', a.name, f."values"[1], a.type)
      when 'gt' then format('%s > %L::%s', a.name, f."values"[1], a.type)
      when 'gte' then format('%s >= %L::%s', a.name, f."values"[1], a.type)
      when 'isdistinct' then format('%s is distinct from %L::%s', a.name, f."values"[1], a.type)
      when 'in' then (
        select format('%s in (%s)', a.name, string_agg(format('%L::%s', v, a.type), ', ')) from unnest(f."values") v)
      when 'like' then format('%s::text like %L', a.name, f."values"[1])
      when 'ilike' then format('%s::text ilike %L', a.name, f."values"[1])
      when 'is' then
        case when f."values"[1] in ('null', 'true', 'false', 'unknown') then a.name || ' is ' || f."values"[1] end
    end;
    if test is null then
      raise invalid_parameter_value using message = format('filter %s is not supported', f.op);
    end if;
    conditions := conditions || case when f."not" then format('not (%s)', test) else test end;
  end loop;
  return nullif(array_to_string(conditions, ' and '), '');
end $$;
--> statement-breakpoint
-- Subscribes a channel of a server to changes, in place of its earlier subscriptions. Returns for each binding why it
-- is not possible, or null.
--
--   claims     of the subscriber: {sub, role}
--   bindings   [{id, event, schema, table, filters, columns}]
create or replace function lore.join_changes(for_server uuid, to_channel int, claims jsonb, bindings jsonb)
returns text[]
language plpgsql
set search_path = ''
as $$
declare
  b record;
  t record;
  condition text;
  refused text[] := '{}';
  reason text;
  to_role constant text := claims ->> 'role';
begin
  insert into lore.realtime_servers (id, until) values (for_server, now() + interval '30 seconds')
  on conflict (id) do nothing;
  delete from lore.realtime_subscriptions s where s.server = for_server and s.channel = to_channel;
  for b in
    select *
    from jsonb_to_recordset(bindings)
      as x (id bigint, event text, schema text, "table" text, filters jsonb, columns text[])
  loop
    reason := 'no published table of this name that the subscriber may read';
    begin
      for t in
        select c.oid::regclass as relation
        from pg_trigger g
        join pg_class c on c.oid = g.tgrelid
        join pg_namespace n on n.oid = c.relnamespace
        where g.tgname = 'publish_change' and b.schema in (n.nspname, '*') and b."table" in (c.relname, '*')
          and has_table_privilege(to_role, c.oid, 'select') and claims ->> 'sub' is not null
      loop
        reason := null;
        condition := lore.filter_condition(t.relation, b.filters, to_role);
        if condition is not null then
          -- most that would fail later fails now
          execute format('select from jsonb_populate_record(null::%s, ''{}'') r where %s', t.relation, condition);
        end if;
        select format('column %s does not exist', name) into reason
        from unnest(b.columns) name
        where not exists (
          select from pg_attribute a
          where a.attrelid = t.relation and a.attname = name and a.attnum > 0 and not a.attisdropped
            and has_column_privilege(to_role, t.relation, a.attnum, 'select'));
        exit when reason is not null;
        insert into lore.realtime_subscriptions
          (server, channel, binding, relation, event, user_id, claims, columns, condition)
        values (for_server, to_channel, b.id, t.relation, b.event, (claims ->> 'sub')::uuid, claims, b.columns,
          condition)
        on conflict do nothing;
      end loop;
    exception
      when data_exception or undefined_column or undefined_function or datatype_mismatch then
        reason := sqlerrm;
    end;
    refused := refused || reason;
  end loop;
  return refused;
end $$;
--> statement-breakpoint
-- Ends the subscriptions of some channels of a server; of all of them, and what waits for the server, when none is
-- named.
create or replace function lore.leave_changes(of_server uuid, channels int[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from lore.realtime_subscriptions s
  where s.server = of_server and (channels is null or s.channel = any (channels));
  if channels is null or not exists (select from lore.realtime_subscriptions s where s.server = of_server) then
    delete from lore.realtime_servers v where v.id = of_server;
    delete from lore.realtime_changes c where c.server = of_server;
  end if;
end $$;
--> statement-breakpoint
-- Says that a server is alive, and forgets those that are not. Returns whether it was thought alive all the time: else
-- changes may have passed it by.
create or replace function lore.renew_changes(of_server uuid) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  delete from lore.realtime_servers v where v.until < now() - interval '1 minute' and v.id <> of_server;
  delete from lore.realtime_subscriptions s
  where s.server <> of_server and not exists (select from lore.realtime_servers v where v.id = s.server);
  delete from lore.realtime_changes c
  where c.server <> of_server and not exists (select from lore.realtime_servers v where v.id = c.server);
  update lore.realtime_servers v set until = now() + interval '30 seconds' where v.id = of_server and v.until > now();
  return found;
end $$;
--> statement-breakpoint
-- ── sql/realtime/published.sql ──

-- The tables whose changes are published, each with the rows that count (all, if there is no condition). Supabase's
-- Realtime reads the publication; elsewhere the triggers tell Lore's own endpoint. To publish another table, add a
-- line. Supabase's Realtime knows no conditions, so clients give the same one as their filter.
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
    if not exists (select from pg_publication_tables p
      where p.pubname = 'supabase_realtime' and p.schemaname = 'public' and p.tablename = t.name)
    then
      execute format('alter publication supabase_realtime add table %I', t.name);
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- ── sql/realtime/refresh_dashboard_project.sql ──

-- Brings the row up to date that tells how a project stands now. Nothing is written when it says so already.
--
-- blocked   a session waits for a person's permission
-- active    a session is at work: it is open, and its turn has not ended
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
     where i.user_id = p.user_id and i.project_id = p.id and i.opened_at >= today.start),
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
    select count(*) filter (where e.event = 'PermissionRequest') as blocked,
      count(*) filter (where e.event not in ('PermissionRequest', 'Stop', 'SessionEnd', 'Notification')) as working,
      min('waits for a person to permit ' || coalesce(e.target, e.tool_name, 'a tool'))
        filter (where e.event = 'PermissionRequest') as reason
    from public.sessions s
    cross join lateral (
      select e.event, e.tool_name, left(e.target, 200) as target
      from public.events e
      where e.session_id = s.id
      order by e.occurred_at desc, e.id desc limit 1) e
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
revoke all on function refresh_dashboard_project from public, anon;
--> statement-breakpoint
grant execute on function refresh_dashboard_project to authenticated, service_role;
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
-- that the subscriber may read now. Of a row that is gone nothing can be asked any more; its subscribers are told the
-- primary key, and they are the row's own user, as for all changes.
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
        perform set_config('request.jwt.claims', asked::text, true), set_config('role', asked ->> 'role', true);
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
    and (in_project is not null or not d.private)
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

-- A search reads the shelves of its kinds. There are many errors and conversations, and they are seldom asked for, so
-- each of these kinds has a shelf of its own. All other kinds share the shelf ''. So however much was said, the
-- searches of hooks on that shelf take no longer and find no less.

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
        and (in_project is not null or not d.private)
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
-- scope → candidates → relevance × confidence × recency × telling × links → variety → amendments above what they amend
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
      case when d.embedding_model = model then 1 - (d.embedding <=> query_embedding) end as similarity,
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
        when c.similarity is null then 0.8 * c.lexical
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
-- that a text's weights do not depend on other texts. A lexeme of the context counts 0.5 (docs/search.md).
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
-- to type, to key): the hash that the generated columns of these tables have. Its parts are quoted, so that different
-- lists never give the same text.
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
  after insert or delete or update of revoked_at on api_keys
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
create or replace function lore.keep_raw_for(days int) returns void
language sql as $$
  update lore.instance set retention_days = days where retention_days is distinct from days
$$;
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
