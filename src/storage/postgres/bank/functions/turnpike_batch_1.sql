-- Settlements, and what is written with them, as columns: see `storage/journal/batch-format.ts`. An empty array stands for a column of
-- zeros, or of nulls where it may be null. Names are places in the batch's array of names, from 1.
CREATE TYPE turnpike_calls_1 AS (
  root_id integer[],
  budgets integer[],
  day integer[],
  call_id bytea[],
  admitted_at bigint[],
  account_id integer[],
  project_id integer[],
  key_id integer[],
  operation integer[],
  model integer[],
  provider integer[],
  input_tokens bigint[],
  cache_read_tokens bigint[],
  cache_write_tokens bigint[],
  cache_write_1h_tokens bigint[],
  input_audio_tokens bigint[],
  output_tokens bigint[],
  output_audio_tokens bigint[],
  reasoning_tokens bigint[],
  web_searches bigint[],
  usage_source integer[],
  price_version integer[],
  cost_nano bigint[],
  charge_nano bigint[],
  ending integer[],
  hold_nano bigint[],
  fault_nano bigint[],
  variance_nano bigint[],
  file_searches bigint[],
  code_containers bigint[],
  cached_audio_tokens bigint[],
  output_image_tokens bigint[],
  markup_ppm integer[],
  own_credential integer[],
  saved_nano bigint[],
  node_loss_nano bigint[]
);

CREATE TYPE turnpike_replays_1 AS (
  project_id integer[],
  key_digest bytea[],
  body_digest bytea[],
  call_id bytea[],
  created_at bigint[],
  expires_at bigint[],
  answer bytea[]
);

CREATE TYPE turnpike_stored_ids_1 AS (
  project_id integer[],
  digest bytea[],
  provider integer[],
  upstream_model integer[],
  created_at bigint[],
  credential integer[]
);
