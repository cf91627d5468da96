-- As `turnpike_follow_1`, which compared ids as texts and so read the whole table for each row that the program changes, with the lock of the
-- control plane: by the column itself the index has the row. And of the changes it looks at the newest first, where the program's own are.
CREATE FUNCTION turnpike_follow_2() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_topic text := TG_ARGV[0];
  v_row jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  v_id text := v_row ->> TG_ARGV[1];
  v_before bigint := (v_row ->> 'seq')::bigint;
  v_now bigint;
  v_next bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM FROM changes WHERE seq > v_before AND topic = v_topic AND id = v_id ORDER BY seq DESC LIMIT 1;
    IF FOUND THEN
      RETURN NULL;
    END IF;
  ELSE
    EXECUTE format('SELECT seq FROM %1$I WHERE %2$I = ($1).%2$I', TG_TABLE_NAME, TG_ARGV[1]) INTO v_now USING NEW;
    IF v_now IS DISTINCT FROM v_before THEN
      RETURN NULL;
    END IF;
  END IF;
  v_next := turnpike_publish_1(v_topic, v_id);
  IF TG_OP <> 'DELETE' THEN
    EXECUTE format('UPDATE %1$I SET seq = $1 WHERE %2$I = ($2).%2$I', TG_TABLE_NAME, TG_ARGV[1]) USING v_next, NEW;
  END IF;
  RETURN NULL;
END
$$;

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
      ('follow_insert', 'INSERT', 'WHEN (NEW.seq = 0)'), ('follow_update', 'UPDATE', 'WHEN (NEW.seq = OLD.seq)'), ('follow_delete', 'DELETE', '')
    ) AS events(name, event, condition) LOOP
      EXECUTE format('DROP TRIGGER %I ON %I', v_event.name, v_followed.relation);
      EXECUTE format(
        'CREATE CONSTRAINT TRIGGER %I AFTER %s ON %I DEFERRABLE INITIALLY DEFERRED '
        'FOR EACH ROW %s EXECUTE FUNCTION turnpike_follow_2(%L, %L)',
        v_event.name, v_event.event, v_followed.relation, v_event.condition, v_followed.topic, v_followed.id_column);
    END LOOP;
  END LOOP;
END
$$;
