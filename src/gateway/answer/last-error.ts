/**
 * The end of a relayed stream whose error some clients do not see, because they expect it in a separate event. Some
 * providers send one after it, which is passed on; otherwise one is made.
 */
import type { Clock, Timer } from '../../core/clock.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { FrameSplitter } from '../../wire/frames/frame-splitter.ts';
import type { StreamedAnswer } from './relayed-answer.ts';

/** How long to wait for it if the provider does not end its stream, and how much to read until it arrives. */
const WAIT_MS = 1_000;
const BYTES_MAX = 64 * 1024;

export class LastError {
  /** The event with the error, followed by the separate one. Never rejects. */
  readonly whole: Promise<Buffer>;
  readonly #alone: Buffer;
  readonly #answer: Pick<StreamedAnswer, 'check' | 'relay' | 'framing'>;
  readonly #splitter: FrameSplitter;
  readonly #timer: Timer;
  readonly #resolve: (alone: Buffer) => void;
  #arrivedBytes = 0;
  /** Bytes of whole frames: the result does not depend on how they were split. */
  #readBytes = 0;
  #over = false;

  /** `alone` is the separate event made from `event`. `splitter` may already have the beginning of the next frame. */
  constructor(
    event: Buffer,
    alone: Buffer,
    answer: Pick<StreamedAnswer, 'check' | 'relay' | 'framing'>,
    splitter: FrameSplitter,
    clock: Pick<Clock, 'after'>,
  ) {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    this.whole = promise.then((last) => Buffer.concat([event, last]));
    this.#alone = alone;
    this.#answer = answer;
    this.#splitter = splitter;
    this.#resolve = resolve;
    this.#timer = clock.after(WAIT_MS, () => this.#decide(null));
  }

  /** Reads more of the provider's bytes. */
  push(bytes: Buffer): void {
    if (this.#over) return;
    this.#arrivedBytes += bytes.length;
    this.#orGiveUp(() => this.frames(this.#splitter.push(bytes)));
    // One event that does not end.
    if (this.#arrivedBytes > BYTES_MAX) this.#decide(null);
  }

  /** Anything else that the provider sends (pings, usage) is left out, as after every end. */
  frames(frames: readonly Frame[]): void {
    this.#orGiveUp(() => {
      const { check, relay } = this.#answer;
      for (const frame of frames) {
        if (this.#over) return;
        this.#readBytes += frame.bytes.length;
        const alone = this.#readBytes <= BYTES_MAX && check.isErrorAlone(frame) ? relay.edit(frame) : null;
        if (alone !== null || this.#readBytes > BYTES_MAX || check.isLast(frame)) this.#decide(alone);
      }
    });
  }

  /** The provider's stream has ended. */
  end(): void {
    if (this.#over) return;
    this.#orGiveUp(() => {
      const frame = this.#answer.framing.frameOfRest(this.#splitter.end());
      if (frame !== null) this.frames([frame]);
    });
    this.#decide(null);
  }

  #orGiveUp(read: () => void): void {
    try {
      read();
    } catch {
      // Not swallowed: the answer is already reported as failed, and unreadable frames are not part of it.
      this.#decide(null);
    }
  }

  #decide(alone: Buffer | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer.cancel();
    this.#resolve(alone ?? this.#alone);
  }
}
