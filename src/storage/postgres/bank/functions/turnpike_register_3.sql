-- As `turnpike_register_2`, for a node that says how it is configured. `refused_mode`: a node that runs has another `billing.mode`; nothing is changed
-- then. Nodes of releases before say nothing of theirs.
ALTER TABLE nodes ADD COLUMN settings jsonb;

CREATE FUNCTION turnpike_register_3(
  p_id text, p_fingerprint text, p_name text, p_version text, p_settings jsonb,
  OUT refused_name text, OUT refused_mode text, OUT slot smallint, OUT epoch bigint, OUT carried_epoch bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- Held until the end, so of two that begin at once the second one sees the first.
  PERFORM turnpike_lock_slot_1(-1::smallint);
  -- What a program of the release before left there is of another epoch.
  SELECT name, settings ->> 'billing.mode' INTO refused_name, refused_mode FROM nodes
    WHERE id <> p_id AND state IN ('live', 'draining') AND seen_at > turnpike_now() - 120000
      AND (settings ->> 'epoch')::bigint = nodes.epoch AND settings ->> 'billing.mode' <> p_settings ->> 'billing.mode'
    ORDER BY seen_at DESC, nodes.slot LIMIT 1;
  IF refused_name IS NOT NULL THEN
    RETURN;
  END IF;
  SELECT registered.refused_name, registered.slot, registered.epoch, registered.carried_epoch
    INTO refused_name, slot, epoch, carried_epoch
    FROM turnpike_register_2(p_id, p_fingerprint, p_name, p_version) AS registered;
  PERFORM turnpike_note_settings_1(slot, epoch, p_settings) WHERE refused_name IS NULL;
END
$$;

CREATE FUNCTION turnpike_note_settings_1(p_slot smallint, p_epoch bigint, p_settings jsonb) RETURNS void LANGUAGE sql AS $$
  UPDATE nodes SET settings = p_settings || jsonb_build_object('epoch', p_epoch) WHERE slot = p_slot AND epoch = p_epoch;
$$;
