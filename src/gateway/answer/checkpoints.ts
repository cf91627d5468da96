/** When a stream's checkpoint is written: what was delivered so far, which is charged if the process dies. */
import { checkpoint, type SettlePorts } from '../end/settle.ts';
import type { Admitted } from '../phases.ts';
import { CHECKPOINT_EVERY_MS, CHECKPOINT_FRAMES } from './stream-limits.ts';

export class Checkpoints {
  readonly #ports: SettlePorts;
  readonly #call: Admitted;
  /** Frames since the last checkpoint, and when that was, monotonic ms. */
  #frames = 0;
  #notedAt: number;

  constructor(ports: SettlePorts, call: Admitted) {
    this.#ports = ports;
    this.#call = call;
    this.#notedAt = call.firstByteAt;
  }

  /** Counts relayed frames. */
  count(frames: number, nowMs: number): void {
    this.#frames += frames;
    if (this.#frames >= CHECKPOINT_FRAMES) this.#note(nowMs);
  }

  check(nowMs: number): void {
    if (this.#frames > 0 && nowMs - this.#notedAt >= CHECKPOINT_EVERY_MS) this.#note(nowMs);
  }

  #note(nowMs: number): void {
    this.#frames = 0;
    this.#notedAt = nowMs;
    checkpoint(this.#ports, this.#call);
  }
}
