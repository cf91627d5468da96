-- `spending_before` has days that are more than 32 days ago, and is brought up to date after another 32. So there are at most 64 days to
-- read. Settlements of such days are rare, and lock the purses as lending does: see `turnpike_lock_folded_1`.

-- Brings it up to date for the purses with a budget without a window. Their rows are locked.
CREATE FUNCTION turnpike_fold_1(p_kinds smallint[], p_ids integer[], p_totals bigint[], p_today integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_purse record;
BEGIN
  FOR v_purse IN
    SELECT kind, id, (SELECT day FROM spending_before AS known WHERE known.kind = asked.kind AND known.id = asked.id) AS day
      FROM unnest(p_kinds, p_ids, p_totals) AS asked(kind, id, total) WHERE kind > 0 AND total IS NOT NULL ORDER BY kind, id
  LOOP
    IF coalesce(v_purse.day, -2147483648) < p_today - 64 THEN
      INSERT INTO spending_before AS b (kind, id, day, charge_nano)
        SELECT v_purse.kind, v_purse.id, p_today - 32, coalesce(sum(charge_nano), 0)
          FROM spending_days WHERE kind = v_purse.kind AND id = v_purse.id
            AND day >= coalesce(v_purse.day, -2147483648) AND day < p_today - 32
        ON CONFLICT (kind, id) DO UPDATE SET day = excluded.day, charge_nano = b.charge_nano + excluded.charge_nano;
    END IF;
  END LOOP;
END
$$;

-- If calls count on days that may be in `spending_before` already, locks the purses of these calls, in order of kind and id as everywhere,
-- and returns true. Day 0 is that of a call without one.
CREATE FUNCTION turnpike_lock_folded_1(b turnpike_calls_1, p_bounded boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  -- A day of reserve: this transaction may wait, and time goes on.
  c_newest CONSTANT integer := (turnpike_now() / 86400000)::integer - 31;
  v_kinds smallint[];
  v_ids integer[];
BEGIN
  IF (SELECT coalesce(min(day), 0) FROM unnest(b.day) AS day) >= c_newest THEN
    RETURN false;
  END IF;
  SELECT array_agg(kind), array_agg(id) INTO v_kinds, v_ids FROM (
    SELECT DISTINCT purse.kind::smallint AS kind, purse.id
    FROM unnest(b.account_id, b.project_id, b.root_id, b.day) AS sent(account_id, project_id, root_id, day)
      CROSS JOIN LATERAL (VALUES (0, account_id), (1, root_id), (2, project_id), (3, account_id)) AS purse(kind, id)
    WHERE coalesce(day, 0) < c_newest AND purse.id IS NOT NULL
      AND (purse.kind > 0 OR (SELECT 1 FROM funds WHERE funds.account_id = purse.id) IS NOT NULL)
  ) AS found;
  PERFORM turnpike_lock_purses_1(v_kinds, v_ids, p_bounded);
  RETURN true;
END
$$;

-- Adds calls that were written now to `spending_before`, as far as it has their days.
CREATE FUNCTION turnpike_add_folded_1(p_written bytea[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_added record;
BEGIN
  FOR v_added IN
    SELECT purse.kind, purse.id, settled.day, sum(settled.charge_nano)::bigint AS nano
    FROM unnest(p_written) AS new(call_id)
      CROSS JOIN LATERAL (SELECT * FROM settlements WHERE settlements.call_id = new.call_id OFFSET 0) AS settled
      CROSS JOIN LATERAL (VALUES (1, root_id), (2, project_id), (3, account_id)) AS purse(kind, id)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    UPDATE spending_before SET charge_nano = charge_nano + v_added.nano
      WHERE kind = v_added.kind AND id = v_added.id AND day > v_added.day;
  END LOOP;
END
$$;
