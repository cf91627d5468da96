/** Limits as a text column: JSON, with budgets as decimal strings of USD, which are exact. */
import type { Limits, Permissions } from '../../accounts/ports.ts';
import { BUDGET_WINDOWS, type Budgets, type BudgetWindow } from '../../core/budget.ts';
import { formatUsd, type Money, parseUsd } from '../../core/money.ts';
import { checkedObject, checkNumbers, checkTexts, storedObject } from './stored-json.ts';

export function writeLimits(limits: Limits): string {
  const { budgets, ...others } = limits;
  return JSON.stringify(budgets === undefined ? others : { ...others, budgets: mapWindows(budgets, formatUsd) });
}

export function readLimits(text: string): Limits {
  if (text === '{}') return NOTHING;
  const stored = storedObject(text);
  checkNumbers(stored, RATE_NAMES);
  if (stored.budgets !== undefined) checkedObject(stored.budgets, 'budgets');
  const { budgets, ...others } = stored as Omit<Limits, 'budgets'> & { readonly budgets?: WrittenBudgets };
  return budgets === undefined ? others : { ...others, budgets: mapWindows(budgets, parseUsd) satisfies Budgets };
}

export function writePermissions(permissions: Permissions): string {
  return JSON.stringify(permissions);
}

export function readPermissions(text: string): Permissions {
  if (text === '{}') return NOTHING;
  const stored = storedObject(text);
  checkTexts(stored, LIST_NAMES);
  return stored as Permissions;
}

/** The total length of all entries of all lists, in characters. */
export function listsLength({ operations, modelsAllow, modelsDeny, ips }: Permissions): number {
  let length = 0;
  for (const list of [operations, modelsAllow, modelsDeny, ips]) for (const entry of list ?? []) length += entry.length;
  return length;
}

const RATE_NAMES = ['requestsPerMinute', 'requestsPerDay', 'tokensPerMinute', 'concurrentCalls'] as const;
const LIST_NAMES = ['operations', 'modelsAllow', 'modelsDeny', 'ips'] as const;

/** Most keys have no limits or permissions; they share one empty object. */
const NOTHING = Object.freeze({});

type WrittenBudgets = Readonly<Partial<Record<BudgetWindow, string>>>;

function mapWindows<From extends string | Money, To>(
  budgets: Readonly<Partial<Record<BudgetWindow, From>>>,
  convert: (amount: From) => To,
): Partial<Record<BudgetWindow, To>> {
  const converted: Partial<Record<BudgetWindow, To>> = {};
  for (const window of BUDGET_WINDOWS) {
    const amount = budgets[window];
    if (amount !== undefined) converted[window] = convert(amount);
  }
  return converted;
}
