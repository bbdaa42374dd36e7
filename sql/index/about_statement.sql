-- Returns how sure a statement of a tier is, if it does not say so itself.
create or replace function tier_confidence(tier text) returns real
language sql immutable parallel safe as $$
  select case tier when 'person' then 1 when 'observed' then 0.9 when 'agent' then 0.7 else 0.5 end::real
$$;

-- Returns what the metadata of a result tells about every fact, relation and decision.
create or replace function statement_metadata(
  tier text, source text, evidence text, agent text, session_id uuid, recorded_at timestamptz, confirmations int
) returns jsonb
language sql stable as $$
  select jsonb_build_object('tier', tier, 'source', source, 'evidence', evidence, 'agent', agent,
    'sessionId', session_id, 'recordedAt', recorded_at, 'confirmations', confirmations)
$$;
