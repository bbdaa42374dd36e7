-- Returns the id of the only project that the key of the caller is for; null: it is for any. `asUser` says it.
create or replace function own_project() returns uuid
language sql stable as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'project')::uuid
$$;
