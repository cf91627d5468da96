/** How much may be spent in a period. */
import type { Money } from './money.ts';

/** A budget resets every day, week (from Monday) or month, all UTC, or never. */
export type BudgetWindow = 'day' | 'week' | 'month' | 'total';

export const BUDGET_WINDOWS: readonly BudgetWindow[] = ['day', 'week', 'month', 'total'];

/** What a key, a project or an account may spend in each window; absent is unlimited. */
export type Budgets = Readonly<Partial<Record<BudgetWindow, Money>>>;
