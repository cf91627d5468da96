import type { SettlementRow } from './schema.ts';

/** The columns of a settlement, in the order in which they are written. */
export const SETTLEMENT_COLUMNS = [
  'call_id',
  'admitted_at',
  'account_id',
  'project_id',
  'key_id',
  'operation',
  'model',
  'provider',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'input_audio_tokens',
  'output_tokens',
  'output_audio_tokens',
  'reasoning_tokens',
  'web_searches',
  'usage_source',
  'price_version',
  'cost_nano',
  'charge_nano',
  'ending',
] as const satisfies readonly (keyof SettlementRow)[];
