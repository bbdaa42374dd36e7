-- Events and checks are append-only: nobody may change or delete single rows. Erasing at their owner's request is the
-- one exception, so it has functions of its own. They look past the rights of the caller, and touch only rows of
-- auth.uid().

-- Deletes the caller's events of these sessions, and those from before an instant (null: none). Returns their number.
create or replace function lore.erase_events(in_sessions uuid[], before timestamptz) returns bigint
language sql security definer
set search_path = ''
as $$
  with gone as (
    delete from public.events e
    where e.user_id = auth.uid() and (e.session_id = any (in_sessions) or e.occurred_at < before)
    returning 1
  )
  select count(*) from gone
$$;

grant execute on function lore.erase_events to lore_user;

-- Deletes the caller's checks of commands of these sessions, those from before an instant (null: none), and those that
-- no session made in some folders, without other folders inside them. Returns their number.
create or replace function lore.erase_checks(
  in_sessions uuid[], before timestamptz, folders text[], except_folders text[]
) returns bigint
language sql security definer
set search_path = ''
as $$
  with gone as (
    delete from public.command_checks c
    where c.user_id = auth.uid()
      and (c.session_id = any (in_sessions)
        or c.checked_at < before
        or (c.session_id is null and public.is_inside(c.cwd, folders, except_folders)))
    returning 1
  )
  select count(*) from gone
$$;

grant execute on function lore.erase_checks to lore_user;
