-- Returns whether a person wrote the prompt of an event, by its payload. The event says so itself; those from before
-- 0.4 do not, and there only one kind is known.
create or replace function is_persons_prompt(payload jsonb) returns boolean
language sql immutable as $$
  select payload #>> '{lore,by}' is null
    and not starts_with(ltrim(payload ->> 'prompt', E' \n\r\t'), '<task-notification>')
$$;
