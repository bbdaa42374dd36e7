-- Returns the account of the token that a statement is run with: of the user who signed in, or whom Lore's server
-- named.
create or replace function lore.signed_in() returns uuid
language sql stable security definer
set search_path = ''
as $$
  select p.user_id
  from public.profiles p
  where p.removed_at is null and auth.uid() in (p.auth_id, p.user_id)
  order by p.auth_id = auth.uid() desc nulls last
  limit 1
$$;

-- The tables whose changes are published, each with the rows that count (all, if there is no condition). Supabase's
-- Realtime reads the publication; elsewhere the triggers tell Lore's own endpoint. To publish another table, add a
-- line. The holder of an access token, who has the role `authenticated`, may read these rows if they are his own, and
-- nothing else.
do $$
declare
  t record;
  condition text;
begin
  for t in
    select *
    from (values
      ('learnings', null, null),
      ('incidents', null, null),
      ('consolidation_runs', null, null),
      ('command_checks', 'decision', 'deny'),
      ('command_cache', 'checked_by', 'person'),
      ('notes', null, null),
      ('dashboard_projects', null, null),
      ('plans', null, null),
      ('plan_steps', null, null)
    ) as published (name, condition_column, condition_value)
  loop
    condition := coalesce(t.condition_column || ' = ' || quote_literal(t.condition_value), 'user_id is not null');
    execute format('create or replace trigger publish_change after insert or update on %I for each row
      when (new.%s) execute function lore.publish_change()', t.name, condition);
    execute format('create or replace trigger publish_delete after delete on %I for each row
      when (old.%s) execute function lore.publish_change()', t.name, condition);
    execute format('drop policy if exists "published rows" on %I', t.name);
    execute format('create policy "published rows" on %I for select to authenticated
      using ((select lore.signed_in()) = user_id and %s)', t.name, condition);
    if not exists (select from pg_publication_tables p
      where p.pubname = 'supabase_realtime' and p.schemaname = 'public' and p.tablename = t.name)
    then
      execute format('alter publication supabase_realtime add table %I', t.name);
    end if;
  end loop;
end $$;
