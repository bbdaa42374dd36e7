-- The last part of every migration, so that a new table, view or function needs nothing by hand.

do $$
declare
  t regclass;
begin
  -- Tenants' tables are those with the policy that ownRows() makes. Row level security holds for their owner too; the
  -- API role gets what the policy then narrows down.
  for t in select p.polrelid from pg_policy p where p.polname = 'own rows' order by 1
  loop
    execute format('alter table %s enable row level security, force row level security', t);
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to authenticated', t);
    execute format('grant all on %s to service_role', t);
  end loop;
  -- The views run as their caller.
  for t in select c.oid from pg_class c where c.relkind = 'v' and c.relname ~ '^searchable(_|$)' order by 1
  loop
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select on %s to authenticated, service_role', t);
  end loop;
end $$;

-- Identity columns need no right to their sequence, and nobody else needs one.
revoke all on all sequences in schema public from anon, authenticated;

-- Events and command checks stay on record as they came.
revoke update, delete on events, command_checks from authenticated;

-- Nobody gives themselves another role.
revoke insert, update, delete on profiles from authenticated;

grant update (name) on profiles to authenticated;

-- A grant to a single role stands with its function.
revoke all on all functions in schema lore from public;
