-- Advisory locks on slots, until the transaction ends: shared by what happens under an epoch, exclusive for what ends one. So nothing of
-- an epoch that is over is still under way. Slot -1 stands for registering.
CREATE FUNCTION turnpike_use_slot_1(p_slot smallint) RETURNS void LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock_shared(1953854062, p_slot)
$$;

CREATE FUNCTION turnpike_lock_slot_1(p_slot smallint) RETURNS void LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(1953854062, p_slot)
$$;
