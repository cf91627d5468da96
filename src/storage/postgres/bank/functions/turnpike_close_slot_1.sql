-- Returns everything that is lent to a slot and not spent. The caller has locked the slot. Purses are locked in order of kind and id, as
-- everywhere.
CREATE FUNCTION turnpike_close_slot_1(p_slot smallint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM funds
    WHERE account_id IN (SELECT id FROM leases WHERE slot = p_slot AND kind = 0)
    ORDER BY account_id FOR NO KEY UPDATE;
  PERFORM 1 FROM budget_purses
    WHERE (kind, id) IN (SELECT kind, id FROM leases WHERE slot = p_slot AND kind > 0)
    ORDER BY kind, id FOR NO KEY UPDATE;
  WITH closed AS (DELETE FROM leases WHERE slot = p_slot RETURNING kind, id, granted_nano, spent_nano)
  UPDATE funds SET
    free_nano = free_nano + closed.granted_nano - closed.spent_nano,
    charged_nano = charged_nano + closed.spent_nano,
    bounded = bounded AND free_nano + closed.granted_nano - closed.spent_nano >= 0
  FROM closed WHERE closed.kind = 0 AND closed.id = account_id;
END
$$;
