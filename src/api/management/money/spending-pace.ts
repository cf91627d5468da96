/** What an account was charged lately, from which pages estimate how long its balance lasts. */

import { GatewayError } from '../../../core/errors.ts';
import type { AccountId } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import type { StatsReader } from '../../../stats/ports.ts';

/** Full days before today that make the pace. */
export const DAYS_OF_PACE = 7;

/**
 * Charges of the full days before `today` (days since 1970). Null if there is no time to read the report: the balance is known all the
 * same, and an entry that was posted must not be answered as if it was not.
 */
export async function chargedLately(
  stats: Pick<StatsReader, 'usage'>,
  accountId: AccountId,
  today: number,
): Promise<Money | null> {
  const everything = { projectId: null, keyId: null, model: null, provider: null };
  const range = { interval: 'day', first: today - DAYS_OF_PACE, end: today } as const;
  try {
    const { totals } = await stats.usage({ ...everything, ...range, accountId, groupBy: 'none', groups: 1 });
    return totals.charge;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'shedding') return null;
    throw error;
  }
}
