/** What the bank has to say: the most that a call can cost is held before a provider is asked. */
import type { Bank, Hold } from '../../billing/bank.ts';
import { type Refusal, refusalError } from '../../billing/refusal.ts';
import type { Target } from '../../catalog/model.ts';
import type { Clock } from '../../core/clock.ts';
import type { Call } from '../call.ts';
import type { Admitted, Routed, Translated } from '../phases.ts';
import { boundIn, holdRequest } from './hold-request.ts';

export interface AdmitPorts {
  readonly clock: Clock;
  readonly bank: Pick<Bank, 'mode' | 'hold' | 'raise'>;
}

/**
 * Asks the bank to hold the most that the call can cost: what was written for the first target, or the caller's own bytes at the
 * dearest of those that take them. A promise only where the bank has to ask somebody: what may have changed meanwhile is to be
 * judged once more when it has resolved. Throws `GatewayError` 400 for what has no bound.
 */
export function askBank({ bank }: AdmitPorts, call: Routed): Hold | Refusal | Promise<Hold | Refusal> {
  const { operation, peek, target, targets, translation } = call;
  const bound =
    translation === null
      ? boundIn(bank, operation.bound(peek), targets)
      : boundIn(bank, translation.boundRequest(peek, target), [target]);
  return bank.hold(holdRequest(call, bound));
}

/**
 * With money held the call is admitted: from here on it must be finished, whichever way it ends. Throws `GatewayError` 402, 503
 * where the bank refused.
 */
export function admit({ clock }: AdmitPorts, call: Routed, answer: Hold | Refusal): asserts call is Admitted {
  if (answer.refused !== null) throw refusalError(answer, clock.now());
  call.hold = answer;
}

/** Whether it has to be finished. */
export function isAdmitted(call: Call): call is Admitted {
  return call.hold !== null;
}

/** Whether what is held covers a later target, too, for which the request has just been written; raises the hold where it can. */
export function coverLater({ bank }: AdmitPorts, call: Admitted & Translated, target: Target): boolean {
  const { hold, peek, translation } = call;
  const bound = boundIn(bank, translation.boundRequest(peek, target, hold.outputCap), [target]);
  return bound === null || bank.raise(hold, holdRequest(call, bound));
}
