/** Months of the ledger, `2026-10`, in UTC, by the admission time of a call and the time of an entry. */
import { dayOf, nextMonthOf } from '../../../core/calendar.ts';
import { GatewayError } from '../../../core/errors.ts';

/** Throws `GatewayError` `invalid_value` if the text is not a month. */
export function checkMonth(text: string): void {
  if (/^[2-9]\d{3}-(0[1-9]|1[0-2])$/.test(text)) return;
  throw new GatewayError('invalid_value', { message: `${text} is not a month; use the form 2026-10.`, param: 'month' });
}

/** The first day of the month in days since 1970, or of the month after it. */
export function firstDayOfMonth(month: string, after: 0 | 1 = 0): number {
  const first = dayOf(Date.parse(`${month}-01T00:00:00Z`));
  return after === 0 ? first : nextMonthOf(first);
}

/** The month of a time. */
export function monthText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}
