/** The checks of `doctor` for the ledger: balances against their sums, holds, the ballast file, the last backup. */

import { storageOf } from '../../../app/open-storage.ts';
import type { Violation } from '../../../billing/maintenance-ports.ts';
import type { Config } from '../../../config/config.ts';
import type { CommandContext } from '../../command.ts';
import type { ControlClient } from '../../control-client.ts';
import { readJson } from '../../output.ts';
import type { Program } from '../../program.ts';
import type { Check } from './checks.ts';

interface LedgerState {
  readonly ok: boolean;
  readonly violations: readonly Violation[];
  readonly accounts: number;
  readonly holds: number;
  /** Absent with SQLite, and at servers of earlier versions. */
  readonly unowned_settlements?: number;
  readonly ballast: boolean;
  readonly backup_at: string | null;
  readonly sealed_through: string | null;
}

/** More of them are counted. */
const ROWS_MAX = 5;
const DAY_MS = 86_400_000;
const BACKUP_AGE_WARN_DAYS = 7;

/** Asks the running server, otherwise reads the folder; if there is no data yet there is nothing to check. */
export async function checkLedger(
  context: CommandContext,
  config: Config,
  running: ControlClient | null,
): Promise<Check[]> {
  if (running === null && !storageOf(config).hasData(config.dataFolder)) return [];
  let state: LedgerState;
  let rows: readonly string[];
  try {
    const control = running ?? (await context.control());
    state = readJson<{ data: LedgerState }>(await control.call('GET', '/control/api/ledger/check')).data;
    const status = readJson<{ data: { readonly unreadable_rows?: readonly string[] } }>(
      await control.call('GET', '/control/api/status'),
    );
    // Absent at servers of earlier versions.
    rows = status.data.unreadable_rows ?? [];
  } catch (error) {
    // Report whatever prevents the ledger from being read.
    return [{ name: 'ledger', state: 'fail', detail: error instanceof Error ? error.message : String(error) }];
  }
  return [
    ledgerCheck(state, context.program),
    ...rowsCheck(rows),
    ballastCheck(state),
    backupCheck(state, config, context),
  ];
}

/** What these rows describe is refused; everything else is served. */
function rowsCheck(rows: readonly string[]): readonly Check[] {
  return rows.slice(0, ROWS_MAX).map((detail, index) => {
    const more = index === ROWS_MAX - 1 && rows.length > ROWS_MAX ? ` (and ${rows.length - ROWS_MAX} more)` : '';
    return { name: 'rows', state: 'fail', detail: `${detail}${more}` };
  });
}

function ledgerCheck(state: LedgerState, program: Program): Check {
  const { violations, accounts, holds, unowned_settlements: unowned = 0, sealed_through: sealed } = state;
  const name = 'ledger';
  const [first] = violations;
  if (first !== undefined) {
    const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
    return {
      name,
      state: 'fail',
      detail: `${first.subject}: ${first.detail}${more}; run: ${program.name} ledger verify`,
    };
  }
  const through = sealed === null ? '' : `, sealed through ${sealed}`;
  const lost =
    unowned === 0 ? '' : `, ${unowned} settlements whose account was lost when the database went back (node_loss_nano)`;
  return { name, state: 'ok', detail: `${accounts} balances correct, ${holds} open holds${through}${lost}` };
}

function ballastCheck({ ballast }: LedgerState): Check {
  const name = 'ballast';
  if (ballast) return { name, state: 'ok', detail: 'reserved, so that running calls can settle on a full disk' };
  return {
    name,
    state: 'warn',
    detail: 'the file `ballast` is missing: a full disk would cut off running calls; the next start creates it',
  };
}

function backupCheck({ backup_at: at }: LedgerState, { database }: Config, { doors, program }: CommandContext): Check {
  const name = 'backup';
  // The node's folder says nothing of it.
  if (database.url !== null)
    return {
      name,
      state: 'ok',
      detail: 'that of the database is made by PostgreSQL or its provider, and is not seen from here',
    };
  if (at === null)
    return { name, state: 'warn', detail: `no backup found; create one with: ${program.name} backup <folder>` };
  const days = Math.floor((doors.now() - Date.parse(at)) / DAY_MS);
  return { name, state: days >= BACKUP_AGE_WARN_DAYS ? 'warn' : 'ok', detail: `${at}, ${days} days ago` };
}
