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
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "profiles" (
	"user_id" uuid PRIMARY KEY DEFAULT auth.uid() NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "profiles" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "incidents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "learning_injections" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"learning_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"dedup_key" text NOT NULL,
	"event" text NOT NULL,
	"relevance" text NOT NULL,
	"injected_at" timestamp with time zone NOT NULL,
	"outcome" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "learning_injections_once" UNIQUE("user_id","session_id","dedup_key","learning_id")
);
--> statement-breakpoint
ALTER TABLE "learning_injections" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "learning_requests" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "learnings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "llm_usage" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "search_documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"project_id" uuid,
	"kind" text NOT NULL,
	"source_id" uuid NOT NULL,
	"content" text NOT NULL,
	"tsv" "tsvector" GENERATED ALWAYS AS (to_tsvector('english', content)) STORED,
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
	CONSTRAINT "search_documents_source" UNIQUE("user_id","kind","source_id")
);
--> statement-breakpoint
ALTER TABLE "search_documents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "projects" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "sessions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "transcript_cursors" (
	"user_id" uuid DEFAULT auth.uid() NOT NULL,
	"path" text NOT NULL,
	"offset" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcript_cursors_user_id_path_pk" PRIMARY KEY("user_id","path")
);
--> statement-breakpoint
ALTER TABLE "transcript_cursors" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "learning_injections" ADD CONSTRAINT "learning_injections_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "learning_injections" ADD CONSTRAINT "learning_injections_user_id_learning_id_learnings_user_id_id_fk" FOREIGN KEY ("user_id","learning_id") REFERENCES "public"."learnings"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "learning_requests" ADD CONSTRAINT "learning_requests_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "learning_requests" ADD CONSTRAINT "learning_requests_user_id_incident_id_incidents_user_id_id_fk" FOREIGN KEY ("user_id","incident_id") REFERENCES "public"."incidents"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "learnings" ADD CONSTRAINT "learnings_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_one_owner" ON "profiles" USING btree ("role") WHERE role = 'owner';--> statement-breakpoint
CREATE INDEX "incidents_signature" ON "incidents" USING btree ("user_id","project_id","signature");--> statement-breakpoint
CREATE INDEX "incidents_session" ON "incidents" USING btree ("session_id","status");--> statement-breakpoint
CREATE INDEX "learning_injections_learning" ON "learning_injections" USING btree ("learning_id");--> statement-breakpoint
CREATE INDEX "learning_requests_queue" ON "learning_requests" USING btree ("run_after") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "learnings_current" ON "learnings" USING btree ("user_id","project_id","status") WHERE valid_until is null;--> statement-breakpoint
CREATE INDEX "learnings_signature" ON "learnings" USING btree ("user_id","project_id","signature");--> statement-breakpoint
CREATE INDEX "search_documents_scope" ON "search_documents" USING btree ("user_id","project_id","kind");--> statement-breakpoint
CREATE INDEX "search_documents_tsv" ON "search_documents" USING gin ("tsv");--> statement-breakpoint
CREATE INDEX "events_session" ON "events" USING btree ("session_id","occurred_at");--> statement-breakpoint
CREATE INDEX "projects_root" ON "projects" USING btree ("user_id","root");--> statement-breakpoint
CREATE INDEX "sessions_project" ON "sessions" USING btree ("user_id","project_id","last_activity");--> statement-breakpoint
CREATE POLICY "own rows" ON "api_keys" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "profiles" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "incidents" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "learning_injections" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "learning_requests" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "learnings" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "llm_usage" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "search_documents" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "events" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "projects" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "sessions" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "transcript_cursors" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);