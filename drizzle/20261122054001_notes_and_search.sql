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
ALTER TABLE "notes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "search_documents" DROP CONSTRAINT "search_documents_source";--> statement-breakpoint
DROP INDEX "search_documents_scope";--> statement-breakpoint
ALTER TABLE "search_documents" ALTER COLUMN "tsv" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "search_documents" ALTER COLUMN "tsv" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "search_documents" ALTER COLUMN "tsv" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "part" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "label" text;--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "context" text;--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "terms" sparsevec(268435456);--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "links" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "amends" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_user_id_project_id_projects_user_id_id_fk" FOREIGN KEY ("user_id","project_id") REFERENCES "public"."projects"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notes_order" ON "notes" USING btree ("user_id","project_id","created_at","seq");--> statement-breakpoint
CREATE INDEX "notes_channel" ON "notes" USING btree ("user_id","channel","created_at");--> statement-breakpoint
CREATE INDEX "search_documents_user" ON "search_documents" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "search_documents_recent" ON "search_documents" USING btree ("user_id","confirmed_at");--> statement-breakpoint
CREATE INDEX "search_documents_near" ON "search_documents" USING hnsw ("embedding" vector_cosine_ops);--> statement-breakpoint
CREATE INDEX "search_documents_model" ON "search_documents" USING btree ("embedding_model");--> statement-breakpoint
CREATE INDEX "search_documents_scope" ON "search_documents" USING btree ("user_id","project_id","id");--> statement-breakpoint
ALTER TABLE "search_documents" ADD CONSTRAINT "search_documents_part" UNIQUE("user_id","kind","source_id","part");--> statement-breakpoint
CREATE POLICY "own rows" ON "notes" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);