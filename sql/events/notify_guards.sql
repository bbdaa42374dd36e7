-- Servers keep the guards of the projects that are worked on in memory. This tells them which project's they must read
-- again. Counting a hit does not notify, because it changes nothing that is judged.
create or replace function notify_guards() returns trigger
language plpgsql as $$
begin
  perform pg_notify('lore_guards',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    perform pg_notify('lore_guards', old.user_id || ' ' || old.project_id);
  end if;
  return null;
end $$;

create or replace trigger notify_guards
  after insert or delete or update of project_id, rule, state, passes
  on guards
  for each row execute function notify_guards();
