-- Nodes, what is lent to them, and what they spent. Times are ms since 1970, from the database's clock; money is nano-USD.

CREATE TABLE nodes (
  slot smallint PRIMARY KEY,
  -- Of the node's journal, and where that is: a copy of a journal has another fingerprint.
  id text COLLATE "C" NOT NULL UNIQUE,
  fingerprint text COLLATE "C" NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  -- Never given to two registrations, of whatever slot.
  epoch bigint NOT NULL CHECK (epoch >= 1),
  -- The oldest epoch whose leases the slot still has; null if its leases are all of its own epoch.
  carried_epoch bigint,
  state text COLLATE "C" NOT NULL CHECK (state IN ('live', 'draining', 'lost', 'gone')),
  seen_at bigint NOT NULL,
  feed_seq bigint NOT NULL DEFAULT 0,
  unsent_from bigint
) WITH (fillfactor = 50);

-- What of each balance is not lent, and the sums of entries and of leases that were closed. `bounded`: it never goes below zero.
DROP TABLE balances;
CREATE TABLE funds (
  account_id integer PRIMARY KEY,
  free_nano bigint NOT NULL,
  bounded boolean NOT NULL,
  credited_nano bigint NOT NULL,
  charged_nano bigint NOT NULL,
  CONSTRAINT funds_free CHECK (NOT bounded OR free_nano >= 0)
) WITH (fillfactor = 70);

-- The row that is locked when a budget is lent, and the limits as a node knew them last; null is no limit.
CREATE TABLE budget_purses (
  kind smallint NOT NULL CHECK (kind IN (1, 2, 3)),
  id integer NOT NULL,
  day_nano bigint,
  week_nano bigint,
  month_nano bigint,
  total_nano bigint,
  PRIMARY KEY (kind, id)
) WITH (fillfactor = 70);

-- A node's share of a balance (kind 0), or of the budgets of a key (1), a project (2) or an account (3).
CREATE TABLE leases (
  kind smallint NOT NULL CHECK (kind IN (0, 1, 2, 3)),
  id integer NOT NULL,
  slot smallint NOT NULL,
  bounded boolean NOT NULL,
  -- The sum of its grants less what was given back.
  granted_nano bigint NOT NULL,
  spent_nano bigint NOT NULL,
  -- The number of the last request about it; an older one changes nothing.
  seq bigint NOT NULL,
  PRIMARY KEY (kind, id, slot),
  CONSTRAINT leases_spent CHECK (NOT bounded OR spent_nano BETWEEN 0 AND granted_nano)
) WITH (fillfactor = 70);
CREATE INDEX leases_of_slot ON leases (slot);

CREATE VIEW balances AS
  SELECT account_id,
    (free_nano + coalesce(lent.granted_nano - lent.spent_nano, 0))::bigint AS balance_nano,
    credited_nano,
    (charged_nano + coalesce(lent.spent_nano, 0))::bigint AS charged_nano
  FROM funds LEFT JOIN LATERAL (
    SELECT sum(granted_nano) AS granted_nano, sum(spent_nano) AS spent_nano
    FROM leases WHERE kind = 0 AND id = funds.account_id
  ) AS lent ON true;

-- Charges by the day in whose windows the call counts. A key is the root of its chain of rotations. Each node writes its own rows.
CREATE TABLE spending_days (
  kind smallint NOT NULL CHECK (kind IN (1, 2, 3)),
  id integer NOT NULL,
  day integer NOT NULL,
  slot smallint NOT NULL,
  calls bigint NOT NULL,
  charge_nano bigint NOT NULL,
  own_cost_nano bigint NOT NULL,
  PRIMARY KEY (kind, id, day, slot)
) WITH (fillfactor = 70);

-- Purses of which a node needs what others have. May be lost: whoever needs the money asks again.
CREATE UNLOGGED TABLE recalls (
  kind smallint NOT NULL,
  id integer NOT NULL,
  at bigint NOT NULL,
  -- Who needs it.
  slot smallint NOT NULL,
  PRIMARY KEY (kind, id)
) WITH (fillfactor = 50);

-- Sums: each node adds to rows of its own.
ALTER TABLE rollups_hour ADD COLUMN slot smallint NOT NULL DEFAULT 0;
ALTER TABLE rollups_hour DROP CONSTRAINT rollups_hour_key;
ALTER TABLE rollups_hour ADD CONSTRAINT rollups_hour_key
  PRIMARY KEY (start, account_id, project_id, key_id, model, provider, slot) WITH (fillfactor = 80);
ALTER TABLE rollups_hour SET (fillfactor = 70);
ALTER TABLE rollups_day ADD COLUMN slot smallint NOT NULL DEFAULT 0;
ALTER TABLE rollups_day DROP CONSTRAINT rollups_day_key;
ALTER TABLE rollups_day ADD CONSTRAINT rollups_day_key
  PRIMARY KEY (start, account_id, project_id, key_id, model, provider, slot) WITH (fillfactor = 80);
ALTER TABLE rollups_day SET (fillfactor = 70);

-- A partition per month: ids begin with their time. A provider may report more tokens than 32 bits hold, and what it reports is kept.
DROP TABLE settlements;
CREATE TABLE settlements (
  admitted_at bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cache_read_tokens bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  cache_write_1h_tokens bigint NOT NULL,
  input_audio_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  output_audio_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  web_searches bigint NOT NULL,
  file_searches bigint NOT NULL DEFAULT 0,
  code_containers bigint NOT NULL DEFAULT 0,
  cached_audio_tokens bigint NOT NULL DEFAULT 0,
  output_image_tokens bigint NOT NULL DEFAULT 0,
  cost_nano bigint,
  charge_nano bigint NOT NULL,
  hold_nano bigint,
  fault_nano bigint NOT NULL DEFAULT 0,
  variance_nano bigint NOT NULL DEFAULT 0,
  saved_nano bigint NOT NULL DEFAULT 0,
  node_loss_nano bigint NOT NULL DEFAULT 0,
  account_id integer NOT NULL,
  project_id integer NOT NULL,
  key_id integer NOT NULL,
  operation integer NOT NULL,
  model integer NOT NULL,
  provider integer NOT NULL,
  usage_source integer NOT NULL,
  price_version integer,
  ending integer NOT NULL,
  markup_ppm integer NOT NULL DEFAULT 0,
  own_credential integer NOT NULL DEFAULT 0,
  -- The root of the key's chain of rotations, the day in whose windows it counts, and the node that sent it.
  root_id integer NOT NULL,
  day integer NOT NULL,
  slot smallint NOT NULL,
  -- The sum of those whose budgets limited it: 1 the key's, 2 the project's, 4 the account's.
  budgets smallint NOT NULL,
  call_id bytea NOT NULL PRIMARY KEY
) PARTITION BY RANGE (call_id);
CREATE TABLE settlements_default PARTITION OF settlements DEFAULT;
CREATE INDEX settlements_beside_balances ON settlements (admitted_at, account_id, charge_nano)
  WHERE hold_nano IS NULL AND charge_nano <> 0;
