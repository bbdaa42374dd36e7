-- Returns whether a path is one of some folders or inside it, and not in one of some other folders.
create or replace function is_inside(path text, folders text[], except_folders text[]) returns boolean
language sql immutable
set search_path = ''
as $$
  select exists (select from unnest(folders) own where path = own or starts_with(path, own || '/'))
    and not exists (
      select from unnest(except_folders) other where path = other or starts_with(path, other || '/'))
$$;
