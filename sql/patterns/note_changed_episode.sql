-- Notes that a project has an episode which its patterns do not know yet, or not as it is now. An erased project has
-- nothing to mine.
create or replace function note_changed_episode() returns trigger
language plpgsql as $$
declare
  changed episodes := coalesce(new, old);
begin
  insert into pattern_changes (user_id, episode_id, project_id, changed_at, counted)
  select changed.user_id, changed.id, changed.project_id, now(), tg_op <> 'INSERT'
  from projects p
  where p.user_id = changed.user_id and p.id = changed.project_id
  on conflict (user_id, episode_id) do update set taken = false, project_id = excluded.project_id;
  return null;
end $$;

create or replace trigger note_changed_episode
  after insert or delete or update of project_id, session_id, description, type, steps, tools_used, files_modified,
    outcome
  on episodes
  for each row execute function note_changed_episode();
