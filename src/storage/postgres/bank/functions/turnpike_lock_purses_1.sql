-- Locks purses in order of kind and id, in statements of their own: what the next statement reads is then what every other transaction
-- has committed. Makes rows that are missing, and stores limits that have changed; null arrays of limits leave them.
CREATE FUNCTION turnpike_lock_purses_1(
  p_kinds smallint[], p_ids integer[], p_bounded boolean,
  p_days bigint[] DEFAULT NULL, p_weeks bigint[] DEFAULT NULL, p_months bigint[] DEFAULT NULL, p_totals bigint[] DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Every row of a conflict is locked, even where the condition of the update is false.
  INSERT INTO funds AS f (account_id, free_nano, bounded, credited_nano, charged_nano)
    SELECT DISTINCT id, 0, p_bounded, 0, 0 FROM unnest(p_kinds, p_ids) AS purse(kind, id) WHERE kind = 0 ORDER BY id
    ON CONFLICT (account_id) DO UPDATE SET bounded = excluded.bounded AND f.free_nano >= 0
      WHERE f.bounded <> (excluded.bounded AND f.free_nano >= 0);
  INSERT INTO budget_purses AS b (kind, id, day_nano, week_nano, month_nano, total_nano)
    SELECT kind, id, max(day), max(week), max(month), max(total)
      FROM unnest(p_kinds, p_ids, p_days, p_weeks, p_months, p_totals) AS purse(kind, id, day, week, month, total)
      WHERE kind > 0 GROUP BY kind, id ORDER BY kind, id
    ON CONFLICT (kind, id) DO UPDATE SET
      day_nano = excluded.day_nano, week_nano = excluded.week_nano,
      month_nano = excluded.month_nano, total_nano = excluded.total_nano
      WHERE p_days IS NOT NULL AND (b.day_nano, b.week_nano, b.month_nano, b.total_nano)
        IS DISTINCT FROM (excluded.day_nano, excluded.week_nano, excluded.month_nano, excluded.total_nano);
END
$$;
