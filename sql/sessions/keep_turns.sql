-- Keeps the turns of a session: each prompt of a person, with what the agent said last before the next one. It reads
-- the events, so a turn that is kept already only gets the end that it did not have. Prompt and answer together have at
-- most 1,500 characters. `whole`: all turns, and not only the last one that is kept and those after it.
create or replace function keep_turns(in_session uuid, whole boolean) returns void
language plpgsql as $$
declare
  longest constant int := 1499; -- a line end stands between the two
  least_prompt constant int := 700;
  owner_session record;
  since timestamptz := '-infinity';
begin
  select s.client_session_id as name, s.project_id, s.branch into owner_session from sessions s where s.id = in_session;
  if not whole then
    select coalesce(max(t.started_at), since) into since from turns t where t.session = owner_session.name;
  end if;
  insert into turns (project_id, session, start_key, branch, prompt, said, started_at, ended_at)
  select owner_session.project_id, owner_session.name, p.dedup_key, owner_session.branch,
    left(p.prompt, greatest(least_prompt, longest - coalesce(length(a.said), 0))),
    left(a.said, greatest(longest - length(p.prompt), longest - least_prompt)), p.occurred_at, a.occurred_at
  from (
    select e.dedup_key, e.occurred_at, btrim(e.payload ->> 'prompt', E' \n\r\t') as prompt,
      lead(e.occurred_at) over (order by e.occurred_at, e.id) as next_at
    from events e
    where e.session_id = in_session and e.event = 'UserPromptSubmit' and e.agent_id is null
      and e.occurred_at >= since
      and btrim(e.payload ->> 'prompt', E' \n\r\t') <> ''
      and is_persons_prompt(e.payload)
  ) p
  left join lateral (
    select btrim(e.payload ->> 'last_assistant_message', E' \n\r\t') as said, e.occurred_at
    from events e
    where e.session_id = in_session and e.event = 'Stop' and e.agent_id is null
      and e.occurred_at >= p.occurred_at and (p.next_at is null or e.occurred_at < p.next_at)
      and btrim(e.payload ->> 'last_assistant_message', E' \n\r\t') <> ''
    order by e.occurred_at desc, e.id desc
    limit 1
  ) a on true
  on conflict (user_id, session, start_key) do update set said = excluded.said, ended_at = excluded.ended_at
  where excluded.said is not null
    and (turns.said, turns.ended_at) is distinct from (excluded.said, excluded.ended_at);
end $$;
