/** What the answers of a batch came to, as JSON; money is decimal text, in billionths of a USD. */
import type { BatchTotals } from '../../../batches/ports.ts';
import { nanoUsd } from '../../../core/money.ts';

export function totalsText(totals: BatchTotals | null): string | null {
  return totals === null ? null : JSON.stringify({ ...totals, charge: String(totals.charge) });
}

export function readTotals(text: string): BatchTotals {
  const totals = JSON.parse(text) as Omit<BatchTotals, 'charge'> & { readonly charge: string };
  return { ...totals, charge: nanoUsd(BigInt(totals.charge)) };
}
