-- Which of these calls have lost their names. Their claims are locked until the end of the transaction: nobody takes the name of one meanwhile.
CREATE FUNCTION turnpike_superseded_1(p_calls bytea[]) RETURNS bytea[] LANGUAGE plpgsql AS $$
BEGIN
  -- In a statement of its own: the next one sees what was taken while this one waited.
  PERFORM 1 FROM replay_claims WHERE call_id = ANY (p_calls) ORDER BY call_id FOR UPDATE;
  RETURN (SELECT array_agg(call_id) FROM superseded_calls WHERE call_id = ANY (p_calls));
END
$$;

-- A batch in which the operator bears what superseded calls cost, and nothing is stored of their answers: `calls` that are new, and their
-- `loss`. A claim that one of them has made again ends.
CREATE FUNCTION turnpike_absorb_1(
  p_superseded bytea[], INOUT b turnpike_calls_1, INOUT r turnpike_replays_1, OUT calls integer, OUT loss bigint
) LANGUAGE plpgsql AS $$
DECLARE
  v_charged bigint[] := b.charge_nano;
  v_lost bigint[] := b.node_loss_nano;
  v_call record;
  v_previous bytea;
BEGIN
  calls := 0;
  loss := 0;
  FOR v_call IN
    SELECT call_id, place::integer AS place, charge
    FROM unnest(b.call_id, b.charge_nano) WITH ORDINALITY AS sent(call_id, charge, place)
    WHERE charge > 0 AND call_id = ANY (p_superseded)
      AND (SELECT 1 FROM settlements WHERE settlements.call_id = sent.call_id) IS NULL
    ORDER BY call_id
  LOOP
    IF coalesce(cardinality(v_lost), 0) = 0 THEN
      v_lost := array_fill(0::bigint, ARRAY[cardinality(v_charged)]);
    END IF;
    v_charged[v_call.place] := 0;
    v_lost[v_call.place] := v_lost[v_call.place] + v_call.charge;
    -- A call that is in the batch twice is written once.
    IF v_call.call_id IS DISTINCT FROM v_previous THEN
      calls := calls + 1;
      loss := loss + v_call.charge;
    END IF;
    v_previous := v_call.call_id;
  END LOOP;
  b.charge_nano := v_charged;
  b.node_loss_nano := v_lost;
  SELECT array_agg(sent.project_id), array_agg(sent.key_digest), array_agg(sent.body_digest), array_agg(sent.call_id),
      array_agg(sent.created_at), array_agg(sent.expires_at), array_agg(sent.answer)
    INTO r.project_id, r.key_digest, r.body_digest, r.call_id, r.created_at, r.expires_at, r.answer
    FROM unnest(r.project_id, r.key_digest, r.body_digest, r.call_id, r.created_at, r.expires_at, r.answer)
      AS sent(project_id, key_digest, body_digest, call_id, created_at, expires_at, answer)
    WHERE sent.call_id <> ALL (p_superseded);
  DELETE FROM replay_claims WHERE call_id = ANY (p_superseded);
END
$$;
