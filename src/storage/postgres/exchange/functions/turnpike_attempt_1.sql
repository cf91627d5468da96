-- Counts an attempt that may fail: returns 0, or how long to wait first (ms), and then counts nothing. Failures are forgotten after
-- `p_forgotten` ms without an attempt; from the `p_free`th on, the wait before the next one doubles from `p_first` to `p_max`.
CREATE FUNCTION turnpike_attempt_1(
  p_subject bytea, p_now bigint, p_free integer, p_first bigint, p_max bigint, p_forgotten bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v attempts%ROWTYPE;
BEGIN
  INSERT INTO attempts VALUES (p_subject, 0, p_now, 0) ON CONFLICT (subject) DO NOTHING;
  SELECT * INTO STRICT v FROM attempts WHERE subject = p_subject FOR UPDATE;
  IF v.next_at > p_now THEN RETURN v.next_at - p_now; END IF;
  IF p_now - v.last_at >= p_forgotten THEN v.count := 0; END IF;
  v.count := v.count + 1;
  UPDATE attempts SET count = v.count, last_at = p_now,
    next_at = CASE WHEN v.count < p_free THEN p_now
      ELSE p_now + least(p_max, p_first * (2 ^ least(v.count - p_free, 20))::bigint) END
    WHERE subject = p_subject;
  RETURN 0;
END
$$;
