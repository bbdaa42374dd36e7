-- Starts Edge Functions, which do what a server's workers do where no server runs: pg_cron calls this, and pg_net posts
-- to the function. Where they are and the secret that they ask for stand in Supabase's Vault, as `lore_functions_url`
-- (https://<project>.supabase.co/functions/v1) and `lore_wake_secret`; without a Vault, in the row of lore.wake. (Every
-- session can read a setting of the database.)

-- One row, which belongs to no tenant; only the server's own role reads it.
create table if not exists lore.wake (
  only_row boolean primary key default true check (only_row),
  functions_url text not null check (functions_url ~ '^https?://'),
  secret text not null check (length(secret) >= 32)
);

-- Returns where the functions are, and the secret: from the Vault, else from the row. No row where neither says it.
create or replace function lore.wake_address() returns table (functions_url text, secret text)
language plpgsql stable as $$
declare
  vault constant regclass := to_regclass('vault.decrypted_secrets');
begin
  if vault is not null then
    return query execute format('select u.decrypted_secret, s.decrypted_secret from %1$s u, %1$s s
      where u.name = ''lore_functions_url'' and s.name = ''lore_wake_secret''', vault);
    if found then
      return;
    end if;
  end if;
  return query select w.functions_url, w.secret from lore.wake w;
end $$;

-- Starts a function if it is known where it is. Returns the number of the request of pg_net, null if there is none.
create or replace function lore.wake_function(name text) returns bigint
language plpgsql as $$
declare
  post constant regproc := to_regproc('net.http_post');
  address record;
  request bigint;
begin
  select * into address from lore.wake_address();
  if post is null or address.functions_url is null then
    return null;
  end if;
  execute format('select %s(url := $1, body := $2, headers := $3, timeout_milliseconds := 30000)', post)
  into request
  using rtrim(address.functions_url, '/') || '/' || name, '{}'::jsonb,
    jsonb_build_object('authorization', 'Bearer ' || address.secret, 'content-type', 'application/json');
  return request;
end $$;

-- Returns what is missing for the functions to be started by the database; none where nothing is.
create or replace function lore.wake_lacks() returns setof text
language plpgsql stable as $$
declare
  scheduled boolean := false;
begin
  if to_regclass('cron.job') is null then
    return next 'the extension pg_cron';
  else
    execute format('select exists (select from %s j
      where j.jobname = ''lore-work'' and j.active and j.database = current_database())', to_regclass('cron.job'))
    into scheduled;
    if not scheduled then
      return next 'the job lore-work of pg_cron: select lore.schedule_work()';
    end if;
  end if;
  if to_regproc('net.http_post') is null then
    return next 'the extension pg_net';
  end if;
  if not exists (select from lore.wake_address()) then
    return next 'the secrets lore_functions_url and lore_wake_secret in the Vault, or the row of lore.wake';
  end if;
end $$;

-- Lets pg_cron start the function `work` every half minute. It does nothing until their address is known.
create or replace function lore.schedule_work() returns void
language plpgsql as $$
declare
  -- by its name in a variable, because the extension may not be there
  schedule constant regproc := to_regprocedure('cron.schedule(text, text, text)')::regproc;
begin
  if schedule is null then
    raise exception 'pg_cron is not installed' using hint = 'create extension pg_cron';
  end if;
  execute format('select %s($1, $2, $3)', schedule)
  using 'lore-work', '30 seconds', $q$select lore.wake_function('work')$q$;
end $$;

do $$ begin
  if to_regclass('cron.job') is not null then
    perform lore.schedule_work();
  end if;
exception when others then
  raise notice 'pg_cron does not start the function work: %', sqlerrm;
end $$;
