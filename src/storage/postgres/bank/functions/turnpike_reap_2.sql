-- Declares lost who was not seen for `p_lost_after_ms`: its epoch is over, its leases return. A slot in which something is still under way
-- after 2 s is left for the next time. Returns the slots; none if the caller's own epoch is over. The calls that it ran then are in its journal,
-- so it may have something to send, whatever it said last.
CREATE FUNCTION turnpike_reap_2(p_slot smallint, p_epoch bigint, p_lost_after_ms bigint) RETURNS smallint[] LANGUAGE plpgsql AS $$
DECLARE
  v_reaped smallint[] := '{}';
  v_slot smallint;
  v_until bigint := turnpike_now() - p_lost_after_ms;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM nodes WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining')) THEN
    RETURN v_reaped;
  END IF;
  DELETE FROM recalls WHERE (kind, id) IN (
    SELECT kind, id FROM recalls WHERE at < turnpike_now() - 60000 FOR UPDATE SKIP LOCKED);
  PERFORM set_config('lock_timeout', '2s', true);
  FOR v_slot IN
    SELECT slot FROM nodes WHERE slot <> p_slot AND seen_at < v_until AND state IN ('live', 'draining') ORDER BY slot
  LOOP
    BEGIN
      PERFORM turnpike_lock_slot_1(v_slot);
      UPDATE nodes SET state = 'lost', carried_epoch = NULL, unsent_from = coalesce(unsent_from, seen_at)
        WHERE slot = v_slot AND seen_at < v_until AND state IN ('live', 'draining');
      IF FOUND THEN
        PERFORM turnpike_close_slot_1(v_slot);
        v_reaped := v_reaped || v_slot;
      END IF;
    EXCEPTION WHEN lock_not_available THEN
      RAISE LOG 'turnpike: slot % is in use, and is reaped later', v_slot;
    END;
  END LOOP;
  RETURN v_reaped;
END
$$;
