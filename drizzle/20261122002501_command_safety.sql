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
ALTER TABLE "command_cache" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "command_checks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "command_checks" ADD CONSTRAINT "command_checks_user_id_session_id_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "command_cache_code" ON "command_cache" USING btree ("user_id","code");--> statement-breakpoint
CREATE INDEX "command_checks_code" ON "command_checks" USING btree ("user_id","code");--> statement-breakpoint
CREATE INDEX "command_checks_time" ON "command_checks" USING btree ("user_id","checked_at");--> statement-breakpoint
CREATE POLICY "own rows" ON "command_cache" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);--> statement-breakpoint
CREATE POLICY "own rows" ON "command_checks" AS PERMISSIVE FOR ALL TO "authenticated" USING ((select auth.uid()) = user_id) WITH CHECK ((select auth.uid()) = user_id);