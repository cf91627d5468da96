/**
 * Reads a request's body into one buffer, scanning it as it arrives: no single step is longer than a chunk, and a body that is
 * broken or too large is refused before it is whole. After `TURN_BYTES` the event loop turns, however much more has arrived: Node
 * would read on for two megabytes, whose fresh memory alone takes longer than another call should wait.
 */
import { NO_INDEX } from '../../core/dense-set.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Task, TurnQueue } from '../../core/turn-queue.ts';
import type { JsonDocument } from '../../wire/json-document.ts';
import { JsonScan, scanJson } from '../../wire/json-scan.ts';
import { MarkSearch } from '../../wire/mark-search.ts';
import type { Cancellable } from '../call.ts';
import { inSteps, type MemoryBudget, memoryOf, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { cutReason } from '../cut-error.ts';
import type { Identified } from '../phases.ts';
import type { Watch, Watched } from '../watch.ts';

export interface BodyPorts {
  readonly limits: { readonly bodyBytesMax: number };
  /** In which the body is counted as it arrives. */
  readonly memory: MemoryBudget;
  /** The longest that a call may take, its body included. */
  readonly timeouts: { readonly totalMs: number };
  readonly watch: Watch;
  /** Of requests whose body is there. */
  readonly turnQueues: { readonly requests: TurnQueue };
}

const NO_BYTES = Buffer.alloc(0);
const FIRST_CAPACITY = 16 * 1024;
/** Up to here memory is taken only as bytes arrive, so that a sender's promise to send many costs nothing. */
const UNPROVEN_CAPACITY = 256 * 1024;
/** What is read in one turn of the event loop. */
const TURN_BYTES = 128 * 1024;
/** In every such span of time a body has to bring `PACE_BYTES`, which is 16 KiB/s; one that stalls is cut off after two. */
const PACE_SPAN_MS = 10_000;
const PACE_BYTES = 160 * 1024;

/** Begins at once; `resolve` or `reject` is called once, as `readBody` says. */
export class BodyReader implements Watched, Cancellable, Task {
  index = NO_INDEX;
  readonly #ports: BodyPorts;
  readonly #call: Identified;
  readonly #resolve: (document: JsonDocument) => void;
  readonly #reject: (error: unknown) => void;
  /** Null until the body is known to come in several pieces: one that comes whole is scanned when it has ended. */
  #scan: JsonScan | null = null;
  #marks: MarkSearch | null = null;
  readonly #declared: number | null;
  #bytes: Buffer = NO_BYTES;
  #filled = 0;
  /** Bytes that need no counting any more: they are counted, or too few to be. */
  #counted = UNCOUNTED_BYTES;
  #paceAt: number;
  #paceFilled = 0;
  /** Read in this turn of the event loop. */
  #turnBytes = 0;
  #nextTurn: NodeJS.Immediate | null = null;
  #over = false;

  constructor(
    ports: BodyPorts,
    call: Identified,
    declared: number | null,
    resolve: (document: JsonDocument) => void,
    reject: (error: unknown) => void,
  ) {
    this.#ports = ports;
    this.#call = call;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#declared = declared;
    this.#paceAt = call.startedAt;
    const { request } = call;
    request.on('data', this.#onData).on('end', this.#onEnd);
    call.active = this;
    ports.watch.add(this);
  }

  cancel(ending: Ending): void {
    this.#fail(cutReason(ending));
  }

  check(nowMs: number): void {
    if (nowMs - this.#call.startedAt >= this.#ports.timeouts.totalMs)
      return this.#fail(tooSlow('within the maximum duration of a call'));
    if (nowMs - this.#paceAt < PACE_SPAN_MS) return;
    if (this.#filled - this.#paceFilled < PACE_BYTES) return this.#fail(tooSlow('at 16 KiB/s or faster'));
    this.#paceAt = nowMs;
    this.#paceFilled = this.#filled;
  }

  readonly #onData = (chunk: Buffer): void => {
    const filled = this.#filled + chunk.length;
    const { bodyBytesMax } = this.#ports.limits;
    if (filled > bodyBytesMax) return this.#fail(tooLarge(bodyBytesMax));
    if (filled > this.#counted && !this.#count(filled)) return;
    // Most bodies come in one piece, which then needs no copy.
    if (filled === this.#declared && this.#filled === 0) {
      this.#bytes = chunk;
      this.#filled = filled;
      return;
    }
    if (filled > this.#bytes.length) this.#grow(filled);
    chunk.copy(this.#bytes, this.#filled);
    this.#filled = filled;
    this.#scan ??= new JsonScan(this.#call.dialect.scan);
    try {
      this.#scan.feed(this.#bytes, filled);
      const { mark } = this.#call.dialect;
      if (mark !== undefined) {
        this.#marks ??= new MarkSearch(mark.text, mark.max);
        this.#marks.feed(this.#bytes, filled);
      }
    } catch (error) {
      return this.#fail(error);
    }
    this.#turnBytes += chunk.length;
    if (this.#turnBytes >= TURN_BYTES) this.#waitForTurn();
  };

  readonly #onEnd = (): void => this.#ports.turnQueues.requests.join(this);

  run(): void {
    if (this.#over) return;
    this.#stop();
    try {
      this.#resolve(
        this.#scan === null
          ? scanJson(this.#bytes, this.#call.dialect.scan)
          : this.#withMarks(this.#scan.finish(this.#bytes, this.#filled)),
      );
    } catch (error) {
      this.#reject(error);
    }
  }

  #withMarks(document: JsonDocument): JsonDocument {
    return this.#marks === null ? document : { ...document, marks: this.#marks.found };
  }

  /** Counts the memory of `filled` bytes, a step ahead; false where there is none, and the body was refused. */
  #count(filled: number): boolean {
    const wanted = inSteps(filled);
    try {
      memoryOf(this.#call, this.#ports.memory).take(wanted - this.#counted);
    } catch (error) {
      this.#fail(error);
      return false;
    }
    this.#counted = wanted;
    return true;
  }

  #waitForTurn(): void {
    this.#call.request.pause();
    this.#nextTurn ??= setImmediate(() => {
      this.#nextTurn = null;
      this.#turnBytes = 0;
      this.#call.request.resume();
    });
  }

  #grow(needed: number): void {
    const promised = this.#declared ?? this.#ports.limits.bodyBytesMax;
    const gradual = Math.max(this.#declared ?? this.#bytes.length * 2, FIRST_CAPACITY);
    // Beyond that the buffer grows once more, since a copy of many bytes would take long. What of it
    // is not filled is never touched, and so takes no memory.
    const wished = needed > UNPROVEN_CAPACITY ? promised : Math.min(gradual, promised, UNPROVEN_CAPACITY);
    const capacity = Math.max(wished, needed);
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(larger, 0, 0, this.#filled);
    this.#bytes = larger;
  }

  #fail(error: unknown): void {
    this.#stop();
    this.#call.request.pause();
    // At once, not when the caller has heard of it: of many that are too much together, the rest then finds room.
    this.#bytes = NO_BYTES;
    this.#call.memory?.release();
    this.#reject(error);
  }

  #stop(): void {
    this.#over = true;
    this.#ports.watch.delete(this);
    this.#call.active = null;
    if (this.#nextTurn !== null) clearImmediate(this.#nextTurn);
    this.#nextTurn = null;
    this.#call.request.off('data', this.#onData).off('end', this.#onEnd);
  }
}

function tooSlow(pace: string): GatewayError {
  return new GatewayError('request_timeout', { message: `The request body did not arrive ${pace}.` });
}

export function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError('request_too_large', {
    message: `The request body is larger than the limit of ${bytesMax} bytes (limits.bodyBytesMax). Send files by URL instead of inline, or ask the operator to raise the limit.`,
    facts: { limit: 'limits.bodyBytesMax' },
  });
}
