/**
 * What budgets must report, computed separately from the bank: the charges of each window, for each budget owner.
 * A call counts in the windows of the latest day that the node had seen when it was admitted.
 */
import { BUDGET_WINDOWS, type Budgets, type BudgetWindow } from '../../../src/core/budget.ts';
import { dayOf } from '../../../src/core/calendar.ts';
import { same } from './violation.ts';

export class Windows {
  /** Charges by owner and window: `key 3 day 20778`. */
  readonly #charged = new Map<string, bigint>();
  /** The largest budget under which a call was admitted; null where one was admitted without. */
  readonly #limits = new Map<string, bigint | null>();
  /** The latest day the node has seen since it started. */
  day: number;

  constructor(nowMs: number) {
    this.day = dayOf(nowMs);
  }

  see(nowMs: number): void {
    this.day = Math.max(this.day, dayOf(nowMs));
  }

  charged(owner: string, window: BudgetWindow): bigint {
    return this.#charged.get(name(owner, window, this.day)) ?? 0n;
  }

  /** The node starts again, possibly after its clock went back: it knows only what was spent in its windows at `nowMs`. */
  reload(
    nowMs: number,
    spent: Iterable<{ readonly owner: string; readonly charge: bigint; readonly day: number }>,
  ): void {
    this.day = dayOf(nowMs);
    this.#charged.clear();
    this.#limits.clear();
    for (const { owner, charge, day } of spent)
      for (const window of BUDGET_WINDOWS) {
        const at = name(owner, window, day);
        if (at === name(owner, window, this.day)) this.#charged.set(at, (this.#charged.get(at) ?? 0n) + charge);
      }
  }

  /** A call was admitted: what it may spend counts against these budgets. */
  admit(owner: string, budgets: Budgets | undefined): void {
    for (const window of BUDGET_WINDOWS) {
      const at = name(owner, window, this.day);
      const known = this.#limits.get(at);
      const limit = budgets?.[window] ?? null;
      this.#limits.set(
        at,
        limit === null || known === null ? null : known === undefined || limit > known ? limit : known,
      );
    }
  }

  /** Books a charge into the windows of the day its call was admitted on. */
  add(owner: string, charge: bigint, day: number): void {
    if (charge === 0n) return;
    for (const window of BUDGET_WINDOWS) {
      const at = name(owner, window, day);
      const sum = (this.#charged.get(at) ?? 0n) + charge;
      this.#charged.set(at, sum);
      const limit = this.#limits.get(at) ?? null;
      if (limit !== null && sum > limit) same(sum, limit, () => `what was spent of the budget "${at}", at the most,`);
    }
  }
}

const FIRST_MONDAY = 4;

function name(owner: string, window: BudgetWindow, day: number): string {
  switch (window) {
    case 'day':
      return `${owner} day ${day}`;
    case 'week':
      return `${owner} week ${Math.floor((day - FIRST_MONDAY) / 7)}`;
    case 'month':
      return `${owner} month ${new Date(day * 86_400_000).toISOString().slice(0, 7)}`;
    default:
      return `${owner} total`;
  }
}
