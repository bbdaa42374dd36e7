-- Changes of published rows on their way to the servers whose subscribers wait for them (docs/realtime.md). None of it
-- has to survive a crash: the servers then let their clients join again, and these read everything anew.

-- The servers that have subscribers. A server that does not renew `until` is gone.
create unlogged table if not exists lore.realtime_servers (
  id uuid primary key,
  until timestamptz not null
);

-- What subscribers wait for: a row for each table of each binding of each channel.
create unlogged table if not exists lore.realtime_subscriptions (
  server uuid not null,
  -- the server's number of the channel, and the binding's id that its client knows
  channel int not null,
  binding bigint not null,
  relation regclass not null,
  -- INSERT, UPDATE, DELETE or *
  event text not null,
  user_id uuid not null,
  claims jsonb not null,
  -- the columns to send besides the primary key; null: all
  columns text[],
  -- the filter as SQL about a row `r`; null: none
  condition text,
  primary key (server, channel, binding, relation)
);

create index if not exists realtime_subscriptions_user on lore.realtime_subscriptions (user_id, relation);

-- A row for each server that must hear of a change. The server deletes it when it takes it.
create unlogged table if not exists lore.realtime_changes (
  id bigint primary key generated always as identity,
  server uuid not null,
  relation regclass not null,
  type text not null,
  user_id uuid not null,
  image jsonb not null,
  at timestamptz not null default clock_timestamp()
);

create index if not exists realtime_changes_server on lore.realtime_changes (server, id);

-- Notes a change of a row for each server with a subscriber who may wait for it, and wakes the servers. Without such a
-- subscriber it only looks into two small tables. It has more rights than the writer, who must not write to these
-- tables in any other way.
create or replace function lore.publish_change() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into lore.realtime_changes (server, relation, type, user_id, image)
  select v.id, tg_relid, tg_op, coalesce(new.user_id, old.user_id), to_jsonb(coalesce(new, old))
  from lore.realtime_servers v
  where v.until > now() and exists (
    select from lore.realtime_subscriptions s
    where s.server = v.id and s.relation = tg_relid and s.user_id = coalesce(new.user_id, old.user_id));
  if found then
    perform pg_notify('lore_changes', '');
  end if;
  return null;
end $$;
