-- The confidence below which a lesson is not offered, and the night closes it. (MIN_CONFIDENCE in src/learnings; a
-- test compares the two.)
create or replace function lesson_floor() returns real
language sql immutable parallel safe as $$ select 0.5::real $$;

-- Returns lessons of the caller that a night closes, with the reason: those below the floor; those proposed whose error
-- nobody met for 60 days; and those that nobody was offered and nothing confirmed for 180 days, once
-- confidence × ½^(days / 90) is below 0.25. What a person has undone stays undone.
create or replace function lessons_to_close(at timestamptz, most int) returns table (id uuid, reason text)
language sql stable as $$
  select l.id,
    case
      when l.confidence < lesson_floor()
        then format('its confidence, %s, is below %s', round(l.confidence::numeric, 2), lesson_floor())
      when l.status = 'proposed' then 'proposed for 60 days, and its error did not come back'
      else format('unused for %s days, and its confidence was %s', floor(u.days), round(l.confidence::numeric, 2))
    end
  from learnings l
  cross join lateral (
    select extract(epoch from at - greatest(l.last_confirmed_at, (
      select max(o.offered_at) from offers o
      where o.user_id = l.user_id and o.source_id = l.id and not o.withheld
        and l.last_confirmed_at < at - interval '180 days')))::float8 / 86400 as days
  ) u
  where l.user_id = auth.uid() and l.valid_until is null
    and (l.confidence < lesson_floor()
      or l.status = 'proposed' and l.last_confirmed_at < at - interval '60 days'
        and not exists (
          select from incidents i
          where i.user_id = l.user_id and i.project_id = l.project_id and i.signature = l.signature
            and i.opened_at > at - interval '60 days')
      or l.last_confirmed_at < at - interval '180 days' and u.days > 180
        and l.confidence * power(0.5::float8, u.days / 90) < 0.25)
    and not exists (
      select from consolidation_items i
      where i.user_id = l.user_id and i.record_id = l.id and i.action = 'closed' and i.undone_at is not null)
  order by l.id
  limit most
$$;

-- Keeps in the report of a run that it closed a record.
create or replace function report_closed(
  run consolidation_runs, of_kind text, of_table text, id uuid, reason text, before jsonb, after jsonb
) returns void
language sql as $$
  insert into consolidation_items (user_id, run_id, action, kind, record_id, reason, changes)
  values (auth.uid(), (run).id, 'closed', of_kind, id, reason, jsonb_build_array(
    jsonb_build_object('table', of_table, 'id', id, 'before', before, 'after', after)))
$$;

-- Closes lessons until an instant of the clock. Returns whether none is left.
create or replace function close_lessons(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  ended record;
  before jsonb;
  after jsonb;
begin
  for ended in select * from lessons_to_close(run.started_at, 200)
  loop
    select jsonb_build_object('valid_until', l.valid_until, 'updated_at', l.updated_at) into before
    from learnings l where l.user_id = auth.uid() and l.id = ended.id
    for update;
    update learnings l
    set valid_until = greatest(run.started_at, l.valid_from), updated_at = run.started_at
    where l.user_id = auth.uid() and l.id = ended.id
    returning jsonb_build_object('valid_until', l.valid_until, 'updated_at', l.updated_at) into after;
    perform report_closed(run, 'learning', 'learnings', ended.id, ended.reason, before, after);
    if clock_timestamp() > until then
      return false;
    end if;
  end loop;
  return not exists (select from lessons_to_close(run.started_at, 1));
end $$;
