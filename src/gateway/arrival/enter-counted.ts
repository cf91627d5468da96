/** The first steps of a request that calls no model. */
import { awaitKeyNews } from '../../accounts/key-news.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { RateLimitExceeded } from '../../limits/rate-limit-exceeded.ts';
import type { Call } from '../call.ts';
import type { Identified } from '../phases.ts';
import { awaitPipelineTurn } from './await-pipeline-turn.ts';
import { type EnterPorts, enter } from './enter.ts';

export interface EnterCountedPorts extends EnterPorts {
  readonly limiter: Pick<Limiter, 'take'>;
}

/**
 * Resolves with the same call once its key is known, it has a place, and the limits have counted it: as a request without tokens, whatever
 * becomes of it, so that ids cannot be tried faster than calls. `query`: as sent. Rejects with `GatewayError` as `enter` throws, and 429.
 */
export async function enterCounted(ports: EnterCountedPorts, call: Call, query: string): Promise<Identified> {
  const asked = { path: '', query, parameters: {} };
  try {
    enter(ports, call, asked);
  } catch (error) {
    await awaitKeyNews(error, ports.keyNews);
    enter(ports, call, asked);
  }
  if (call.waiting !== null) await call.waiting;
  if (call.response.socket === null) await awaitPipelineTurn(call);
  const { key, project, account } = call;
  const ticket = ports.limiter.take({ id: key.rootId, limits: key.limits }, project, account, 0);
  if (ticket !== null && ticket.refused !== null) throw new RateLimitExceeded(ticket);
  call.ticket = ticket;
  return call;
}
