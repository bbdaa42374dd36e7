-- Returns what a channel is by its name: where an agent writes unless told otherwise, one that gives notes their type,
-- or another one.
create or replace function channel_type(c channels) returns text
language sql immutable as $$
  select case
    when starts_with(c.name, 'agent-notes:') then 'agent'
    when c.name in ('decisions', 'patterns', 'policies') then 'standard'
    else 'other'
  end
$$;

-- Returns the agent whose channel it is. A name of an agent may hold a colon, so those that are known come first.
create or replace function channel_owner(c channels) returns text
language sql stable as $$
  select coalesce(
    (
      select a.name
      from agents a
      where a.user_id = c.user_id and starts_with(c.name || ':', 'agent-notes:' || a.name || ':')
      order by length(a.name) desc
      limit 1
    ),
    nullif(split_part(c.name, ':', 2), 'unknown'))
  where starts_with(c.name, 'agent-notes:')
$$;
