-- A settlement of a sealed month, which has no partition any more: its charge becomes an entry of today that names the call, once. Not if the
-- call is in the archive, or became an entry before; not if an operator has dropped the tables that would say so; and not if its account is
-- gone. Its account pays from what is free, and never below zero. The entry is of a month that is not sealed, whatever the clock says.
CREATE FUNCTION turnpike_late_charge_3() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_month text := to_char(to_timestamp(NEW.admitted_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM');
  v_table text := 'archived_settlements_' || replace(v_month, '-', '_');
  v_sealed text := (SELECT max(month) FROM seals);
  v_reference text := 'late-charge ' || encode(NEW.call_id, 'hex');
  v_is_known boolean := false;
  v_charge bigint := CASE WHEN NEW.hold_nano IS NULL THEN 0 ELSE NEW.charge_nano END;
  v_free bigint;
  v_bounded boolean;
BEGIN
  IF v_month > coalesce(v_sealed, '') THEN
    RETURN NEW;
  END IF;
  -- A month without a seal had nothing in it, and has no table.
  IF v_charge > 0 AND EXISTS (SELECT FROM seals WHERE month = v_month) THEN
    IF to_regclass(v_table) IS NULL OR to_regclass('archived_entries') IS NULL THEN
      RAISE WARNING 'turnpike: call % is not charged: % is sealed, and whether the call was charged in it is no longer known',
        encode(NEW.call_id, 'hex'), v_month;
      RETURN NULL;
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE call_id = $1) OR EXISTS ('
      'SELECT 1 FROM archived_entries WHERE account_id = $2 AND reference = $3)', v_table)
      INTO v_is_known USING NEW.call_id, NEW.account_id, v_reference;
  END IF;
  IF v_is_known OR v_charge = 0 OR NOT EXISTS (SELECT FROM accounts WHERE id = NEW.account_id) THEN
    RETURN NULL;
  END IF;
  SELECT free_nano, bounded INTO v_free, v_bounded FROM funds WHERE account_id = NEW.account_id FOR NO KEY UPDATE;
  IF v_free IS NULL THEN
    INSERT INTO funds (account_id, free_nano, bounded, credited_nano, charged_nano) VALUES (NEW.account_id, 0, false, 0, 0);
  ELSIF v_bounded THEN
    v_charge := least(v_charge, greatest(v_free, 0));
  END IF;
  IF v_charge = 0 THEN
    RETURN NULL;
  END IF;
  INSERT INTO entries (at, account_id, kind, amount_nano, reference, call_id, note)
    VALUES (
      greatest(turnpike_now(), (extract(epoch FROM (v_sealed || '-01')::timestamp + interval '1 month') * 1000)::bigint),
      NEW.account_id, 'late_charge', -v_charge, v_reference, NEW.call_id, 'settled after ' || v_month || ' was sealed')
    ON CONFLICT (account_id, reference) DO NOTHING;
  IF FOUND THEN
    UPDATE funds SET free_nano = free_nano - v_charge, charged_nano = charged_nano + v_charge WHERE account_id = NEW.account_id;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER late_charge BEFORE INSERT ON settlements_default
  FOR EACH ROW EXECUTE FUNCTION turnpike_late_charge_3();
