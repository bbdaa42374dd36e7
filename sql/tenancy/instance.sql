-- The id of this database. A journal on disk holds it too, so that a server can tell whether the journal belongs to
-- this database. One row, which belongs to no tenant; only the server's own role reads it. A copy of the database has
-- the same id.
create table if not exists lore.instance (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);

insert into lore.instance default values on conflict do nothing;
