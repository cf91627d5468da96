/** A look at the money before there is any work: an account with nothing left is refused at once. Nothing is held. */
import type { Bank } from '../../billing/bank.ts';
import type { BoundRequest } from '../../billing/bound.ts';
import { type Refusal, refusalError } from '../../billing/refusal.ts';
import type { Clock } from '../../core/clock.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import { NO_MEDIA } from '../../dialects/kit/media/inline-media.ts';
import type { Understood } from '../phases.ts';
import { boundIn, holdRequest } from './hold-request.ts';

export interface RefusePoorPorts {
  readonly clock: Clock;
  readonly bank: Pick<Bank, 'mode' | 'checkAffordable' | 'checkNotEmpty'>;
}

/**
 * Before a translation, which is work: throws `GatewayError` 402 where a balance or budget has not even what a part of the
 * request would cost at the cheapest target.
 */
export function refuseUnaffordable(ports: RefusePoorPorts, call: Understood): void {
  const least = leastOfTranslated(call.peek);
  const bounds = call.targets.map((target) => boundIn(ports.bank, least, [target]));
  throwIfRefused(ports, ports.bank.checkAffordable(holdRequest(call, null), bounds));
}

/** For what costs nothing itself and is of use to calls only: throws `GatewayError` 402 where no call could be paid for. */
export function refusePenniless(ports: RefusePoorPorts, call: Understood): void {
  const { peek, targets } = call;
  const costs = targets.every((target) => (boundIn(ports.bank, peek, [target])?.fixed ?? 0n) > 0n);
  if (costs) throwIfRefused(ports, ports.bank.checkNotEmpty(holdRequest(call, null)));
}

function throwIfRefused({ clock }: RefusePoorPorts, refusal: Refusal | null): void {
  if (refusal !== null) throw refusalError(refusal, clock.now());
}

/**
 * What is surely left of a request when it is written anew: white space, escapes and fields that have no place may go, so that
 * only a part of its bytes counts, and nothing that stands for a bound and not for a cost.
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

/** A character of two bytes may be an escape of six, and a short message may stand behind many spaces. */
const SHRINKS_AT_MOST = 16;
