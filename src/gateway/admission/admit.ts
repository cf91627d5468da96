/** Admission by the bank: the most that a call can cost is held before a provider is asked. */
import type { Bank, Hold } from '../../billing/bank.ts';
import { type Refusal, refusalError } from '../../billing/refusal.ts';
import type { Clock } from '../../core/clock.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Call } from '../call.ts';
import type { Admitted, Routed, Translated } from '../phases.ts';
import { boundIn, holdRequest } from './hold-request.ts';

export interface AdmitPorts {
  readonly clock: Clock;
  readonly bank: Pick<Bank, 'mode' | 'hold' | 'raise'>;
}

/**
 * Asks the bank to hold the most that the call can cost: for the request written for the first candidate, or for the caller's
 * own bytes at the most expensive candidate. Returns a promise only if the bank has to ask another node; rights are then checked
 * again once it resolves. Throws `GatewayError` 400 for a call without a bound.
 */
export function askBank({ bank }: AdmitPorts, call: Routed): Hold | Refusal | Promise<Hold | Refusal> {
  const { candidate, candidates, operation, peek, translation } = call;
  const bound =
    translation === null
      ? boundIn(bank, operation.bound(peek), candidates, call)
      : boundIn(bank, translation.boundRequest(peek, candidate), [candidate], call);
  return bank.hold(holdRequest(call, bound));
}

/**
 * Once money is held, the call is admitted: from here on it must be finished, however it ends. Throws `GatewayError` 402, 503
 * if the bank refused.
 */
export function admit({ clock }: AdmitPorts, call: Routed, answer: Hold | Refusal): asserts call is Admitted {
  if (answer.refused !== null) throw refusalError(answer, clock.now(), call.dialect.costLimits.outputCap);
  call.hold = answer;
}

/** Whether the call must be finished. */
export function isAdmitted(call: Call): call is Admitted {
  return call.hold !== null;
}

/** Whether the hold also covers a later candidate, for which the request has just been written; raises the hold if possible. */
export function coverLater({ bank }: AdmitPorts, call: Admitted & Translated, candidate: Candidate): boolean {
  const { hold, peek, translation } = call;
  const bound = boundIn(bank, translation.boundRequest(peek, candidate, hold.outputCap), [candidate], call);
  return bound === null || bank.raise(hold, holdRequest(call, bound));
}
