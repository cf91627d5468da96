/** Checks the money before any work: an account with nothing left is refused immediately. Nothing is held. */

import type { Bank } from '../../billing/bank.ts';
import type { BoundRequest } from '../../billing/bound.ts';
import { type Refusal, refusalError } from '../../billing/refusal.ts';
import type { Clock } from '../../core/clock.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import { NO_MEDIA } from '../../dialects/kit/media/inline-media.ts';
import type { Understood } from '../phases.ts';
import { boundIn, holdRequest } from './hold-request.ts';
import { savingOf } from './saving-of.ts';

export interface RefusePoorPorts {
  readonly clock: Clock;
  readonly bank: Pick<Bank, 'mode' | 'askAffordable' | 'checkNotEmpty'>;
}

/**
 * Before a translation, which takes work: throws `GatewayError` 402 if a balance or budget does not cover even the least that
 * the request would cost at the cheapest target. Returns a promise, which rejects with it, only if the node must ask for the money.
 */
export function refuseUnaffordable(ports: RefusePoorPorts, call: Understood): Promise<void> | null {
  const least = leastOfTranslated(call.peek);
  const bounds = call.candidates.map((candidate) => boundIn(ports.bank, least, [candidate], call));
  return orAwait(ports, call, ports.bank.askAffordable(holdRequest(call, null), bounds));
}

/**
 * For free operations, which are only useful for calls: throws `GatewayError` 402 if no call could be paid for. Returns a promise, which
 * rejects with it, only if the node must ask for the money of this account.
 */
export function refusePenniless(ports: RefusePoorPorts, call: Understood): Promise<void> | null {
  const { candidates, peek } = call;
  const costs = candidates.every((candidate) => (boundIn(ports.bank, peek, [candidate], call)?.fixed ?? 0n) > 0n);
  if (!costs) return null;
  return orAwait(ports, call, ports.bank.checkNotEmpty(holdRequest(call, null)));
}

function orAwait(
  ports: RefusePoorPorts,
  call: Understood,
  checked: Refusal | null | Promise<Refusal | null>,
): Promise<void> | null {
  if (checked instanceof Promise) return checked.then((refusal) => throwIfRefused(ports, call, refusal));
  throwIfRefused(ports, call, checked);
  return null;
}

function throwIfRefused({ clock }: RefusePoorPorts, call: Understood, refusal: Refusal | null): void {
  if (refusal !== null) throw refusalError(refusal, clock.now(), savingOf(call), call.key.accountId);
}

/**
 * What certainly remains of a request when it is rewritten: white space, escapes and unsupported fields may be dropped, so
 * only a part of its bytes counts, and nothing that only raises the upper bound.
 */
function leastOfTranslated(peek: Peek): BoundRequest {
  return {
    ...peek,
    bodyBytes: Math.floor((peek.bodyBytes - peek.media.bytes) / SHRINKS_AT_MOST),
    media: NO_MEDIA,
    choices: 1,
    hasTools: false,
    namedTools: 0,
    hasFormat: false,
    promptUnbounded: false,
    serverToolUses: 0,
    searchField: null,
    compacts: false,
    values: 0,
    growth: 0,
    predictedTokens: 0,
  };
}

/** A character of two bytes may have been an escape of six, and a short message may follow many spaces. */
const SHRINKS_AT_MOST = 16;
