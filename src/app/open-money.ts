/** Opens what decides whether a call may be made: the bank, and the rate limits with today's requests before this start. */
import { LedgerBank } from '../billing/ledger-bank.ts';
import { RateBook } from '../billing/rates.ts';
import type { Config } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { Limiter } from '../limits/limiter.ts';
import { requestsBefore } from '../limits/requests-before.ts';
import type { Storage } from '../storage/storage.ts';
import { installationRates } from './installation-rates.ts';

export interface MoneyAndLimits {
  readonly bank: LedgerBank;
  readonly rates: RateBook;
  readonly limiter: Limiter;
}

export async function openMoney({ billing }: Config, storage: Storage, clock: Clock): Promise<MoneyAndLimits> {
  const loaded = await storage.ledger.load();
  const isWritable = () => storage.health() === 'ready';
  return {
    bank: new LedgerBank({ store: storage.ledger, loaded, mode: billing.mode, clock, isWritable }),
    rates: new RateBook(installationRates(billing)),
    limiter: new Limiter({ clock, requestsToday: requestsBefore(loaded.spent, dayOf(clock.now())) }),
  };
}
