/** A settlement as the values of a row, for settlements and holds alike. */
import type { SQLInputValue } from 'node:sqlite';
import { callIdBytes } from '../../../core/ids.ts';
import type { Settlement } from '../../../core/settlement.ts';
import { endingCodes, usageSourceCodes } from '../../sql/codes.ts';
import { SETTLEMENT_COLUMNS } from '../../sql/settlement-columns.ts';
import type { NameTable } from '../engine/name-table.ts';

/** Where the numbers of model and provider stand among the values. */
export const MODEL = SETTLEMENT_COLUMNS.indexOf('model');
export const PROVIDER = SETTLEMENT_COLUMNS.indexOf('provider');

/** In the order of `SETTLEMENT_COLUMNS`, from `at` on; to be called within a transaction, as names may be new. */
export function writeValues(row: Settlement, names: NameTable, values: SQLInputValue[], at: number): void {
  const { usage } = row;
  values[at] = callIdBytes(row.callId);
  values[at + 1] = row.admittedAt;
  values[at + 2] = row.accountId;
  values[at + 3] = row.projectId;
  values[at + 4] = row.keyId;
  values[at + 5] = names.idOf(row.operation);
  values[at + 6] = names.idOf(row.model);
  values[at + 7] = names.idOf(row.provider);
  values[at + 8] = usage.inputTokens;
  values[at + 9] = usage.cacheReadTokens;
  values[at + 10] = usage.cacheWriteTokens;
  values[at + 11] = usage.cacheWrite1hTokens;
  values[at + 12] = usage.inputAudioTokens;
  values[at + 13] = usage.outputTokens;
  values[at + 14] = usage.outputAudioTokens;
  values[at + 15] = usage.reasoningTokens;
  values[at + 16] = usage.webSearches;
  values[at + 17] = usageSourceCodes[row.usageSource];
  values[at + 18] = row.priceVersion;
  values[at + 19] = row.cost;
  values[at + 20] = row.charge;
  values[at + 21] = endingCodes[row.ending];
  values[at + 22] = row.hold;
  values[at + 23] = row.fault;
  values[at + 24] = row.variance;
}
