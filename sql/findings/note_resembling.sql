-- Notes which finding a new one resembles: the first of those that were found near it that was resolved.
create or replace function note_resembling(finding uuid, near uuid[]) returns void
language sql as $$
  update findings f set resembles = (
    select r.id
    from findings r
    where r.user_id = f.user_id and r.id <> f.id and r.id = any (near) and r.status = 'resolved'
    order by array_position(near, r.id)
    limit 1)
  where f.user_id = auth.uid() and f.id = finding
$$;
