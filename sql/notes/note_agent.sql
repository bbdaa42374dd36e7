-- Notes when an agent was started.
create or replace function note_agent(named text, at timestamptz) returns void
language sql as $$
  insert into agents as a (name, created_at, last_active)
  values (named, at, at)
  on conflict (user_id, name) do update set last_active = excluded.last_active
  where a.last_active < excluded.last_active
$$;
