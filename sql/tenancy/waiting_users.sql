-- These functions return the users who have rows waiting for a background worker. They return ids only; the work itself
-- is done as that user. (lore.users_to_embed and lore.users_to_reindex are in sql/index.)

-- Returns the users who have lessons to distil now.
create or replace function lore.users_to_distil() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct r.user_id
  from public.learning_requests r
  where r.status = 'pending' and r.run_after <= now()
$$;

-- Returns the users who have an active session without an event for this long.
create or replace function lore.users_with_idle_sessions(idle interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct s.user_id
  from public.sessions s
  where s.status = 'active' and s.last_activity < now() - idle
$$;

-- Returns the users who have a step of a plan whose agent was not heard of for too long.
create or replace function lore.users_with_expired_steps() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct s.user_id
  from public.plan_steps s
  where s.status = 'in_progress' and s.lease_until <= pg_catalog.clock_timestamp()
$$;
