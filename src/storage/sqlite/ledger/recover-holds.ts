/** The crash rule: a hold that the last run left open becomes the settlement it was written as. */
import type { DatabaseSync } from 'node:sqlite';
import { endingCodes } from '../../sql/codes.ts';
import { SETTLEMENT_COLUMNS } from '../../sql/settlement-columns.ts';
import { ADD_TO_BALANCE, ADD_TO_ROLLUP, BALANCE_COLUMNS, ROLLUP_COLUMNS } from './rollup-columns.ts';

/** Settles every open hold in one transaction, sums included. Returns how many there were. */
export function recoverHolds(database: DatabaseSync): number {
  if (database.prepare('SELECT 1 FROM holds LIMIT 1').get() === undefined) return 0;
  database.exec('BEGIN IMMEDIATE');
  try {
    // A call that has its end needs no other; there is none such unless somebody else wrote here.
    database.exec('DELETE FROM holds WHERE EXISTS (SELECT 1 FROM settlements WHERE call_id = holds.call_id)');
    const { changes } = database.prepare(SETTLE).run();
    database.exec(CHARGE);
    database.exec(SUM_UP);
    database.exec('DELETE FROM holds; COMMIT');
    return Number(changes);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const COLUMNS = SETTLEMENT_COLUMNS.join(', ');

const SETTLE = `INSERT INTO settlements (${COLUMNS}) SELECT ${COLUMNS} FROM holds ORDER BY call_id`;

const CHARGE = `INSERT INTO balances (${BALANCE_COLUMNS.join(', ')})
  SELECT account_id, -sum(charge_nano), 0, sum(charge_nano) FROM holds
  WHERE hold_nano IS NOT NULL AND charge_nano <> 0 GROUP BY account_id
  ${ADD_TO_BALANCE}`;

const SUMMED = ROLLUP_COLUMNS.join(', ');

/**
 * Summed up by the hour once, and from there by the day. Adding rows up one by one takes half the time of
 * GROUP BY, which sorts them.
 */
const SUM_UP = `
  CREATE TEMP TABLE recovered_hours (${SUMMED}, PRIMARY KEY (key_id, start, model, provider, account_id, project_id)) WITHOUT ROWID;
  INSERT INTO recovered_hours (${SUMMED})
    SELECT admitted_at / 3600000, account_id, project_id, key_id, model, provider,
      1, ending NOT IN (${endingCodes.complete}, ${endingCodes.empty}),
      input_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + input_audio_tokens,
      output_tokens + output_audio_tokens, cache_read_tokens, reasoning_tokens, coalesce(cost_nano, 0), charge_nano
    FROM holds WHERE true ${ADD_TO_ROLLUP};
  INSERT INTO rollups_hour (${SUMMED}) SELECT ${SUMMED} FROM recovered_hours WHERE true ${ADD_TO_ROLLUP};
  INSERT INTO rollups_day (${SUMMED})
    SELECT start / 24, ${ROLLUP_COLUMNS.slice(1).join(', ')} FROM recovered_hours WHERE true ${ADD_TO_ROLLUP};
  DROP TABLE recovered_hours`;
