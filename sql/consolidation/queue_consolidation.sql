-- Puts a lesson that is new, or that says something else now, into the queue of the next night.
create or replace function queue_consolidation() returns trigger
language plpgsql as $$
begin
  insert into consolidation_queue (user_id, learning_id)
  values (new.user_id, new.id)
  on conflict (user_id, learning_id) do update set queued_at = excluded.queued_at, by_words = false;
  return null;
end $$;

create or replace trigger queue_consolidation
  after insert or update of lesson, signature, same_key, status, project_id, valid_until
  on learnings
  for each row when (new.status <> 'review' and new.valid_until is null)
  execute function queue_consolidation();

-- Deletes what the nights have stored about a record that is erased. Their changes to it can no longer be undone.
create or replace function forget_consolidation() returns trigger
language plpgsql as $$
begin
  delete from consolidation_queue q where q.user_id = old.user_id and q.learning_id = old.id;
  delete from consolidation_pairs p where p.user_id = old.user_id and p.left_id = old.id;
  delete from consolidation_pairs p where p.user_id = old.user_id and p.right_id = old.id;
  delete from consolidation_items i where i.user_id = old.user_id and i.record_id = old.id;
  delete from consolidation_items i where i.user_id = old.user_id and i.kept_id = old.id;
  delete from note_finds f where f.user_id = old.user_id and f.note_id = old.id;
  return null;
end $$;

create or replace trigger forget_consolidation
  after delete on learnings
  for each row execute function forget_consolidation();

create or replace trigger forget_consolidation
  after delete on notes
  for each row execute function forget_consolidation();

-- Lessons from before there were nights are compared in the first one.
do $$ begin
  if not exists (select from consolidation_runs) then
    insert into consolidation_queue (user_id, learning_id)
    select l.user_id, l.id from learnings l where l.status = 'active' and l.valid_until is null
    on conflict do nothing;
  end if;
end $$;
