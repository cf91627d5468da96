/** The rows of one group commit, by table. */

import type { LedgerRow, ReplayRow, StoredId } from '../../../billing/ports.ts';
import { assertNever } from '../../../core/assert.ts';
import type { CallId } from '../../../core/ids.ts';
import type { Settlement } from '../../../core/settlement.ts';

/**
 * A hold whose settlement is in the same batch is not written; of several
 * checkpoints of a call only the last one is.
 */
export class BatchRows {
  readonly settlements: Settlement[] = [];
  readonly replays: ReplayRow[] = [];
  readonly storedIds: StoredId[] = [];
  /** Calls whose hold from an earlier batch is deleted. */
  readonly endedHolds: CallId[] = [];
  /** Created on demand: most batches have no such rows. */
  #holds: Map<CallId, Settlement> | null = null;
  #checkpoints: Map<CallId, Settlement> | null = null;

  constructor(rows: readonly LedgerRow[]) {
    for (const row of rows) this.#add(row);
  }

  get holds(): readonly Settlement[] {
    return this.#holds === null ? NONE : [...this.#holds.values()];
  }

  /** Checkpoints of holds from an earlier batch. */
  get checkpoints(): readonly Settlement[] {
    return this.#checkpoints === null ? NONE : [...this.#checkpoints.values()];
  }

  #add(row: LedgerRow): void {
    const { settlement } = row;
    switch (row.type) {
      case 'hold':
        this.#holds ??= new Map();
        this.#holds.set(settlement.callId, settlement);
        break;
      case 'checkpoint':
        this.#addCheckpoint(settlement);
        break;
      case 'settlement':
        this.settlements.push(settlement);
        if (row.hadHold) this.#endHold(settlement.callId);
        if (row.replay !== null) this.replays.push(row.replay);
        if (row.stored) this.storedIds.push(...row.stored);
        break;
      default:
        assertNever(row);
    }
  }

  #addCheckpoint(settlement: Settlement): void {
    if (this.#holds?.has(settlement.callId)) {
      this.#holds.set(settlement.callId, settlement);
      return;
    }
    this.#checkpoints ??= new Map();
    this.#checkpoints.set(settlement.callId, settlement);
  }

  #endHold(callId: CallId): void {
    this.#checkpoints?.delete(callId);
    if (!this.#holds?.delete(callId)) this.endedHolds.push(callId);
  }
}

const NONE: readonly Settlement[] = [];
