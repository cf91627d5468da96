-- What a node asks several times a second. It is marked as seen at most every 5 s, or when its state changes. `missed`: changes after its
-- number are no longer stored.
CREATE FUNCTION turnpike_pulse_1(
  p_slot smallint, p_epoch bigint, p_feed_seq bigint, p_unsent_from bigint, p_draining boolean,
  OUT is_mine boolean, OUT now bigint, OUT live_nodes integer, OUT last_seq bigint, OUT missed boolean,
  OUT seqs bigint[], OUT ats bigint[], OUT topics text[], OUT ids text[],
  OUT recalled_kinds smallint[], OUT recalled_ids integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  v_state text := CASE WHEN p_draining THEN 'draining' ELSE 'live' END;
BEGIN
  now := turnpike_now();
  UPDATE nodes SET seen_at = greatest(seen_at, now), state = v_state, feed_seq = p_feed_seq, unsent_from = p_unsent_from
    WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining')
      AND (seen_at <= now - 5000 OR state <> v_state OR (unsent_from IS NULL) <> (p_unsent_from IS NULL));
  is_mine := FOUND OR EXISTS (
    SELECT 1 FROM nodes WHERE slot = p_slot AND epoch = p_epoch AND state IN ('live', 'draining'));
  SELECT greatest(count(*), 1) INTO live_nodes FROM nodes WHERE state = 'live';
  -- One statement, so that the changes belong to the number.
  SELECT feed.seq, array_agg(found.seq ORDER BY found.seq), array_agg(found.at ORDER BY found.seq),
      array_agg(found.topic ORDER BY found.seq), array_agg(found.id ORDER BY found.seq)
    INTO last_seq, seqs, ats, topics, ids
    FROM feed LEFT JOIN LATERAL (
      SELECT seq, at, topic, id FROM changes WHERE seq > p_feed_seq ORDER BY seq LIMIT 1000
    ) AS found ON true GROUP BY feed.seq;
  missed := last_seq < p_feed_seq OR (last_seq > p_feed_seq AND seqs[1] IS DISTINCT FROM p_feed_seq + 1);
  SELECT array_agg(kind), array_agg(id) INTO recalled_kinds, recalled_ids FROM recalls
    WHERE at > now - 1000 AND slot <> p_slot AND (
      SELECT granted_nano > spent_nano FROM leases WHERE leases.kind = recalls.kind AND leases.id = recalls.id AND leases.slot = p_slot);
END
$$;
