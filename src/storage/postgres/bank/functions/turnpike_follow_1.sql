-- Changes that were made by hand get the next number of the feed, like those of the program, so that every node follows them. At the end of
-- the transaction, because the program numbers a row after it has written it. Arguments: topic, and the column with the row's id.
CREATE FUNCTION turnpike_follow_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_topic text := TG_ARGV[0];
  v_row jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  v_id text := v_row ->> TG_ARGV[1];
  v_before bigint := (v_row ->> 'seq')::bigint;
  v_now bigint;
  v_next bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT 1 FROM changes WHERE seq > v_before AND topic = v_topic AND id = v_id) THEN
      RETURN NULL;
    END IF;
  ELSE
    EXECUTE format('SELECT seq FROM %I WHERE %I::text = $1', TG_TABLE_NAME, TG_ARGV[1]) INTO v_now USING v_id;
    IF v_now IS DISTINCT FROM v_before THEN
      RETURN NULL;
    END IF;
  END IF;
  v_next := turnpike_publish_1(v_topic, v_id);
  IF TG_OP <> 'DELETE' THEN
    EXECUTE format('UPDATE %I SET seq = $1 WHERE %I::text = $2', TG_TABLE_NAME, TG_ARGV[1]) USING v_next, v_id;
  END IF;
  RETURN NULL;
END
$$;

-- Adds a change and returns its number. The row of the feed stays locked, so numbers have no gaps and are in the order of commits.
CREATE FUNCTION turnpike_publish_1(p_topic text, p_id text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_next bigint;
BEGIN
  UPDATE feed SET seq = seq + 1 RETURNING seq INTO v_next;
  INSERT INTO changes (seq, at, topic, id) VALUES (v_next, turnpike_now(), p_topic, p_id);
  RETURN v_next;
END
$$;

-- An entry changes an account's money, which nodes may remember as used up.
CREATE FUNCTION turnpike_follow_entry_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM turnpike_publish_1('money', NEW.account_id::text);
  RETURN NULL;
END
$$;

-- Wakes the nodes, which read the changes with their next pulse.
CREATE FUNCTION turnpike_wake_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('turnpike', 'feed');
  RETURN NULL;
END
$$;
