-- Calls that lost their name (an idempotency key, or a line of a batch) before they were settled: their node was declared lost, and another
-- call has the name, or the batch has ended without it. If the node comes back, nobody is charged for them. See decision 0085.
CREATE TABLE superseded_calls (
  call_id bytea PRIMARY KEY,
  -- Who took the name first; null if the batch has ended without it.
  by_call_id bytea,
  at bigint NOT NULL
);

-- A claim that goes over to another call. Whoever settles the earlier one locks its claim first, so it is settled by now, or it will see this.
CREATE FUNCTION turnpike_supersede_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO superseded_calls (call_id, by_call_id, at)
    SELECT OLD.call_id, NEW.call_id, turnpike_now()
    WHERE (SELECT 1 FROM settlements WHERE settlements.call_id = OLD.call_id) IS NULL
    ON CONFLICT (call_id) DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER replay_claims_supersede AFTER UPDATE OF call_id ON replay_claims
  FOR EACH ROW WHEN (OLD.call_id <> NEW.call_id) EXECUTE FUNCTION turnpike_supersede_1();
