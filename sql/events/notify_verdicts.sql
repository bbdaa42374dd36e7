-- Servers hold the verdicts of their users in memory. This tells them whose verdicts to read again; a use that is
-- counted is no reason to.
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
