-- The key by which push services know this installation (VAPID, RFC 8292): one for the database, however many servers
-- use it. Browsers subscribe for its public half, so it stays as it was made. Only the server's own role reads it.
create table if not exists lore.push_key (
  only_row boolean primary key default true check (only_row),
  public_key text not null,
  private_key text not null
);

-- A device that is signed out is sent nothing more, whoever signs it out.
create or replace function end_push() returns trigger
language plpgsql as $$
begin
  delete from public.push_subscriptions s where s.user_id = old.user_id and s.key_id = old.id;
  return null;
end $$;

create or replace trigger end_push
  after delete or update of revoked_at on api_keys
  for each row execute function end_push();
