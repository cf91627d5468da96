/**
 * What one key, project or account has spent: today, this week, this month and ever, and what its
 * running calls hold. A call counts in the windows of the day on which it was admitted.
 */
import type { BudgetWindow } from '../core/budget.ts';
import { dayOf, dayStart, monthOf, nextMonthOf, weekOf } from '../core/calendar.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { SpentSoFar } from './ports.ts';

/** Whose spending it is. */
export type Scope = 'key' | 'project' | 'account';

export class Spending {
  /** Held by running calls. */
  held: bigint = 0n;
  /** The last UTC day on which a call that has since ended was admitted; 0 for none. */
  lastDay: number;
  #day: number;
  #week: number;
  #month: number;
  #inDay: bigint;
  #inWeek: bigint;
  #inMonth: bigint;
  #total: bigint;

  constructor(day: number, before: SpentSoFar | null = null) {
    this.#day = before?.day ?? day;
    this.#week = weekOf(this.#day);
    this.#month = monthOf(this.#day);
    this.#inDay = before?.today ?? 0n;
    this.#inWeek = before?.week ?? 0n;
    this.#inMonth = before?.month ?? 0n;
    this.#total = before?.total ?? 0n;
    this.lastDay = before?.lastDay ?? 0;
    this.#rollTo(day);
  }

  /** Charges in the window that contains `day`, which must not be before any day passed earlier. */
  spent(window: BudgetWindow, day: number): Money {
    this.#rollTo(day);
    switch (window) {
      case 'day':
        return this.#inDay as Money;
      case 'week':
        return this.#inWeek as Money;
      case 'month':
        return this.#inMonth as Money;
      default:
        return this.#total as Money;
    }
  }

  /** Adds a charge to the windows of the day on which its call was admitted. */
  add(charge: Money, day: number): void {
    if (day > this.lastDay) this.lastDay = day;
    if (charge === NO_MONEY) return;
    this.#rollTo(day);
    this.#total += charge;
    const today = day === this.#day;
    if (today) this.#inDay += charge;
    if (today || weekOf(day) === this.#week) this.#inWeek += charge;
    if (today || monthOf(day) === this.#month) this.#inMonth += charge;
  }

  #rollTo(day: number): void {
    if (day <= this.#day) return;
    this.#day = day;
    this.#inDay = 0n;
    if (weekOf(day) !== this.#week) {
      this.#week = weekOf(day);
      this.#inWeek = 0n;
    }
    if (monthOf(day) !== this.#month) {
      this.#month = monthOf(day);
      this.#inMonth = 0n;
    }
  }
}

/** When a window resets, wall time in ms; null for never. */
export function windowEnd(window: BudgetWindow, nowMs: number): number | null {
  const day = dayOf(nowMs);
  switch (window) {
    case 'day':
      return dayStart(day + 1);
    case 'week':
      return dayStart(weekOf(day) + 7);
    case 'month':
      return dayStart(nextMonthOf(day));
    default:
      return null;
  }
}
