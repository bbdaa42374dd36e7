-- Stores what an answer is about to tell a session, before it tells it, where several servers may answer one session.
-- Each offer names how often this agent was told its record as far as the server knows (`known`): if it was told more
-- often, another answer told it meanwhile, and this one does not. A call is held for a record only if no call was
-- answered with it before. Answers to one session wait for each other here.
--
-- Returns a row for each offer: whether it is told, whether it may hold the call, and whether it is new.
create or replace function claim_offers(in_session uuid, delivery text, about jsonb, shown jsonb)
returns table (place int, tells boolean, may_hold boolean, is_new boolean)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('offers of ' || in_session, 0));
  return query
    with wanted as (
      select *
      from jsonb_to_recordset(shown) as w (position int, kind text, "sourceId" uuid, relevance text, text text,
        tokens int, withheld boolean, known int)
    ), judged as (
      select w.*,
        w."sourceId" is null or w.known >= (
          select count(*) from offers o
          where o.session_id = in_session and o.source_id = w."sourceId" and o.dedup_key <> delivery
            and o.agent_id is not distinct from about ->> 'agentId') as told,
        not exists (
          select from offers o
          where o.session_id = in_session and o.source_id = w."sourceId" and o.dedup_key <> delivery
            and o.event = 'PreToolUse') as holds
      from wanted w
    ), numbered as (
      select j.*, (row_number() over (partition by j.told order by j.position) - 1)::int as spot
      from judged j
    ), stored as (
      insert into offers (session_id, dedup_key, event, agent_id, agent_type, kind, source_id, relevance, position,
        text, tokens, offered_at, withheld)
      select in_session, delivery, about ->> 'event', about ->> 'agentId', about ->> 'agentType', n.kind, n."sourceId",
        n.relevance, n.spot, n.text, n.tokens, (about ->> 'at')::timestamptz, coalesce(n.withheld, false)
      from numbered n where n.told
      on conflict do nothing
      returning offers.position
    )
    select n.position, n.told, n.holds, n.told and exists (select from stored s where s.position = n.spot)
    from numbered n order by n.position;
end $$;
