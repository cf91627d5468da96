-- The purses that a call takes money from.
CREATE FUNCTION turnpike_purses_1(
  p_account_id integer, p_project_id integer, p_root_id integer, p_budgets integer, p_hold bigint
) RETURNS TABLE (kind smallint, id integer) LANGUAGE sql IMMUTABLE AS $$
  SELECT purse.kind::smallint, coalesce(purse.id, 0) FROM (VALUES
    (0, p_account_id, p_hold IS NOT NULL),
    (1, p_root_id, p_budgets & 1 <> 0),
    (2, p_project_id, p_budgets & 2 <> 0),
    (3, p_account_id, p_budgets & 4 <> 0)
  ) AS purse(kind, id, is_used) WHERE is_used
$$;

-- What there is for calls of a day for which nothing is lent; null without a limit.
CREATE FUNCTION turnpike_late_room_1(p_kind smallint, p_id integer, p_day integer, p_bounded boolean) RETURNS bigint
LANGUAGE plpgsql AS $$
BEGIN
  IF p_kind = 0 THEN
    RETURN (SELECT greatest(free_nano, 0) FROM funds WHERE account_id = p_id AND p_bounded);
  END IF;
  RETURN (
    SELECT found.room FROM budget_purses AS p, turnpike_budget_room_1(
        p.kind, p.id, p_day, ARRAY[p.day_nano, p.week_nano, p.month_nano, p.total_nano]) AS found
      WHERE p.kind = p_kind AND p.id = p_id);
END
$$;

-- What calls are charged for which nothing is lent, and what the operator bears: those of an epoch that is over (`p_is_over`), or those of
-- a purse of which too little is lent, which is a fault of ours. A charge is at most what is free of the balance, and what the budgets
-- leave as they were known last. Locks those purses (`kinds`, `ids`), whose leases at this slot are over; `charged` and `lost` are in the
-- order of the batch.
CREATE FUNCTION turnpike_late_1(
  p_slot smallint, p_bounded boolean, p_is_over boolean, b turnpike_calls_1,
  OUT charged bigint[], OUT lost bigint[], OUT calls integer, OUT loss bigint, OUT kinds smallint[], OUT ids integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  v_call record;
  v_purse text;
  v_purses text[];
  v_key text;
  v_previous bytea;
  v_charge bigint;
  -- By kind, id and day what there was at first (null: no limit), by kind and id what was taken of it.
  v_rooms jsonb := '{}';
  v_taken jsonb := '{}';
BEGIN
  charged := b.charge_nano;
  lost := b.node_loss_nano;
  calls := 0;
  loss := 0;
  SELECT array_agg(needed.kind ORDER BY needed.kind, needed.id), array_agg(needed.id ORDER BY needed.kind, needed.id)
    INTO kinds, ids
    FROM (
      SELECT purse.kind::smallint AS kind, purse.id, sum(charge) AS nano
      FROM unnest(b.call_id, b.account_id, b.project_id, b.root_id, b.budgets, b.charge_nano, b.hold_nano)
          AS sent(call_id, account_id, project_id, root_id, budgets, charge, hold)
        CROSS JOIN LATERAL turnpike_purses_1(account_id, project_id, root_id, budgets, hold) AS purse
      WHERE charge > 0 AND NOT EXISTS (SELECT 1 FROM settlements WHERE settlements.call_id = sent.call_id)
      GROUP BY 1, 2
    ) AS needed
      LEFT JOIN leases ON leases.kind = needed.kind AND leases.id = needed.id AND leases.slot = p_slot
    WHERE p_is_over
      OR coalesce(leases.bounded, needed.kind > 0 OR p_bounded)
        AND coalesce(leases.granted_nano - leases.spent_nano, 0) < needed.nano;
  IF kinds IS NULL THEN
    RETURN;
  END IF;
  PERFORM turnpike_lock_purses_1(kinds, ids, p_bounded);
  IF NOT p_is_over THEN
    WITH over AS (
      DELETE FROM leases USING unnest(kinds, ids) AS short(kind, id)
        WHERE leases.kind = short.kind AND leases.id = short.id AND slot = p_slot
        RETURNING leases.kind, leases.id, granted_nano, spent_nano
    )
    UPDATE funds SET free_nano = free_nano + granted_nano - spent_nano, charged_nano = charged_nano + spent_nano
      FROM over WHERE over.kind = 0 AND account_id = over.id;
  END IF;
  IF charged = '{}' THEN
    RETURN;
  END IF;
  IF coalesce(cardinality(lost), 0) = 0 THEN
    lost := array_fill(0::bigint, ARRAY[cardinality(charged)]);
  END IF;
  FOR v_call IN
    SELECT sent.* FROM unnest(b.call_id, b.account_id, b.project_id, b.root_id, b.budgets, b.day, b.charge_nano, b.hold_nano)
        WITH ORDINALITY AS sent(call_id, account_id, project_id, root_id, budgets, day, charge, hold, place)
      WHERE charge > 0 AND NOT EXISTS (SELECT 1 FROM settlements WHERE settlements.call_id = sent.call_id)
      ORDER BY call_id
  LOOP
    -- A call that is in the batch twice is written once.
    IF v_call.call_id IS DISTINCT FROM v_previous THEN
      v_charge := v_call.charge;
      v_purses := ARRAY(
        SELECT purse.kind || ':' || purse.id
        FROM turnpike_purses_1(v_call.account_id, v_call.project_id, v_call.root_id, v_call.budgets, v_call.hold) AS purse
          JOIN unnest(kinds, ids) AS short(kind, id) ON short.kind = purse.kind AND short.id = purse.id);
      FOREACH v_purse IN ARRAY v_purses LOOP
        v_key := v_purse || ':' || coalesce(v_call.day, 0);
        IF NOT v_rooms ? v_key THEN
          v_rooms := v_rooms || jsonb_build_object(v_key, turnpike_late_room_1(
            split_part(v_purse, ':', 1)::smallint, split_part(v_purse, ':', 2)::integer, coalesce(v_call.day, 0), p_bounded));
        END IF;
        v_charge := greatest(least(v_charge,
          (v_rooms ->> v_key)::bigint - coalesce((v_taken ->> v_purse)::bigint, 0)), 0);
      END LOOP;
      FOREACH v_purse IN ARRAY v_purses LOOP
        v_taken := v_taken || jsonb_build_object(v_purse, coalesce((v_taken ->> v_purse)::bigint, 0) + v_charge);
      END LOOP;
      IF cardinality(v_purses) > 0 THEN
        calls := calls + 1;
        loss := loss + v_call.charge - v_charge;
      END IF;
    END IF;
    v_previous := v_call.call_id;
    charged[v_call.place] := least(v_charge, v_call.charge);
    lost[v_call.place] := lost[v_call.place] + v_call.charge - charged[v_call.place];
  END LOOP;
END
$$;
