/** The crash rule: a hold that the last run left open becomes the settlement that was written in it. */
import type { DatabaseSync } from 'node:sqlite';
import {
  ADD_TO_BALANCE,
  addToRollup,
  BALANCE_COLUMNS,
  ROLLUP_COLUMNS,
  settledColumns,
} from '../../sql/ledger/rollup-columns.ts';
import { SETTLEMENT_COLUMN_NAMES } from '../../sql/ledger/settlement-columns.ts';

/** Settles every open hold in one transaction, sums included. Returns how many there were. */
export function recoverHolds(database: DatabaseSync): number {
  if (database.prepare('SELECT 1 FROM holds LIMIT 1').get() === undefined) return 0;
  database.exec('BEGIN IMMEDIATE');
  try {
    // A settled call needs no second settlement; this only happens if another program wrote to the database.
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

const COLUMNS = SETTLEMENT_COLUMN_NAMES.join(', ');

const SETTLE = `INSERT INTO settlements (${COLUMNS}) SELECT ${COLUMNS} FROM holds ORDER BY call_id`;

const CHARGE = `INSERT INTO balances (${BALANCE_COLUMNS.join(', ')})
  SELECT account_id, -sum(charge_nano), 0, sum(charge_nano) FROM holds
  WHERE hold_nano IS NOT NULL AND charge_nano <> 0 GROUP BY account_id
  ${ADD_TO_BALANCE}`;

const HOUR_MS = 3_600_000;
const SUMMED = ROLLUP_COLUMNS.join(', ');

/**
 * Sums up by hour, and from there by day. Upserting rows one by one takes half the time of
 * GROUP BY, which sorts them.
 */
const SUM_UP = `
  CREATE TEMP TABLE recovered_hours (${SUMMED}, PRIMARY KEY (key_id, start, model, provider, account_id, project_id)) WITHOUT ROWID;
  INSERT INTO recovered_hours (${SUMMED})
    SELECT ${settledColumns(HOUR_MS).join(', ')}
    FROM holds WHERE true ${addToRollup('recovered_hours')};
  INSERT INTO rollups_hour (${SUMMED}) SELECT ${SUMMED} FROM recovered_hours WHERE true ${addToRollup('rollups_hour')};
  INSERT INTO rollups_day (${SUMMED})
    SELECT start / 24, ${ROLLUP_COLUMNS.slice(1).join(', ')} FROM recovered_hours WHERE true ${addToRollup('rollups_day')};
  DROP TABLE recovered_hours`;
