-- When a note replaces another, the replaced note's validity ends.
create or replace function close_superseded_note() returns trigger
language plpgsql as $$
begin
  update notes n set valid_until = greatest(new.created_at, n.created_at)
  where n.user_id = new.user_id and n.id = new.supersedes and n.valid_until is null;
  return null;
end $$;

create or replace trigger close_superseded_note
  after insert on notes
  for each row when (new.supersedes is not null)
  execute function close_superseded_note();
