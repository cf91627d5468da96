-- What nodes share besides money. Times are ms since 1970, from the database's clock. What is unlogged may be lost.

-- What each process has counted of a key (scope 1), a project (2) or an account (3), as it sent it last.
CREATE UNLOGGED TABLE shared_counts (
  scope smallint NOT NULL CHECK (scope IN (1, 2, 3)),
  id integer NOT NULL,
  counter text COLLATE "C" NOT NULL,
  minute bigint NOT NULL,
  day integer NOT NULL,
  requests bigint NOT NULL,
  requests_before bigint NOT NULL,
  tokens bigint NOT NULL,
  tokens_before bigint NOT NULL,
  today bigint NOT NULL,
  running bigint NOT NULL,
  sent_at bigint NOT NULL,
  PRIMARY KEY (scope, id, counter)
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE shared_announcements (
  scope smallint NOT NULL CHECK (scope IN (1, 2, 3)),
  id integer NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (scope, id)
) WITH (fillfactor = 50);

-- What one node says and all others hear within a second.
CREATE UNLOGGED TABLE shared_notices (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  sender text COLLATE "C" NOT NULL,
  body text NOT NULL
);

-- An idempotency key whose first call has not ended. It belongs to the node's epoch, and is free when that is over.
CREATE TABLE replay_claims (
  project_id integer NOT NULL,
  key_digest bytea NOT NULL,
  body_digest bytea NOT NULL,
  call_id bytea NOT NULL,
  slot smallint NOT NULL,
  epoch bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (project_id, key_digest)
) WITH (fillfactor = 50);
CREATE INDEX replay_claims_by_call ON replay_claims (call_id);

-- Attempts to sign in. `subject` is a digest of the person and the network, or of a rate and what it limits.
CREATE TABLE attempts (
  subject bytea PRIMARY KEY,
  -- Failures in a row; 0 for a rate.
  count integer NOT NULL,
  last_at bigint NOT NULL,
  -- When the next attempt may be made; of a rate, when all of its burst is available again.
  next_at bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX attempts_by_age ON attempts (last_at);
