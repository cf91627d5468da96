-- Brings `spending_before` up to date for the purses with a budget without a window. Their rows are locked. A sum of days that are not old
-- yet is from a time when the clock was ahead: what was spent on these days since then is not in it, so it is made anew.
CREATE FUNCTION turnpike_fold_2(p_kinds smallint[], p_ids integer[], p_totals bigint[], p_today integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_purse record;
BEGIN
  FOR v_purse IN
    SELECT kind, id, (SELECT day FROM spending_before AS known WHERE known.kind = asked.kind AND known.id = asked.id) AS day
      FROM unnest(p_kinds, p_ids, p_totals) AS asked(kind, id, total) WHERE kind > 0 AND total IS NOT NULL ORDER BY kind, id
  LOOP
    IF v_purse.day > p_today - 32 THEN
      DELETE FROM spending_before WHERE kind = v_purse.kind AND id = v_purse.id;
      v_purse.day := NULL;
    END IF;
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

-- Charges that count ever, whatever the clock has been.
CREATE FUNCTION turnpike_spent_ever_2(p_kind smallint, p_id integer) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_before spending_before;
BEGIN
  SELECT * INTO v_before FROM spending_before
    WHERE kind = p_kind AND id = p_id AND day <= turnpike_now() / 86400000 - 32;
  RETURN coalesce(v_before.charge_nano, 0) + turnpike_spent_1(p_kind, p_id, coalesce(v_before.day, -2147483648));
END
$$;
