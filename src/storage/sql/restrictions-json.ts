/** Restrictions as a text column: JSON by level and field, with budgets as decimal strings of USD, which are exact. */
import type { Restrictions } from '../../accounts/ports.ts';
import { formatUsd, type Money, parseUsd } from '../../core/money.ts';
import { checkedObject } from './stored-json.ts';

export function writeRestrictions(restrictions: Restrictions): string {
  return JSON.stringify(restrictions, (_name, value) =>
    typeof value === 'bigint' ? formatUsd(value as Money) : value,
  );
}

/** Undefined if there are no restrictions, which is the usual case. */
export function readRestrictions(text: string): Restrictions | undefined {
  if (text === '{}') return undefined;
  const stored: unknown = JSON.parse(text, (name, value) =>
    name.startsWith('limits.budgets.') && typeof value === 'string' ? parseUsd(value) : value,
  );
  for (const ceiling of Object.values(checkedObject(stored, 'restrictions'))) checkedObject(ceiling, 'a ceiling');
  return stored as Restrictions;
}
