-- Gives up the names of calls whose nodes are lost, because their batch goes on or ends without them. False, and nothing is given up, if one
-- of them may still run. Afterwards each of them is settled already, or is never charged.
CREATE FUNCTION turnpike_give_up_1(p_calls bytea[], p_now bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- In a statement of its own: the next ones see what was settled while this one waited.
  PERFORM 1 FROM replay_claims WHERE call_id = ANY (p_calls) ORDER BY call_id FOR UPDATE;
  IF EXISTS (SELECT FROM replay_claims AS c WHERE c.call_id = ANY (p_calls) AND turnpike_is_claimed_1(c, p_now)) THEN
    RETURN false;
  END IF;
  INSERT INTO superseded_calls (call_id, at)
    SELECT c.call_id, turnpike_now() FROM replay_claims AS c
    WHERE c.call_id = ANY (p_calls) AND (SELECT 1 FROM settlements WHERE settlements.call_id = c.call_id) IS NULL
    ORDER BY c.call_id
    ON CONFLICT (call_id) DO NOTHING;
  DELETE FROM replay_claims WHERE call_id = ANY (p_calls);
  RETURN true;
END
$$;
