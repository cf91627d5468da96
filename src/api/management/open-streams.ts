/** The streams of events that are open, whose number is bounded: each holds a connection, and up to a quarter of a megabyte. */
import { GatewayError } from '../../core/errors.ts';

const ALL_MAX = 500;
/** Of one person, who may have some tabs open, and must not take the others' places. */
const OF_ONE_MAX = 20;
const RETRY_AFTER_SECONDS = 10;

export class OpenStreams {
  readonly #byActor = new Map<string, number>();
  #all = 0;

  /** Counts a stream until what it gives is called, once. Throws `GatewayError` `shedding` when there are too many. */
  enter(actorId: string): () => void {
    const own = this.#byActor.get(actorId) ?? 0;
    if (this.#all >= ALL_MAX || own >= OF_ONE_MAX)
      throw new GatewayError('shedding', {
        message: 'Too many streams of events are open; close one of them.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.#all += 1;
    this.#byActor.set(actorId, own + 1);
    return () => this.#leave(actorId);
  }

  #leave(actorId: string): void {
    this.#all -= 1;
    const left = (this.#byActor.get(actorId) ?? 1) - 1;
    if (left === 0) this.#byActor.delete(actorId);
    else this.#byActor.set(actorId, left);
  }
}
