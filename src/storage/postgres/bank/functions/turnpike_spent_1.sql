-- Charges that count from a day on, and ever.
CREATE FUNCTION turnpike_spent_1(p_kind smallint, p_id integer, p_day integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(charge_nano), 0)::bigint FROM spending_days WHERE kind = p_kind AND id = p_id AND day >= p_day
$$;

CREATE FUNCTION turnpike_spent_ever_1(p_kind smallint, p_id integer) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_before spending_before;
BEGIN
  SELECT * INTO v_before FROM spending_before WHERE kind = p_kind AND id = p_id;
  RETURN coalesce(v_before.charge_nano, 0) + turnpike_spent_1(p_kind, p_id, coalesce(v_before.day, -2147483648));
END
$$;

-- The first days of the windows that contain a day: the day's own, the week's, the month's, and that of a budget without a window.
CREATE FUNCTION turnpike_windows_1(p_day integer) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[
    p_day, p_day - (p_day - 4) % 7,
    date_trunc('month', timestamp '1970-01-01' + p_day * interval '1 day')::date - date '1970-01-01', -2147483648]
$$;

-- What budgets leave in the windows of a day, less what is lent, and the window that leaves the least; both null without limits. What is
-- spent in a window counts from its first day on, without an end.
CREATE FUNCTION turnpike_budget_room_2(
  p_kind smallint, p_id integer, p_day integer, p_limits bigint[], OUT room bigint, OUT span text
) LANGUAGE plpgsql AS $$
DECLARE
  v_starts integer[] := turnpike_windows_1(p_day);
  v_spent bigint[];
  v_lent bigint;
BEGIN
  SELECT coalesce(sum(granted_nano - spent_nano), 0) INTO v_lent FROM leases WHERE kind = p_kind AND id = p_id;
  SELECT ARRAY[
      coalesce(sum(charge_nano) FILTER (WHERE day >= p_day), 0),
      coalesce(sum(charge_nano) FILTER (WHERE day >= v_starts[2]), 0),
      coalesce(sum(charge_nano) FILTER (WHERE day >= v_starts[3]), 0)
    ] INTO v_spent FROM spending_days
    WHERE kind = p_kind AND id = p_id AND day >= least(v_starts[2], v_starts[3]);
  IF p_limits[4] IS NOT NULL THEN
    v_spent[4] := turnpike_spent_ever_1(p_kind, p_id);
  END IF;
  SELECT p_limits[i] - v_spent[i] - v_lent, (ARRAY['day', 'week', 'month', 'total'])[i] INTO room, span
    FROM generate_series(1, 4) AS i WHERE p_limits[i] IS NOT NULL
    ORDER BY 1, i LIMIT 1;
END
$$;
