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

create or replace trigger keep_channels_and_agents
  after insert on notes
  referencing new table as new_notes
  for each statement
  execute function keep_channels_and_agents();
