-- A search reads the shelves on which its kinds stand. Errors and conversations are many and are seldom asked for, so
-- each has a shelf of its own, and all other kinds stand together on '': what hooks look for there takes no longer, and
-- is found no less surely, the more was said.

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
