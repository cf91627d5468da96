-- Wall time of the database, ms since 1970. A session can set `turnpike.now`, and a test replaces the function, so that time is injected.
CREATE FUNCTION turnpike_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(
    nullif(current_setting('turnpike.now', true), '')::bigint,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  )
$$;
