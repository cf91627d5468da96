/**
 * Delays requests with bad keys from an address that has sent too many. A connection has one request at a time, so a waiting
 * client cannot send more, and at most a hundred answers per second are sent to all of them: that limits the cost of a flood,
 * however much is sent. Only a few waits end at the same time, so that valid calls, which never wait here, are not delayed by
 * a batch of refusals.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UnknownKey } from '../../accounts/authenticate.ts';
import type { BadKeyLimiter } from '../../accounts/bad-key-limiter.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ClientAddress } from './client-address.ts';

/** The minimum wait; with many waiting, it is as long as the answers before it take. */
export const WAIT_MS = 1_000;
/** The most that may wait, from all addresses: each takes a connection and 5 kB. The last of them waits 41 s. */
export const WAITING_MAX = 4_096;
/**
 * A hundred answers per second. Waiting requests are old objects when they are answered, so a higher rate would mean longer
 * garbage collections.
 */
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
  /** In order of arrival, which is the order in which they are due. */
  readonly #waiting = new Set<Waiting>();
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is time to answer, or the caller has disconnected; null if too many are waiting already. */
  enter(response: ServerResponse): Promise<void> | null {
    if (this.#waiting.size >= WAITING_MAX) return null;
    this.#timer ??= this.#clock.every(TURN_MS, () => this.#turn());
    return new Promise((over) => {
      const waiting = { dueAt: this.#clock.monotonic() + WAIT_MS, over };
      this.#waiting.add(waiting);
      // A caller that disconnects does not delay others.
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

/** Too many are waiting: the answer is sent immediately, and the connection closed. */
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

/** The answer for an invalid key: immediately if its address has not failed too often, otherwise after its wait. */
export function badKeyAnswer(
  ports: BadKeyPorts,
  request: IncomingMessage,
  response: ServerResponse,
  failure: UnknownKey,
): GatewayError | Promise<GatewayError> {
  const answer = ports.badKeyLimiter.answer(failure, ports.clientAddress(request));
  // Requests with a long body do not wait, because it would have to be read; nor do requests during a shutdown.
  if (answer === failure || hasLongRest(request) || ports.running.draining) return answer;
  // Without a socket it is a pipelined request behind another one: its client would wait many times at once.
  const wait = response.socket === null ? null : ports.tarpit.enter(response);
  if (wait === null) return new TarpitFull(answer);
  request.resume();
  return wait.then(() => answer);
}

/** Whether the rest of the body is too long to be worth reading to keep the connection. */
export function hasLongRest(request: IncomingMessage): boolean {
  const { headers } = request;
  const declared = Number(headers['content-length'] ?? (headers['transfer-encoding'] ? Infinity : 0));
  return declared > UNREAD_BYTES_MAX || headers.expect !== undefined;
}
