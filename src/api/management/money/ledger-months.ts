/** Months of the ledger: statements, and the movements of a month. */
import { dayOf, dayStart, dayText, isoTime, monthOf, nextMonthOf } from '../../../core/calendar.ts';
import { GatewayError } from '../../../core/errors.ts';
import { nanoUsd, usdLiteral } from '../../../core/money.ts';
import type { Month, MonthsCursor, MovementsExport } from '../../../stats/ports.ts';
import type { balanceRoutes } from '../../contract/balance.ts';
import type { RouteInput } from '../../contract/route.ts';

type MovementsInput = RouteInput<typeof balanceRoutes.listMovements>['query'];

/** The time range of a request for movements. Throws `GatewayError` `invalid_value`. */
export function timeOf({ from, to, month }: MovementsInput): Pick<MovementsExport, 'fromMs' | 'toMs'> {
  if (month === undefined)
    return {
      fromMs: from === undefined ? null : Date.parse(from),
      toMs: to === undefined ? null : Date.parse(to),
    };
  if (from !== undefined || to !== undefined)
    throw new GatewayError('invalid_value', { message: 'Use either month, or from and to.', param: 'month' });
  const first = Date.parse(`${month}-01T00:00:00Z`);
  return { fromMs: first, toMs: dayStart(nextMonthOf(dayOf(first))) };
}

/** Describes a monthly statement. */
export function describeMonth({ day, opening, sums, closing, isSealed }: Month) {
  return {
    month: dayText(day).slice(0, 7),
    from: isoTime(dayStart(day)),
    to: isoTime(dayStart(nextMonthOf(day))),
    opening: usdLiteral(opening),
    topups: usdLiteral(sums?.topups ?? null),
    promos: usdLiteral(sums?.promos ?? null),
    adjustments: usdLiteral(sums?.adjustments ?? null),
    refunds: usdLiteral(sums?.refunds ?? null),
    charges: usdLiteral(sums?.charges ?? null),
    closing: usdLiteral(closing),
    sealed: isSealed,
  };
}

/** `<first day>.<closing balance, nano-USD>`. */
export function writeMonthsCursor({ day, closing }: MonthsCursor): string {
  return `${day}.${closing}`;
}

/** Throws `GatewayError` `invalid_value`. */
export function readMonthsCursor(text: string): MonthsCursor {
  const match = /^(\d{1,6})\.(-?\d{1,19})$/.exec(text);
  if (match === null)
    throw new GatewayError('invalid_value', {
      message: 'cursor is invalid; use the one from the previous page.',
      param: 'cursor',
    });
  return { day: monthOf(Number(match[1])), closing: nanoUsd(BigInt(match[2] ?? 0)) };
}
