/**
 * The rows of calls, which every bank writes alike: a hold and its checkpoints while the call runs, and one settlement at its
 * end. What the disk refuses stays held, and is settled by the crash rule as soon as it accepts rows again.
 */
import { assert } from '../core/assert.ts';
import type { CallId } from '../core/ids.ts';
import { NO_MONEY } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import { NO_USAGE } from '../core/usage.ts';
import type { Hold } from './bank.ts';
import type { BillingMode } from './billing-mode.ts';
import { type OpenHold, openHold } from './open-hold.ts';
import type { LedgerStore, ReplayRow, StoredId } from './ports.ts';

export interface CallRowsParts {
  readonly store: LedgerStore;
  readonly mode: BillingMode;
  /** Whether the disk accepts rows; nothing is admitted while it does not. */
  readonly isWritable: () => boolean;
}

export abstract class CallRows {
  readonly mode: BillingMode;
  protected readonly store: LedgerStore;
  readonly #isWritable: () => boolean;
  /** Calls whose settlement row the disk refused; the crash rule settles them as soon as it accepts rows again. */
  readonly #unsettled = new Set<OpenHold>();

  constructor({ store, mode, isWritable }: CallRowsParts) {
    this.store = store;
    this.mode = mode;
    this.#isWritable = isWritable;
  }

  persistHold(hold: Hold, crashed: Settlement): Promise<void> | null {
    const open = openHold(hold);
    if (this.mode === 'off') return null;
    open.crashed = crashed;
    const { lease } = open;
    if (open.row === null) {
      open.row = this.store.commit([{ type: 'hold', settlement: crashed, lease }]);
      return open.row;
    }
    // Another target is tried: the first row is written or being written, and the hold is not durable without it.
    return Promise.all([open.row, this.store.commit([{ type: 'checkpoint', settlement: crashed, lease }])]).then(
      ignore,
    );
  }

  checkpoint(hold: Hold, crashed: Settlement): void {
    const open = openHold(hold);
    if (open.row === null || open.isFinished) return;
    open.crashed = crashed;
    // Not awaited. If the disk refuses it, it will refuse the settlement row too, and that is reported.
    this.store.commit([{ type: 'checkpoint', settlement: crashed, lease: open.lease }]).catch(ignore);
  }

  finish(
    hold: Hold,
    settlement: Settlement,
    replay: ReplayRow | null = null,
    stored: readonly StoredId[] | null = null,
  ): Promise<void> {
    const open = openHold(hold);
    assert(!open.isFinished, 'a call is finished once');
    assert(settlement.charge >= 0n && settlement.charge <= open.amount, 'a charge lies between nothing and the hold');
    open.isFinished = true;
    const { row, lease } = open;
    return this.#commitSettlement({
      type: 'settlement',
      settlement,
      hadHold: row !== null,
      replay,
      stored,
      lease,
    }).then(
      () => this.released(open, settlement),
      (error) => {
        this.#leaveUnsettled(open, settlement);
        throw error;
      },
    );
  }

  /** Whether the disk accepts rows. If it does, what it refused before is settled. */
  protected isReady(): boolean {
    if (!this.#isWritable()) return false;
    if (this.#unsettled.size > 0) this.#settleAgain();
    return true;
  }

  /** The settlement is written: the hold ends, and the charge is taken. */
  protected abstract released(hold: OpenHold, settlement: Settlement): void;

  /** Rejects, and never throws: the hold of a settlement that is not written must be known. */
  #commitSettlement(row: Parameters<LedgerStore['commit']>[0][number]): Promise<void> {
    try {
      return this.store.commit([row]);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * The disk refused the settlement row. Once it accepts rows again, the crash settlement is written, which mostly charges
   * nothing.
   */
  #leaveUnsettled(open: OpenHold, settlement: Settlement): void {
    open.crashed ??= {
      ...settlement,
      usage: NO_USAGE,
      usageSource: 'none',
      cost: NO_MONEY,
      charge: NO_MONEY,
      fault: NO_MONEY,
      variance: NO_MONEY,
      saved: NO_MONEY,
      // That is what the caller got.
      ending: 'gateway_failed',
    };
    this.#unsettled.add(open);
  }

  /**
   * Retries what the disk refused. Either the holds' rows were written or nothing was, so the crash rule says what is charged.
   */
  #settleAgain(): void {
    for (const hold of this.#unsettled) {
      this.#unsettled.delete(hold);
      void this.#settleByCrashRule(hold);
    }
  }

  /** Never rejects; the store reports what it refuses. */
  async #settleByCrashRule(hold: OpenHold): Promise<void> {
    const { crashed, row, lease } = hold;
    assert(crashed !== null, 'a hold that is not settled knows its crash settlement');
    try {
      await this.store.commit([
        { type: 'settlement', settlement: crashed, hadHold: row !== null, replay: null, lease },
      ]);
      this.released(hold, crashed);
    } catch {
      // Checked before anything else is awaited: if the disk recovers later, it still refused this row.
      if (!this.#isWritable()) this.#unsettled.add(hold);
      else await this.#giveUp(hold, crashed.callId);
    }
  }

  /**
   * The row itself is invalid, and would be refused for ever. If the ledger already has another settlement of the call, that
   * one counts; otherwise the money stays held until the next start, which settles the stored hold.
   */
  async #giveUp(hold: OpenHold, callId: CallId): Promise<void> {
    const settled = await this.store.chargeOf(callId).catch(() => null);
    if (settled !== null) hold.release(settled.charge);
  }
}

function ignore(): void {
  // The failure is reported to the code that awaits the row.
}
