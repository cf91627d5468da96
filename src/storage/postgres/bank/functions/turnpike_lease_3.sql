-- Lends shares of purses to a node: a row per want, in their order; none if the epoch is over. Wants with the same number in `p_groups`
-- belong together: all of them are lent, or none. See section "Lending" of decision 0061.
-- Rows are found by their keys, whatever was known of the tables' sizes when statements were planned.
CREATE FUNCTION turnpike_lease_3(
  p_slot smallint, p_epoch bigint, p_bounded boolean, p_groups integer[],
  p_kinds smallint[], p_ids integer[], p_seqs bigint[], p_shortfalls bigint[], p_wishes bigint[],
  p_days bigint[], p_weeks bigint[], p_months bigint[], p_totals bigint[]
) RETURNS TABLE (granted bigint, free bigint, elsewhere bigint, span text, today integer) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off AS $$
DECLARE
  c_unlimited CONSTANT bigint := 9223372036854775807;
  v_today integer := turnpike_now() / 86400000;
  v_nodes bigint;
  v_free bigint[];
  v_more bigint[];
  v_spans text[];
BEGIN
  -- Whoever keeps one account locked must not keep the node from the others: it has one connection for this.
  PERFORM set_config('lock_timeout', '1s', true);
  PERFORM turnpike_use_slot_1(p_slot);
  IF NOT EXISTS (SELECT 1 FROM nodes WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining')) THEN
    RETURN;
  END IF;
  IF (SELECT count(DISTINCT (kind, id)) FROM unnest(p_kinds, p_ids) AS purse(kind, id)) <> cardinality(p_kinds) THEN
    RAISE EXCEPTION 'a purse is asked for twice in one request';
  END IF;
  PERFORM turnpike_lock_purses_1(p_kinds, p_ids, p_bounded, p_days, p_weeks, p_months, p_totals);
  PERFORM turnpike_fold_2(p_kinds, p_ids, p_totals, v_today);
  SELECT greatest(count(*), 1) INTO v_nodes FROM nodes WHERE state = 'live';
  -- What could be lent: null if that is less than the shortfall, or if the request is an old one, or one that was sent again.
  WITH found AS (
    SELECT asked.ord, asked.team, asked.shortfall, asked.wish, budget.span,
      (SELECT seq FROM leases WHERE leases.kind = asked.kind AND leases.id = asked.id AND leases.slot = p_slot) >= asked.seq AS is_old,
      CASE asked.kind
        WHEN 0 THEN (SELECT free_nano FROM funds WHERE account_id = asked.id)
        ELSE coalesce(budget.room, c_unlimited)
      END AS room,
      CASE asked.kind WHEN 0 THEN p_bounded ELSE budget.span IS NOT NULL END AS is_bounded
    FROM unnest(p_groups, p_kinds, p_ids, p_seqs, p_shortfalls, p_wishes, p_days, p_weeks, p_months, p_totals) WITH ORDINALITY
        AS asked(team, kind, id, seq, shortfall, wish, day, week, month, total, ord)
      -- The function is not called for balances, of which `limited` has no row.
      LEFT JOIN LATERAL (
        SELECT found.* FROM (SELECT asked.kind WHERE asked.kind > 0 OFFSET 0) AS limited, turnpike_budget_room_2(
          limited.kind, asked.id, v_today, ARRAY[asked.day, asked.week, asked.month, asked.total]) AS found
      ) AS budget ON true
  ), judged AS (
    SELECT ord, team, room, found.span,
      CASE
        WHEN is_old THEN NULL
        WHEN NOT is_bounded THEN wish
        WHEN room >= 0 AND room / 2 / v_nodes >= shortfall THEN greatest(shortfall, least(wish, room / 2 / v_nodes))
        WHEN room >= shortfall THEN shortfall
      END AS more
    FROM found
  ), agreed AS (
    SELECT ord, room, judged.span,
      CASE WHEN bool_or(more IS NULL) OVER (PARTITION BY team) THEN 0 ELSE greatest(more, 0) END AS more
    FROM judged
  )
  SELECT array_agg(room ORDER BY ord), array_agg(more ORDER BY ord), array_agg(agreed.span ORDER BY ord)
    INTO v_free, v_more, v_spans FROM agreed;
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
    SELECT (SELECT granted_nano FROM leases WHERE leases.kind = asked.kind AND leases.id = asked.id AND leases.slot = p_slot),
      CASE asked.free WHEN c_unlimited THEN c_unlimited ELSE asked.free - asked.more END,
      (SELECT coalesce(sum(granted_nano - spent_nano), 0)::bigint FROM leases
        WHERE leases.kind = asked.kind AND leases.id = asked.id AND leases.slot <> p_slot),
      asked.span, v_today
    FROM unnest(p_kinds, p_ids, v_free, v_more, v_spans) WITH ORDINALITY AS asked(kind, id, free, more, span, ord)
    ORDER BY ord;
  -- Asks the others for what is missing.
  INSERT INTO recalls AS r (kind, id, at, slot)
    SELECT kind, id, turnpike_now(), p_slot
      FROM unnest(p_kinds, p_ids, p_shortfalls, v_free) AS asked(kind, id, shortfall, free)
      WHERE asked.free < shortfall AND (
        SELECT 1 FROM leases WHERE leases.kind = asked.kind AND leases.id = asked.id AND leases.slot <> p_slot
          AND granted_nano > spent_nano LIMIT 1) IS NOT NULL
      ORDER BY kind, id
    ON CONFLICT (kind, id) DO UPDATE SET at = excluded.at, slot = excluded.slot;
  IF FOUND THEN
    PERFORM pg_notify('turnpike', 'recall');
  END IF;
END
$$;
