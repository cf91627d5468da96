/**
 * The first part of reading a form with files, before its call is admitted: until what it costs is known and a first part of its files is held, so
 * that a short one is complete.
 */
import type { IncomingMessage } from 'node:http';
import { NO_INDEX } from '../../core/dense-set.ts';
import type { Ending } from '../../core/settlement.ts';
import { inSteps, type MemoryBudget, type MemoryUser, memoryOf, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { cutReason } from '../cut-error.ts';
import type { Watch, Watched } from '../watch.ts';
import { ArrivalPace } from './arrival-pace.ts';
import type { ArrivingForm } from './arriving-form.ts';
import { tooSlow, unknownFields } from './upload-errors.ts';

export interface OpeningPorts {
  readonly memory: MemoryBudget;
  readonly timeouts: { readonly totalMs: number };
  readonly watch: Watch;
}

/** What it uses of its call. */
export interface ArrivingCall extends MemoryUser {
  readonly request: IncomingMessage;
  /** Monotonic, ms. */
  readonly startedAt: number;
  active: { cancel(ending: Ending): void } | null;
}

/** What is held in any case before a form goes on: the memory that it may need later is counted then. */
const FIRST_BYTES_MIN = 1024 * 1024;
/** What is kept of what arrives later, for as long as another attempt is possible. */
const KEPT_BYTES = 1024 * 1024;
/** Bytes read in one turn of the event loop. */
const TURN_BYTES = 128 * 1024;

/** Resolves with the most bytes of files that may be kept once they are sent. Rejects with `GatewayError`, or with `cutReason` if the call is cut off. */
export function openForm(ports: OpeningPorts, call: ArrivingCall, form: ArrivingForm): Promise<number> {
  return new Promise((resolve, reject) => {
    new FormOpening(ports, call, form, { resolve, reject }).start();
  });
}

interface Opened {
  resolve(keptMax: number): void;
  reject(error: unknown): void;
}

class FormOpening implements Watched {
  index = NO_INDEX;
  readonly #ports: OpeningPorts;
  readonly #call: ArrivingCall;
  readonly #form: ArrivingForm;
  readonly #done: Opened;
  readonly #pace: ArrivalPace;
  #counted = UNCOUNTED_BYTES;
  /** Whether there is no memory for more. */
  #isFull = false;
  #turnBytes = 0;
  #nextTurn: NodeJS.Immediate | null = null;

  constructor(ports: OpeningPorts, call: ArrivingCall, form: ArrivingForm, done: Opened) {
    this.#ports = ports;
    this.#call = call;
    this.#form = form;
    this.#done = done;
    this.#pace = new ArrivalPace(call.startedAt);
  }

  start(): void {
    this.#call.request.on('data', this.#onData).on('end', this.#onEnd);
    this.#call.active = this;
    this.#ports.watch.add(this);
  }

  cancel(ending: Ending): void {
    this.#fail(cutReason(ending));
  }

  check(nowMs: number): void {
    if (nowMs - this.#call.startedAt >= this.#ports.timeouts.totalMs)
      return this.#fail(tooSlow('within the maximum duration of a call'));
    const stalled = this.#pace.check(nowMs, this.#form.received);
    if (stalled !== null) this.#fail(stalled);
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#form.feed(chunk);
      this.#count();
    } catch (error) {
      return this.#fail(error);
    }
    this.#turnBytes += chunk.length;
    if (this.#isEnough()) this.#goOn();
    else this.#waitForTurn();
  };

  readonly #onEnd = (): void => {
    try {
      this.#form.finish();
    } catch (error) {
      return this.#fail(error);
    }
    this.#goOn();
  };

  /** Counts what is held and kept, one step ahead. */
  #count(): void {
    const { held, parts } = this.#form;
    const bytes = held.heldBytes + parts.fieldBytes;
    if (bytes <= this.#counted) return;
    const wanted = inSteps(bytes);
    try {
      memoryOf(this.#call, this.#ports.memory).take(wanted - this.#counted);
    } catch (error) {
      this.#isFull = true;
      if (!this.#isEnough()) throw unknownFields(error, this.#form, bytes);
      return;
    }
    this.#counted = wanted;
  }

  /** Whether it can be judged, and what was read of the files is worth sending. What follows a whole file may be short, and may matter. */
  #isEnough(): boolean {
    const { parts, held, rules } = this.#form;
    const least = this.#isFull ? FIRST_BYTES_MIN : rules.firstBytes;
    if (held.bytes < least || parts.missing.length > 0) return false;
    return this.#isFull || parts.files.at(-1)?.isComplete === false;
  }

  #goOn(): void {
    this.#stop();
    this.#done.resolve(this.#form.held.heldBytes + this.#moreToKeep());
  }

  /** How much more may be kept once it is sent; nothing if there is no memory for it. */
  #moreToKeep(): number {
    if (this.#form.isComplete) return 0;
    try {
      memoryOf(this.#call, this.#ports.memory).take(KEPT_BYTES);
      return KEPT_BYTES;
    } catch {
      return 0;
    }
  }

  #waitForTurn(): void {
    if (this.#turnBytes < TURN_BYTES) return;
    this.#call.request.pause();
    this.#nextTurn ??= setImmediate(() => {
      this.#nextTurn = null;
      this.#turnBytes = 0;
      this.#call.request.resume();
    });
  }

  #fail(error: unknown): void {
    this.#stop();
    this.#call.memory?.release();
    this.#done.reject(error);
  }

  /** Nothing more is read here. */
  #stop(): void {
    const { request } = this.#call;
    this.#call.active = null;
    this.#ports.watch.delete(this);
    if (this.#nextTurn !== null) clearImmediate(this.#nextTurn);
    request.off('data', this.#onData).off('end', this.#onEnd);
    if (!this.#form.isComplete) request.pause();
  }
}
