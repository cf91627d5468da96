/** The types of the tables. Booleans are 0 or 1 and JSON is text, so that they are the same in every database. */
import type { Generated } from 'kysely';
import type { EntryKind } from '../../billing/ports.ts';
import type { OwnStanding } from '../../byok/ports.ts';
import type { FilesRow } from './files/files-row.ts';
import type { SettlementRow } from './ledger/settlement-columns.ts';
import type { LinkRow, MembershipRow, SessionRow, UserRow } from './rows/people-rows.ts';

export interface Schema {
  accounts: AccountRow;
  projects: ProjectRow;
  keys: KeyRow;
  price_versions: PriceVersionRow;
  names: NameRow;
  settlements: SettlementRow;
  holds: SettlementRow;
  balances: BalanceRow;
  entries: EntryRow;
  rollups_hour: RollupRow;
  rollups_day: RollupRow;
  replays: ReplayAnswerRow;
  stored_ids: StoredIdRow;
  seals: SealRow;
  facts: FactRow;
  users: UserRow;
  sessions: SessionRow;
  links: LinkRow;
  memberships: MembershipRow;
  audit: AuditRow;
  providers: ProviderRow;
  own_credentials: OwnCredentialRow;
  aliases: AliasRow;
  creations: CreationRow;
  feed: FeedRow;
  changes: ChangeRow;
  key_counts: KeyCountsRow;
  listed_prices: ListedPriceRow;
  files: FilesRow;
  batches: BatchRecord;
}

/** A batch of a caller. */
export interface BatchRecord {
  id: Uint8Array;
  account_id: number;
  project_id: number;
  key_id: number;
  address: string | null;
  endpoint: string;
  input_file: Uint8Array;
  output_file: Uint8Array | null;
  error_file: Uint8Array | null;
  status: string;
  created_at: number;
  expires_at: number;
  kept_ms: number;
  /** JSON, like `errors` and `metadata`. */
  times: string;
  total: number;
  completed: number;
  failed: number;
  errors: string;
  metadata: string | null;
  /** Null until it has ended. */
  ended_at: number | null;
  /** Which process runs it, until when. */
  claimed_by: string;
  claimed_until: number;
  waiting: number;
  waiting_for: string | null;
  /** JSON, with money as text. */
  totals: string | null;
}

/** Key counts of an account, updated with each change of a key; see `KeyCounts`. */
export interface KeyCountsRow {
  account_id: number;
  keys: number;
  live: number;
  standing: number;
  lists_length: number;
}

/** Something that a provider keeps, and the project that may name it. */
export interface StoredIdRow {
  project_id: number;
  digest: Uint8Array;
  /** Numbers of names, like the next one. */
  provider: number;
  upstream_model: number;
  created_at: number;
  /** Null if it is not known, or there was none. */
  credential: number | null;
}

/** A credential that an account or a project brings itself. */
export interface OwnCredentialRow {
  id: string;
  account_id: number;
  project_id: number | null;
  kind: string;
  name: string;
  /** JSON: address, options, models and policy. */
  settings: string;
  enabled: number;
  position: number;
  /** Sealed, as the previous one is. */
  secret: Uint8Array;
  hint: string | null;
  previous: Uint8Array | null;
  previous_until: number | null;
  created_at: number;
  created_by: string;
  updated_at: number;
  standing: OwnStanding;
  standing_at: number | null;
  /** The number of its last change in the feed. */
  seq: Generated<number>;
}

/** One row: the number of the last change. */
export interface FeedRow {
  seq: number;
}

export interface ChangeRow {
  seq: number;
  at: number;
  topic: string;
  id: string;
}

export interface AccountRow {
  id: Generated<number>;
  name: string;
  created_at: number;
  limits: Generated<string>;
  permissions: Generated<string>;
  closed_at: Generated<number | null>;
  /** JSON: see `capture-json.ts`; `{}` stores no bodies. */
  capture: Generated<string>;
  /** JSON: see `rates-json.ts`; `{}` if the installation's apply. */
  rates: Generated<string>;
  /** The number of its last change in the feed. */
  seq: Generated<number>;
}

export interface ProjectRow {
  id: Generated<number>;
  account_id: number;
  name: string;
  created_at: number;
  archived_at: Generated<number | null>;
  limits: Generated<string>;
  permissions: Generated<string>;
  /** JSON: see `restrictions-json.ts`. */
  restrictions: Generated<string>;
  /** The number of its last change in the feed. */
  seq: Generated<number>;
}

export interface KeyRow {
  id: Generated<number>;
  project_id: number;
  name: string;
  label: string;
  kind: 'inference' | 'management';
  digest: Uint8Array;
  pepper_id: string;
  disabled: Generated<number>;
  created_at: number;
  created_by: string | null;
  expires_at: number | null;
  revoked_at: Generated<number | null>;
  retiring_at: Generated<number | null>;
  /** The first key of its chain of rotations; null if that is the key itself. */
  root_id: number | null;
  /** JSON; budgets are decimal strings of USD. */
  limits: string;
  permissions: string;
  /** JSON: see `restrictions-json.ts`. */
  restrictions: Generated<string>;
  updated_at: Generated<number | null>;
  /** The number of its last change in the feed. */
  seq: Generated<number>;
  /** For how many seconds the answers to its calls are kept for equal requests; null if only those that ask for it. */
  cache_seconds: Generated<number | null>;
  /** JSON: the origins of pages that may use it; null for none. */
  origins: Generated<string | null>;
}

