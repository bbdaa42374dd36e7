-- Sets the rights of all tables, views and functions. It ends every migration, so that new ones get their rights
-- without a line of their own.

do $$
declare
  t regclass;
begin
  -- A tenant table is one with the policy of ownRows(). Row level security is forced, so that it holds for the table's
  -- owner too. The API role gets all rights on the table, and the policy limits them to the caller's rows.
  for t in select p.polrelid from pg_policy p where p.polname = 'own rows' order by 1
  loop
    execute format('alter table %s enable row level security, force row level security', t);
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to authenticated', t);
    execute format('grant all on %s to service_role', t);
  end loop;
  -- These views run with the rights of their caller, so row level security holds in them too.
  for t in select c.oid from pg_class c where c.relkind = 'v' and c.relname ~ '^searchable(_|$)' order by 1
  loop
    execute format('revoke all on %s from anon, authenticated', t);
    execute format('grant select on %s to authenticated, service_role', t);
  end loop;
end $$;

-- Writing to an identity column needs no right to its sequence, and nothing else uses the sequences.
revoke all on all sequences in schema public from anon, authenticated;

-- Events and command checks are append-only.
revoke update, delete on events, command_checks from authenticated;

-- Users must not give themselves another role, so they may change only their name.
revoke insert, update, delete on profiles from authenticated;

grant update (name) on profiles to authenticated;

-- What a key is, and what it may be used for, stays as it was made. Keys go with their account only.
revoke update, delete on api_keys from authenticated;

grant update (name, project, last_used_at, revoked_at) on api_keys to authenticated;

-- A function that a role may call grants that right in its own file.
revoke all on all functions in schema lore from public;
