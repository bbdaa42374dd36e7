-- Leaves the sessions of the caller that met errors to an agent, `most` of them, the newest, and forgets the others.
create or replace function leave_audits_to_agents(most int) returns void
language plpgsql as $$
begin
  update session_audits a set status = 'waiting'
  where a.user_id = auth.uid() and a.status = 'pending'
    and exists (select from incidents i where i.session_id = a.session_id and is_error(i));
  delete from session_audits a
  where a.user_id = auth.uid() and (a.status = 'pending' or a.id in (
    select w.id
    from session_audits w
    where w.user_id = auth.uid() and w.status = 'waiting'
    order by w.created_at desc
    offset most));
end $$;
