-- Stores what was seen of citations: the first time as the baseline, later as the new state. Returns how many of them
-- there were, and how many are stale now.
create or replace function keep_looked(seen jsonb, out looked int, out stale int)
language plpgsql as $$
begin
  with kept as (
    update citations c set
      checked_at = now(),
      root = case when c.state = 'waiting' then r.root else c.root end,
      head = case when c.state = 'waiting' then r.head else c.head end,
      size = case when c.state = 'waiting' then r.size else c.size end,
      hash = case when c.state = 'waiting' and r.state = 'there' then r.hash else c.hash end,
      state = case
        when r.state <> 'there' then r.state
        when r.hash is null then 'unknown'
        when c.state = 'waiting' or c.hash = r.hash then 'fresh'
        when c.hash is null then 'unknown'
        else 'changed'
      end
    from jsonb_to_recordset(seen) as r (
      kind text, id uuid, ref text, head text, root text, state text, size bigint, hash text)
    where c.user_id = auth.uid() and c.kind = r.kind and c.source_id = r.id and c.ref = r.ref
    returning c.hash is not null and c.state in ('changed', 'gone') as is_stale
  )
  select count(*), count(*) filter (where k.is_stale) into looked, stale from kept k;
  -- a lesson's words only may be a path
  delete from citations c
  where c.user_id = auth.uid() and c.kind = 'learning' and c.hash is null and c.state in ('gone', 'unknown');
end $$;
