/** What the limits have to say: rates and running calls, in memory, all or nothing in one synchronous step. */
import type { Limiter } from '../../limits/limiter.ts';
import { RateLimitExceeded } from '../../limits/rate-limit-exceeded.ts';
import type { Call } from '../call.ts';
import type { Understood } from '../phases.ts';

export interface CountPorts {
  readonly limiter: Pick<Limiter, 'take' | 'giveBack'>;
}

/** Counts the call in its limits, as one of about as many tokens as it may take; of the true number when it is over. Throws `GatewayError` 429. */
export function countIn({ limiter }: CountPorts, call: Understood): void {
  const { key, project, account, operation, peek } = call;
  const tokens = operation.tokensAbout(peek);
  const ticket = limiter.take({ id: key.rootId, limits: key.limits }, project, account, tokens);
  if (ticket !== null && ticket.refused !== null) throw new RateLimitExceeded(ticket);
  call.ticket = ticket;
}

/** A call that was counted and never admitted: as if it had not been. What holds no money is admitted once it is counted. */
export function countOut({ limiter }: CountPorts, call: Call): void {
  if (call.ticket === null || call.hold !== null || !call.operation.isPaid) return;
  limiter.giveBack(call.ticket);
  call.ticket = null;
}
