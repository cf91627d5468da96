/** What long-running answers, event streams and tables, have in common. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../../core/clock.ts';

export interface LongAnswerParts {
  readonly clock: Clock;
  /** Aborted when the caller leaves, or the server closes. */
  readonly gone: AbortSignal;
  /** Whether the caller may still see this: the session, the role or the key may have ended in the meantime. */
  isStillAllowed(): Promise<boolean>;
}

/** How long a check of rights is valid. */
export const TRUSTED_MS = 1_000;

/** Takes the connection from the framework, so that data is sent immediately, with the headers set so far and these. */
export function takeConnection(reply: FastifyReply, headers: Readonly<Record<string, string>>): ServerResponse {
  const response = reply.raw;
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...headers }))
    if (value !== undefined) response.setHeader(name, value);
  reply.hijack();
  return response;
}
