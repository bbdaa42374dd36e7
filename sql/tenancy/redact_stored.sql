-- A night goes over the rows that older rules of redaction have stored (src/consolidation/redact-stored.ts). Some of
-- these are append-only, so their texts are replaced by a function that looks past the rights of the caller.

-- Returns the tables of tenants, how many pages each has, and its columns that hold text. Keys of rows are no text, and
-- the addresses and keys of phones are secrets on purpose.
create or replace function lore.text_columns() returns table (name text, pages bigint, columns text[])
language sql stable
set search_path = ''
as $$
  select c.relname::text, pg_catalog.pg_relation_size(c.oid) / 8192 + 1, array_agg(a.attname::text order by a.attnum)
  from pg_catalog.pg_policy p
  join pg_catalog.pg_class c on c.oid = p.polrelid
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where p.polname = 'own rows'
    and c.relname not in ('api_keys', 'pairings', 'push_subscriptions', 'push_told')
    and a.attgenerated = ''
    and (a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
      or c.relname = 'observations' and a.attname = 'content')
    and not exists (
      select from pg_catalog.pg_constraint k
      where k.conrelid = c.oid and k.contype in ('p', 'f') and a.attnum = any (k.conkey))
  group by c.oid, c.relname
$$;

-- Replaces texts of one row of an account. Returns whether that worked: not if another row already says the same.
create or replace function lore.put_redacted(account uuid, in_table text, place tid, texts jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  done int;
begin
  execute format('update public.%I t set %s where t.ctid = $1 and t.user_id = $2', in_table, (
    select string_agg(format('%1$I = (jsonb_populate_record(t, $3)).%1$I', k), ', ') from jsonb_object_keys(texts) k))
  using place, account, texts;
  get diagnostics done = row_count;
  return done > 0;
exception when integrity_constraint_violation then
  return false;
end $$;
