/** What one group commit writes to the journal. */
import type { LedgerRow } from '../../billing/ports.ts';
import { assertNever } from '../../core/assert.ts';
import { type CallId, callIdBytes } from '../../core/ids.ts';
import { type BatchRow, encodeBatch } from './encode-batch.ts';

export interface JournalPart {
  /** One per epoch. */
  readonly batches: readonly OutboxBatch[];
  readonly holds: readonly HeldCall[];
  /** Of holds from earlier commits. */
  readonly checkpoints: readonly HeldCall[];
  /** The calls, 16 bytes each, whose hold from an earlier commit is deleted. */
  readonly endedHolds: readonly Uint8Array[];
}

export interface OutboxBatch {
  /** Later batches have larger ids. */
  readonly id: number;
  /** Under which the calls' money was lent; 0 if none was. */
  readonly epoch: number;
  readonly calls: number;
  /** When the first of the calls was admitted, ms. */
  readonly admittedFrom: number;
  readonly batch: Uint8Array;
}

/** An open call. */
export interface HeldCall {
  /** 16 bytes. */
  readonly callId: Uint8Array;
  readonly epoch: number;
  readonly admittedAt: number;
  /** Of its crash settlement alone. */
  readonly batch: Uint8Array;
}

/**
 * A hold whose settlement is in the same commit is not written; of several checkpoints of a call only the last one is. Throws if
 * a value cannot be stored.
 */
export function journalPart(rows: readonly LedgerRow[], nextId: () => number): JournalPart {
  const sorted = new SortedRows(rows);
  return {
    batches: [...sorted.settled].map(([epoch, settled]) => outboxBatch(nextId(), epoch, settled)),
    holds: [...sorted.holds.values()].map(heldCall),
    checkpoints: [...sorted.checkpoints.values()].map(heldCall),
    endedHolds: sorted.endedHolds,
  };
}

class SortedRows {
  /** By epoch. */
  readonly settled = new Map<number, BatchRow[]>();
  readonly holds = new Map<CallId, BatchRow>();
  readonly checkpoints = new Map<CallId, BatchRow>();
  readonly endedHolds: Uint8Array[] = [];

  constructor(rows: readonly LedgerRow[]) {
    for (const row of rows) this.#add(row);
  }

  #add(row: LedgerRow): void {
    const { callId } = row.settlement;
    if (row.type === 'hold') this.holds.set(callId, row);
    else if (row.type === 'checkpoint') (this.holds.has(callId) ? this.holds : this.checkpoints).set(callId, row);
    else if (row.type === 'settlement') this.#addSettled(row);
    else assertNever(row);
  }

  #addSettled(row: LedgerRow & { readonly type: 'settlement' }): void {
    const epoch = row.lease?.epoch ?? 0;
    const known = this.settled.get(epoch);
    if (known === undefined) this.settled.set(epoch, [row]);
    else known.push(row);
    if (!row.hadHold) return;
    const { callId } = row.settlement;
    this.checkpoints.delete(callId);
    if (!this.holds.delete(callId)) this.endedHolds.push(callIdBytes(callId));
  }
}

export function outboxBatch(id: number, epoch: number, rows: readonly BatchRow[]): OutboxBatch {
  let admittedFrom = Number.POSITIVE_INFINITY;
  for (const { settlement } of rows) if (settlement.admittedAt < admittedFrom) admittedFrom = settlement.admittedAt;
  return { id, epoch, calls: rows.length, admittedFrom, batch: encodeBatch(rows) };
}

function heldCall({ settlement, lease }: BatchRow): HeldCall {
  return {
    callId: callIdBytes(settlement.callId),
    epoch: lease?.epoch ?? 0,
    admittedAt: settlement.admittedAt,
    batch: encodeBatch([lease ? { settlement, lease } : { settlement }]),
  };
}
