-- Who pays for the calls of a batch. A call that is settled already is left out everywhere: nobody pays for it again, so an account that is
-- gone gets no row of money for it, from which its next calls would be taken.

-- Whether a new call is to be charged to an account that is not there, or of whose money this database knows nothing. Without a limit on
-- balances that needs no lease. `p_is_earlier`: the batch is of an earlier epoch, perhaps from before the database went back; then also
-- whether the account was made after the call, because it may be another one with the same number.
CREATE FUNCTION turnpike_lacks_accounts_1(b turnpike_calls_1, p_is_earlier boolean) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM unnest(b.call_id, b.account_id, b.admitted_at, b.charge_nano, b.hold_nano)
      AS sent(call_id, account_id, admitted_at, charge, hold)
    WHERE CASE
      WHEN charge > 0 AND hold IS NOT NULL AND (
        (SELECT 1 FROM funds WHERE funds.account_id = sent.account_id) IS NULL
        OR (SELECT p_is_earlier AND created_at > sent.admitted_at FROM accounts WHERE accounts.id = sent.account_id) IS NOT FALSE
      ) THEN (SELECT 1 FROM settlements WHERE settlements.call_id = sent.call_id) IS NULL
      ELSE false
    END)
$$;

-- Locks the money of the accounts that new calls are charged to, `p_charges` in the order of the batch, and makes the rows that are missing.
CREATE FUNCTION turnpike_lock_payers_1(b turnpike_calls_1, p_charges bigint[], p_bounded boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_ids integer[];
BEGIN
  SELECT array_agg(DISTINCT account_id) INTO v_ids
    FROM unnest(b.call_id, b.account_id, p_charges, b.hold_nano) AS sent(call_id, account_id, charge, hold)
    WHERE charge > 0 AND hold IS NOT NULL
      AND (SELECT 1 FROM settlements WHERE settlements.call_id = sent.call_id) IS NULL;
  IF v_ids IS NOT NULL THEN
    PERFORM turnpike_lock_purses_1(array_fill(0::smallint, ARRAY[cardinality(v_ids)]), v_ids, p_bounded);
  END IF;
END
$$;

-- Whether a batch has numbers that no account, project or key was given yet: those that had them are lost.
CREATE FUNCTION turnpike_is_ahead_1(b turnpike_calls_1) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (SELECT max(id) FROM unnest(b.account_id) AS id) > coalesce((SELECT max(id) FROM accounts), 0)
    OR (SELECT max(id) FROM unnest(b.project_id) AS id) > coalesce((SELECT max(id) FROM projects), 0)
    OR (SELECT max(id) FROM unnest(b.key_id) AS id) > coalesce((SELECT max(id) FROM keys), 0)
$$;
