alter table command_cache force row level security;
--> statement-breakpoint
alter table command_checks force row level security;
--> statement-breakpoint
revoke all on command_cache, command_checks from anon, authenticated;
--> statement-breakpoint
revoke all on sequence command_checks_id_seq from anon, authenticated;
--> statement-breakpoint
grant select, insert, update, delete on command_cache to authenticated;
--> statement-breakpoint
-- what was checked stays on record
grant select, insert on command_checks to authenticated;
--> statement-breakpoint
grant all on command_cache, command_checks to service_role;
