/** What a signature may need of the world: the time, and the services that hand out tokens and keys. */
import { type Clock, systemClock } from '../core/clock.ts';

export interface Outside {
  readonly clock: Clock;
  /** The process's environment: containers find their service for keys in it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Sends a small request and returns the whole answer. Rejects without one, or after `timeoutMs`. */
  request(request: OutsideRequest, limits: { timeoutMs: number; bytesMax: number }): Promise<OutsideAnswer>;
}

export interface OutsideRequest {
  readonly origin: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
}

export interface OutsideAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** For providers that are checked but not called, and for tests. */
export const NOWHERE: Outside = {
  clock: systemClock,
  environment: {},
  request: () => Promise.reject(new Error('this provider was configured without a way to ask for tokens')),
};
