-- Lends shares of purses to a node: a row per want, in their order; none if the epoch is over. See section "Lending" of decision 0061.
CREATE FUNCTION turnpike_lease_1(
  p_slot smallint, p_epoch bigint, p_bounded boolean, p_together boolean,
  p_kinds smallint[], p_ids integer[], p_seqs bigint[], p_shortfalls bigint[], p_wishes bigint[],
  p_days bigint[], p_weeks bigint[], p_months bigint[], p_totals bigint[]
) RETURNS TABLE (granted bigint, free bigint, elsewhere bigint, span text, today integer) LANGUAGE plpgsql AS $$
DECLARE
  v_count integer := cardinality(p_kinds);
  v_today integer := turnpike_now() / 86400000;
  v_nodes bigint;
  v_free bigint[] := array_fill(0::bigint, ARRAY[v_count]);
  v_more bigint[] := array_fill(0::bigint, ARRAY[v_count]);
  v_spans text[] := array_fill(NULL::text, ARRAY[v_count]);
  v_seq bigint;
  v_room bigint;
  v_span text;
  v_bounded boolean;
  v_is_refused boolean := false;
BEGIN
  -- Whoever keeps one account locked must not keep the node from the others: it has one connection for this.
  PERFORM set_config('lock_timeout', '1s', true);
  PERFORM turnpike_use_slot_1(p_slot);
  IF NOT EXISTS (SELECT 1 FROM nodes WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining')) THEN
    RETURN;
  END IF;
  IF (SELECT count(DISTINCT (kind, id)) FROM unnest(p_kinds, p_ids) AS purse(kind, id)) <> v_count THEN
    RAISE EXCEPTION 'a purse is asked for twice in one request';
  END IF;
  PERFORM turnpike_lock_purses_1(p_kinds, p_ids, p_bounded, p_days, p_weeks, p_months, p_totals);
  SELECT greatest(count(*), 1) INTO v_nodes FROM nodes WHERE state = 'live';
  -- What could be lent.
  FOR i IN 1..v_count LOOP
    SELECT seq INTO v_seq FROM leases WHERE kind = p_kinds[i] AND id = p_ids[i] AND slot = p_slot;
    v_bounded := true;
    IF p_kinds[i] = 0 THEN
      v_bounded := p_bounded;
      SELECT free_nano INTO v_room FROM funds WHERE account_id = p_ids[i];
    ELSE
      SELECT coalesce(found.room, 9223372036854775807), found.span, found.span IS NOT NULL INTO v_room, v_span, v_bounded
        FROM turnpike_budget_room_1(p_kinds[i], p_ids[i], v_today, ARRAY[p_days[i], p_weeks[i], p_months[i], p_totals[i]]) AS found;
      v_spans[i] := v_span;
    END IF;
    v_free[i] := v_room;
    IF v_seq >= p_seqs[i] THEN
      -- An old request, or one that was sent again, changes nothing.
      v_is_refused := true;
    ELSIF NOT v_bounded THEN
      v_more[i] := p_wishes[i];
    ELSIF v_room >= 0 AND v_room / 2 / v_nodes >= p_shortfalls[i] THEN
      v_more[i] := greatest(p_shortfalls[i], least(p_wishes[i], v_room / 2 / v_nodes));
    ELSIF v_room >= p_shortfalls[i] THEN
      v_more[i] := p_shortfalls[i];
    ELSE
      v_is_refused := true;
    END IF;
    v_more[i] := greatest(v_more[i], 0);
  END LOOP;
  IF p_together AND v_is_refused THEN
    v_more := array_fill(0::bigint, ARRAY[v_count]);
  END IF;
  -- Lends it. Rows of leases are locked in the same order as purses.
  UPDATE funds SET free_nano = free_nano - more
    FROM unnest(p_kinds, p_ids, v_more) AS lent(kind, id, more)
    WHERE kind = 0 AND account_id = id AND more > 0;
  INSERT INTO leases AS l (kind, id, slot, bounded, granted_nano, spent_nano, seq)
    SELECT kind, id, p_slot, kind > 0 OR p_bounded, more, 0, asked.seq
      FROM unnest(p_kinds, p_ids, p_seqs, v_more) AS asked(kind, id, seq, more)
      ORDER BY kind, id
    ON CONFLICT (kind, id, slot) DO UPDATE SET granted_nano = l.granted_nano + excluded.granted_nano, seq = excluded.seq
      WHERE l.seq < excluded.seq;
  RETURN QUERY
    SELECT own.granted_nano,
      CASE WHEN v_free[ord] = 9223372036854775807 THEN v_free[ord] ELSE v_free[ord] - v_more[ord] END,
      (SELECT coalesce(sum(granted_nano - spent_nano), 0)::bigint FROM leases
        WHERE leases.kind = asked.kind AND leases.id = asked.id AND leases.slot <> p_slot),
      v_spans[ord], v_today
    FROM unnest(p_kinds, p_ids) WITH ORDINALITY AS asked(kind, id, ord)
      JOIN leases AS own ON own.kind = asked.kind AND own.id = asked.id AND own.slot = p_slot
    ORDER BY ord;
  -- Asks the others for what is missing.
  INSERT INTO recalls AS r (kind, id, at, slot)
    SELECT kind, id, turnpike_now(), p_slot
      FROM unnest(p_kinds, p_ids, p_shortfalls, v_free) AS asked(kind, id, shortfall, free)
      WHERE asked.free < shortfall AND EXISTS (
        SELECT 1 FROM leases WHERE leases.kind = asked.kind AND leases.id = asked.id AND leases.slot <> p_slot
          AND granted_nano > spent_nano)
      ORDER BY kind, id
    ON CONFLICT (kind, id) DO UPDATE SET at = excluded.at, slot = excluded.slot;
  IF FOUND THEN
    PERFORM pg_notify('turnpike', 'recall');
  END IF;
END
$$;
