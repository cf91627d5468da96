/** The rules for a single settlement: its cost follows from its tokens and prices, and its charge from cost, rate and ending. */
import type { Prices } from '../catalog/model.ts';
import { formatUsd, type Money, NO_MONEY, roundUpToNano } from '../core/money.ts';
import { atRate } from '../core/rates/rate.ts';
import { isCharged, sharesOf } from './charge.ts';
import { costOf } from './cost.ts';
import type { LedgerRules, SettledFigures } from './maintenance-ports.ts';

export const ledgerRules: LedgerRules = { faultsOf };

/** For worker threads, which import the rules from this module. */
export const ledgerRulesModule = import.meta.url;

/** One sentence per fault; empty without any. `prices` are those of the settlement's version, null if it has none. */
export function faultsOf(figures: SettledFigures, prices: Prices | null): readonly string[] {
  const { charge, hold, cost, fault, variance, nodeLoss, ending } = figures;
  const faults: string[] = [];
  if (charge < 0n) faults.push(`the charge ${formatUsd(charge)} is negative`);
  if (fault < 0n || variance < 0n || nodeLoss < 0n) faults.push('what the operator bears is negative');
  if (hold !== null && charge > hold)
    faults.push(`the charge ${formatUsd(charge)} is above the hold ${formatUsd(hold)}`);
  if (charge !== NO_MONEY && !isCharged(ending))
    faults.push(`the ending ${ending} costs nothing, and ${formatUsd(charge)} was charged`);
  if (figures.saved < 0n) faults.push('what the cache saved is negative');
  if (figures.saved !== NO_MONEY && figures.usageSource !== 'cache')
    faults.push(`the call was not answered from the cache, and saved ${formatUsd(figures.saved)}`);
  faults.push(...faultsOfShares(figures));
  const expected = expectedCost(figures, prices);
  if (expected !== undefined && cost !== expected)
    faults.push(`the cost is ${written(cost)}, and tokens and prices give ${written(expected)}`);
  return faults;
}

/** The shares must be those that follow from cost, rate, ending and hold. Without a hold only their sum is known. */
function faultsOfShares(figures: SettledFigures): readonly string[] {
  const { charge, fault, variance, nodeLoss, hold, ending, cost } = figures;
  const shares = (charge + fault + variance + nodeLoss) as Money;
  const whole = (cost === null || isCharged(ending) ? wholeOf(figures) : faultOf(figures)) as Money;
  // What earlier attempts of the operator's cost is in no other figure.
  const earlier = shares - whole;
  const isOfEarlier = earlier > 0n && earlier <= fault;
  if (shares !== whole && !isOfEarlier && !isFromBeforeBalances(figures, shares))
    return [`the shares add up to ${formatUsd(shares)}, and the cost at the rate is ${formatUsd(whole)}`];
  const isChecked = hold === null || charge > hold || fault < 0n || variance < 0n || nodeLoss < 0n;
  if (isChecked || (shares !== whole && !isOfEarlier)) return [];
  const expected = sharesOf(figures, hold);
  // A part of the charge that came too late is the operator's.
  if (charge + nodeLoss === expected.charge && fault === expected.fault + (isOfEarlier ? earlier : 0n)) return [];
  return [`the charge is ${formatUsd(charge)}, and cost, rate and hold give ${formatUsd(expected.charge)}`];
}

/** What a charged call is shared out of. The fee of an own credential is not charged above the hold, and costs nobody anything. */
function wholeOf({ cost, rate, ownCredential, hold, charge, nodeLoss }: SettledFigures): Money {
  const whole = atRate(cost ?? NO_MONEY, rate);
  const most = hold ?? ((charge + nodeLoss) as Money);
  return ownCredential && whole > most ? most : whole;
}

function faultOf({ cost, ownCredential }: SettledFigures): Money {
  return cost === null || ownCredential ? NO_MONEY : cost;
}

/** Before balances were kept, settlements did not record what the operator absorbed. */
function isFromBeforeBalances({ hold, ending }: SettledFigures, shares: Money): boolean {
  return hold === null && shares === NO_MONEY && !isCharged(ending);
}

/** Undefined if both a cost of 0 and no cost are valid. */
function expectedCost({ usage, usageSource, priceVersion }: SettledFigures, prices: Prices | null) {
  if (usageSource === 'cache') return NO_MONEY;
  if (priceVersion === null) return usageSource === 'none' ? undefined : null;
  // A missing version is a separate fault.
  if (prices === null) return undefined;
  // A call that consumed nothing does not owe the fee per request either.
  if (usageSource === 'none') return NO_MONEY;
  return roundUpToNano(costOf(usage, prices));
}

function written(cost: Money | null): string {
  return cost === null ? 'unknown' : formatUsd(cost);
}
