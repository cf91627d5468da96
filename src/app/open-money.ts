/** Opens what decides whether a call may be made: the bank, and the rate limits with today's requests before this start. */
import type { Bank } from '../billing/bank.ts';
import type { BillingMode } from '../billing/billing-mode.ts';
import { LedgerBank } from '../billing/ledger-bank.ts';
import { LentBank } from '../billing/lent/lent-bank.ts';
import { RateBook } from '../billing/rates.ts';
import type { Config } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { Limiter } from '../limits/limiter.ts';
import { requestsBefore } from '../limits/requests-before.ts';
import type { SharedLimits } from '../limits/sharing/shared-limits.ts';
import { VisitorFunds } from '../nodes/visitor-funds.ts';
import type { Storage } from '../storage/storage.ts';
import { installationRates } from './installation-rates.ts';
import type { OpenNode } from './nodes/open-node.ts';

export interface MoneyAndLimits {
  readonly bank: Bank;
  readonly rates: RateBook;
  readonly limiter: Limiter;
}

/** Null for a storage of one process. */
export interface SeveralNodes {
  readonly node: OpenNode | null;
  readonly limits: SharedLimits | null;
}

export async function openMoney(
  { billing }: Config,
  storage: Storage,
  clock: Clock,
  { node, limits: shared }: SeveralNodes,
): Promise<MoneyAndLimits> {
  const rates = new RateBook(installationRates(billing));
  const bank = sharedBank(billing.mode, storage, clock, node);
  if (bank !== null)
    return {
      bank,
      rates,
      // The requests of the day come from the ledger, of each key when it is first used.
      limiter: new Limiter({ clock, requestsToday: () => 0, shared }),
    };
  const loaded = await storage.ledger.load();
  const isWritable = () => storage.health() === 'ready';
  return {
    bank: new LedgerBank({ store: storage.ledger, loaded, mode: billing.mode, clock, isWritable }),
    rates,
    limiter: new Limiter({ clock, requestsToday: requestsBefore(loaded.spent, dayOf(clock.now())) }),
  };
}

/** The bank of a node, or of a command; null for a storage of one process. */
function sharedBank(mode: BillingMode, storage: Storage, clock: Clock, node: OpenNode | null): LentBank | null {
  const { ledger: store, visitor } = storage;
  if (visitor !== null)
    return new LentBank({ store, mode, funds: new VisitorFunds(visitor, clock), isWritable: () => true });
  if (node === null) return null;
  // Asked for each call: a machine that was suspended must not admit one before its next pulse.
  const isWritable = () => storage.health() === 'ready' && (mode !== 'prepaid' || node.maySpend);
  return new LentBank({ store, mode, funds: node.leases, isWritable });
}
