-- The servers that use this database, so that each knows whether it is the only one: a server that is alone keeps
-- what a session was told in its memory. A row counts until `until`; a server that lives renews it. One row for
-- each server, and they belong to no tenant.
create table if not exists lore.servers (
  id uuid primary key,
  seen_at timestamptz not null,
  until timestamptz not null
);

-- The hash of the LORE_SECRET with which codes of verdicts and access tokens are made.
alter table lore.instance add column if not exists secret_hash text;

-- Says that a server is there, for some seconds from now. Returns how many others are.
create or replace function lore.server_is_here(server uuid, seconds int) returns int
language plpgsql as $$
declare
  is_new boolean;
begin
  delete from lore.servers s where s.until < now() and s.id <> server;
  insert into lore.servers (id, seen_at, until)
  values (server, now(), now() + make_interval(secs => seconds))
  on conflict (id) do update set seen_at = excluded.seen_at, until = excluded.until
  returning xmax = 0 into is_new;
  if is_new then
    perform pg_notify('lore_servers', server::text);
  end if;
  return (select count(*) from lore.servers s where s.id <> server);
end $$;

-- Says that a server is gone.
create or replace function lore.server_is_gone(server uuid) returns void
language plpgsql as $$
begin
  delete from lore.servers s where s.id = server;
  perform pg_notify('lore_servers', server::text);
end $$;

-- Returns how many servers there are beside this one.
create or replace function lore.other_servers(server uuid) returns int
language sql stable as $$
  select count(*)::int from lore.servers s where s.id <> server and s.until > now()
$$;

-- Returns whether a server may use its secret: `yes`; `new` if none or another one was used before, and no server that
-- uses the other one was seen within half a minute; else `no`.
create or replace function lore.take_secret(server uuid, hash text) returns text
language plpgsql as $$
declare
  known text;
begin
  select i.secret_hash into known from lore.instance i for update;
  if known = hash then
    return 'yes';
  end if;
  if known is not null and exists (
    select from lore.servers s where s.id <> server and s.seen_at > now() - interval '30 seconds')
  then
    return 'no';
  end if;
  update lore.instance set secret_hash = hash;
  return case when known is null then 'yes' else 'new' end;
end $$;

-- Frees what a server had leased that is gone: a server that is alone calls it. What was leased before it came is
-- nobody's any more; what waits for another try is tried a little sooner.
create or replace function lore.free_leases(before timestamptz) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  latest constant timestamptz := before + interval '2 minutes';
begin
  update public.learning_requests set run_after = now()
  where status = 'pending' and attempts > 0 and run_after > now() and run_after <= latest;
  update public.session_audits set run_after = now()
  where status = 'pending' and attempts > 0 and run_after > now() and run_after <= latest;
  update public.episode_cuts set run_after = now()
  where failed_at is null and attempts > 0 and run_after > now() and run_after <= latest;
  update public.search_documents set embed_after = now()
  where embed_attempts > 0 and embed_after > now() and embed_after <= latest;
end $$;
