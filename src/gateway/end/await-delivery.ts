/**
 * The end of an answer is written, but the caller may take its time to read it, or never do so.
 * Until it has, its call counts as running: a shutdown waits for it, and a caller that takes
 * nothing for as long as a write may stall is cut off.
 */
import type { ServerResponse } from 'node:http';
import { NO_INDEX } from '../../core/dense-set.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Call, Cancellable } from '../call.ts';
import type { Gateway } from '../gateway.ts';
import type { Watched } from '../watch.ts';

/** Null when the operating system has taken all of the answer, or the caller is gone; else resolves when that is so. */
export function awaitDelivery(gateway: Gateway, call: Call): Promise<void> | null {
  const { response } = call;
  // Without a socket it is a refusal that waits for another answer to end: there is nothing to watch yet.
  if (response.destroyed || response.writableFinished || response.socket === null) return null;
  if (response.writableEnded && response.socket.writableLength === 0) return null;
  return new Promise((resolve) => new Delivery(gateway, call, resolve));
}

class Delivery implements Watched, Cancellable {
  index = NO_INDEX;
  readonly #gateway: Gateway;
  readonly #call: Call;
  readonly #done: () => void;
  #taken: number;
  #takenAt: number;

  constructor(gateway: Gateway, call: Call, done: () => void) {
    this.#gateway = gateway;
    this.#call = call;
    this.#done = done;
    this.#taken = takenBytes(call.response);
    this.#takenAt = gateway.clock.monotonic();
    call.active = this;
    gateway.watch.add(this);
  }

  check(nowMs: number): void {
    const taken = takenBytes(this.#call.response);
    const isCut = this.#call.ending === 'drained' || this.#call.cutBetweenSteps !== null;
    const patienceMs = isCut ? LAST_MOMENT_MS : this.#gateway.timeouts.writeStallMs;
    if (taken > this.#taken) {
      this.#taken = taken;
      this.#takenAt = nowMs;
    } else if (nowMs - this.#takenAt >= patienceMs) {
      this.#call.response.destroy();
    }
  }

  cancel(ending: Ending): void {
    if (ending === 'caller_left') this.#over();
    else this.#call.response.destroy();
  }

  /** All was taken, or the caller is gone: the response was closed either way. */
  #over(): void {
    this.#call.active = null;
    this.#gateway.watch.delete(this);
    this.#done();
  }
}

function takenBytes({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}

/** What is left for a caller that is told of a shutdown at its deadline. */
const LAST_MOMENT_MS = 1_000;
