/** Waits until a caller has taken what was written to it; one that takes nothing for the write stall time is cut off. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Call } from '../call.ts';
import { CallerLeft, cutReason } from '../cut-error.ts';
import type { Watch, Watched } from '../watch.ts';

export interface CallerPacePorts {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly watch: Watch;
  readonly timeouts: { readonly writeStallMs: number; readonly totalMs: number };
}

export class CallerPace implements Watched {
  index = NO_INDEX;
  readonly #ports: CallerPacePorts;
  readonly #call: Call;
  readonly #response: ServerResponse;
  #wait: PromiseWithResolvers<void> | null = null;
  #taken = 0;
  #takenAt: number;

  constructor(ports: CallerPacePorts, call: Call) {
    this.#ports = ports;
    this.#call = call;
    this.#response = call.response;
    this.#takenAt = ports.clock.monotonic();
    call.response.on('drain', this.#onDrain);
    call.active = this;
    ports.watch.add(this);
  }

  /** Rejects with `cutReason` if the call is cut off, or its caller leaves. */
  taken(): Promise<void> {
    if (this.#response.destroyed) return Promise.reject(new CallerLeft());
    if (!this.#response.writableNeedDrain) return Promise.resolve();
    this.#wait = Promise.withResolvers();
    return this.#wait.promise;
  }

  close(): void {
    if (this.#call.active === this) this.#call.active = null;
    this.#ports.watch.delete(this);
    this.#response.off('drain', this.#onDrain);
  }

  check(nowMs: number): void {
    const { writeStallMs, totalMs } = this.#ports.timeouts;
    const { socket } = this.#response;
    const taken = socket === null ? 0 : socket.bytesWritten - socket.writableLength;
    if (taken > this.#taken || this.#wait === null) {
      this.#taken = taken;
      this.#takenAt = nowMs;
    }
    // The response closes then, which cancels the call.
    if (nowMs - this.#takenAt >= writeStallMs || nowMs - this.#call.startedAt >= totalMs) this.#response.destroy();
  }

  cancel(ending: Ending): void {
    const wait = this.#wait;
    this.#wait = null;
    if (wait === null) this.#call.cutBetweenSteps = ending;
    else wait.reject(cutReason(ending));
  }

  readonly #onDrain = (): void => {
    this.#wait?.resolve();
    this.#wait = null;
  };
}
