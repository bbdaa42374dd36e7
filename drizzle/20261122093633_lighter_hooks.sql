DROP INDEX "sessions_project";--> statement-breakpoint
CREATE INDEX "sessions_project" ON "sessions" USING btree ("user_id","project_id");--> statement-breakpoint
-- Room on the page for the next version of a row, so that an update need not touch the indexes.
ALTER TABLE "sessions" SET (fillfactor = 50);
