/** A settlement as a row of the ledger, with its names joined in, and back. */
import { accountId, callIdFromBytes, keyId, priceVersionId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { Settlement } from '../../../core/settlement.ts';
import { endingOf, usageSourceOf } from '../../sql/codes.ts';
import type { SettlementRow } from '../../sql/schema.ts';
import { SETTLEMENT_COLUMNS } from '../../sql/settlement-columns.ts';

/** Money comes as text, for it may be larger than a double holds exactly. */
export type NamedSettlementRow = Omit<
  SettlementRow,
  'operation' | 'model' | 'provider' | 'cost_nano' | 'charge_nano' | 'hold_nano' | 'fault_nano' | 'variance_nano'
> & {
  readonly operation: string;
  readonly model: string;
  readonly provider: string;
  readonly cost_nano: string | null;
  readonly charge_nano: string;
  readonly hold_nano: string | null;
  readonly fault_nano: string;
  readonly variance_nano: string;
};

/**
 * Selects `NamedSettlementRow`s; `schema` is the name the ledger has on the connection. Goes on with WHERE or
 * ORDER BY. Holds are rows of the same shape.
 */
export function selectSettlements(schema: string, table: 'settlements' | 'holds' = 'settlements'): string {
  return `SELECT ${SETTLEMENT_COLUMNS.map(selected).join(', ')}
    FROM ${schema}.${table} AS settled
    JOIN ${schema}.names AS operation ON operation.id = settled.operation
    JOIN ${schema}.names AS model ON model.id = settled.model
    JOIN ${schema}.names AS provider ON provider.id = settled.provider`;
}

export function readSettlement(row: NamedSettlementRow): Settlement {
  return {
    callId: callIdFromBytes(row.call_id),
    admittedAt: row.admitted_at,
    accountId: accountId(row.account_id),
    projectId: projectId(row.project_id),
    keyId: keyId(row.key_id),
    operation: row.operation,
    model: row.model,
    provider: row.provider,
    usage: {
      inputTokens: row.input_tokens,
      cacheReadTokens: row.cache_read_tokens,
      cacheWriteTokens: row.cache_write_tokens,
      cacheWrite1hTokens: row.cache_write_1h_tokens,
      inputAudioTokens: row.input_audio_tokens,
      outputTokens: row.output_tokens,
      outputAudioTokens: row.output_audio_tokens,
      reasoningTokens: row.reasoning_tokens,
      webSearches: row.web_searches,
    },
    usageSource: usageSourceOf(row.usage_source),
    priceVersion: row.price_version === null ? null : priceVersionId(row.price_version),
    cost: row.cost_nano === null ? null : nanoUsd(BigInt(row.cost_nano)),
    hold: row.hold_nano === null ? null : nanoUsd(BigInt(row.hold_nano)),
    charge: nanoUsd(BigInt(row.charge_nano)),
    fault: nanoUsd(BigInt(row.fault_nano)),
    variance: nanoUsd(BigInt(row.variance_nano)),
    ending: endingOf(row.ending),
  };
}

const NAMED: ReadonlySet<string> = new Set(['operation', 'model', 'provider']);

function selected(column: string): string {
  if (column.endsWith('_nano')) return `CAST(settled.${column} AS TEXT) AS ${column}`;
  return NAMED.has(column) ? `${column}.name AS ${column}` : `settled.${column}`;
}
