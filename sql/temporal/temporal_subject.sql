-- Returns the subject of a fact (type, key), of an entity (type, key) or of a relation (from type, from key, relation,
-- to type, to key): the hash that the generated columns of these tables have. Its parts are quoted, so that different
-- lists never give the same text.
create or replace function temporal_subject(variadic parts text[]) returns uuid
language sql immutable parallel safe as $$
  select md5(string_agg(quote_literal(p.part), ',' order by p.n))::uuid from unnest(parts) with ordinality p(part, n)
$$;

-- Returns the weight of a tier: a statement replaces one of the same weight or a lower one.
create or replace function temporal_weight(tier text) returns int
language sql immutable parallel safe as $$
  select case tier when 'person' then 4 when 'observed' then 3 when 'agent' then 2 when 'inferred' then 1 else 0 end
$$;
