/** The sums of one group, added up from rollup rows: in total, and by interval. */
import { nanoUsd } from '../../../core/money.ts';
import type { UsageGroup, UsageSums } from '../../../stats/ports.ts';
import type { RollupSumColumn } from '../ledger/rollup-columns.ts';

export type SumColumn = Exclude<RollupSumColumn, 'cost_nano' | 'own_cost_nano'>;

/** One interval and one group. */
export type Cell = Readonly<Record<SumColumn, bigint>> & {
  readonly id: bigint;
  readonly start: number;
  /** What the operator's credentials cost; absent unless asked for. */
  readonly borne_nano?: bigint;
};

export class GroupSums {
  readonly #kind: UsageGroup['kind'];
  readonly #id: string;
  readonly #cells: Cell[] = [];
  #charge = 0n;
  #calls = 0n;

  constructor(kind: UsageGroup['kind'], id: string) {
    this.#kind = kind;
    this.#id = id;
  }

  get calls(): bigint {
    return this.#calls;
  }

  add(cell: Cell): void {
    this.#cells.push(cell);
    this.#charge += cell.charge_nano;
    this.#calls += cell.calls;
  }

  addAll(other: GroupSums): void {
    for (const cell of other.#cells) this.add(cell);
  }

  named(id: string): GroupSums {
    const named = new GroupSums(this.#kind, id);
    named.addAll(this);
    return named;
  }

  /** Negative if this one is more expensive. */
  compare(other: GroupSums): number {
    if (this.#charge !== other.#charge) return this.#charge > other.#charge ? -1 : 1;
    return Number(other.#calls - this.#calls);
  }

  totals(): UsageSums {
    const sum = (column: SumColumn) => this.#cells.reduce((total, cell) => total + cell[column], 0n);
    return {
      calls: Number(this.#calls),
      failed: Number(sum('failed')),
      promptTokens: Number(sum('prompt_tokens')),
      completionTokens: Number(sum('completion_tokens')),
      cachedTokens: Number(sum('cached_tokens')),
      reasoningTokens: Number(sum('reasoning_tokens')),
      charge: nanoUsd(this.#charge),
      cacheHits: Number(sum('cache_hits')),
      saved: nanoUsd(sum('saved_nano')),
      borneCost: nanoUsd(this.#cells.reduce((total, { borne_nano = 0n }) => total + borne_nano, 0n)),
    };
  }

  /** The totals, and a series of `count` intervals starting at `first`. */
  report(first: number, count: number): UsageGroup {
    const charge = new BigInt64Array(count);
    const calls = new Float64Array(count);
    const failed = new Float64Array(count);
    const promptTokens = new Float64Array(count);
    const completionTokens = new Float64Array(count);
    for (const cell of this.#cells) {
      const at = cell.start - first;
      charge[at] = (charge[at] as bigint) + cell.charge_nano;
      calls[at] = (calls[at] as number) + Number(cell.calls);
      failed[at] = (failed[at] as number) + Number(cell.failed);
      promptTokens[at] = (promptTokens[at] as number) + Number(cell.prompt_tokens);
      completionTokens[at] = (completionTokens[at] as number) + Number(cell.completion_tokens);
    }
    const series = { charge, calls, failed, promptTokens, completionTokens };
    return { kind: this.#kind, id: this.#id, totals: this.totals(), series };
  }
}
