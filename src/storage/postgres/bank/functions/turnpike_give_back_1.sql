-- Takes back what a node does not need: of all that it was lent of a purse it keeps `p_keeps`, what it spent included. Returns whether each
-- lease is gone, in the order given; none if the epoch is over.
-- Rows are found by their keys, whatever was known of the tables' sizes when statements were planned: the settings see to that, and
-- `OFFSET 0`, which hides from the planner that `slot` is the same in all rows. It would read everything that is lent to a slot.
CREATE FUNCTION turnpike_give_back_1(
  p_slot smallint, p_epoch bigint, p_bounded boolean,
  p_kinds smallint[], p_ids integer[], p_seqs bigint[], p_keeps bigint[], p_last boolean[]
) RETURNS TABLE (is_removed boolean) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off AS $$
BEGIN
  -- Whoever keeps one account locked must not keep the node from the others: it has one connection for this.
  PERFORM set_config('lock_timeout', '1s', true);
  PERFORM turnpike_use_slot_1(p_slot);
  IF NOT EXISTS (SELECT 1 FROM nodes WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining')) THEN
    RETURN;
  END IF;
  PERFORM turnpike_lock_purses_1(p_kinds, p_ids, p_bounded);
  PERFORM 1
    FROM leases JOIN (SELECT kind, id, p_slot AS slot FROM unnest(p_kinds, p_ids) AS b(kind, id) OFFSET 0) AS back USING (kind, id, slot)
    ORDER BY kind, id FOR NO KEY UPDATE OF leases;
  WITH changed AS (
    UPDATE leases SET granted_nano = least(granted_nano, greatest(keeps, spent_nano)), seq = back.seq
      FROM (
        SELECT kind, id, p_slot AS slot, given.seq, keeps, (
          SELECT granted_nano FROM leases AS l WHERE l.kind = given.kind AND l.id = given.id AND l.slot = p_slot) AS before
        FROM unnest(p_kinds, p_ids, p_seqs, p_keeps) AS given(kind, id, seq, keeps) OFFSET 0
      ) AS back
      WHERE leases.kind = back.kind AND leases.id = back.id AND leases.slot = back.slot AND leases.seq < back.seq
      RETURNING leases.kind, leases.id, back.before - granted_nano AS returned
  )
  UPDATE funds SET free_nano = free_nano + returned
    FROM changed WHERE changed.kind = 0 AND account_id = changed.id AND returned <> 0;
  -- What it spent goes over to the account.
  WITH removed AS (
    DELETE FROM leases USING (
        SELECT kind, id, p_slot AS slot, seq FROM unnest(p_kinds, p_ids, p_seqs, p_last) AS b(kind, id, seq, is_last)
        WHERE is_last OFFSET 0
      ) AS back
      WHERE leases.kind = back.kind AND leases.id = back.id AND leases.slot = back.slot
        AND leases.seq = back.seq AND granted_nano = spent_nano
      RETURNING leases.kind, leases.id, spent_nano
  )
  UPDATE funds SET charged_nano = charged_nano + spent_nano
    FROM removed WHERE removed.kind = 0 AND account_id = removed.id;
  RETURN QUERY
    -- Not `EXISTS`, which may be answered by reading all leases of the slot.
    SELECT (SELECT 1 FROM leases WHERE leases.kind = back.kind AND leases.id = back.id AND slot = p_slot) IS NULL
    FROM unnest(p_kinds, p_ids) WITH ORDINALITY AS back(kind, id, ord) ORDER BY ord;
END
$$;
