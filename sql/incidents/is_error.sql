-- Returns whether an incident is an error of an agent. What a rule of commands denied is kept with the errors, because
-- the next try may answer it, but it never ran. Its text begins as DENIED in src/incidents/incidents.ts.
create or replace function is_error(i incidents) returns boolean
language sql immutable as $$
  select i.error not like 'Denied by rule %'
$$;
