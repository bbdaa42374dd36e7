-- Keeps a record of each agent that writes notes.
create or replace function keep_agents() returns trigger
language plpgsql as $$
begin
  -- always in the same order, or two transactions could deadlock
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

create or replace trigger keep_agents
  after insert on notes
  referencing new table as new_notes
  for each statement
  execute function keep_agents();
