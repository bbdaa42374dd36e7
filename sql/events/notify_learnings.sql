-- Servers keep the lessons of the projects that are worked on in memory, with what these cite, and the decisions that
-- are told before a call. This tells them which project's they must read again. Counting an offer of a lesson does not
-- notify, because it changes nothing that is told.
create or replace function notify_learnings() returns trigger
language plpgsql as $$
begin
  -- what holds everywhere is in the memory of each project, and so is its guard
  if tg_table_name = 'learnings' then
    if new.everywhere is true or old.everywhere is true then
      perform pg_notify('lore_learnings', p.user_id || ' ' || p.id), pg_notify('lore_guards', p.user_id || ' ' || p.id)
      from projects p where p.user_id = coalesce(new.user_id, old.user_id);
      return null;
    end if;
  end if;
  perform pg_notify('lore_learnings',
    coalesce(new.user_id, old.user_id) || ' ' || coalesce(new.project_id, old.project_id));
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    perform pg_notify('lore_learnings', old.user_id || ' ' || old.project_id);
  end if;
  return null;
end $$;

create or replace trigger notify_learnings
  after insert or delete or update of project_id, everywhere, status, lesson, why, applies_to, target, confidence,
    success_count,
    failure_count, valid_until, last_confirmed_at
  on learnings
  for each row execute function notify_learnings();

create or replace trigger notify_learnings
  after insert or delete or update of project_id, recorded_until, confirmed_at, session_id
  on decisions
  for each row execute function notify_learnings();

create or replace trigger notify_learnings
  after update of hash, state
  on citations
  for each row
  when (new.kind = 'learning' and (new.hash is distinct from old.hash or new.state is distinct from old.state))
  execute function notify_learnings();
