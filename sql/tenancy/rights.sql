-- Sets the rights of all tables, views, sequences and functions, each by name: platforms differ in who may use a new
-- one by default. It ends every migration, so that new ones get their rights without a line of their own.

do $$
declare
  t regclass;
  part text;
  own text;
begin
  -- A tenant table is one with the policy of ownRows(). Row level security is forced, so that it holds for the table's
  -- owner too. Lore's role gets all rights on the table, and the policy limits them to the caller's rows.
  for t in select p.polrelid from pg_policy p where p.polname = 'own rows' order by 1
  loop
    execute format('alter table %s enable row level security, force row level security', t);
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to lore_user', t);
    execute format('grant all on %s to service_role', t);
  end loop;
  -- A key that is for one project changes no row of another one, nor what belongs to such a row (a plan's steps, a
  -- session's events). It reads them, because a lesson may come from another project.
  for t, part, own in
    select p.polrelid, a.attname, format('%1$I is null or %1$I = (select own_project())', a.attname)
    from pg_policy p
    join pg_attribute a on a.attrelid = p.polrelid
      and a.attname = case p.polrelid when 'projects'::regclass then 'id' else 'project_id' end
    -- this one is derived
    where p.polname = 'own rows' and p.polrelid <> 'dashboard_projects'::regclass
    union all
    select p.polrelid, a.attname, format(
      '%1$I is null or exists (select from %2$s o where o.id = %1$I and o.project_id = (select own_project()))',
      a.attname, c.confrelid::regclass)
    from pg_policy p
    join pg_constraint c on c.conrelid = p.polrelid and c.contype = 'f'
    join pg_attribute a on a.attrelid = p.polrelid and a.attnum = any(c.conkey) and a.attname <> 'user_id'
    where p.polname = 'own rows'
      and exists (select from pg_attribute o where o.attrelid = c.confrelid and o.attname = 'project_id')
      and not exists (select from pg_attribute o where o.attrelid = c.conrelid and o.attname = 'project_id')
    order by 1, 2
  loop
    own := format('((select own_project()) is null or %s)', own);
    execute format('drop policy if exists %I on %s', 'own project: insert by ' || part, t);
    execute format('drop policy if exists %I on %s', 'own project: update by ' || part, t);
    execute format('drop policy if exists %I on %s', 'own project: delete by ' || part, t);
    -- whether a project may be made is asked where it is made
    if t <> 'projects'::regclass then
      execute format('create policy %I on %s as restrictive for insert to lore_user with check %s',
        'own project: insert by ' || part, t, own);
    end if;
    execute format('create policy %I on %s as restrictive for update to lore_user using %s with check %s',
      'own project: update by ' || part, t, own, own);
    execute format('create policy %I on %s as restrictive for delete to lore_user using %s',
      'own project: delete by ' || part, t, own);
  end loop;
  -- Nor does it change what holds in all projects.
  for t in
    select p.polrelid from pg_policy p
    join pg_attribute a on a.attrelid = p.polrelid and a.attname = 'everywhere'
    where p.polname = 'own rows' order by 1
  loop
    own := '((select own_project()) is null or not everywhere)';
    execute format('drop policy if exists "own project: insert everywhere" on %s', t);
    execute format('drop policy if exists "own project: update everywhere" on %s', t);
    execute format('drop policy if exists "own project: delete everywhere" on %s', t);
    execute format('create policy "own project: insert everywhere" on %s as restrictive for insert
      to lore_user with check %s',
      t, own);
    execute format('create policy "own project: update everywhere" on %s as restrictive for update
      to lore_user using %s with check %s',
      t, own, own);
    execute format('create policy "own project: delete everywhere" on %s as restrictive for delete
      to lore_user using %s',
      t, own);
  end loop;
  -- what an access token may read (sql/realtime/published.sql)
  for t in select p.polrelid from pg_policy p where p.polname = 'published rows' order by 1
  loop
    execute format('grant select on %s to authenticated', t);
  end loop;
  -- These views run with the rights of their caller, so row level security holds in them too.
  for t in select c.oid from pg_class c where c.relkind = 'v' and c.relname ~ '^searchable(_|$)' order by 1
  loop
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select on %s to lore_user, service_role', t);
  end loop;
  -- Writing to an identity column needs no right to its sequence, and nothing else uses the sequences.
  for t in
    select c.oid from pg_class c
    where c.relkind = 'S' and c.relnamespace in ('public'::regnamespace, 'lore'::regnamespace) order by 1
  loop
    execute format('revoke all on sequence %s from public, anon, authenticated', t);
  end loop;
  -- The server's own tables, and the ledgers of migrations, which it reads at its start.
  for t in select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace = 'lore'::regnamespace order by 1
  loop
    execute format('revoke all on %s from public, anon, authenticated', t);
    execute format('grant select, insert, update, delete on %s to lore_server', t);
  end loop;
  for t in
    select l.ledger
    from (values (to_regclass('drizzle.__drizzle_migrations')), (to_regclass('supabase_migrations.schema_migrations')))
      l(ledger)
    where l.ledger is not null
  loop
    execute format('grant usage on schema %s to lore_server',
      (select c.relnamespace::regnamespace from pg_class c where c.oid = t));
    execute format('grant select on %s to lore_server', t);
  end loop;
end $$;

-- Functions of schema public are for tenants, and run with their rights. Those of schema lore are for the server; one
-- that tenants may call says so in its own file. What a trigger calls nobody else may call.
do $$
declare
  f record;
begin
  for f in
    select p.oid::regprocedure as name, p.pronamespace = 'lore'::regnamespace as systems,
      p.prorettype = 'trigger'::regtype as triggered,
      not exists (select from unnest(p.proconfig) c where c like 'search_path=%') as mutable
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'lore'::regnamespace)
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1
  loop
    execute format('revoke all on function %s from public, anon, authenticated', f.name);
    if f.systems then
      execute format('grant execute on function %s to lore_server', f.name);
    elsif not f.triggered then
      execute format('grant execute on function %s to lore_user, service_role', f.name);
    end if;
    -- Names in a function mean the same whoever calls it.
    if f.mutable then
      execute format('alter function %s set search_path = public, extensions, pg_temp', f.name);
    end if;
  end loop;
end $$;

-- Events and command checks are append-only; what a person says of a check is added to it.
revoke update, delete on events, command_checks from lore_user;

grant update (judged) on command_checks to lore_user;

-- Users must not give themselves another role, so they may change only their name.
revoke insert, update, delete on profiles from lore_user;

grant update (name) on profiles to lore_user;

-- What a key is, and what it may be used for, stays as it was made. Keys go with their account only.
revoke update, delete on api_keys from lore_user;

grant update (name, project, last_used_at, revoked_at) on api_keys to lore_user;

-- The policies of the published rows ask it with the rights of whoever reads.
grant execute on function lore.signed_in to authenticated;
