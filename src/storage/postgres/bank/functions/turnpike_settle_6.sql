-- Settles calls, each once, however often it is sent. `p_epoch` says under which their money was lent: 0 if none was, then accounts are
-- charged in full. See section "Settling" of decision 0061, and decisions 0072, 0074, 0076, 0077, 0085 and 0087.
CREATE FUNCTION turnpike_settle_6(
  p_slot smallint, p_epoch bigint, p_bounded boolean, p_names text[],
  b turnpike_calls_1, u turnpike_units_1, i turnpike_images_1, r turnpike_replays_1, s turnpike_stored_ids_1,
  OUT conflicts bytea[], OUT late_calls integer, OUT late_loss bigint, OUT is_fault boolean
) LANGUAGE plpgsql AS $$
DECLARE
  v_names integer[];
  v_epoch bigint;
  v_oldest bigint;
  v_is_live boolean;
  v_is_folded boolean;
  v_is_done boolean := false;
  v_constraint text;
  v_owned record;
  v_superseded bytea[];
  v_absorbed record;
  v_late record;
  v_written record;
BEGIN
  -- Whoever keeps a table locked, as for an index, must not gather a connection for each time that the node tries again.
  PERFORM set_config('lock_timeout', '5s', true);
  PERFORM turnpike_use_slot_1(p_slot);
  v_names := turnpike_names_1(p_names);
  is_fault := false;
  SELECT epoch, coalesce(carried_epoch, epoch) INTO v_epoch, v_oldest FROM nodes
    WHERE slot = p_slot AND state IN ('live', 'draining');
  v_is_live := coalesce(p_epoch BETWEEN v_oldest AND v_epoch, false);
  -- Whatever the epoch, no name is charged twice. A call without an answer to store has one only if it died, and is late then.
  IF NOT v_is_live OR cardinality(r.call_id) > 0 THEN
    v_superseded := turnpike_superseded_1(CASE WHEN v_is_live THEN r.call_id ELSE b.call_id END);
    IF v_superseded IS NOT NULL THEN
      v_absorbed := turnpike_absorb_1(v_superseded, b, r);
      b := v_absorbed.b;
      r := v_absorbed.r;
    END IF;
  END IF;
  v_is_folded := turnpike_lock_folded_1(b, p_bounded);
  IF p_epoch IS DISTINCT FROM v_epoch OR turnpike_is_ahead_1(b) THEN
    PERFORM turnpike_pass_ids_1(b);
  END IF;
  IF p_epoch = 0 THEN
    v_owned := turnpike_owned_1(b);
    PERFORM turnpike_lock_payers_1(b, v_owned.charged, p_bounded);
    v_written := turnpike_write_3(p_slot, v_names, b, u, i, v_owned.charged, v_owned.lost, true);
    UPDATE funds SET free_nano = free_nano - nano, charged_nano = charged_nano + nano, bounded = bounded AND free_nano >= nano
      FROM unnest(v_written.kinds, v_written.ids, v_written.charges) AS taken(kind, id, nano)
      WHERE taken.kind = 0 AND account_id = taken.id;
    late_calls := v_owned.calls;
    late_loss := v_owned.loss;
    v_is_done := true;
  ELSIF v_is_live AND (p_bounded OR NOT turnpike_lacks_accounts_1(b, p_epoch <> v_epoch)) THEN
    BEGIN
      v_written := turnpike_write_3(p_slot, v_names, b, u, i, b.charge_nano, b.node_loss_nano, false);
      PERFORM turnpike_spend_1(p_slot, p_bounded, v_written.kinds, v_written.ids, v_written.charges);
      v_is_done := true;
    EXCEPTION WHEN check_violation THEN
      -- Too little is lent, or nothing. All of the block is rolled back, its locks too.
      GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
      IF v_constraint <> 'leases_spent' THEN
        RAISE;
      END IF;
      is_fault := true;
    END;
  END IF;
  IF NOT v_is_done THEN
    v_owned := turnpike_owned_1(b);
    -- Without a limit on balances nothing has to be lent; the rows of their accounts have to be there, and are locked first.
    IF v_is_live AND NOT p_bounded THEN
      PERFORM turnpike_lock_payers_1(b, v_owned.charged, p_bounded);
    END IF;
    v_late := turnpike_late_3(p_slot, p_bounded, NOT v_is_live, b, v_owned.charged, v_owned.lost);
    v_written := turnpike_write_3(p_slot, v_names, b, u, i, v_late.charged, v_late.lost, false);
    PERFORM turnpike_take_1(p_slot, p_bounded, v_is_live, v_written.kinds, v_written.ids, v_written.charges, v_late.kinds, v_late.ids);
    late_calls := v_owned.calls + v_late.calls;
    late_loss := v_owned.loss + v_late.loss;
  END IF;
  IF v_superseded IS NOT NULL THEN
    late_calls := coalesce(late_calls, 0) + v_absorbed.calls;
    late_loss := coalesce(late_loss, 0) + v_absorbed.loss;
  END IF;
  conflicts := v_written.conflicts;
  IF cardinality(v_written.written) > 0 THEN
    IF v_is_folded THEN
      PERFORM turnpike_add_folded_1(v_written.written);
    END IF;
    PERFORM turnpike_remember_1(v_names, v_written.written, r, s);
  END IF;
END
$$;
