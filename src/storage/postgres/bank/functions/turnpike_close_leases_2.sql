-- Returns everything that is lent to a node. Nothing happens if the epoch is over. `p_since` is the first epoch of the process if its calls
-- go on, so that their idempotency keys stay theirs, and null if it has just begun: then what an earlier one claimed is free.
CREATE FUNCTION turnpike_close_leases_2(p_slot smallint, p_epoch bigint, p_since bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM turnpike_lock_slot_1(p_slot);
  UPDATE nodes SET carried_epoch = NULL WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining');
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE replay_claims SET epoch = p_epoch WHERE slot = p_slot AND epoch BETWEEN p_since AND p_epoch;
  PERFORM turnpike_close_slot_1(p_slot);
  RETURN true;
END
$$;
