-- Which users have rows that wait for a background worker. These return ids only; the work itself is done as that user.
-- (lore.users_to_embed and lore.users_to_reindex stand with the index.)

create or replace function lore.users_to_distil() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct r.user_id
  from public.learning_requests r
  where r.status = 'pending' and r.run_after <= now()
$$;

create or replace function lore.users_with_idle_sessions(idle interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct s.user_id
  from public.sessions s
  where s.status = 'active' and s.last_activity < now() - idle
$$;
