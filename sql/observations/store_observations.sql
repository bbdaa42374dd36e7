-- Stores long outputs of tools, each text once, and links them to the events that produced them. Storing them again
-- changes nothing. What comes after `daily_bytes` (deflated) of a day (UTC) is left out, except for what was masked.
-- One statement, because each one is a round trip. Of two texts with one id the first is kept.
create or replace function store_observations(outputs jsonb, sources jsonb, daily_bytes float8) returns void
language sql as $$
  with given as (
    select r.*, decode(r.content, 'base64') as bytes
    from jsonb_to_recordset(outputs) as r (
      id text, hash text, characters int, lines int, whole boolean, content text, masked boolean)
  ), today as (
    -- the outputs of the day need not be added up while the table is smaller than what a day may bring
    select case when pg_table_size('observations') > daily_bytes then (
      select coalesce(sum(octet_length(o.content)), 0)
      from observations o
      where o.created_at >= date_trunc('day', now(), 'UTC')) else 0 end as bytes
  ), known as (
    select o.id, o.hash from observations o where o.id in (select g.id from given g)
  ), stored as (
    insert into observations (id, hash, characters, lines, whole, content)
    select g.id, g.hash, g.characters, g.lines, g.whole, g.bytes
    from given g, today
    where g.id not in (select k.id from known k)
      and (g.masked or today.bytes + octet_length(g.bytes) <= daily_bytes)
    -- another transaction may be storing the same text now: only an update returns its row
    on conflict (user_id, id) do update set hash = observations.hash
    returning id, hash
  )
  insert into observation_sources (observation_id, project_id, session, event_key, agent_id, tool, about, masked, at)
  select s."observationId", s."projectId", s.session, s."eventKey", s."agentId", s.tool, s.about, s.masked, s.at
  from jsonb_to_recordset(sources) as s ("observationId" text, "projectId" uuid, session text, "eventKey" text,
    "agentId" text, tool text, about text, masked boolean, at timestamptz)
  join given g on g.id = s."observationId"
  join (select * from known union select * from stored) o on o.id = g.id and o.hash = g.hash
  on conflict do nothing
$$;
