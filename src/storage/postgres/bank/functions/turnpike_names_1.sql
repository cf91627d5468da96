-- The numbers of names, in their order; a name that is new gets one.
CREATE FUNCTION turnpike_names_1(p_names text[]) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  v_numbers integer[];
BEGIN
  FOR attempt IN 1..2 LOOP
    SELECT array_agg(names.id ORDER BY asked.place) INTO v_numbers
      FROM unnest(p_names) WITH ORDINALITY AS asked(name, place) LEFT JOIN names ON names.name = asked.name COLLATE "C";
    IF array_position(v_numbers, NULL) IS NULL THEN
      EXIT;
    END IF;
    INSERT INTO names (name) SELECT DISTINCT asked COLLATE "C" FROM unnest(p_names) AS asked
      WHERE NOT EXISTS (SELECT 1 FROM names WHERE names.name = asked COLLATE "C")
      ORDER BY 1 ON CONFLICT (name) DO NOTHING;
  END LOOP;
  RETURN v_numbers;
END
$$;
