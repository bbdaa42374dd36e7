-- Events and checks are append-only, so deleting old ones needs functions that look past the rights of the caller.
-- They touch only rows of auth.uid().

-- Deletes the caller's events from before an instant, session by session from `session` on, until an instant of the
-- clock. It keeps what an incident cites (the call that failed and the one that worked), the event with which an
-- episode begins, and all of a session that a lesson may still be learned from. Returns how many are gone, and the
-- session to go on with; null when all are done.
create or replace function lore.expire_events(
  before timestamptz, inout session uuid, until timestamptz, out gone bigint
)
language plpgsql security definer
set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  -- at once; the embedded engine answers nothing else meanwhile
  most constant int := 200;
  one uuid;
  n bigint;
begin
  gone := 0;
  for one in
    select s.id from public.sessions s
    where s.user_id = me and (session is null or s.id >= session)
    order by s.id
  loop
    session := one;
    if not exists (
      select from public.learning_requests r
      where r.user_id = me and r.session_id = one and r.status = 'pending')
    then
      loop
        delete from public.events x
        where x.id in (
          select e.id
          from public.events e
          where e.user_id = me and e.session_id = one and e.occurred_at < before
            and not exists (
              select from public.incidents i
              where i.user_id = me and i.session_id = one and i.tool_use_id = e.tool_use_id)
            and not exists (
              select from public.incidents i
              where i.user_id = me and i.resolution ->> 'toolUseId' = e.tool_use_id
                and coalesce(i.resolution ->> 'sessionId', i.session_id::text) = one::text)
            and not exists (
              select from public.episodes p
              where p.user_id = me and p.session_id = one and p.start_key = e.dedup_key)
          order by e.occurred_at
          limit most);
        get diagnostics n = row_count;
        gone := gone + n;
        if clock_timestamp() > until then
          return;
        end if;
        exit when n < most;
      end loop;
    end if;
  end loop;
  session := null;
end $$;

grant execute on function lore.expire_events to lore_user;

-- Deletes up to `most` of the caller's checks of commands from before an instant. Returns their number.
create or replace function lore.expire_checks(before timestamptz, most int) returns bigint
language sql security definer
set search_path = ''
as $$
  with gone as (
    delete from public.command_checks x
    where x.id in (
      select c.id from public.command_checks c
      where c.user_id = auth.uid() and c.checked_at < before
      order by c.checked_at limit most)
    returning 1
  )
  select count(*) from gone
$$;

grant execute on function lore.expire_checks to lore_user;

-- Adds to a count in the report of a run.
create or replace function count_in_run(run consolidation_runs, name text, n bigint) returns void
language sql as $$
  update consolidation_runs r
  set counts = r.counts || jsonb_build_object(name, coalesce((r.counts ->> name)::bigint, 0) + n)
  where r.user_id = auth.uid() and r.id = (run).id and n > 0
$$;

-- Deletes raw events of a run's user that are older than it keeps. Returns whether none is left.
create or replace function expire_events(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  deleted record;
begin
  if run.keep_from is null then
    return true;
  end if;
  select * into deleted from lore.expire_events(run.keep_from, run.position, until);
  perform count_in_run(run, 'events', deleted.gone);
  update consolidation_runs r set position = deleted.session where r.user_id = auth.uid() and r.id = run.id;
  return deleted.session is null;
end $$;

-- Deletes old checks of commands. Returns whether none is left.
create or replace function expire_checks(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  deleted bigint;
begin
  loop
    deleted := case when run.keep_from is null then 0 else lore.expire_checks(run.keep_from, 200) end;
    perform count_in_run(run, 'checks', deleted);
    if deleted = 0 then
      return true;
    elsif clock_timestamp() > until then
      return false;
    end if;
  end loop;
end $$;
