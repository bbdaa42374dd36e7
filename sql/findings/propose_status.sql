-- Proposes a status for the open findings whose files an episode changed: resolved if it ended well, else in progress.
-- The proposal is shown with the finding until somebody decides. What was turned down is not proposed again by the
-- same episode. Files are relative to the work tree, whose folder is `root`.
create or replace function propose_status(
  episode uuid, project uuid, files text[], started timestamptz, success boolean, root text
) returns void
language sql as $$
  update findings f set
    proposed_status = case when success then 'resolved' else 'in_progress' end,
    proposed_by = episode,
    updated_at = now()
  where f.user_id = auth.uid() and f.project_id = project and f.status in ('open', 'in_progress')
    and f.status <> case when success then 'resolved' else 'in_progress' end and f.created_at < started
    and regexp_replace(case when starts_with(f.file, root || '/') then substr(f.file, length(root) + 2) else f.file end,
      '^[.]/', '') = any (files)
    -- the same episode may end otherwise after more work
    and (f.proposed_by is distinct from episode
      or f.proposed_status is not null
        and f.proposed_status <> case when success then 'resolved' else 'in_progress' end)
$$;
