-- Returns reflections of the caller that a night closes: those of low confidence that are older than 180 days, were not
-- found or offered for 90 days, and have no living link. A living link is a citation that is not gone, a link to an
-- older note that it amends, or a decision that names it as its evidence. Decisions, policies and patterns are never
-- closed by age.
create or replace function notes_to_close(at timestamptz, most int) returns table (id uuid, reason text)
language sql stable as $$
  select n.id, format('a reflection of confidence %s from %s days ago, which nobody found for 90 days',
    round(n.confidence::numeric, 2), floor(extract(epoch from at - n.created_at) / 86400))
  from notes n
  where n.user_id = auth.uid() and n.valid_until is null and n.message_type = 'reflection'
    and n.confidence < 0.5 and n.created_at < at - interval '180 days'
    and not exists (
      select from note_finds f
      where f.user_id = n.user_id and f.note_id = n.id and f.found_at > at - interval '90 days')
    and not exists (
      select from offers o
      where o.user_id = n.user_id and o.source_id = n.id and o.offered_at > at - interval '90 days')
    and not exists (
      select from citations c
      where c.user_id = n.user_id and c.kind = 'note' and c.source_id = n.id and c.state <> 'gone')
    and not exists (
      select from amendments a
      where a.user_id = n.user_id and a.kind = 'note' and a.newer_id = n.id and a.undone_at is null)
    and not exists (
      select from decisions d
      where d.user_id = n.user_id and d.evidence = 'note:' || n.id
        and d.valid_until is null and d.recorded_until is null)
    and not exists (
      select from consolidation_items i
      where i.user_id = n.user_id and i.record_id = n.id and i.action = 'closed' and i.undone_at is not null)
  order by n.id
  limit most
$$;

-- Closes reflections until an instant of the clock. Returns whether none is left.
create or replace function close_notes(run consolidation_runs, until timestamptz) returns boolean
language plpgsql as $$
declare
  ended record;
  after jsonb;
begin
  for ended in select * from notes_to_close(run.started_at, 200)
  loop
    update notes n set valid_until = run.started_at
    where n.user_id = auth.uid() and n.id = ended.id
    returning jsonb_build_object('valid_until', n.valid_until) into after;
    perform report_closed(run, 'note', 'notes', ended.id, ended.reason, '{"valid_until": null}', after);
    if clock_timestamp() > until then
      return false;
    end if;
  end loop;
  return not exists (select from notes_to_close(run.started_at, 1));
end $$;
