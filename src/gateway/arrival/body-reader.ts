/**
 * Reads a request's body into one buffer, scanning it as it arrives: no single step is longer than a chunk, and a body that
 * is invalid or too large is refused before it is complete. After `TURN_BYTES` the event loop turns, however much more has
 * arrived: Node would continue for two megabytes, and allocating these alone takes longer than another call should wait.
 */
import { NO_INDEX } from '../../core/dense-set.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Task, TurnQueue } from '../../core/turns/turn-queue.ts';
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
  /** Counts the body as it arrives. */
  readonly memory: MemoryBudget;
  /** The longest that a call may take, including its body. */
  readonly timeouts: { readonly totalMs: number };
  readonly watch: Watch;
  /** For requests whose body is complete. */
  readonly turnQueues: { readonly requests: TurnQueue };
}

const NO_MARKS: readonly MarkSearch[] = [];
const NO_BYTES = Buffer.alloc(0);
const FIRST_CAPACITY = 16 * 1024;
/** Up to here, memory is allocated only as bytes arrive, so that merely declaring a large body costs nothing. */
const UNPROVEN_CAPACITY = 256 * 1024;
/** Bytes read in one turn of the event loop. */
const TURN_BYTES = 128 * 1024;
/** In every such interval, `PACE_BYTES` of a body must arrive, which is 16 KiB/s; a stalled body is cut off after two. */
const PACE_SPAN_MS = 10_000;
const PACE_BYTES = 160 * 1024;

/** Starts immediately; calls `resolve` or `reject` once, as documented at `readBody`. */
export class BodyReader implements Watched, Cancellable, Task {
  index = NO_INDEX;
  readonly #ports: BodyPorts;
  readonly #call: Identified;
  readonly #resolve: (document: JsonDocument) => void;
  readonly #reject: (error: unknown) => void;
  /** Null until the body arrives in a second piece; a body in one piece is scanned at its end. */
  #scan: JsonScan | null = null;
  #marks: readonly MarkSearch[] | null = null;
  readonly #declared: number | null;
  #bytes: Buffer = NO_BYTES;
  #filled = 0;
  /** Bytes that have been counted, or are too few to be. */
  #counted = UNCOUNTED_BYTES;
  #paceAt: number;
  #paceFilled = 0;
  /** Bytes read in this turn of the event loop. */
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
      this.#marks ??= this.#call.dialect.marks?.map((mark) => new MarkSearch(mark)) ?? NO_MARKS;
      for (const search of this.#marks) search.feed(this.#bytes, filled);
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
    return this.#marks === null
      ? document
      : { ...document, marks: new Map(this.#marks.map(({ mark, found }) => [mark, found])) };
  }

  /** Counts the memory of `filled` bytes, one step ahead; false if there is none, and the body was refused. */
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
    // Beyond that the buffer grows only once more, since copying many bytes takes long. The part that is not filled is never
    // touched, so it takes no memory.
    const wished = needed > UNPROVEN_CAPACITY ? promised : Math.min(gradual, promised, UNPROVEN_CAPACITY);
    const capacity = Math.max(wished, needed);
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(larger, 0, 0, this.#filled);
    this.#bytes = larger;
  }

  #fail(error: unknown): void {
    this.#stop();
    this.#call.request.pause();
    // Immediately, not after the caller got the error: if many requests together exceed the memory, the others then fit.
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
