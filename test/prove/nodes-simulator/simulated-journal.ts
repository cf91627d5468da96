/** A node's journal: what its calls wrote, and what of it the bank has. It survives the process, but not the loss of its disk. */
import type { CallLease, LedgerRow } from '../../../src/billing/ports.ts';
import type { CallId } from '../../../src/core/ids.ts';
import type { Settlement } from '../../../src/core/settlement.ts';
import { encodeBatch } from '../../../src/storage/journal/encode-batch.ts';
import { promise } from '../simulator/violation.ts';

interface Row {
  readonly settlement: Settlement;
  readonly lease: CallLease;
}

export interface Batch {
  readonly epoch: number;
  readonly calls: readonly CallId[];
  readonly encoded: Uint8Array;
  readonly from: number;
}

/** Batches that the bank has taken stay so long, ms. */
const KEPT_MS = 60_000;

export class SimulatedJournal {
  /** How often it has taken up again what the bank had. */
  timesSentAgain = 0;
  /** Of the bank, as the journal knows it, and until when it was that, monotonic ms. */
  #history: string | null = null;
  #historySince = 0;
  readonly holds = new Map<CallId, Row>();
  /** Not taken by the bank yet, in order. */
  outbox: Batch[] = [];
  #taken: { readonly batch: Batch; readonly at: number }[] = [];

  write(rows: readonly LedgerRow[]): void {
    const settled: Row[] = [];
    for (const { type, settlement, lease } of rows) {
      promise(lease !== undefined && lease !== null, () => `a row of ${settlement.callId} has no lease`);
      if (lease === undefined || lease === null) continue;
      if (type === 'settlement') {
        this.holds.delete(settlement.callId);
        settled.push({ settlement, lease });
      } else this.holds.set(settlement.callId, { settlement, lease });
    }
    this.#add(settled);
  }

  /** The crash rule: holds are settled as they say. Returns how many there were. */
  recover(): number {
    const open = [...this.holds.values()];
    this.holds.clear();
    this.#add(open);
    return open.length;
  }

  /** The next batches to send: of one epoch. */
  next(): readonly Batch[] {
    const [first] = this.outbox;
    if (first === undefined) return [];
    const end = this.outbox.findIndex(({ epoch }) => epoch !== first.epoch);
    return this.outbox.slice(0, Math.min(end === -1 ? this.outbox.length : end, 20));
  }

  taken(batches: readonly Batch[], nowMs: number): void {
    const sent = new Set(batches);
    this.outbox = this.outbox.filter((batch) => !sent.has(batch));
    for (const batch of batches) this.#taken.push({ batch, at: nowMs });
    this.#taken = this.#taken.filter(({ at }) => this.#historySince - at < KEPT_MS);
  }

  /** True if the bank has another history than before, and may not have what was sent last: that is sent again. */
  bankIs(history: string, nowMs: number): boolean {
    const isOther = this.#history !== null && this.#history !== history;
    if (isOther) this.sendAgain();
    this.#history = history;
    this.#historySince = nowMs;
    return isOther;
  }

  sendAgain(): void {
    this.timesSentAgain += 1;
    const again = this.#taken.map(({ batch }) => batch);
    this.#taken = [];
    this.outbox = [...again, ...this.outbox];
  }

  get unsentFrom(): number | null {
    return this.outbox[0]?.from ?? null;
  }

  get unsentCalls(): number {
    return this.outbox.reduce((sum, { calls }) => sum + calls.length, 0);
  }

  /** Everything that it could still send. */
  *calls(): IterableIterator<CallId> {
    for (const { calls } of this.outbox) yield* calls;
    for (const { batch } of this.#taken) yield* batch.calls;
  }

  #add(rows: readonly Row[]): void {
    for (const epoch of new Set(rows.map(({ lease }) => lease.epoch))) {
      const own = rows.filter(({ lease }) => lease.epoch === epoch);
      this.outbox.push({
        epoch,
        calls: own.map(({ settlement }) => settlement.callId),
        encoded: encodeBatch(own),
        from: Math.min(...own.map(({ settlement }) => settlement.admittedAt)),
      });
    }
  }
}
