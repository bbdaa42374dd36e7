-- Returns an episode in one line: its task, whether it worked, and how.
create or replace function episode_line(e episodes) returns text
language sql stable as $$
  select concat(
    e.description, ' (', e.type, ', ',
    case e.outcome
      when 'success' then 'worked'
      when 'error' then 'failed'
      when 'stopped' then 'stopped'
      else 'not verified'
    end,
    ')', ': ' || nullif(coalesce(e.error, left(e.last_message, 200)), ''))
$$;
