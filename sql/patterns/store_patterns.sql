-- A pattern's confidence is the mean of a Beta posterior, like that of a lesson (src/learnings/confidence.ts): the
-- share of successes among the episodes, by the rule of succession, counts as four observations beside what became of
-- it when it was offered.
create or replace function pattern_confidence(successes int, failures int, helped int, harmed int) returns real
language sql immutable as $$
  select ((4 * (successes + 1.0) / (successes + failures + 2.0) + helped) / (4.0 + helped + harmed))::real
$$;

-- Whether a pattern does not help: what became of it when it was offered has put its confidence below 0.5.
create or replace function pattern_is_useless(confidence real, helped int, harmed int) returns boolean
language sql immutable as $$
  select confidence < 0.5 and helped + harmed > 0
$$;

-- Stores patterns that mining found in a project (null: in several), as they are now. One that is there keeps its id,
-- its status, and wording that is not of the rules; one that was closed is open again, unless it does not help. Storing
-- the same again changes nothing.
create or replace function store_patterns(in_project uuid, found jsonb) returns void
language sql as $$
  insert into patterns as p (user_id, id, project_id, type, form, name, triggers, template, signature, episodes,
    sessions, successes, failures, lift, evidence, confidence, private, last_used, valid_from)
  select auth.uid(), md5(concat_ws(' ', auth.uid(), in_project, f.type, f.form))::uuid, in_project, f.type, f.form,
    f.name,
    coalesce(f.triggers, '{}'), f.template, f.signature, f.episodes, f.sessions, f.successes, f.failures, f.lift,
    coalesce(f.evidence, '{}'), pattern_confidence(f.successes, f.failures, 0, 0), coalesce(f.private, false),
    f."lastUsed", f."lastUsed"
  from jsonb_to_recordset(found) f (type text, form text, name text, triggers text[], template jsonb, signature text,
    episodes int, sessions int, successes int, failures int, lift real, evidence uuid[], private boolean,
    "lastUsed" timestamptz)
  on conflict (user_id, scope, type, form) do update set
    name = case when p.named_by = 'rules' then excluded.name else p.name end,
    triggers = excluded.triggers,
    template = excluded.template,
    episodes = excluded.episodes,
    sessions = excluded.sessions,
    successes = excluded.successes,
    failures = excluded.failures,
    lift = excluded.lift,
    evidence = excluded.evidence,
    last_used = excluded.last_used,
    private = p.private or excluded.private,
    confidence = pattern_confidence(excluded.successes, excluded.failures, p.helped, p.harmed),
    valid_until = case
      when p.pinned or not pattern_is_useless(
        pattern_confidence(excluded.successes, excluded.failures, p.helped, p.harmed), p.helped, p.harmed) then null
      else p.valid_until
    end,
    updated_at = now()
  where p.status = 'active' and (
    (p.triggers, p.template, p.episodes, p.sessions, p.successes, p.failures, p.lift, p.evidence, p.last_used)
      is distinct from (excluded.triggers, excluded.template, excluded.episodes, excluded.sessions, excluded.successes,
        excluded.failures, excluded.lift, excluded.evidence, excluded.last_used)
    or p.named_by = 'rules' and p.name <> excluded.name or excluded.private and not p.private
    or p.valid_until is not null and not pattern_is_useless(
      pattern_confidence(excluded.successes, excluded.failures, p.helped, p.harmed), p.helped, p.harmed))
$$;

-- Closes what mining did not find any more in a project, by the ids of what it found, and what does not help. What is
-- pinned stays.
create or replace function close_patterns(in_project uuid, of_types text[], found uuid[]) returns int
language sql as $$
  with closed as (
    update patterns p set valid_until = greatest(now(), p.valid_from), updated_at = now()
    where p.user_id = auth.uid() and p.project_id is not distinct from in_project and p.type = any (of_types)
      and p.valid_until is null and not p.pinned
      and (not p.id = any (found) or pattern_is_useless(p.confidence, p.helped, p.harmed))
    returning 1
  )
  select count(*)::int from closed
$$;
