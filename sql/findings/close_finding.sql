-- Keeps when a finding was closed, whoever changes its status.
create or replace function close_finding() returns trigger
language plpgsql as $$
begin
  if new.status in ('open', 'in_progress') then
    new.closed_at := null;
  elsif new.closed_at is null then
    new.closed_at := greatest(now(), new.created_at);
  end if;
  return new;
end $$;

create or replace trigger close_finding
  before insert or update of status on findings
  for each row execute function close_finding();
