-- Returns a filter as SQL about a row `r` of a table.
--
--   filters   [{column, not, op, values}], all of which must hold
--   to_role   the role that must be allowed to read the columns
create or replace function lore.filter_condition(relation regclass, filters jsonb, to_role text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  f record;
  a record;
  test text;
  conditions text[] := '{}';
begin
  for f in select * from jsonb_to_recordset(filters) as x ("column" text, "not" boolean, op text, "values" text[]) loop
    select format('r.%I', t.attname) as name, format_type(t.atttypid, t.atttypmod) as type into a
    from pg_attribute t
    where t.attrelid = relation and t.attname = f."column" and t.attnum > 0 and not t.attisdropped
      and has_column_privilege(to_role, relation, t.attnum, 'select');
    if not found then
      raise undefined_column using message = format('column %s does not exist', f."column");
    end if;
    -- such a pattern only fails on a value that it fits up to there
    if f.op in ('like', 'ilike') and (length(f."values"[1]) - length(rtrim(f."values"[1], '\'))) % 2 = 1 then
      raise invalid_escape_sequence using message = 'a pattern must not end with a backslash that escapes nothing';
    end if;
    test := case f.op
      when 'eq' then format('%s = %L::%s', a.name, f."values"[1], a.type)
      when 'neq' then format('%s <> %L::%s', a.name, f."values"[1], a.type)
      when 'lt' then format('%s < %L::%s', a.name, f."values"[1], a.type)
      when 'lte' then format('%s <= %L::%s', a.name, f."values"[1], a.type)
      when 'gt' then format('%s > %L::%s', a.name, f."values"[1], a.type)
      when 'gte' then format('%s >= %L::%s', a.name, f."values"[1], a.type)
      when 'isdistinct' then format('%s is distinct from %L::%s', a.name, f."values"[1], a.type)
      when 'in' then (
        select format('%s in (%s)', a.name, string_agg(format('%L::%s', v, a.type), ', ')) from unnest(f."values") v)
      when 'like' then format('%s::text like %L', a.name, f."values"[1])
      when 'ilike' then format('%s::text ilike %L', a.name, f."values"[1])
      when 'is' then
        case when f."values"[1] in ('null', 'true', 'false', 'unknown') then a.name || ' is ' || f."values"[1] end
    end;
    if test is null then
      raise invalid_parameter_value using message = format('filter %s is not supported', f.op);
    end if;
    conditions := conditions || case when f."not" then format('not (%s)', test) else test end;
  end loop;
  return nullif(array_to_string(conditions, ' and '), '');
end $$;

-- Subscribes a channel of a server to changes, in place of its earlier subscriptions. Returns for each binding why it
-- is not possible, or null.
--
--   claims     of the subscriber: {sub, role}
--   bindings   [{id, event, schema, table, filters, columns}]
create or replace function lore.join_changes(for_server uuid, to_channel int, claims jsonb, bindings jsonb)
returns text[]
language plpgsql
set search_path = ''
as $$
declare
  b record;
  t record;
  condition text;
  refused text[] := '{}';
  reason text;
  to_role constant text := claims ->> 'role';
begin
  insert into lore.realtime_servers (id, until) values (for_server, now() + interval '30 seconds')
  on conflict (id) do nothing;
  delete from lore.realtime_subscriptions s where s.server = for_server and s.channel = to_channel;
  for b in
    select *
    from jsonb_to_recordset(bindings)
      as x (id bigint, event text, schema text, "table" text, filters jsonb, columns text[])
  loop
    reason := 'no published table of this name that the subscriber may read';
    begin
      for t in
        select c.oid::regclass as relation
        from pg_trigger g
        join pg_class c on c.oid = g.tgrelid
        join pg_namespace n on n.oid = c.relnamespace
        where g.tgname = 'publish_change' and b.schema in (n.nspname, '*') and b."table" in (c.relname, '*')
          and has_table_privilege(to_role, c.oid, 'select') and claims ->> 'sub' is not null
      loop
        reason := null;
        condition := lore.filter_condition(t.relation, b.filters, to_role);
        if condition is not null then
          -- most that would fail later fails now
          execute format('select from jsonb_populate_record(null::%s, ''{}'') r where %s', t.relation, condition);
        end if;
        select format('column %s does not exist', name) into reason
        from unnest(b.columns) name
        where not exists (
          select from pg_attribute a
          where a.attrelid = t.relation and a.attname = name and a.attnum > 0 and not a.attisdropped
            and has_column_privilege(to_role, t.relation, a.attnum, 'select'));
        exit when reason is not null;
        insert into lore.realtime_subscriptions
          (server, channel, binding, relation, event, user_id, claims, columns, condition)
        values (for_server, to_channel, b.id, t.relation, b.event, (claims ->> 'sub')::uuid, claims, b.columns,
          condition)
        on conflict do nothing;
      end loop;
    exception
      when data_exception or undefined_column or undefined_function or datatype_mismatch then
        reason := sqlerrm;
    end;
    refused := refused || reason;
  end loop;
  return refused;
end $$;

-- Ends the subscriptions of some channels of a server; of all of them, and what waits for the server, when none is
-- named.
create or replace function lore.leave_changes(of_server uuid, channels int[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from lore.realtime_subscriptions s
  where s.server = of_server and (channels is null or s.channel = any (channels));
  if channels is null or not exists (select from lore.realtime_subscriptions s where s.server = of_server) then
    delete from lore.realtime_servers v where v.id = of_server;
    delete from lore.realtime_changes c where c.server = of_server;
  end if;
end $$;

-- Says that a server is alive, and forgets those that are not. Returns whether it was thought alive all the time: else
-- changes may have passed it by.
create or replace function lore.renew_changes(of_server uuid) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  delete from lore.realtime_servers v where v.until < now() - interval '1 minute' and v.id <> of_server;
  delete from lore.realtime_subscriptions s
  where s.server <> of_server and not exists (select from lore.realtime_servers v where v.id = s.server);
  delete from lore.realtime_changes c
  where c.server <> of_server and not exists (select from lore.realtime_servers v where v.id = c.server);
  update lore.realtime_servers v set until = now() + interval '30 seconds' where v.id = of_server and v.until > now();
  return found;
end $$;
