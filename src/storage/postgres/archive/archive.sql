-- What is left of sealed months until an operator drops it: `archived_settlements_2026_09`, the partition of a month, and its entries here.
CREATE TABLE archived_entries (
  id integer PRIMARY KEY,
  at bigint NOT NULL,
  account_id integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  amount_nano bigint NOT NULL,
  reference text COLLATE "C" NOT NULL,
  call_id bytea,
  note text COLLATE "C"
);
CREATE UNIQUE INDEX archived_entries_by_reference ON archived_entries (account_id, reference);
CREATE INDEX archived_entries_by_time ON archived_entries (at);

-- A settlement of a sealed month, which has no partition any more: its charge becomes an entry of today that names the call, once, and only if
-- the call is not in the archive already. Its account pays from what is free, and never below zero.
CREATE FUNCTION turnpike_late_charge_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_month text := to_char(to_timestamp(NEW.admitted_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM');
  v_table text := 'archived_settlements_' || replace(v_month, '-', '_');
  v_is_known boolean := false;
  v_charge bigint := CASE WHEN NEW.hold_nano IS NULL THEN 0 ELSE NEW.charge_nano END;
  v_free bigint;
  v_bounded boolean;
BEGIN
  IF v_month > coalesce((SELECT max(month) FROM seals), '') THEN
    RETURN NEW;
  END IF;
  IF to_regclass(v_table) IS NOT NULL THEN
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE call_id = $1)', v_table) INTO v_is_known USING NEW.call_id;
  END IF;
  IF v_is_known OR v_charge = 0 THEN
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
    VALUES (turnpike_now(), NEW.account_id, 'late_charge', -v_charge, 'late-charge ' || encode(NEW.call_id, 'hex'), NEW.call_id,
      'settled after ' || v_month || ' was sealed')
    ON CONFLICT (account_id, reference) DO NOTHING;
  IF FOUND THEN
    UPDATE funds SET free_nano = free_nano - v_charge, charged_nano = charged_nano + v_charge WHERE account_id = NEW.account_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER late_charge BEFORE INSERT ON settlements_default FOR EACH ROW EXECUTE FUNCTION turnpike_late_charge_1();
