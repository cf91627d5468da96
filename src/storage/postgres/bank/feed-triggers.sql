-- Every table with a number of its last change.
CREATE TRIGGER wake AFTER INSERT ON changes FOR EACH STATEMENT EXECUTE FUNCTION turnpike_wake_1();
CREATE TRIGGER follow_entry AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION turnpike_follow_entry_1();
DO $$
DECLARE
  v_followed record;
BEGIN
  FOR v_followed IN SELECT * FROM (VALUES
    ('accounts', 'account', 'id'), ('projects', 'project', 'id'), ('keys', 'key', 'id'),
    ('providers', 'provider', 'name'), ('own_credentials', 'ownCredential', 'id'), ('aliases', 'alias', 'id')
  ) AS followed(relation, topic, id_column) LOOP
    EXECUTE format(
      'CREATE CONSTRAINT TRIGGER follow_insert AFTER INSERT ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (NEW.seq = 0) EXECUTE FUNCTION turnpike_follow_1(%2$L, %3$L)',
      v_followed.relation, v_followed.topic, v_followed.id_column);
    EXECUTE format(
      'CREATE CONSTRAINT TRIGGER follow_update AFTER UPDATE ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (NEW.seq = OLD.seq) EXECUTE FUNCTION turnpike_follow_1(%2$L, %3$L)',
      v_followed.relation, v_followed.topic, v_followed.id_column);
    EXECUTE format(
      'CREATE CONSTRAINT TRIGGER follow_delete AFTER DELETE ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW EXECUTE FUNCTION turnpike_follow_1(%2$L, %3$L)',
      v_followed.relation, v_followed.topic, v_followed.id_column);
  END LOOP;
END
$$;
