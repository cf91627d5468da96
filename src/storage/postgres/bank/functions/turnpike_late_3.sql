-- What calls are charged for which nothing is lent, and what the operator bears: those of an epoch that is over (`p_is_over`), or those of
-- a purse of which too little is lent, which is a fault of ours. A charge is at most what is free of the balance, and what the budgets
-- leave as they were known last, in order of the calls' ids. Locks those purses (`kinds`, `ids`, in order), whose leases at this slot are
-- over. `charged` and `lost` begin as `p_charges` and `p_losses`, in the order of the batch. The work is in proportion to the batch.
CREATE FUNCTION turnpike_late_3(
  p_slot smallint, p_bounded boolean, p_is_over boolean, b turnpike_calls_1, p_charges bigint[], p_losses bigint[],
  OUT charged bigint[], OUT lost bigint[], OUT calls integer, OUT loss bigint, OUT kinds smallint[], OUT ids integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  -- By call and purse, in order of calls: the call's place in the batch, the purse, the call's day, and the number of purse and day.
  v_places integer[];
  v_kinds smallint[];
  v_ids integer[];
  v_days integer[];
  v_cells integer[];
  v_cell record;
  v_row record;
  -- Limits, those of a purse one after the other: from which day on charges count, and what is left.
  v_starts integer[] := '{}';
  v_lefts bigint[] := '{}';
  v_count integer := 0;
  -- By purse and day: the purse's number, and the four limits that hold on the day, 0 for none. By purse: its first limit and its last one.
  v_purses integer[] := '{}';
  v_firsts integer[] := '{}';
  v_lasts integer[] := '{}';
  v_holding integer[] := '{}';
  v_of_purse integer[];
  v_limits bigint[];
  v_lent bigint;
  v_windows integer[];
  v_purse integer := 0;
  v_kind smallint := -1;
  v_id integer;
  v_charge bigint;
  v_from integer := 1;
  v_to integer;
  v_limit integer;
BEGIN
  charged := p_charges;
  lost := p_losses;
  calls := 0;
  loss := 0;
  SELECT array_agg(short.place ORDER BY call_id, kind, id), array_agg(short.kind ORDER BY call_id, kind, id),
      array_agg(short.id ORDER BY call_id, kind, id), array_agg(short.day ORDER BY call_id, kind, id),
      array_agg(short.cell ORDER BY call_id, kind, id)
    INTO v_places, v_kinds, v_ids, v_days, v_cells
    FROM turnpike_short_1(p_slot, p_bounded, p_is_over, b, p_charges) AS short;
  IF v_places IS NULL THEN
    RETURN;
  END IF;
  SELECT array_agg(purse.kind ORDER BY purse.kind, purse.id), array_agg(purse.id ORDER BY purse.kind, purse.id) INTO kinds, ids
    FROM (SELECT DISTINCT used.kind, used.id FROM unnest(v_kinds, v_ids) AS used(kind, id)) AS purse;
  PERFORM turnpike_lock_purses_1(kinds, ids, p_bounded);
  IF NOT p_is_over THEN
    PERFORM turnpike_end_leases_1(p_slot, kinds, ids);
  END IF;
  -- In order of purses and days.
  FOR v_cell IN
    SELECT DISTINCT used.cell, used.kind, used.id, used.day
      FROM unnest(v_cells, v_kinds, v_ids, v_days) AS used(cell, kind, id, day) ORDER BY used.cell
  LOOP
    IF v_cell.kind <> v_kind OR v_cell.id <> v_id THEN
      v_kind := v_cell.kind;
      v_id := v_cell.id;
      v_purse := v_purse + 1;
      v_firsts[v_purse] := v_count + 1;
      v_of_purse := '{0,0,0,0}';
      IF v_kind = 0 THEN
        v_limits := ARRAY[NULL, NULL, NULL, CASE WHEN p_bounded THEN (SELECT greatest(free_nano, 0) FROM funds WHERE account_id = v_id) END];
      ELSE
        SELECT ARRAY[day_nano, week_nano, month_nano, total_nano] INTO v_limits FROM budget_purses AS p WHERE p.kind = v_kind AND p.id = v_id;
        SELECT coalesce(sum(granted_nano - spent_nano), 0) INTO v_lent FROM leases AS l WHERE l.kind = v_kind AND l.id = v_id;
      END IF;
    END IF;
    v_windows := turnpike_windows_1(v_cell.day);
    FOR i IN 1..4 LOOP
      IF v_limits[i] IS NOT NULL AND (v_of_purse[i] = 0 OR v_starts[v_of_purse[i]] <> v_windows[i]) THEN
        v_count := v_count + 1;
        v_of_purse[i] := v_count;
        v_starts[v_count] := v_windows[i];
        v_lefts[v_count] := v_limits[i] - CASE
          WHEN v_kind = 0 THEN 0
          WHEN i = 4 THEN turnpike_spent_ever_2(v_kind, v_id) + v_lent
          ELSE turnpike_spent_1(v_kind, v_id, v_windows[i]) + v_lent
        END;
      END IF;
      v_holding[4 * v_cell.cell + i] := v_of_purse[i];
    END LOOP;
    v_purses[v_cell.cell] := v_purse;
    v_lasts[v_purse] := v_count;
  END LOOP;
  IF coalesce(cardinality(lost), 0) = 0 THEN
    lost := array_fill(0::bigint, ARRAY[cardinality(charged)]);
  END IF;
  WHILE v_from <= cardinality(v_places) LOOP
    v_charge := p_charges[v_places[v_from]];
    v_to := v_from;
    WHILE v_to <= cardinality(v_places) AND v_places[v_to] = v_places[v_from] LOOP
      FOR i IN 1..4 LOOP
        v_limit := v_holding[4 * v_cells[v_to] + i];
        IF v_limit > 0 THEN
          v_charge := least(v_charge, v_lefts[v_limit]);
        END IF;
      END LOOP;
      v_to := v_to + 1;
    END LOOP;
    v_charge := greatest(v_charge, 0);
    FOR i IN v_from..v_to - 1 LOOP
      v_purse := v_purses[v_cells[i]];
      FOR limit_of_purse IN v_firsts[v_purse]..v_lasts[v_purse] LOOP
        IF v_starts[limit_of_purse] <= v_days[i] THEN
          v_lefts[limit_of_purse] := v_lefts[limit_of_purse] - v_charge;
        END IF;
      END LOOP;
    END LOOP;
    charged[v_places[v_from]] := v_charge;
    lost[v_places[v_from]] := lost[v_places[v_from]] + p_charges[v_places[v_from]] - v_charge;
    calls := calls + 1;
    loss := loss + p_charges[v_places[v_from]] - v_charge;
    v_from := v_to;
  END LOOP;
  -- A call that is in the batch twice is written once.
  FOR v_row IN
    SELECT again.place, again.first FROM (
      SELECT place::integer AS place, min(place) OVER (PARTITION BY call_id)::integer AS first
      FROM unnest(b.call_id) WITH ORDINALITY AS sent(call_id, place)
    ) AS again WHERE again.place <> again.first
  LOOP
    v_charge := least(charged[v_row.first], charged[v_row.place]);
    lost[v_row.place] := lost[v_row.place] + charged[v_row.place] - v_charge;
    charged[v_row.place] := v_charge;
  END LOOP;
END
$$;
