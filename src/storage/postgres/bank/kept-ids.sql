-- What no row trigger tells nodes of is refused: rows that vanish without being deleted one by one, and rows that get another id.
CREATE FUNCTION turnpike_refuse_truncate_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Turnpike''s nodes follow the rows of %, and would not notice TRUNCATE. Use DELETE.', TG_TABLE_NAME
    USING ERRCODE = 'feature_not_supported';
END
$$;

CREATE FUNCTION turnpike_refuse_other_id_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Turnpike''s nodes know the rows of % by %, which cannot be changed. Insert a new row, and delete this one.',
    TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'feature_not_supported';
END
$$;

DO $$
DECLARE
  v_followed record;
BEGIN
  FOR v_followed IN SELECT * FROM (VALUES
    ('accounts', 'id'), ('projects', 'id'), ('keys', 'id'), ('providers', 'name'), ('own_credentials', 'id'), ('aliases', 'id')
  ) AS followed(relation, id_column) LOOP
    EXECUTE format(
      'CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION turnpike_refuse_truncate_1()',
      v_followed.relation);
    EXECUTE format(
      'CREATE TRIGGER refuse_other_id BEFORE UPDATE OF %2$I ON %1$I FOR EACH ROW WHEN (NEW.%2$I IS DISTINCT FROM OLD.%2$I) '
      'EXECUTE FUNCTION turnpike_refuse_other_id_1(%2$L)',
      v_followed.relation, v_followed.id_column);
  END LOOP;
END
$$;
