-- Rebuilds a piece of the caller's index: at most `most` records of a kind, with ids above `after`. It works in pieces,
-- because the embedded engine runs nothing else meanwhile. Returns the last id of the piece, null at the end.
create or replace function rebuild_search_documents(of_kind text, after uuid, most int) returns uuid
language plpgsql as $$
declare
  me constant uuid := auth.uid();
  ids uuid[];
begin
  -- From the view of the kind, which can be read in the order of its ids. The view of all kinds would be sorted anew
  -- for each piece.
  execute format(
    'select array_agg(piece.source_id order by piece.source_id)
    from (
      select s.source_id from %I s where s.user_id = $1 and s.source_id > $2 order by s.source_id limit $3
    ) piece', 'searchable_' || of_kind)
  into ids using me, after, most;
  perform index_records(me, of_kind, ids);
  perform queue_amendments(array(
    select d.id from search_documents d where d.user_id = me and d.kind = of_kind and d.source_id = any (ids)));
  return ids[cardinality(ids)];
end $$;

-- Deletes those rows of the caller's index whose record no longer exists or must not be found.
create or replace function delete_orphaned_search_documents() returns void
language plpgsql
-- However wrong its estimate of the rows is, the planner must not compare each row with each other one.
set enable_nestloop = off
as $$
declare
  me constant uuid := auth.uid();
begin
  delete from search_documents d
  where d.user_id = me and (d.kind, d.source_id) in (
    select i.kind, i.source_id from search_documents i where i.user_id = me
    except
    select s.kind, s.source_id from searchable s where s.user_id = me);
end $$;

-- Returns the users who have records that are missing from the index, or that were indexed before there were filters.
create or replace function lore.users_to_reindex() returns setof uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return query
  select distinct missing.user_id
  from (
    select s.user_id, s.kind, s.source_id from public.searchable s
    except
    select d.user_id, d.kind, d.source_id from public.search_documents d
  ) missing
  union
  select d.user_id from public.search_documents d where d.kind = 'note' and d.message_type is null;
end $$;
