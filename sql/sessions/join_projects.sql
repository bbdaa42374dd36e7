-- Moves everything that belongs to one of the caller's projects into another one, names included, and deletes the first
-- project. If both have a fact, relation, decision, skill or pattern with the same key, that of the first
-- project stays where it is, and the project is kept under the name `<name> (joined)`.
--
-- Returns how many rows of each table were moved, and how many stayed. It cannot be undone.
create or replace function join_projects(source uuid, target uuid)
returns table (kind text, moved int, stayed int)
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  -- what makes a row of these tables the same as one of the other project
  same constant jsonb := '{"facts": "subject", "relations": "subject", "decisions": "subject", "skills": "name",
    "patterns": "type, form"}';
  left_over int := 0;
  names text[];
  folders text[];
begin
  -- Sessions are locked before anything else, as they are when events are stored. So the two cannot deadlock.
  perform from sessions s where s.user_id = me and s.project_id = source order by s.id for update;
  for kind in
    select c.relname
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      -- these two are derived
      and c.relname not in ('search_documents', 'dashboard_projects')
    order by c.relname <> 'sessions', c.relname
  loop
    execute format('update %I t set project_id = $2 where t.user_id = $3 and t.project_id = $1', kind)
      || case when same ? kind then format(
        ' and not exists (select from %1$I o where o.user_id = $3 and o.project_id = $2 and (%2$s) = (%3$s))', kind,
        'o.' || replace(same ->> kind, ', ', ', o.'), 't.' || replace(same ->> kind, ', ', ', t.')) else '' end
    using source, target, me;
    get diagnostics moved = row_count;
    execute format('select count(*) from %I t where t.user_id = $2 and t.project_id = $1', kind)
    into stayed using source, me;
    left_over := left_over + stayed;
    if moved + stayed > 0 then
      return next;
    end if;
  end loop;
  update api_keys k set project = target where k.user_id = me and k.project = join_projects.source;
  select p.name || p.also, p.roots into names, folders from projects p where p.user_id = me and p.id = source;
  if left_over = 0 then
    delete from projects p where p.user_id = me and p.id = source;
  else
    update projects p set also = '{}', roots = '{}',
      name = p.name || case
        when exists (select from projects o where o.user_id = me and o.name = p.name || ' (joined)')
          then ' (joined, ' || left(p.id::text, 8) || ')'
        else ' (joined)'
      end
    where p.user_id = me and p.id = source;
  end if;
  update projects p
  set also = array(select distinct n from unnest(p.also || names) n where n <> p.name order by n),
    roots = array(select distinct r from unnest(p.roots || folders) r order by r)
  where p.user_id = me and p.id = target;
end $$;
