-- Servers keep the verdicts of their users in memory. This tells them whose verdicts they must read again. Counting a
-- use of a verdict does not notify, because it changes no decision.
create or replace function notify_verdicts() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_verdicts', coalesce(new.user_id, old.user_id)::text);
  return null;
end $$;

create or replace trigger notify_verdicts
  after insert or delete or update of decision, reason, once, expires_at
  on command_cache
  for each row execute function notify_verdicts();
