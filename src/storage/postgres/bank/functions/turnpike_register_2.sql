-- Gives a node a slot and a new epoch. `refused_name`: another process with a copy of its journal was seen less than 15 s ago. A node whose
-- last epoch was not over carries it until it has closed its leases, whether it was lent anything or not: its journal may have calls
-- that hold idempotency keys.
CREATE FUNCTION turnpike_register_2(
  p_id text, p_fingerprint text, p_name text, p_version text,
  OUT refused_name text, OUT slot smallint, OUT epoch bigint, OUT carried_epoch bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now bigint;
  v_known nodes;
  v_slot smallint;
  v_carried bigint;
BEGIN
  PERFORM turnpike_lock_slot_1(-1::smallint);
  v_now := turnpike_now();
  SELECT * INTO v_known FROM nodes WHERE id = p_id;
  IF v_known.state IN ('live', 'draining') AND v_known.fingerprint <> p_fingerprint AND v_known.seen_at > v_now - 15000 THEN
    refused_name := v_known.name;
    RETURN;
  END IF;
  v_slot := v_known.slot;
  -- The slots of nodes that ended in order are used again, and those of lost ones after a day.
  IF v_slot IS NULL THEN
    SELECT nodes.slot INTO v_slot FROM nodes
      WHERE (state = 'gone' OR state = 'lost' AND seen_at < v_now - 86400000)
        AND NOT EXISTS (SELECT 1 FROM leases WHERE leases.slot = nodes.slot)
      ORDER BY nodes.slot LIMIT 1;
  END IF;
  IF v_slot IS NULL THEN
    SELECT coalesce(max(nodes.slot) + 1, 1) INTO v_slot FROM nodes;
  END IF;
  PERFORM turnpike_lock_slot_1(v_slot);
  SELECT * INTO v_known FROM nodes WHERE nodes.slot = v_slot;
  IF v_known.id = p_id
    AND (v_known.state IN ('live', 'draining') OR EXISTS (SELECT 1 FROM leases WHERE leases.slot = v_slot)) THEN
    v_carried := coalesce(v_known.carried_epoch, v_known.epoch);
  END IF;
  -- Larger than every epoch there is; and than those that a restored database has forgotten, because time goes on.
  SELECT greatest(coalesce(max(nodes.epoch), 0) + 1, v_now) INTO epoch FROM nodes;
  INSERT INTO nodes (slot, id, fingerprint, name, version, epoch, carried_epoch, state, seen_at)
    VALUES (v_slot, p_id, p_fingerprint, p_name, p_version, epoch, v_carried, 'live', v_now)
    ON CONFLICT (slot) DO UPDATE SET
      id = excluded.id, fingerprint = excluded.fingerprint, name = excluded.name, version = excluded.version,
      epoch = excluded.epoch, carried_epoch = excluded.carried_epoch, state = 'live', seen_at = excluded.seen_at,
      feed_seq = 0, unsent_from = NULL;
  slot := v_slot;
  carried_epoch := v_carried;
END
$$;
