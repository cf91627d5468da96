/** An answer that is written for long: what both streams of events and tables go by. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../../core/clock.ts';

export interface LongAnswerParts {
  readonly clock: Clock;
  /** Aborted when the caller is gone, or the server closes. */
  readonly gone: AbortSignal;
  /** Whether who asked may still see this: the session, the role and the key may have ended meanwhile. */
  mayGoOn(): Promise<boolean>;
}

/** So long a right is taken for granted. */
export const TRUSTED_MS = 1_000;

/** Takes the connection from the framework: what is written leaves at once, below the headers that the answer has so far and these. */
export function takeConnection(reply: FastifyReply, headers: Readonly<Record<string, string>>): ServerResponse {
  const response = reply.raw;
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...headers }))
    if (value !== undefined) response.setHeader(name, value);
  reply.hijack();
  return response;
}
