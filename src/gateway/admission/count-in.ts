/** Admission by the limits: rates and running calls, in memory, in one atomic, synchronous step. */
import type { Limiter } from '../../limits/limiter.ts';
import { RateLimitExceeded } from '../../limits/rate-limit-exceeded.ts';
import type { Call } from '../call.ts';
import type { Understood } from '../phases.ts';

export interface CountPorts {
  readonly limiter: Pick<Limiter, 'take' | 'giveBack'>;
}

/** Counts the call in its limits with estimated tokens, which are corrected at its end. Throws `GatewayError` 429. */
export function countIn({ limiter }: CountPorts, call: Understood): void {
  const { key, project, account, operation, peek } = call;
  // An answer from the cache takes no tokens of a provider.
  const isKept = call.caching !== null && call.caching.found !== null;
  const tokens = isKept ? 0 : operation.tokensAbout(peek);
  const ticket = limiter.take({ id: key.rootId, limits: key.limits }, project, account, tokens);
  if (ticket !== null && ticket.refused !== null) throw new RateLimitExceeded(ticket);
  call.ticket = ticket;
}

/** Undoes the count of a call that was not admitted. A free call is admitted once it is counted. */
export function countOut({ limiter }: CountPorts, call: Call): void {
  if (call.ticket === null || call.hold !== null || !call.operation.isPaid) return;
  limiter.giveBack(call.ticket);
  call.ticket = null;
}
