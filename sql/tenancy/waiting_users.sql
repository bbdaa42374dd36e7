-- These functions return the users who have rows waiting for a background worker. They return ids only; the work is
-- done as that user. (lore.users_to_embed and lore.users_to_reindex are in sql/index.) Those that are asked every few
-- seconds are in PL/pgSQL, which keeps its plans.

-- Returns the workers that have something to do now, so that one statement looks at all queues. `model`: that of the
-- vectors, null while there is none. `owner`: the account whose files are on the server's machine.
create or replace function lore.waiting_work(model text, owner uuid) returns table (worker text)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select w.worker
  from (values
    ('free steps', exists (select from lore.users_with_expired_steps())),
    ('distil', exists (select from lore.users_to_distil())),
    ('audit', exists (select from lore.users_to_audit())),
    ('cut', exists (select from lore.users_to_cut())),
    ('embed', model is not null and exists (select from lore.users_to_embed(model))),
    ('decide amendments', model is not null and exists (select from lore.users_to_decide_amendments(model))),
    ('baselines', exists (
      select from public.citations c
      where c.user_id = owner and c.state = 'waiting' and c.cited_at > now() - interval '10 minutes'))
  ) w(worker, waits)
  where w.waits;
end $$;

-- Returns the users who have lessons to distil now.
create or replace function lore.users_to_distil() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct r.user_id
  from public.learning_requests r
  where r.status = 'pending' and r.run_after <= now();
end $$;

-- Returns the users who have sessions to cut into episodes now.
create or replace function lore.users_to_cut() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct c.user_id
  from public.episode_cuts c
  where c.failed_at is null and c.run_after <= now();
end $$;

-- Returns the users who have an active session without an event for this long.
create or replace function lore.users_with_idle_sessions(idle interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct s.user_id
  from public.sessions s
  where s.status = 'active' and s.last_activity < now() - idle
$$;

-- Returns the users who have a step of a plan whose agent has been silent for too long.
create or replace function lore.users_with_expired_steps() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct s.user_id
  from public.plan_steps s
  where s.status = 'in_progress' and s.lease_until <= pg_catalog.clock_timestamp();
end $$;

-- Returns the users who have sessions to look back on now: not those of which something still waits to be judged,
-- because an audit must find the lessons of the session's turns.
create or replace function lore.users_to_audit() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct a.user_id
  from public.session_audits a
  where a.status = 'pending' and a.run_after <= now()
    and not exists (
      select from public.learning_requests r
      where r.user_id = a.user_id and r.session_id = a.session_id and r.status = 'pending');
end $$;

-- Returns the users who worked, or were taught something, within this time: what the dashboard says of their projects
-- may be old where no server hears of it.
create or replace function lore.users_at_work(within interval) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select p.user_id
  from public.profiles p
  where p.removed_at is null and (
    exists (select from public.sessions s where s.user_id = p.user_id and s.last_activity > now() - within)
    or exists (select from public.learnings l where l.user_id = p.user_id and l.created_at > now() - within))
$$;
