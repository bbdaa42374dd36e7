-- Returns whether a path is a folder or inside it, and not in one of some other folders. Null when there is no folder.
create or replace function is_inside(path text, folder text, except_folders text[]) returns boolean
language sql immutable
set search_path = ''
as $$
  select (path = folder or starts_with(path, folder || '/'))
    and not exists (
      select from unnest(except_folders) other where path = other or starts_with(path, other || '/'))
$$;
