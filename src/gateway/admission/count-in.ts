/** What the limits have to say: rates and running calls, in memory, all or nothing in one synchronous step. */
import type { Limiter } from '../../limits/limiter.ts';
import { RateLimitExceeded } from '../../limits/rate-limit-exceeded.ts';
import type { Call } from '../call.ts';
import type { Identified } from '../phases.ts';

export interface CountPorts {
  readonly limiter: Pick<Limiter, 'take' | 'giveBack'>;
}

/** What a token of a prompt takes, about: the limit of tokens counts the true number when the call is over. */
const BYTES_PER_TOKEN = 4;

/** What the prompt is taken for until its tokens are known. */
export function promptTokensAbout({ bodyBytes }: { readonly bodyBytes: number }): number {
  return Math.ceil(bodyBytes / BYTES_PER_TOKEN);
}

/** Counts the call in its limits, as one of `tokens` until it is over. Throws `GatewayError` 429. */
export function countIn({ limiter }: CountPorts, call: Identified, tokens: number): void {
  const { key, project, account } = call;
  const ticket = limiter.take({ id: key.rootId, limits: key.limits }, project, account, tokens);
  if (ticket !== null && ticket.refused !== null) throw new RateLimitExceeded(ticket);
  call.ticket = ticket;
}

/** A call that was counted and never admitted: as if it had not been. */
export function countOut({ limiter }: CountPorts, call: Call): void {
  if (call.ticket === null || call.hold !== null) return;
  limiter.giveBack(call.ticket);
  call.ticket = null;
}
