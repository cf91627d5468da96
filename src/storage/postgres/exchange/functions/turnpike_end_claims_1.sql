-- The row of a call that ended takes the place of its claim, in the transaction of its settlement.
CREATE FUNCTION turnpike_end_claims_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM replay_claims USING ended WHERE replay_claims.call_id = ended.call_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER replays_end_claims AFTER INSERT ON replays
  REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION turnpike_end_claims_1();
CREATE TRIGGER replays_replaced_end_claims AFTER UPDATE ON replays
  REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION turnpike_end_claims_1();
