-- After a failover or a restore, nodes send settlements again of accounts that this database may not have any more. Nobody can be charged
-- for these: they are written, and the operator bears what they cost. An account that was made after the call is another one.

-- The charges and losses of a batch in its order, with what the operator bears for that reason: `calls` that are new, and their `loss`.
CREATE FUNCTION turnpike_owned_1(
  b turnpike_calls_1, OUT charged bigint[], OUT lost bigint[], OUT calls integer, OUT loss bigint
) LANGUAGE plpgsql AS $$
DECLARE
  v_call record;
  v_previous bytea;
BEGIN
  charged := b.charge_nano;
  lost := b.node_loss_nano;
  calls := 0;
  loss := 0;
  FOR v_call IN
    SELECT call_id, place::integer AS place, charge
    FROM unnest(b.call_id, b.account_id, b.admitted_at, b.charge_nano, b.hold_nano)
      WITH ORDINALITY AS sent(call_id, account_id, admitted_at, charge, hold, place)
    WHERE charge > 0 AND hold IS NOT NULL
      AND (SELECT 1 FROM accounts WHERE accounts.id = sent.account_id AND created_at <= sent.admitted_at) IS NULL
      AND (SELECT 1 FROM settlements WHERE settlements.call_id = sent.call_id) IS NULL
    ORDER BY call_id
  LOOP
    IF coalesce(cardinality(lost), 0) = 0 THEN
      lost := array_fill(0::bigint, ARRAY[cardinality(charged)]);
    END IF;
    charged[v_call.place] := 0;
    lost[v_call.place] := lost[v_call.place] + v_call.charge;
    -- A call that is in the batch twice is written once.
    IF v_call.call_id IS DISTINCT FROM v_previous THEN
      calls := calls + 1;
      loss := loss + v_call.charge;
    END IF;
    v_previous := v_call.call_id;
  END LOOP;
END
$$;

-- Whether a batch charges an account of whose money this database knows nothing. Without a limit on balances that needs no lease.
CREATE FUNCTION turnpike_lacks_funds_1(b turnpike_calls_1) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM unnest(b.account_id, b.charge_nano, b.hold_nano) AS sent(account_id, charge, hold)
    WHERE charge > 0 AND hold IS NOT NULL AND (SELECT 1 FROM funds WHERE funds.account_id = sent.account_id) IS NULL)
$$;

-- Numbers that calls of an earlier epoch have used are not given again, to another account, project or key.
CREATE FUNCTION turnpike_pass_ids_1(b turnpike_calls_1) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_table record;
  v_sequence text;
  v_last bigint;
BEGIN
  FOR v_table IN SELECT * FROM (VALUES
    ('accounts', (SELECT max(id) FROM unnest(b.account_id) AS id)),
    ('projects', (SELECT max(id) FROM unnest(b.project_id) AS id)),
    ('keys', (SELECT max(id) FROM unnest(b.key_id) AS id))
  ) AS used(name, id) WHERE id IS NOT NULL
  LOOP
    v_sequence := pg_get_serial_sequence(v_table.name, 'id');
    EXECUTE format('SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM %s', v_sequence) INTO v_last;
    -- Numbers are taken, not set: somebody else may take one at the same time.
    PERFORM nextval(v_sequence) FROM generate_series(v_last + 1, least(v_table.id, v_last + 10000));
  END LOOP;
END
$$;
