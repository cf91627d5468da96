-- Makes the partition of settlements for the month of a time, ms; what the default partition has of it moves there. False if there is one,
-- and for a month up to the last sealed one, whatever the clock says: its calls have left the ledger, and what arrives of it goes to the
-- default partition, whose trigger knows which of them were charged.
CREATE FUNCTION turnpike_make_month_2(p_ms bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_month timestamp := date_trunc('month', timestamp '1970-01-01' + p_ms * interval '1 millisecond');
  v_table text := 'settlements_' || to_char(v_month, 'YYYY_MM');
  -- Ids begin with 48 bits of time.
  v_from bytea := decode(lpad(to_hex((extract(epoch FROM v_month) * 1000)::bigint), 12, '0'), 'hex');
  v_to bytea := decode(lpad(to_hex((extract(epoch FROM v_month + interval '1 month') * 1000)::bigint), 12, '0'), 'hex');
BEGIN
  IF to_regclass(v_table) IS NOT NULL THEN
    RETURN false;
  END IF;
  -- No month is sealed meanwhile.
  LOCK TABLE seals IN ROW EXCLUSIVE MODE;
  IF to_char(v_month, 'YYYY-MM') <= (SELECT max(month) FROM seals) THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE settlements INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', v_table);
  -- The constraint spares the server a scan when the table is attached.
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT month CHECK (call_id >= %L AND call_id < %L)', v_table, v_from, v_to);
  LOCK TABLE settlements_default IN ACCESS EXCLUSIVE MODE;
  EXECUTE format(
    'WITH moved AS (DELETE FROM settlements_default WHERE call_id >= %L AND call_id < %L RETURNING *) '
    'INSERT INTO %I SELECT * FROM moved', v_from, v_to, v_table);
  EXECUTE format('ALTER TABLE settlements ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_table, v_from, v_to);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', v_table);
  RETURN true;
END
$$;

-- Makes the partitions of this month and of the next ones. False if one has to be made later: a long report reads the default partition, and
-- whoever reads it next would have to wait behind a lock that waits for the report. Until then calls are settled in the default partition.
CREATE FUNCTION turnpike_make_months_2(p_ahead integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(1953854062, -2) THEN
    RETURN false;
  END IF;
  PERFORM set_config('lock_timeout', '200ms', true);
  FOR i IN 0..p_ahead LOOP
    PERFORM turnpike_make_month_2(
      (extract(epoch FROM date_trunc('month', timestamp '1970-01-01' + turnpike_now() * interval '1 millisecond')
        + i * interval '1 month') * 1000)::bigint);
  END LOOP;
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$$;
