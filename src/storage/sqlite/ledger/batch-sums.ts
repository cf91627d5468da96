/** What the settlements of one group commit add to balances and rollups, summed up so that each row is updated once. */
import type { SQLInputValue } from 'node:sqlite';
import { hourOf } from '../../../core/calendar.ts';
import type { Money } from '../../../core/money.ts';
import type { Settlement } from '../../../core/settlement.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { RollupSum } from '../../sql/ledger/rollup-columns.ts';

interface ListedSum extends RollupSum {
  /** Another sum of the same key. */
  readonly next: ListedSum | null;
}

export interface ChargeSum {
  readonly accountId: number;
  charge: bigint;
}

export class BatchSums {
  readonly rollups: RollupSum[] = [];
  readonly charges: ChargeSum[] = [];
  readonly #byKey = new Map<number, ListedSum>();
  readonly #byAccount = new Map<number, ChargeSum>();

  add(settlement: Settlement, model: number, provider: number): void {
    const { usage, usageSource, ending, cost, charge, ownCredential } = settlement;
    const sum = this.#sumOf(settlement, model, provider);
    sum.calls += 1;
    if (ending !== 'complete' && ending !== 'empty') sum.failed += 1;
    sum.promptTokens += promptTokens(usage);
    sum.completionTokens += completionTokens(usage);
    sum.cachedTokens += usage.cacheReadTokens;
    sum.reasoningTokens += usage.reasoningTokens;
    if (cost !== null) {
      sum.cost += cost;
      if (ownCredential) sum.ownCost += cost;
    }
    if (usageSource === 'cache') sum.cacheHits += 1;
    sum.saved += settlement.saved;
    if (charge === 0n) return;
    sum.charge += charge;
    if (settlement.hold !== null) this.#charge(settlement.accountId, charge);
  }

  #charge(accountId: number, charge: Money): void {
    const known = this.#byAccount.get(accountId);
    if (known !== undefined) {
      known.charge += charge;
      return;
    }
    const sum = { accountId, charge };
    this.#byAccount.set(accountId, sum);
    this.charges.push(sum);
  }

  #sumOf(settlement: Settlement, model: number, provider: number): RollupSum {
    const { accountId, projectId, keyId } = settlement;
    const hour = hourOf(settlement.admittedAt);
    const first = this.#byKey.get(keyId) ?? null;
    for (let sum = first; sum !== null; sum = sum.next) {
      if (
        sum.model === model &&
        sum.provider === provider &&
        sum.hour === hour &&
        sum.projectId === projectId &&
        sum.accountId === accountId
      )
        return sum;
    }
    const sum: ListedSum = {
      hour,
      accountId,
      projectId,
      keyId,
      model,
      provider,
      calls: 0,
      failed: 0,
      promptTokens: 0,
      completionTokens: 0,
      cachedTokens: 0,
      reasoningTokens: 0,
      cost: 0n,
      charge: 0n,
      ownCost: 0n,
      cacheHits: 0,
      saved: 0n,
      next: first,
    };
    this.#byKey.set(keyId, sum);
    this.rollups.push(sum);
    return sum;
  }
}

/** In the order of `BALANCE_COLUMNS`. Every amount is a `bigint`, even 0: adding a double would make the sum a double. */
export function writeCharge(sum: ChargeSum, values: SQLInputValue[], at: number): void {
  values[at] = sum.accountId;
  values[at + 1] = -sum.charge;
  values[at + 2] = 0n;
  values[at + 3] = sum.charge;
}
