-- Claims an idempotency key for a call, under the first of the digests; the others are those under older keys of the ring, under which a call
-- may have claimed it before. Returns no row if it is claimed now. Otherwise the earlier call: which of the digests (from 1), what it asked,
-- and whether it has ended.
CREATE FUNCTION turnpike_claim_2(
  p_project integer, p_keys bytea[], p_body bytea, p_call bytea, p_slot smallint, p_epoch bigint, p_now bigint, p_expires bigint
) RETURNS TABLE (place integer, call_id bytea, body_digest bytea, has_ended boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_taken boolean := false;
BEGIN
  INSERT INTO replay_claims AS c (project_id, key_digest, body_digest, call_id, slot, epoch, expires_at)
    VALUES (p_project, p_keys[1], p_body, p_call, p_slot, p_epoch, p_expires)
    ON CONFLICT (project_id, key_digest) DO UPDATE SET
      body_digest = excluded.body_digest, call_id = excluded.call_id, slot = excluded.slot, epoch = excluded.epoch,
      expires_at = excluded.expires_at
    WHERE c.call_id = excluded.call_id OR NOT turnpike_is_claimed_1(c, p_now)
    RETURNING true INTO v_taken;
  -- A call that ended after the claim was refused has its row by now: both are written in one transaction.
  RETURN QUERY
    SELECT asked.place::integer, replays.call_id, replays.body_digest, true
    FROM unnest(p_keys) WITH ORDINALITY AS asked(digest, place)
    JOIN replays ON replays.project_id = p_project AND replays.key_digest = asked.digest
    WHERE replays.expires_at > p_now ORDER BY asked.place LIMIT 1;
  IF NOT FOUND THEN
    RETURN QUERY
      SELECT asked.place::integer, c.call_id, c.body_digest, false
      FROM unnest(p_keys) WITH ORDINALITY AS asked(digest, place)
      JOIN replay_claims AS c ON c.project_id = p_project AND c.key_digest = asked.digest
      WHERE CASE WHEN asked.place = 1 THEN v_taken IS NOT TRUE ELSE c.call_id <> p_call AND turnpike_is_claimed_1(c, p_now) END
      ORDER BY asked.place LIMIT 1;
  END IF;
  IF FOUND AND v_taken THEN
    DELETE FROM replay_claims AS c WHERE c.call_id = p_call;
  END IF;
END
$$;

-- Whether the call of a claim may still run.
CREATE FUNCTION turnpike_is_claimed_1(c replay_claims, p_now bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT c.expires_at > p_now AND EXISTS (
    SELECT FROM nodes WHERE nodes.slot = c.slot AND nodes.state IN ('live', 'draining')
      AND (nodes.epoch = c.epoch OR c.epoch >= nodes.carried_epoch))
$$;
