-- What the budgets of a key (1), a project (2) or an account (3) leave in the windows of a day, less what is lent, and the window that
-- leaves the least; both null without limits. What is spent in a window counts from its first day on, without an end.
CREATE FUNCTION turnpike_budget_room_1(
  p_kind smallint, p_id integer, p_day integer, p_limits bigint[], OUT room bigint, OUT span text
) LANGUAGE plpgsql AS $$
DECLARE
  v_week integer := p_day - (p_day - 4) % 7;
  v_month integer := date_trunc('month', date '1970-01-01' + p_day)::date - date '1970-01-01';
  v_spent bigint[];
  v_lent bigint;
BEGIN
  SELECT coalesce(sum(granted_nano - spent_nano), 0) INTO v_lent FROM leases WHERE kind = p_kind AND id = p_id;
  SELECT ARRAY[
      coalesce(sum(charge_nano) FILTER (WHERE day >= p_day), 0),
      coalesce(sum(charge_nano) FILTER (WHERE day >= v_week), 0),
      coalesce(sum(charge_nano) FILTER (WHERE day >= v_month), 0),
      coalesce(sum(charge_nano), 0)
    ] INTO v_spent FROM spending_days
    WHERE kind = p_kind AND id = p_id
      AND day >= CASE WHEN p_limits[4] IS NULL THEN least(v_week, v_month) ELSE -2147483648 END;
  SELECT p_limits[i] - v_spent[i] - v_lent, (ARRAY['day', 'week', 'month', 'total'])[i] INTO room, span
    FROM generate_series(1, 4) AS i WHERE p_limits[i] IS NOT NULL
    ORDER BY 1, i LIMIT 1;
END
$$;
