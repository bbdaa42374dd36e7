-- Names this database, so that a journal on disk can tell whether it was written for it. One row, no tenant's; only the
-- server's own role reads it. A copy of the database has the same name.
create table if not exists lore.instance (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);

insert into lore.instance default values on conflict do nothing;
