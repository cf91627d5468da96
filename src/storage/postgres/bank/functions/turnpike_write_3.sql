-- Writes the settlements that are not known yet, with `p_charged` and `p_lost` in place of their charges and losses, and adds them to the
-- sums. Returns their ids, and what they take from each purse (kind 0: of those with a hold; kinds 1 to 3: of those whose budgets limited
-- them). Rows are written in order of their keys, so two of these never wait for each other in a circle.
CREATE FUNCTION turnpike_write_3(
  p_slot smallint, p_names integer[], b turnpike_calls_1, u turnpike_units_1, i turnpike_images_1,
  p_charged bigint[], p_lost bigint[], p_find_roots boolean,
  OUT written bytea[], OUT conflicts bytea[], OUT kinds smallint[], OUT ids integer[], OUT charges bigint[]
) LANGUAGE plpgsql AS $$
BEGIN
  WITH new AS (
    INSERT INTO settlements (
      call_id, admitted_at, account_id, project_id, key_id, operation, model, provider, input_tokens, cache_read_tokens,
      cache_write_tokens, cache_write_1h_tokens, input_audio_tokens, output_tokens, output_audio_tokens, reasoning_tokens,
      web_searches, usage_source, price_version, cost_nano, charge_nano, ending, hold_nano, fault_nano, variance_nano,
      file_searches, code_containers, cached_audio_tokens, output_image_tokens, markup_ppm, own_credential, saved_nano,
      node_loss_nano, units, unit_line, input_image_tokens, root_id, day, slot, budgets
    )
    SELECT
      sent.call_id, coalesce(sent.admitted_at, 0), coalesce(sent.account_id, 0), coalesce(sent.project_id, 0),
      coalesce(sent.key_id, 0), p_names[sent.operation], p_names[sent.model], p_names[sent.provider],
      coalesce(sent.input_tokens, 0), coalesce(sent.cache_read_tokens, 0), coalesce(sent.cache_write_tokens, 0),
      coalesce(sent.cache_write_1h_tokens, 0), coalesce(sent.input_audio_tokens, 0), coalesce(sent.output_tokens, 0),
      coalesce(sent.output_audio_tokens, 0), coalesce(sent.reasoning_tokens, 0), coalesce(sent.web_searches, 0),
      coalesce(sent.usage_source, 0), sent.price_version, sent.cost_nano, coalesce(sent.charged, 0), coalesce(sent.ending, 0),
      sent.hold_nano, coalesce(sent.fault_nano, 0), coalesce(sent.variance_nano, 0), coalesce(sent.file_searches, 0),
      coalesce(sent.code_containers, 0), coalesce(sent.cached_audio_tokens, 0), coalesce(sent.output_image_tokens, 0),
      coalesce(sent.markup_ppm, 0), coalesce(sent.own_credential, 0), coalesce(sent.saved_nano, 0), coalesce(sent.lost, 0),
      coalesce(sent.units, 0), coalesce(sent.unit_line, 0), coalesce(sent.input_image_tokens, 0),
      CASE WHEN p_find_roots
        THEN coalesce((SELECT keys.root_id FROM keys WHERE keys.id = sent.key_id), sent.key_id) ELSE sent.root_id END,
      coalesce(sent.day, 0), p_slot, coalesce(sent.budgets, 0)
    FROM unnest(
      b.root_id, b.budgets, b.day, b.call_id, b.admitted_at, b.account_id, b.project_id, b.key_id, b.operation, b.model,
      b.provider, b.input_tokens, b.cache_read_tokens, b.cache_write_tokens, b.cache_write_1h_tokens, b.input_audio_tokens,
      b.output_tokens, b.output_audio_tokens, b.reasoning_tokens, b.web_searches, b.usage_source, b.price_version, b.cost_nano,
      b.charge_nano, b.ending, b.hold_nano, b.fault_nano, b.variance_nano, b.file_searches, b.code_containers,
      b.cached_audio_tokens, b.output_image_tokens, b.markup_ppm, b.own_credential, b.saved_nano, b.node_loss_nano, u.units,
      u.unit_line, i.input_image_tokens, p_charged, p_lost
    ) AS sent(
      root_id, budgets, day, call_id, admitted_at, account_id, project_id, key_id, operation, model, provider, input_tokens,
      cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, input_audio_tokens, output_tokens, output_audio_tokens,
      reasoning_tokens, web_searches, usage_source, price_version, cost_nano, charge_nano, ending, hold_nano, fault_nano,
      variance_nano, file_searches, code_containers, cached_audio_tokens, output_image_tokens, markup_ppm, own_credential,
      saved_nano, node_loss_nano, units, unit_line, input_image_tokens, charged, lost
    )
    ORDER BY sent.call_id
    ON CONFLICT (call_id) DO NOTHING
    RETURNING *
  ), summed AS (
    SELECT admitted_at / 3600000 AS hour, account_id, project_id, key_id, model, provider, day, max(root_id) AS root_id,
      count(*) AS calls,
      count(*) FILTER (WHERE ending NOT IN (1, 2)) AS failed,
      sum(input_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + input_audio_tokens)::bigint
        AS prompt_tokens,
      sum(output_tokens + output_audio_tokens)::bigint AS completion_tokens,
      sum(cache_read_tokens)::bigint AS cached_tokens,
      sum(reasoning_tokens)::bigint AS reasoning_tokens,
      coalesce(sum(cost_nano), 0)::bigint AS cost_nano,
      sum(charge_nano)::bigint AS charge_nano,
      coalesce(sum(cost_nano) FILTER (WHERE own_credential <> 0), 0)::bigint AS own_cost_nano,
      count(*) FILTER (WHERE usage_source = 3) AS cache_hits,
      sum(saved_nano)::bigint AS saved_nano,
      coalesce(sum(charge_nano) FILTER (WHERE hold_nano IS NOT NULL), 0)::bigint AS held_nano,
      coalesce(sum(charge_nano) FILTER (WHERE budgets & 1 <> 0), 0)::bigint AS key_nano,
      coalesce(sum(charge_nano) FILTER (WHERE budgets & 2 <> 0), 0)::bigint AS project_nano,
      coalesce(sum(charge_nano) FILTER (WHERE budgets & 4 <> 0), 0)::bigint AS account_nano
    FROM new GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), hours AS (
    INSERT INTO rollups_hour AS r (
      start, account_id, project_id, key_id, model, provider, slot,
      calls, failed, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, cost_nano, charge_nano, own_cost_nano,
      cache_hits, saved_nano
    )
    SELECT hour, account_id, project_id, key_id, model, provider, p_slot,
      sum(calls), sum(failed), sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(reasoning_tokens),
      sum(cost_nano), sum(charge_nano), sum(own_cost_nano), sum(cache_hits), sum(saved_nano)
    FROM summed GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (start, account_id, project_id, key_id, model, provider, slot) DO UPDATE SET
      calls = r.calls + excluded.calls, failed = r.failed + excluded.failed,
      prompt_tokens = r.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = r.completion_tokens + excluded.completion_tokens,
      cached_tokens = r.cached_tokens + excluded.cached_tokens, reasoning_tokens = r.reasoning_tokens + excluded.reasoning_tokens,
      cost_nano = r.cost_nano + excluded.cost_nano, charge_nano = r.charge_nano + excluded.charge_nano,
      own_cost_nano = r.own_cost_nano + excluded.own_cost_nano, cache_hits = r.cache_hits + excluded.cache_hits,
      saved_nano = r.saved_nano + excluded.saved_nano
  ), days AS (
    INSERT INTO rollups_day AS r (
      start, account_id, project_id, key_id, model, provider, slot,
      calls, failed, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, cost_nano, charge_nano, own_cost_nano,
      cache_hits, saved_nano
    )
    SELECT hour / 24, account_id, project_id, key_id, model, provider, p_slot,
      sum(calls), sum(failed), sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(reasoning_tokens),
      sum(cost_nano), sum(charge_nano), sum(own_cost_nano), sum(cache_hits), sum(saved_nano)
    FROM summed GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (start, account_id, project_id, key_id, model, provider, slot) DO UPDATE SET
      calls = r.calls + excluded.calls, failed = r.failed + excluded.failed,
      prompt_tokens = r.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = r.completion_tokens + excluded.completion_tokens,
      cached_tokens = r.cached_tokens + excluded.cached_tokens, reasoning_tokens = r.reasoning_tokens + excluded.reasoning_tokens,
      cost_nano = r.cost_nano + excluded.cost_nano, charge_nano = r.charge_nano + excluded.charge_nano,
      own_cost_nano = r.own_cost_nano + excluded.own_cost_nano, cache_hits = r.cache_hits + excluded.cache_hits,
      saved_nano = r.saved_nano + excluded.saved_nano
  ), spending AS (
    INSERT INTO spending_days AS s (kind, id, day, slot, calls, charge_nano, own_cost_nano)
    SELECT purse.kind, purse.id, day, p_slot, sum(calls), sum(charge_nano), sum(own_cost_nano)
    FROM summed CROSS JOIN LATERAL (VALUES (1, root_id), (2, project_id), (3, account_id)) AS purse(kind, id)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (kind, id, day, slot) DO UPDATE SET
      calls = s.calls + excluded.calls, charge_nano = s.charge_nano + excluded.charge_nano,
      own_cost_nano = s.own_cost_nano + excluded.own_cost_nano
  ), taken AS (
    SELECT purse.kind::smallint AS kind, purse.id, sum(purse.nano)::bigint AS nano
    FROM summed CROSS JOIN LATERAL (
      VALUES (0, account_id, held_nano), (1, root_id, key_nano), (2, project_id, project_nano), (3, account_id, account_nano)
    ) AS purse(kind, id, nano)
    GROUP BY 1, 2 HAVING sum(purse.nano) <> 0
  )
  SELECT (SELECT array_agg(call_id) FROM new), array_agg(kind ORDER BY kind, id), array_agg(id ORDER BY kind, id),
      array_agg(nano ORDER BY kind, id)
    INTO written, kinds, ids, charges FROM taken;
  IF cardinality(b.call_id) > coalesce(cardinality(written), 0) THEN
    -- What was settled late has the charge that was sent as charge and loss.
    SELECT array_agg(sent.call_id) INTO conflicts
    FROM unnest(
      b.root_id, b.budgets, b.day, b.call_id, b.admitted_at, b.account_id, b.project_id, b.key_id, b.operation, b.model,
      b.provider, b.input_tokens, b.cache_read_tokens, b.cache_write_tokens, b.cache_write_1h_tokens, b.input_audio_tokens,
      b.output_tokens, b.output_audio_tokens, b.reasoning_tokens, b.web_searches, b.usage_source, b.price_version, b.cost_nano,
      b.charge_nano, b.ending, b.hold_nano, b.fault_nano, b.variance_nano, b.file_searches, b.code_containers,
      b.cached_audio_tokens, b.output_image_tokens, b.markup_ppm, b.own_credential, b.saved_nano, b.node_loss_nano, u.units,
      u.unit_line, i.input_image_tokens
    ) AS sent(
      root_id, budgets, day, call_id, admitted_at, account_id, project_id, key_id, operation, model, provider, input_tokens,
      cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, input_audio_tokens, output_tokens, output_audio_tokens,
      reasoning_tokens, web_searches, usage_source, price_version, cost_nano, charge_nano, ending, hold_nano, fault_nano,
      variance_nano, file_searches, code_containers, cached_audio_tokens, output_image_tokens, markup_ppm, own_credential,
      saved_nano, node_loss_nano, units, unit_line, input_image_tokens
    ) JOIN settlements AS s USING (call_id)
    WHERE (
      s.admitted_at, s.account_id, s.project_id, s.key_id, s.operation, s.model, s.provider, s.input_tokens, s.cache_read_tokens,
      s.cache_write_tokens, s.cache_write_1h_tokens, s.input_audio_tokens, s.output_tokens, s.output_audio_tokens,
      s.reasoning_tokens, s.web_searches, s.usage_source, s.price_version, s.cost_nano, s.charge_nano + s.node_loss_nano,
      s.ending, s.hold_nano, s.fault_nano, s.variance_nano, s.file_searches, s.code_containers, s.cached_audio_tokens,
      s.output_image_tokens, s.markup_ppm, s.own_credential, s.saved_nano, s.units, s.unit_line, s.input_image_tokens
    ) IS DISTINCT FROM (
      coalesce(sent.admitted_at, 0), coalesce(sent.account_id, 0), coalesce(sent.project_id, 0), coalesce(sent.key_id, 0),
      p_names[sent.operation], p_names[sent.model], p_names[sent.provider], coalesce(sent.input_tokens, 0),
      coalesce(sent.cache_read_tokens, 0), coalesce(sent.cache_write_tokens, 0), coalesce(sent.cache_write_1h_tokens, 0),
      coalesce(sent.input_audio_tokens, 0), coalesce(sent.output_tokens, 0), coalesce(sent.output_audio_tokens, 0),
      coalesce(sent.reasoning_tokens, 0), coalesce(sent.web_searches, 0), coalesce(sent.usage_source, 0), sent.price_version,
      sent.cost_nano, coalesce(sent.charge_nano, 0) + coalesce(sent.node_loss_nano, 0), coalesce(sent.ending, 0), sent.hold_nano,
      coalesce(sent.fault_nano, 0), coalesce(sent.variance_nano, 0), coalesce(sent.file_searches, 0),
      coalesce(sent.code_containers, 0), coalesce(sent.cached_audio_tokens, 0), coalesce(sent.output_image_tokens, 0),
      coalesce(sent.markup_ppm, 0), coalesce(sent.own_credential, 0), coalesce(sent.saved_nano, 0),
      coalesce(sent.units, 0), coalesce(sent.unit_line, 0), coalesce(sent.input_image_tokens, 0)
    );
  END IF;
END
$$;
