-- A search reads the shelves of its kinds. There are many errors and conversations, and they are seldom asked for, so
-- each of these kinds has a shelf of its own. All other kinds share the shelf ''. So however much was said, the
-- searches of hooks on that shelf take no longer and find no less.

-- Returns the shelf of a kind.
create or replace function search_shelf(kind text) returns text
language sql immutable parallel safe as $$
  select case when kind in ('error', 'conversation') then kind else '' end
$$;

-- Returns the shelves of some kinds. Null stands for all kinds.
create or replace function search_shelves(kinds text[]) returns text[]
language sql immutable parallel safe as $$
  select case
    when kinds is null then array['', 'conversation', 'error']
    else array(select distinct search_shelf(k) from unnest(kinds) k)
  end
$$;
