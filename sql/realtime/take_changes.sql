-- Returns the parts of an object that have one of these names.
create or replace function lore.parts_of(image jsonb, names text[]) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(image) where key = any (names)
$$;

-- Takes the next changes that wait for a server, the oldest first, and says who hears of them. This is where row level
-- security holds, as in Supabase's Realtime: the filter is tried on the row as it was then, and the row must be one
-- that the subscriber may read now. A deleted row cannot be read any more, so its subscribers (as always, only the
-- row's own user) get its primary key and nothing else.
--
-- A row for each change and each group of subscribers that are told the same: `targets` are [[channel, binding]],
-- `data` is what they are told, as JSON. If a filter fails on a row, the subscriptions of its channels end, because
-- they would miss changes, and all others go on: then `failed` says why and there is no data. The last row has no
-- targets, and the number of changes taken as its data.
create or replace function lore.take_changes(for_server uuid, most int)
returns table (targets jsonb, data text, failed text)
language plpgsql
set search_path = ''
as $$
declare
  change record;
  about record;
  listener record;
  taken int := 0;
  fits boolean;
  visible boolean;
  asked jsonb;
  columns_told jsonb;
  told jsonb;
  own_role constant text := current_setting('role');
  -- Supabase's limit of a row in bytes, and the longest value that is told of a larger row
  most_bytes constant int := 1048576;
  most_of_value constant int := 64;
begin
  for change in
    with next as (
      delete from lore.realtime_changes c
      where c.id in (select w.id from lore.realtime_changes w where w.server = for_server order by w.id limit most)
      returning c.*
    )
    select next.*, n.nspname as schema, r.relname as table_name, octet_length(next.image::text) > most_bytes as large
    from next
    join pg_class r on r.oid = next.relation
    join pg_namespace n on n.oid = r.relnamespace
    order by next.id
  loop
    taken := taken + 1;
    asked := null;
    -- the columns of the primary key, and SQL that compares them with those of the image
    select array_agg(a.attname::text) as key,
      string_agg(format('t.%I = ($1 ->> %L)::%s', a.attname, a.attname, format_type(a.atttypid, a.atttypmod)), ' and ')
        as is_row
    into about
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
    where i.indrelid = change.relation and i.indisprimary;
    if change.type = 'DELETE' then
      change.image := lore.parts_of(change.image, about.key);
    end if;
    for listener in
      select s.claims, s.columns, s.condition, jsonb_agg(jsonb_build_array(s.channel, s.binding)) as who
      from lore.realtime_subscriptions s
      where s.server = for_server and s.relation = change.relation and s.user_id = change.user_id
        and s.event in ('*', change.type)
      group by s.claims, s.columns, s.condition
      order by s.claims
    loop
      if listener.condition is not null then
        begin
          execute format('select exists (select from jsonb_populate_record(null::%s, $1) r where %s)',
            change.relation, listener.condition) into fits using change.image;
        exception
          when others then failed := sqlerrm;
        end;
        if failed is not null then
          delete from lore.realtime_subscriptions s
          where s.server = for_server
            and s.channel in (select (w.target ->> 0)::int from jsonb_array_elements(listener.who) w (target));
          targets := listener.who;
          data := null;
          return next;
          failed := null;
          continue;
        end if;
        continue when not fits;
      end if;
      if change.type = 'DELETE' then
        visible := true;
      elsif asked is distinct from listener.claims then
        asked := listener.claims;
        perform set_config('request.jwt.claims', asked::text, true), set_config('role', 'lore_user', true);
        execute format('select exists (select from %s t where %s)', change.relation, about.is_row)
          into visible using change.image;
        perform set_config('role', own_role, true), set_config('request.jwt.claims', '', true);
      end if;
      continue when not visible;
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', y.typname) order by a.attnum),
        lore.parts_of(change.image, array_agg(a.attname::text))
      into columns_told, told
      from pg_attribute a
      join pg_type y on y.oid = a.atttypid
      where a.attrelid = change.relation and a.attnum > 0 and not a.attisdropped
        and (listener.columns is null or a.attname = any (listener.columns || about.key))
        and has_column_privilege(listener.claims ->> 'role', change.relation, a.attnum, 'select');
      if change.large then
        select jsonb_object_agg(key, value) into told from jsonb_each(told)
        where octet_length(value::text) <= most_of_value;
      end if;
      targets := listener.who;
      data := jsonb_build_object(
        'schema', change.schema, 'table', change.table_name, 'type', change.type, 'columns', columns_told,
        'commit_timestamp', to_char(change.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'errors', case when change.large then jsonb_build_array('Error 413: Payload Too Large') end)
        || case when change.type <> 'DELETE' then jsonb_build_object('record', told) else '{}' end
        || case when change.type <> 'INSERT' then jsonb_build_object('old_record', lore.parts_of(told, about.key))
          else '{}' end;
      return next;
    end loop;
  end loop;
  targets := null;
  data := taken::text;
  return next;
end $$;
