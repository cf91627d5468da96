-- The purses of which too little is lent to a slot for the calls of a batch that are new and charge something; all of their purses if their
-- epoch is over. A row per call and purse, a call that is in the batch twice once. `cell` numbers purses and days, in order.
-- Tables are read by subqueries, so that rows are found by their keys, whatever is known of the tables' sizes.
CREATE FUNCTION turnpike_short_1(
  p_slot smallint, p_bounded boolean, p_is_over boolean, b turnpike_calls_1, p_charges bigint[]
) RETURNS TABLE (place integer, call_id bytea, kind smallint, id integer, day integer, cell integer) LANGUAGE sql VOLATILE AS $$
  WITH sent AS MATERIALIZED (
    SELECT DISTINCT ON (sent.call_id) sent.*
    FROM unnest(b.call_id, b.account_id, b.project_id, b.root_id, b.budgets, b.day, p_charges, b.hold_nano)
      WITH ORDINALITY AS sent(call_id, account_id, project_id, root_id, budgets, day, charge, hold, place)
    WHERE charge > 0 AND (SELECT 1 FROM settlements WHERE settlements.call_id = sent.call_id) IS NULL
    ORDER BY sent.call_id, sent.place
  ), used AS MATERIALIZED (
    SELECT sent.place, sent.call_id, purse.kind, purse.id, coalesce(sent.day, 0) AS day,
      sum(charge) OVER (PARTITION BY purse.kind, purse.id) AS needed
    FROM sent CROSS JOIN LATERAL turnpike_purses_1(account_id, project_id, root_id, budgets, hold) AS purse
  )
  SELECT used.place::integer, used.call_id, used.kind, used.id, used.day,
    dense_rank() OVER (ORDER BY used.kind, used.id, used.day)::integer
  FROM used
  WHERE p_is_over OR coalesce(
    (SELECT bounded AND granted_nano - spent_nano < used.needed FROM leases
      WHERE leases.kind = used.kind AND leases.id = used.id AND leases.slot = p_slot),
    used.kind > 0 OR p_bounded)
$$;

-- Ends what is lent to a slot of some purses, whose rows are locked. What it spent goes over to the account.
CREATE FUNCTION turnpike_end_leases_1(p_slot smallint, p_kinds smallint[], p_ids integer[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off AS $$
BEGIN
  WITH over AS (
    DELETE FROM leases USING (SELECT kind, id, p_slot AS slot FROM unnest(p_kinds, p_ids) AS t(kind, id) OFFSET 0) AS short
      WHERE leases.kind = short.kind AND leases.id = short.id AND leases.slot = short.slot
      RETURNING leases.kind, leases.id, granted_nano, spent_nano
  )
  UPDATE funds SET free_nano = free_nano + granted_nano - spent_nano, charged_nano = charged_nano + spent_nano
    FROM over WHERE over.kind = 0 AND account_id = over.id;
END
$$;

-- Takes charges from accounts of which nothing is lent.
CREATE FUNCTION turnpike_charge_1(p_ids integer[], p_charges bigint[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off AS $$
BEGIN
  UPDATE funds SET free_nano = free_nano - nano, charged_nano = charged_nano + nano
    FROM unnest(p_ids, p_charges) AS taken(id, nano) WHERE account_id = taken.id;
END
$$;
