-- A statement by hand may change a hundred thousand rows. Each of them was followed by itself: it moved the feed's number on, past all versions of
-- that row which its transaction had made, while all other changes waited. Now a transaction's rows are followed together, at its end.
CREATE INDEX changes_of ON changes (topic, id, seq);

-- What statements of a running transaction have written without numbers; always empty for others.
CREATE TABLE touched (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation text NOT NULL,
  topic text NOT NULL,
  id_column text NOT NULL,
  is_gone boolean NOT NULL,
  ids text[] NOT NULL,
  befores bigint[] NOT NULL
);

-- Arguments: topic, and the column with the row's id.
CREATE FUNCTION turnpike_touch_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_ids text[];
  v_befores bigint[];
BEGIN
  EXECUTE format(
    'SELECT array_agg(%1$I::text), array_agg(seq) FROM ' || CASE TG_OP
      WHEN 'INSERT' THEN 'written WHERE seq = 0'
      WHEN 'UPDATE' THEN 'written JOIN replaced USING (%1$I, seq)'
      ELSE 'replaced' END,
    TG_ARGV[1]) INTO v_ids, v_befores;
  IF v_ids IS NOT NULL THEN
    INSERT INTO touched (relation, topic, id_column, is_gone, ids, befores)
      VALUES (TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[1], TG_OP = 'DELETE', v_ids, v_befores);
  END IF;
  RETURN NULL;
END
$$;

-- At the end of the transaction, because the program numbers a row after it has written it: what has its number by then is left out. The first
-- call follows everything. The feed's row stays locked until the end, so numbers have no gaps and are in the order of commits.
CREATE FUNCTION turnpike_follow_touched_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_touched record;
  v_type text;
  v_ids text[];
  v_last bigint;
BEGIN
  FOR v_touched IN
    WITH taken AS (DELETE FROM touched RETURNING *)
    SELECT relation, topic, id_column, is_gone, array_agg(row.id) AS ids, array_agg(row.before) AS befores
      FROM taken, unnest(ids, befores) AS row(id, before) GROUP BY 1, 2, 3, 4 ORDER BY 1, 4 DESC
  LOOP
    IF v_touched.is_gone THEN
      v_ids := ARRAY(SELECT DISTINCT row.id FROM unnest(v_touched.ids, v_touched.befores) AS row(id, before)
        WHERE NOT EXISTS (
          SELECT 1 FROM changes WHERE changes.topic = v_touched.topic AND changes.id = row.id AND changes.seq > row.before));
    ELSE
      SELECT format_type(atttypid, atttypmod) INTO v_type FROM pg_attribute
        WHERE attrelid = v_touched.relation::regclass AND attname = v_touched.id_column;
      EXECUTE format(
        'SELECT array_agg(DISTINCT row.id) FROM unnest($1, $2) AS row(id, before) JOIN %1$I AS stored ON stored.%2$I = row.id::%3$s AND stored.seq = row.before',
        v_touched.relation, v_touched.id_column, v_type) INTO v_ids USING v_touched.ids, v_touched.befores;
    END IF;
    CONTINUE WHEN coalesce(cardinality(v_ids), 0) = 0;
    UPDATE feed SET seq = seq + cardinality(v_ids) RETURNING seq - cardinality(v_ids) INTO v_last;
    INSERT INTO changes (seq, at, topic, id)
      SELECT v_last + row.place, turnpike_now(), v_touched.topic, row.id FROM unnest(v_ids) WITH ORDINALITY AS row(id, place);
    IF NOT v_touched.is_gone THEN
      EXECUTE format(
        'UPDATE %1$I AS stored SET seq = $2 + row.place FROM unnest($1) WITH ORDINALITY AS row(id, place) WHERE stored.%2$I = row.id::%3$s',
        v_touched.relation, v_touched.id_column, v_type) USING v_ids, v_last;
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER follow_touched AFTER INSERT ON touched DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION turnpike_follow_touched_1();

-- As `turnpike_follow_entry_1`, for all entries of a statement.
CREATE FUNCTION turnpike_follow_entries_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_accounts text[] := ARRAY(SELECT DISTINCT account_id::text FROM written);
  v_last bigint;
BEGIN
  IF cardinality(v_accounts) > 0 THEN
    UPDATE feed SET seq = seq + cardinality(v_accounts) RETURNING seq - cardinality(v_accounts) INTO v_last;
    INSERT INTO changes (seq, at, topic, id)
      SELECT v_last + row.place, turnpike_now(), 'money', row.id FROM unnest(v_accounts) WITH ORDINALITY AS row(id, place);
  END IF;
  RETURN NULL;
END
$$;
DROP TRIGGER follow_entry ON entries;
CREATE TRIGGER follow_entries AFTER INSERT ON entries REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION turnpike_follow_entries_1();

DO $$
DECLARE
  v_followed record;
  v_event record;
BEGIN
  FOR v_followed IN SELECT * FROM (VALUES
    ('accounts', 'account', 'id'), ('projects', 'project', 'id'), ('keys', 'key', 'id'),
    ('providers', 'provider', 'name'), ('own_credentials', 'ownCredential', 'id'), ('aliases', 'alias', 'id')
  ) AS followed(relation, topic, id_column) LOOP
    FOR v_event IN SELECT * FROM (VALUES
      ('follow_insert', 'INSERT', 'NEW TABLE AS written'), ('follow_update', 'UPDATE', 'OLD TABLE AS replaced NEW TABLE AS written'),
      ('follow_delete', 'DELETE', 'OLD TABLE AS replaced')
    ) AS events(name, event, tables) LOOP
      EXECUTE format('DROP TRIGGER %I ON %I', v_event.name, v_followed.relation);
      EXECUTE format(
        'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION turnpike_touch_1(%L, %L)',
        v_event.name, v_event.event, v_followed.relation, v_event.tables, v_followed.topic, v_followed.id_column);
    END LOOP;
  END LOOP;
END
$$;
