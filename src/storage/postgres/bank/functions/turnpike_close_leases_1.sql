-- Returns everything that is lent to a node. Nothing happens if the epoch is over.
CREATE FUNCTION turnpike_close_leases_1(p_slot smallint, p_epoch bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM turnpike_lock_slot_1(p_slot);
  UPDATE nodes SET carried_epoch = NULL WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining');
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM turnpike_close_slot_1(p_slot);
  RETURN true;
END
$$;

-- The same for a node that ends in order; its epoch is over.
CREATE FUNCTION turnpike_leave_1(p_slot smallint, p_epoch bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT turnpike_close_leases_1(p_slot, p_epoch) THEN
    RETURN false;
  END IF;
  UPDATE nodes SET state = 'gone', seen_at = turnpike_now(), unsent_from = NULL WHERE slot = p_slot AND epoch = p_epoch;
  RETURN true;
END
$$;
