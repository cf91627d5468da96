-- Takes a token of a bucket that has `p_burst`, and another one every `p_every` ms: returns 0, or how long to wait first (ms).
CREATE FUNCTION turnpike_take_token_1(p_subject bytea, p_now bigint, p_burst bigint, p_every bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_next bigint;
BEGIN
  INSERT INTO attempts VALUES (p_subject, 0, p_now, 0) ON CONFLICT (subject) DO NOTHING;
  SELECT greatest(next_at, p_now) + p_every INTO STRICT v_next FROM attempts WHERE subject = p_subject FOR UPDATE;
  IF v_next - p_now > p_burst * p_every THEN RETURN v_next - p_now - p_burst * p_every; END IF;
  UPDATE attempts SET last_at = p_now, next_at = v_next WHERE subject = p_subject;
  RETURN 0;
END
$$;
