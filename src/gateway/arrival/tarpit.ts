/**
 * Where requests wait that brought one bad key too many from their address. A connection has one
 * request at a time, so who waits sends nothing more, and all who wait together are answered a hundred
 * times a second: that, and no longer how much is sent, is what a flood costs. Few waits end at
 * once, so that good calls are not held up by a batch of refusals; good calls never come here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UnknownKey } from '../../accounts/authenticate.ts';
import type { BadKeyLimiter } from '../../accounts/bad-key-limiter.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ClientAddress } from './client-address.ts';

/** At least; with many waiting it is as long as the others' turns take. */
export const WAIT_MS = 1_000;
/** Those waiting at once, of all addresses: each holds a connection and five kilobytes. The last of so many waits 41 s. */
export const WAITING_MAX = 4_096;
/** A hundred answers a second. What waits is old when it is answered, so more of them mean longer collections of garbage. */
const TURN_MS = 20;
const ANSWERS_A_TURN = 2;
/** An unread body larger than this is not worth reading to keep the connection. */
const UNREAD_BYTES_MAX = 64 * 1024;

interface Waiting {
  /** Monotonic, ms. */
  readonly dueAt: number;
  readonly over: () => void;
}

export class Tarpit {
  readonly #clock: Clock;
  /** In the order they came, which is the one they are due in. */
  readonly #waiting = new Set<Waiting>();
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is time to answer, or the caller is gone; null when too many wait already. */
  enter(response: ServerResponse): Promise<void> | null {
    if (this.#waiting.size >= WAITING_MAX) return null;
    this.#timer ??= this.#clock.every(TURN_MS, () => this.#turn());
    return new Promise((over) => {
      const waiting = { dueAt: this.#clock.monotonic() + WAIT_MS, over };
      this.#waiting.add(waiting);
      // Who leaves holds nobody up.
      response.once('close', () => this.#waiting.delete(waiting) && over());
    });
  }

  #turn(): void {
    const nowMs = this.#clock.monotonic();
    let answered = 0;
    for (const waiting of this.#waiting) {
      if (waiting.dueAt > nowMs || answered === ANSWERS_A_TURN) return;
      this.#waiting.delete(waiting);
      waiting.over();
      answered += 1;
    }
    if (this.#waiting.size > 0) return;
    this.#timer?.cancel();
    this.#timer = null;
  }
}

/** There is no room to wait in: the answer is given at once, and ends its connection. */
export class TarpitFull extends GatewayError {
  constructor({ message, retryAfterSeconds }: GatewayError) {
    super('rate_limit_exceeded', { message, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) });
  }
}

export interface BadKeyPorts {
  readonly badKeyLimiter: BadKeyLimiter;
  readonly tarpit: Tarpit;
  readonly clientAddress: ClientAddress;
  readonly running: { readonly draining: boolean };
}

/** What a caller hears whose key is not good: at once while its address has not failed too often, else when its wait is over. */
export function badKeyAnswer(
  ports: BadKeyPorts,
  request: IncomingMessage,
  response: ServerResponse,
  failure: UnknownKey,
): GatewayError | Promise<GatewayError> {
  const told = ports.badKeyLimiter.answer(failure, ports.clientAddress(request));
  // A long body is not read while its sender waits, nor is a shutdown kept waiting.
  if (told === failure || hasLongRest(request) || ports.running.draining) return told;
  // Without a socket it is behind another answer: who sends ahead would wait many times at once.
  const wait = response.socket === null ? null : ports.tarpit.enter(response);
  if (wait === null) return new TarpitFull(told);
  request.resume();
  return wait.then(() => told);
}

/** Whether more of a body is to come than is worth reading to keep the connection. */
export function hasLongRest(request: IncomingMessage): boolean {
  const { headers } = request;
  const declared = Number(headers['content-length'] ?? (headers['transfer-encoding'] ? Infinity : 0));
  return declared > UNREAD_BYTES_MAX || headers.expect !== undefined;
}
