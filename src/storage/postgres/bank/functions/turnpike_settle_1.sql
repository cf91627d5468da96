-- Settles calls, each once, however often it is sent. `p_epoch` says under which their money was lent: 0 if none was, then accounts are
-- charged in full. See section "Settling" of decision 0061.
CREATE FUNCTION turnpike_settle_1(
  p_slot smallint, p_epoch bigint, p_bounded boolean, p_names text[],
  b turnpike_calls_1, r turnpike_replays_1, s turnpike_stored_ids_1,
  OUT conflicts bytea[], OUT late_calls integer, OUT late_loss bigint, OUT is_fault boolean
) LANGUAGE plpgsql AS $$
DECLARE
  v_names integer[];
  v_is_live boolean;
  v_is_done boolean := false;
  v_constraint text;
  v_late record;
  v_written record;
BEGIN
  PERFORM turnpike_use_slot_1(p_slot);
  v_names := turnpike_names_1(p_names);
  is_fault := false;
  v_is_live := EXISTS (
    SELECT 1 FROM nodes WHERE slot = p_slot AND state IN ('live', 'draining')
      AND p_epoch BETWEEN coalesce(carried_epoch, epoch) AND epoch);
  IF p_epoch = 0 THEN
    PERFORM turnpike_lock_purses_1(array_fill(0::smallint, ARRAY[cardinality(held.ids)]), held.ids, p_bounded)
      FROM (SELECT array_agg(DISTINCT account_id) AS ids
        FROM unnest(b.account_id, b.charge_nano, b.hold_nano) AS sent(account_id, charge, hold)
        WHERE charge > 0 AND hold IS NOT NULL) AS held
      WHERE held.ids IS NOT NULL;
    v_written := turnpike_write_1(p_slot, v_names, b, b.charge_nano, b.node_loss_nano, true);
    UPDATE funds SET free_nano = free_nano - nano, charged_nano = charged_nano + nano, bounded = bounded AND free_nano >= nano
      FROM unnest(v_written.kinds, v_written.ids, v_written.charges) AS taken(kind, id, nano)
      WHERE taken.kind = 0 AND account_id = taken.id;
    v_is_done := true;
  ELSIF v_is_live THEN
    BEGIN
      v_written := turnpike_write_1(p_slot, v_names, b, b.charge_nano, b.node_loss_nano, false);
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
    v_late := turnpike_late_1(p_slot, p_bounded, NOT v_is_live, b);
    v_written := turnpike_write_1(p_slot, v_names, b, v_late.charged, v_late.lost, false);
    UPDATE funds SET free_nano = free_nano - nano, charged_nano = charged_nano + nano
      FROM unnest(v_written.kinds, v_written.ids, v_written.charges) AS taken(kind, id, nano)
        JOIN unnest(v_late.kinds, v_late.ids) AS short(kind, id) USING (kind, id)
      WHERE taken.kind = 0 AND account_id = taken.id;
    IF v_is_live THEN
      PERFORM turnpike_spend_1(p_slot, p_bounded, array_agg(kind), array_agg(id), array_agg(nano))
        FROM unnest(v_written.kinds, v_written.ids, v_written.charges) AS taken(kind, id, nano)
        WHERE NOT EXISTS (
          SELECT 1 FROM unnest(v_late.kinds, v_late.ids) AS short(kind, id) WHERE short.kind = taken.kind AND short.id = taken.id);
    END IF;
    late_calls := v_late.calls;
    late_loss := v_late.loss;
  END IF;
  conflicts := v_written.conflicts;
  IF cardinality(v_written.written) > 0 THEN
    PERFORM turnpike_remember_1(v_names, v_written.written, r, s);
  END IF;
END
$$;