export interface PriceVersionRow {
  id: Generated<number>;
  model: string;
  provider: string;
  upstream_model: string;
  /** JSON; every price is a string of an integer number of pico-USD. */
  prices: string;
  /** SHA-256 of target and prices: the same prices of the same target are one row. */
  hash: string;
  created_at: number;
}

/** Prices of a provider's model, and when it is retired, as imported or pinned; see `ListedPrices`. */
export interface ListedPriceRow {
  /** A provider's name, or a kind of provider. */
  provider: string;
  upstream_model: string;
  /** As in `PriceVersionRow`; null: as known. */
  prices: string | null;
  /** Wall time, ms. */
  retires_at: number | null;
  /** Where it is from. */
  source: string;
  pinned: number;
  changed_at: number;
}

/** Models, providers and operations by number: a settlement is kept for ever, and names are most of it. */
export interface NameRow {
  id: Generated<number>;
  name: string;
}

/** An account's balance: the sum of its entries minus the charges of its settlements with a hold. */
export interface BalanceRow {
  account_id: number;
  balance_nano: bigint;
  /** The sum of entries other than refunds. */
  credited_nano: bigint;
  /** Charges minus refunds. */
  charged_nano: bigint;
}

/** A movement of money that is not a call; never changed, never removed. */
export interface EntryRow {
  id: Generated<number>;
  at: number;
  account_id: number;
  kind: EntryKind;
  amount_nano: bigint;
  reference: string;
  call_id: Uint8Array | null;
  note: string | null;
}

/** Sums of settlements that agree in everything above `calls`. */
export interface RollupRow {
  /** Hours or days since 1970 UTC, of admission. */
  start: number;
  account_id: number;
  project_id: number;
  key_id: number;
  /** A number from `names`, like `provider`. */
  model: number;
  provider: number;
  calls: number;
  /** Calls with any ending but `complete` and `empty`. */
  failed: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Read from a cache: a part of the prompt. */
  cached_tokens: number;
  /** A part of the completion. */
  reasoning_tokens: number;
  cost_nano: bigint;
  charge_nano: bigint;
  /** The part of the cost that was billed to own credentials. */
  own_cost_nano: bigint;
  /** Calls that were answered from the response cache. */
  cache_hits: number;
  saved_nano: bigint;
}

export interface ReplayAnswerRow {
  project_id: number;
  key_digest: Uint8Array;
  body_digest: Uint8Array;
  call_id: Uint8Array;
  created_at: number;
  expires_at: number;
  answer: Uint8Array | null;
}

/** What remains of an account's month after its rows were archived. */
export interface SealRow {
  /** `2026-11`. */
  month: string;
  account_id: number;
  closing_balance_nano: bigint;
  /** The month's movements by kind, negative if they lowered the balance; null in seals from before migration 0006. */
  topups_nano: bigint | null;
  promos_nano: bigint | null;
  adjustments_nano: bigint | null;
  refunds_nano: bigint | null;
  charges_nano: bigint | null;
  rows: number;
  hash: Uint8Array;
  sealed_at: number;
}

/** Facts that this storage stores about itself. */
export interface FactRow {
  name: string;
  value: string;
}

/** Never changed, never removed; each row's hash covers the one before. */
export interface AuditRow {
  id: Generated<number>;
  at: number;
  actor_kind: 'user' | 'key' | 'operator' | 'system';
  actor_id: number | null;
  actor_name: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  subject_name: string | null;
  account_id: number | null;
  before: string | null;
  after: string | null;
  ip: string | null;
  request_id: string | null;
  hash: Uint8Array;
}

/** A provider created in the dashboard or with the management API. */
export interface ProviderRow {
  name: string;
  kind: string;
  origin: string | null;
  /** JSON: dialects and models, in the format of the management API. */
  settings: string;
  enabled: Generated<number>;
  /** Sealed, or null. */
  credential: Uint8Array | null;
  /** Its last four characters. */
  credential_hint: string | null;
  /** Further ones, sealed together, or null. */
  more_credentials: Uint8Array | null;
  created_at: number;
  updated_at: number;
  /** The number of its last change in the feed. */
  seq: Generated<number>;
}

/** A name that leads to models: of the installation, an account or a project. */
export interface AliasRow {
  id: Generated<number>;
  /** 0 for the installation. */
  account_id: number;
  /** 0 for the installation and for a whole account. */
  project_id: number;
  name: string;
  choice: 'key' | 'random';
  /** JSON: models, each with its provider and weight. */
  targets: string;
  created_at: number;
  updated_at: number;
  /** The number of its last change in the feed. */
  seq: Generated<number>;
}

/** The answer to a creation that was sent with an `Idempotency-Key`. */
export interface CreationRow {
  key_digest: Uint8Array;
  body_digest: Uint8Array;
  /** Null while the request runs. */
  status: number | null;
  /** Sealed: it may contain a secret. */
  answer: Uint8Array | null;
  created_at: number;
  expires_at: number;
}
