/**
 * After the end of an answer is written, the caller may read it slowly or not at all. Until it has been read, the call counts
 * as running: a shutdown waits for it, and a caller that reads nothing for the write stall time is cut off.
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Call, Cancellable } from '../call.ts';
import type { Watch, Watched } from '../watch.ts';

export interface DeliveryPorts {
  readonly clock: Clock;
  readonly watch: Watch;
  /** `writeStallMs`: how long a caller may read nothing of its answer. */
  readonly timeouts: { readonly writeStallMs: number };
}

/**
 * Null if the operating system has taken all of the answer, or the caller has disconnected; otherwise resolves when that is so.
 */
export function awaitDelivery(ports: DeliveryPorts, call: Call): Promise<void> | null {
  const { response } = call;
  // Without a socket, it is a refusal that is queued after another answer: there is nothing to watch yet.
  if (response.destroyed || response.writableFinished || response.socket === null) return null;
  if (response.writableEnded && response.socket.writableLength === 0) return null;
  return new Promise((resolve) => new Delivery(ports, call, resolve));
}

class Delivery implements Watched, Cancellable {
  index = NO_INDEX;
  readonly #ports: DeliveryPorts;
  readonly #call: Call;
  readonly #done: () => void;
  #taken: number;
  #takenAt: number;

  constructor(ports: DeliveryPorts, call: Call, done: () => void) {
    this.#ports = ports;
    this.#call = call;
    this.#done = done;
    this.#taken = takenBytes(call.response);
    this.#takenAt = ports.clock.monotonic();
    call.active = this;
    ports.watch.add(this);
  }

  check(nowMs: number): void {
    const taken = takenBytes(this.#call.response);
    const isCut = this.#call.ending === 'drained' || this.#call.cutBetweenSteps !== null;
    const patienceMs = isCut ? LAST_MOMENT_MS : this.#ports.timeouts.writeStallMs;
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

  /** Everything was taken, or the caller has disconnected: the response was closed either way. */
  #over(): void {
    this.#call.active = null;
    this.#ports.watch.delete(this);
    this.#done();
  }
}

function takenBytes({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}

/** The time left for a caller that gets the shutdown error at the deadline. */
const LAST_MOMENT_MS = 1_000;
