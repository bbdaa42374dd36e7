-- Returns the 95 % confidence interval of a share, of which `good` of `n` were seen; null if n is 0. It is also right
-- for few observations. Wilson, “Probable inference, the law of succession, and statistical inference” (JASA 22,
-- 1927).
create or replace function wilson_interval(good int, n int, out low real, out high real)
language sql immutable as $$
  select ((p + z * z / (2 * m) - half) / (1 + z * z / m))::real, ((p + z * z / (2 * m) + half) / (1 + z * z / m))::real
  from (
    select p, z, m, z * sqrt(p * (1 - p) / m + z * z / (4 * m * m)) as half
    from (select good::float8 / n as p, 1.959964::float8 as z, n::float8 as m where n > 0) a
  ) b
$$;
