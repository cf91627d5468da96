/** The tables, as TypeScript sees them. Booleans are 0 or 1 and JSON is text, so that every database agrees. */
import type { Generated } from 'kysely';
import type { BillingMode } from '../../accounts/ports.ts';

export interface Schema {
  accounts: AccountRow;
  projects: ProjectRow;
  keys: KeyRow;
  price_versions: PriceVersionRow;
  names: NameRow;
  settlements: SettlementRow;
  facts: FactRow;
}

export interface AccountRow {
  id: Generated<number>;
  name: string;
  billing_mode: BillingMode;
  created_at: number;
}

export interface ProjectRow {
  id: Generated<number>;
  account_id: number;
  name: string;
  created_at: number;
  archived_at: Generated<number | null>;
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
  limits: string;
  permissions: string;
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

/** Models, providers and operations by number: a settlement is kept for ever, and names are most of it. */
export interface NameRow {
  id: Generated<number>;
  name: string;
}

export interface SettlementRow {
  call_id: Uint8Array;
  admitted_at: number;
  account_id: number;
  project_id: number;
  key_id: number;
  operation: number;
  model: number;
  provider: number;
  input_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cache_write_1h_tokens: number;
  input_audio_tokens: number;
  output_tokens: number;
  output_audio_tokens: number;
  reasoning_tokens: number;
  web_searches: number;
  /** See `codes.ts`. */
  usage_source: number;
  price_version: number | null;
  cost_nano: bigint | null;
  charge_nano: bigint;
  /** See `codes.ts`. */
  ending: number;
}

/** What this storage has to remember about itself. */
export interface FactRow {
  name: string;
  value: string;
}
