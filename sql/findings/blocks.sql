-- Returns whether a finding blocks another one, itself or through others. One transaction at a time asks, because it
-- adds a link then: two that close a circle together must see each other.
create or replace function blocks(one uuid, other uuid) returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('finding links ' || auth.uid(), 0));
  return (
    with recursive blocked (id) as (
      select one
      union
      select l.to_id
      from blocked b
      join finding_links l on l.user_id = auth.uid() and l.kind = 'blocks' and l.from_id = b.id
    )
    select exists (select from blocked b where b.id = other));
end $$;
