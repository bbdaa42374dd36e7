-- Returns the users with an open run, and those for whom no run has begun since `night`, the last time when one was
-- due. An account that was made after that time is not late. Where pg_cron begins the runs, this server waits for a
-- day and two hours before it begins one itself.
create or replace function lore.users_to_consolidate(night timestamptz) returns table (id uuid, open boolean)
language plpgsql stable security definer
set search_path = ''
as $$
declare
  due constant timestamptz :=
    case when lore.cron_is_set() then least(night, now() - interval '26 hours') else night end;
begin
  return query
  select p.user_id, r.open
  from public.profiles p
  cross join lateral (
    select coalesce(bool_or(o.finished_at is null), false) as open,
      coalesce(bool_or(o.started_at >= due), false) as begun
    from (
      select c.finished_at, c.started_at from public.consolidation_runs c
      where c.user_id = p.user_id order by c.started_at desc limit 1
    ) o
  ) r
  where p.removed_at is null and (r.open or not r.begun and p.created_at < due);
end $$;

-- Returns when a night last ended, of any user, and whether a user's has not for a day and two hours. For /health.
create or replace function lore.consolidation_state(out last_run timestamptz, out late boolean)
language sql stable security definer
set search_path = ''
as $$
  select max(r.last), coalesce(bool_or(p.created_at < now() - interval '26 hours'
    and (r.last is null or r.last < now() - interval '26 hours')), false)
  from public.profiles p
  left join lateral (
    select c.finished_at as last from public.consolidation_runs c
    where c.user_id = p.user_id and c.finished_at is not null
    order by c.finished_at desc limit 1
  ) r on true
  where p.removed_at is null
$$;

-- Returns whether a text has waited for its vector for a day, although nothing was wrong with it. For /health: it
-- looks at a few of each user.
create or replace function lore.embedding_stands_still() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (
    select from public.profiles p
    cross join lateral (
      select d.embed_after from public.search_documents d
      where d.user_id = p.user_id and d.embedding_model is null limit 20
    ) w
    where w.embed_after < now() - interval '1 day')
$$;

-- Returns whether pg_cron is there and begins the nights of this database.
create or replace function lore.cron_is_set() returns boolean
language plpgsql stable as $$
declare
  found boolean := false;
begin
  if to_regclass('cron.job') is not null then
    execute format($q$select exists (select from %s j
      where j.jobname = 'lore-consolidation' and j.active and j.database = current_database())$q$,
      to_regclass('cron.job')) into found;
  end if;
  return found;
exception when insufficient_privilege then
  return false;
end $$;

-- Lets the rest of the transaction run as a user, under row level security, as src/db/as-user.ts does.
create or replace function lore.act_as(account uuid) returns void
language sql as $$
  select set_config('request.jwt.claims', json_build_object('sub', account, 'role', 'authenticated')::text, true),
    set_config('role', 'lore_user', true)
$$;

-- Begins the night of an account.
create or replace function lore.begin_night(account uuid) returns void
language plpgsql as $$
declare
  days constant int := (select i.retention_days from lore.instance i);
begin
  perform lore.act_as(account);
  perform public.begin_consolidation('cron', days);
end $$;

-- Does a piece of an account's night. Returns whether there is more of it.
create or replace function lore.go_on_with_night(account uuid) returns boolean
language plpgsql as $$
declare
  stage text;
begin
  perform lore.act_as(account);
  stage := public.consolidation_step(500);
  return stage <> 'done';
end $$;

-- Wakes the servers that are connected, and the function `nightly` where there are Edge Functions.
create or replace function lore.wake_after_nights() returns void
language plpgsql as $$
begin
  notify lore_consolidation;
  perform lore.wake_function('nightly');
end $$;

-- Returns what pg_cron runs: the nights of all accounts, one after the other, with a commit after each piece. (It is no
-- procedure, because one that commits can have no search_path of its own.)
create or replace function lore.nights() returns text
language sql immutable as $$
  select 'do $nights$
declare
  account uuid;
  more boolean;
begin
  for account in select p.user_id from public.profiles p where p.removed_at is null order by p.user_id loop
    perform lore.begin_night(account);
    commit;
    loop
      more := lore.go_on_with_night(account);
      commit;
      exit when more is not true;
    end loop;
  end loop;
  perform lore.wake_after_nights();
end $nights$'
$$;

-- Every night at three where pg_cron is there (in its own time zone, usually UTC). It lives in one database only.
-- Elsewhere the servers begin the nights.
do $$ begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron')
    and current_setting('cron.database_name', true) = current_database()
  then
    create extension if not exists pg_cron;
    execute $q$select cron.schedule('lore-consolidation', '0 3 * * *', lore.nights())$q$;
  end if;
exception when others then
  raise notice 'pg_cron is not used: %', sqlerrm;
end $$;