-- Takes charges from what is lent to a slot, purse by purse in their order. A lease that is too small or missing violates `leases_spent`;
-- without a limit on balances, one that is missing is made.
-- Rows are found by their keys, whatever was known of the tables' sizes when statements were planned: the settings see to that, and
-- `OFFSET 0`, which hides from the planner that `slot` is the same in all rows. It would read everything that is lent to a slot.
CREATE FUNCTION turnpike_spend_1(p_slot smallint, p_bounded boolean, p_kinds smallint[], p_ids integer[], p_charges bigint[])
RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off AS $$
DECLARE
  v_found integer;
BEGIN
  PERFORM 1
    FROM leases JOIN (SELECT kind, id, p_slot AS slot FROM unnest(p_kinds, p_ids) AS t(kind, id) OFFSET 0) AS taken USING (kind, id, slot)
    ORDER BY kind, id FOR NO KEY UPDATE OF leases;
  UPDATE leases SET spent_nano = spent_nano + charge
    FROM (SELECT kind, id, p_slot AS slot, charge FROM unnest(p_kinds, p_ids, p_charges) AS t(kind, id, charge) OFFSET 0) AS taken
    WHERE leases.kind = taken.kind AND leases.id = taken.id AND leases.slot = taken.slot;
  GET DIAGNOSTICS v_found = ROW_COUNT;
  IF v_found < cardinality(p_kinds) THEN
    INSERT INTO leases AS l (kind, id, slot, bounded, granted_nano, spent_nano, seq)
      SELECT kind, id, p_slot, kind > 0 OR p_bounded, 0, charge, 0
      FROM unnest(p_kinds, p_ids, p_charges) AS taken(kind, id, charge)
      WHERE (SELECT 1 FROM leases WHERE leases.kind = taken.kind AND leases.id = taken.id AND slot = p_slot) IS NULL
      ORDER BY kind, id
      ON CONFLICT (kind, id, slot) DO UPDATE SET spent_nano = l.spent_nano + excluded.spent_nano;
  END IF;
END
$$;

-- Stores answers for requests that are sent again, and whose the things are that providers keep.
CREATE FUNCTION turnpike_remember_1(p_names integer[], p_written bytea[], r turnpike_replays_1, s turnpike_stored_ids_1)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(r.call_id) > 0 THEN
    INSERT INTO replays (project_id, key_digest, body_digest, call_id, created_at, expires_at, answer)
      SELECT DISTINCT ON (coalesce(project_id, 0), key_digest)
        coalesce(project_id, 0), key_digest, body_digest, call_id, coalesce(created_at, 0), coalesce(expires_at, 0), answer
      FROM unnest(r.project_id, r.key_digest, r.body_digest, r.call_id, r.created_at, r.expires_at, r.answer)
        AS sent(project_id, key_digest, body_digest, call_id, created_at, expires_at, answer)
      WHERE call_id = ANY (p_written)
      ORDER BY coalesce(project_id, 0), key_digest, call_id DESC
      ON CONFLICT (project_id, key_digest) DO UPDATE SET
        body_digest = excluded.body_digest, call_id = excluded.call_id, created_at = excluded.created_at,
        expires_at = excluded.expires_at, answer = excluded.answer;
  END IF;
  IF cardinality(s.digest) > 0 THEN
    INSERT INTO stored_ids (project_id, digest, provider, upstream_model, created_at, credential)
      SELECT DISTINCT ON (coalesce(project_id, 0), digest)
        coalesce(project_id, 0), digest, p_names[provider], p_names[upstream_model], coalesce(created_at, 0), p_names[credential]
      FROM unnest(s.project_id, s.digest, s.provider, s.upstream_model, s.created_at, s.credential)
        AS sent(project_id, digest, provider, upstream_model, created_at, credential)
      ORDER BY coalesce(project_id, 0), digest, coalesce(created_at, 0) DESC
      ON CONFLICT (project_id, digest) DO UPDATE SET
        provider = excluded.provider, upstream_model = excluded.upstream_model, created_at = excluded.created_at,
        credential = excluded.credential;
  END IF;
END
$$;
