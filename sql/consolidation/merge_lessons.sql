-- Returns a text without what says nothing: more than one blank, and the mark at its end.
create or replace function bare_words(words text) returns text
language sql immutable parallel safe as $$
  select rtrim(regexp_replace(btrim(words, E' \t\n\r'), '\s+', ' ', 'g'), '.!。 ')
$$;

-- Returns the numbers in a text, without those of an error that it quotes: “5 retries” is not “7 retries”.
create or replace function numbers_in(words text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct m[1] order by m[1]), '{}')
  from regexp_matches(regexp_replace(words, '“[^”]*”', '', 'g'), '\d+', 'g') m
$$;

-- Returns whether two lessons say the same: in the same words, or by the same key and with the same numbers. Nothing
-- else is decided without a person.
create or replace function says_same(a text, a_key text, b text, b_key text) returns boolean
language sql immutable parallel safe as $$
  select bare_words(a) = bare_words(b)
    or coalesce(a_key <> '' and a_key = b_key and numbers_in(a) = numbers_in(b), false)
$$;

-- Returns the lessons of the caller that say what another one of their project says, each with the one that stays: a
-- person's, of these the newest; else one that is active; else the oldest. What a person has undone stays undone.
create or replace function lessons_to_merge(most int) returns table (id uuid, keep uuid, reason text)
language sql stable as $$
  with l as materialized (
    select l.*, bare_words(l.lesson) as words, numbers_in(l.lesson) as numbers,
      l.evaluated_by = 'person' and l.source_subagent is null as said
    from learnings l
    where l.user_id = auth.uid() and l.valid_until is null
      and not exists (
        select from consolidation_items i
        where i.user_id = l.user_id and i.record_id = l.id and i.action = 'merged' and i.undone_at is not null)
  ), ranked as (
    select l.*, row_number() over (order by said desc,
      case when said then l.created_at end desc, l.status, l.created_at, l.id) as rank
    from l
  ), twins as (
    select r.id, first_value(r.id) over (partition by r.project_id, r.words order by r.rank) as keep,
      'the same words' as reason
    from ranked r
    union all
    select r.id, first_value(r.id) over (partition by r.project_id, r.same_key, r.numbers order by r.rank),
      'it tells the same'
    from ranked r where r.same_key <> ''
  )
  select distinct on (t.id) t.id, t.keep, format('agrees with %s (%s)', t.keep, t.reason)
  from twins t where t.id <> t.keep
  order by t.id, t.reason
  limit most
$$;

-- Returns what changed in a row, as an item of a night keeps it.
create or replace function row_change(of_table text, id uuid, before jsonb, after jsonb) returns jsonb
language sql immutable as $$
  select jsonb_build_object('table', of_table, 'id', id,
    'before', coalesce(jsonb_object_agg(key, before -> key), '{}'),
    'after', coalesce(jsonb_object_agg(key, value), '{}'))
  from jsonb_each(after)
  where value is distinct from before -> key
$$;

-- Merges lessons until an instant of the clock. What stays takes over what the other counted. Returns whether none is
-- left.
create or replace function merge_lessons(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  twin record;
  kept learnings;
  dropped learnings;
  elsewhere boolean;
  after jsonb;
  changes jsonb;
begin
  for twin in select * from lessons_to_merge(200)
  loop
    select * into kept from learnings l where l.user_id = me and l.id = twin.keep and l.valid_until is null for update;
    continue when not found;
    select * into dropped from learnings l where l.user_id = me and l.id = twin.id and l.valid_until is null for update;
    continue when not found;
    elsewhere := kept.source_session_id is distinct from dropped.source_session_id;
    update learnings l
    set success_count = l.success_count + dropped.success_count + elsewhere::int,
      failure_count = l.failure_count + dropped.failure_count,
      usage_count = l.usage_count + dropped.usage_count,
      prior_confidence = greatest(l.prior_confidence, dropped.prior_confidence),
      confidence = learning_confidence(greatest(l.prior_confidence, dropped.prior_confidence),
        l.success_count + dropped.success_count + elsewhere::int, l.failure_count + dropped.failure_count),
      -- two sessions that found the same answer to an error confirm it
      status = case when dropped.status = 'active'
        or elsewhere and l.source_incident_id is not null and dropped.source_incident_id is not null
        then 'active' else l.status end,
      everywhere = l.everywhere or dropped.everywhere,
      signature = coalesce(l.signature, dropped.signature), target = coalesce(l.target, dropped.target),
      last_confirmed_at = greatest(l.last_confirmed_at, dropped.last_confirmed_at), updated_at = run.started_at
    where l.user_id = me and l.id = kept.id
    returning to_jsonb(l) into after;
    changes := jsonb_build_array(row_change('learnings', kept.id, to_jsonb(kept), after));
    update learnings l set valid_until = greatest(run.started_at, l.valid_from), updated_at = run.started_at
    where l.user_id = me and l.id = dropped.id
    returning to_jsonb(l) into after;
    changes := changes || row_change('learnings', dropped.id, to_jsonb(dropped), after);
    -- what was judged of the other is the history of this one from now on
    with moved as (
      update learning_requests r set learning_id = kept.id
      where r.user_id = me and r.learning_id = dropped.id
      returning r.id)
    select changes || coalesce(jsonb_agg(jsonb_build_object('table', 'learning_requests', 'id', m.id,
      'before', jsonb_build_object('learning_id', dropped.id),
       'after', jsonb_build_object('learning_id', kept.id))), '[]')
    into changes from moved m;
    insert into consolidation_items (run_id, action, kind, record_id, kept_id, reason, changes)
    values (run.id, 'merged', 'learning', dropped.id, kept.id, twin.reason, changes);
    if clock_timestamp() > until then
      return false;
    end if;
  end loop;
  return not exists (select from lessons_to_merge(1));
end $$;

-- Deletes what the nights have stored about a record that is erased. Their changes to it can no longer be undone.
create or replace function forget_consolidation() returns trigger
language plpgsql as $$
begin
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
