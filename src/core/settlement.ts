/** The durable fact of a call: what the ledger stores, and what records are rebuilt from. */
import type { AccountId, CallId, KeyId, PriceVersionId, ProjectId } from './ids.ts';
import type { Money } from './money.ts';
import type { Rate } from './rates/rate.ts';
import type { Usage, UsageSource } from './usage.ts';

/** How a call ended; the table of endings in the billing guide says what each costs. */
export type Ending =
  | 'complete'
  /** Ended properly, without output or a finish reason: costs nothing. */
  | 'empty'
  | 'caller_left'
  | 'caller_slow'
  | 'upstream_failed'
  | 'upstream_timeout'
  | 'refused_upstream'
  | 'drained'
  /** The key was revoked with immediate effect, running calls included. */
  | 'key_cut'
  | 'gateway_failed'
  /** The process died; what the last checkpoint says was delivered is charged. Written at the next start. */
  | 'gateway_crashed';

/**
 * What the ledger keeps of a call for ever; with its price version the cost, and with its rate the charge, can be recomputed to
 * the nano-USD. It represents the call's transfers: `charge` from the account's available money, `fault`, `variance` and `nodeLoss`
 * from the operator's expenses, all to revenue. If the cost is known, the four add up to the cost at the rate; of a call that is not
 * charged, `fault` is the cost.
 */
export interface Settlement {
  readonly callId: CallId;
  /** Wall time of admission, ms. */
  readonly admittedAt: number;
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  readonly keyId: KeyId;
  readonly operation: string;
  readonly model: string;
  readonly provider: string;
  readonly usage: Usage;
  readonly usageSource: UsageSource;
  readonly priceVersion: PriceVersionId | null;
  /** What the call cost at the pinned list prices; null when the model has none. */
  readonly cost: Money | null;
  /** Of the list price, pinned at admission: what the account is charged, before the ending and the hold are considered. */
  readonly rate: Rate;
  /** Whether an own credential of the account served it: then the operator bears no cost, whatever the ending. */
  readonly ownCredential: boolean;
  /** What was set aside for the call: no charge is larger. Null if nothing is held (billing off). */
  readonly hold: Money | null;
  /** What the account is charged. */
  readonly charge: Money;
  /** What the operator absorbs because the provider failed or answered nothing. */
  readonly fault: Money;
  /** What the operator absorbs because the call cost more than was held. */
  readonly variance: Money;
  /** What the operator absorbs because the settlement arrived after its node's lease was over, and the account had no more; 0 with one node. */
  readonly nodeLoss: Money;
  /** What the account did not have to pay, because the call was answered from the response cache: what the same answer was charged before. */
  readonly saved: Money;
  readonly ending: Ending;
}
