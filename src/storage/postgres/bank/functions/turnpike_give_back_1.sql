-- Takes back what a node does not need: of all that it was lent of a purse it keeps `p_keeps`, what it spent included. Returns whether each
-- lease is gone, in the order given; none if the epoch is over.
CREATE FUNCTION turnpike_give_back_1(
  p_slot smallint, p_epoch bigint, p_bounded boolean,
  p_kinds smallint[], p_ids integer[], p_seqs bigint[], p_keeps bigint[], p_last boolean[]
) RETURNS TABLE (is_removed boolean) LANGUAGE plpgsql AS $$
BEGIN
  -- Whoever keeps one account locked must not keep the node from the others: it has one connection for this.
  PERFORM set_config('lock_timeout', '1s', true);
  PERFORM turnpike_use_slot_1(p_slot);
  IF NOT EXISTS (SELECT 1 FROM nodes WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining')) THEN
    RETURN;
  END IF;
  PERFORM turnpike_lock_purses_1(p_kinds, p_ids, p_bounded);
  PERFORM 1 FROM leases JOIN unnest(p_kinds, p_ids) AS back(kind, id) USING (kind, id) WHERE slot = p_slot
    ORDER BY kind, id FOR NO KEY UPDATE OF leases;
  WITH changed AS (
    UPDATE leases SET granted_nano = least(granted_nano, greatest(keeps, spent_nano)), seq = back.seq
      FROM (
        SELECT l.kind, l.id, l.granted_nano AS before, given.seq, keeps
        FROM unnest(p_kinds, p_ids, p_seqs, p_keeps) AS given(kind, id, seq, keeps) JOIN leases AS l USING (kind, id)
        WHERE l.slot = p_slot AND l.seq < given.seq
      ) AS back
      WHERE leases.kind = back.kind AND leases.id = back.id AND leases.slot = p_slot
      RETURNING leases.kind, leases.id, back.before - granted_nano AS returned
  )
  UPDATE funds SET free_nano = free_nano + returned
    FROM changed WHERE changed.kind = 0 AND account_id = changed.id AND returned <> 0;
  -- What it spent goes over to the account.
  WITH removed AS (
    DELETE FROM leases USING unnest(p_kinds, p_ids, p_seqs, p_last) AS back(kind, id, seq, is_last)
      WHERE leases.kind = back.kind AND leases.id = back.id AND slot = p_slot
        AND is_last AND leases.seq = back.seq AND granted_nano = spent_nano
      RETURNING leases.kind, leases.id, spent_nano
  )
  UPDATE funds SET charged_nano = charged_nano + spent_nano
    FROM removed WHERE removed.kind = 0 AND account_id = removed.id;
  RETURN QUERY
    SELECT NOT EXISTS (SELECT 1 FROM leases WHERE leases.kind = back.kind AND leases.id = back.id AND slot = p_slot)
    FROM unnest(p_kinds, p_ids) WITH ORDINALITY AS back(kind, id, ord) ORDER BY ord;
END
$$;
