-- The id of this database. A journal on disk holds it too, so that a server can tell whether the journal belongs to
-- this database. One row, which belongs to no tenant; only the server's own role reads it. A copy of the database has
-- the same id.
create table if not exists lore.instance (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);

insert into lore.instance default values on conflict do nothing;

-- For how many days raw events and checks are kept, as the server that started last was told (LORE_RETENTION_DAYS; 0:
-- for ever). A night that pg_cron begins reads it here. Null: no server has said yet, and nothing is deleted.
alter table lore.instance add column if not exists retention_days int;

-- The newest migration, as the digits of its file's name. Each migration writes its own at its end.
alter table lore.instance add column if not exists migration text;

create or replace function lore.keep_raw_for(days int) returns void
language sql as $$
  update lore.instance set retention_days = days where retention_days is distinct from days
$$;

-- The embedding model whose vectors this database uses (sql/index/embedding_model.sql). Null: nothing has been
-- embedded yet.
alter table lore.instance
  add column if not exists embedding_model text,
  drop column if exists next_model;
