/**
 * A form with a file, from its first byte to its last. It is read until its model is known and a first part of its file is held, so that a short one
 * is complete, and nothing of it is sent before the call is admitted. Then it arrives only as fast as the provider takes it. What was sent is kept
 * for another attempt until it is more than what was held before; from then on there is only one attempt.
 */
import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { StreamedBody } from '../../core/body.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { DescribedFile, Form } from '../../dialects/interface/form.ts';
import { type FormField, FormWriter, LINE_BREAK } from '../../wire/multipart/form-writer.ts';
import { MultipartReader } from '../../wire/multipart/multipart-reader.ts';
import type { PartHead } from '../../wire/multipart/part-head.ts';
import { inSteps, type MemoryBudget, type MemoryUser, memoryOf, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { cutReason } from '../cut-error.ts';
import type { Watch, Watched } from '../watch.ts';
import { ArrivalPace } from './arrival-pace.ts';
import { END, FormBody } from './form-body.ts';
import { formDocument } from './form-document.ts';
import { FormParts } from './form-parts.ts';
import { HeldPieces } from './held-pieces.ts';
import { OrderedForm } from './ordered-form.ts';
import { tooLarge, tooSlow, unknownModel } from './upload-errors.ts';

export interface UploadPorts {
  readonly clock: { monotonic(): number };
  readonly limits: { readonly uploadBytesMax: number };
  readonly memory: MemoryBudget;
  readonly timeouts: { readonly totalMs: number; readonly idleMs: number };
  readonly watch: Watch;
}

/** What it uses of its call. */
export interface ArrivingCall extends MemoryUser {
  readonly request: IncomingMessage;
  /** Monotonic, ms. */
  readonly startedAt: number;
  readonly account: { readonly capture: { readonly on: boolean } };
  active: { cancel(ending: Ending): void } | null;
}

/** Follows a form while an attempt sends it. */
export interface UploadFollower {
  /** All of it has arrived; the last bytes are not sent before this returns. Throws `GatewayError` if it is not one that can be served. */
  arrived(): void;
  /** It cannot be sent to its end. */
  failed(error: unknown): void;
}

/** What is read of a file before anything is sent. */
const FIRST_BYTES = 1024 * 1024;
/** What is kept of what arrives later, for as long as another attempt is possible. */
const KEPT_BYTES = 1024 * 1024;
/** Arrived and not sent, above which the caller has to wait. */
const UNSENT_MAX = 256 * 1024;
/** Bytes read in one turn of the event loop. */
const TURN_BYTES = 128 * 1024;

export class FormUpload implements Form, Watched {
  index = NO_INDEX;
  /** Monotonic, ms: when the provider had been given all of it; infinite before. */
  sentAt = Number.POSITIVE_INFINITY;
  readonly #ports: UploadPorts;
  readonly #call: ArrivingCall;
  readonly #declared: number | null;
  readonly #reader: MultipartReader;
  readonly #parts: FormParts;
  readonly #held = new HeldPieces();
  readonly #hash: Hash | null;
  #sha256: string | null = null;
  #received = 0;
  #counted = UNCOUNTED_BYTES;
  /** Ends the first part of the reading; null after it. */
  #begun: { resolve(): void; reject(error: unknown): void } | null;
  #isComplete = false;
  #isClosed = false;
  #keptMax = 0;
  #turnBytes = 0;
  #nextTurn: NodeJS.Immediate | null = null;
  #body: FormBody | null = null;
  #follower: UploadFollower | null = null;
  readonly #pace: ArrivalPace;
  /** When the provider last took something. */
  #takenAt = 0;

  /** Starts at once; `resolve` when the form can be judged, or `reject`. */
  constructor(
    ports: UploadPorts,
    call: ArrivingCall,
    form: { readonly boundary: string; readonly declared: number | null },
    begun: { resolve(): void; reject(error: unknown): void },
  ) {
    this.#ports = ports;
    this.#call = call;
    this.#declared = form.declared;
    this.#begun = begun;
    this.#parts = new FormParts((bytes) => this.#take(bytes));
    this.#reader = new MultipartReader(form.boundary, this.#parts);
    this.#hash = call.account.capture.on ? createHash('sha256') : null;
    this.#pace = new ArrivalPace(call.startedAt);
    call.request.on('data', this.#onData).on('end', this.#onEnd);
    call.active = this;
    ports.watch.add(this);
  }

  get fileBytes(): number {
    return this.#held.bytes;
  }

  /** Whether all of it was given to the provider. */
  get isSent(): boolean {
    return this.sentAt !== Number.POSITIVE_INFINITY;
  }

  /** Whether all of it has arrived. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether it can be sent once more. */
  get isRepeatable(): boolean {
    return this.#held.isWhole;
  }

  /** What is known of it, as JSON. Throws `GatewayError` 400 without a file. */
  describe(): Buffer {
    const { file, fields } = this.#parts;
    if (file === null)
      throw new GatewayError('missing_field', { message: 'Send the recording as the file "file".', param: 'file' });
    return formDocument(fields, this.#describeFile(file));
  }

  #describeFile({ fileName, contentType }: PartHead): DescribedFile {
    return {
      filename: fileName ?? '',
      ...(contentType !== null && { content_type: contentType }),
      ...(this.#isComplete
        ? { bytes: this.fileBytes }
        : { bytes_max: Math.max(this.fileBytes, this.#declared ?? this.#ports.limits.uploadBytesMax) }),
      ...(this.#sha256 !== null && { sha256: this.#sha256 }),
    };
  }

  // The first part, before the call is admitted.

  cancel(ending: Ending): void {
    this.#fail(cutReason(ending));
  }

  check(nowMs: number): void {
    if (nowMs - this.#call.startedAt >= this.#ports.timeouts.totalMs)
      return this.#fail(tooSlow('within the maximum duration of a call'));
    const stalled = this.#pace.check(nowMs, this.#received);
    if (stalled !== null) this.#fail(stalled);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#received += chunk.length;
    try {
      const { uploadBytesMax } = this.#ports.limits;
      if (this.#received > uploadBytesMax) throw tooLarge(uploadBytesMax);
      this.#reader.feed(chunk);
      if (this.#begun !== null) this.#count();
    } catch (error) {
      return this.#fail(error);
    }
    this.#turnBytes += chunk.length;
    if (this.#begun !== null && this.#isEnough()) this.#begin();
    else if (this.#body === null) this.#waitForTurn();
    else {
      this.#flow();
      this.#body.pump();
    }
  };

  readonly #onEnd = (): void => {
    try {
      this.#reader.finish();
      this.#isComplete = true;
      this.#sha256 = this.#hash?.digest('hex') ?? null;
      if (this.#begun !== null) return this.#begin();
      this.#follower?.arrived();
    } catch (error) {
      return this.#fail(error);
    }
    this.#body?.pump();
  };

  /** Whether it can be judged, and what was read of the file is worth sending. What follows a whole file is short, and may matter. */
  #isEnough(): boolean {
    return this.#parts.has('model') && this.#held.bytes >= FIRST_BYTES && !this.#parts.isFileOver;
  }

  #begin(): void {
    const begun = this.#begun;
    this.#begun = null;
    this.#call.active = null;
    this.#ports.watch.delete(this);
    this.#call.request.pause();
    this.#keptMax = this.#held.heldBytes + this.#moreToKeep();
    begun?.resolve();
  }

  /** How much more may be kept once it is sent; nothing if there is no memory for it. */
  #moreToKeep(): number {
    if (this.#isComplete) return 0;
    try {
      memoryOf(this.#call, this.#ports.memory).take(KEPT_BYTES);
      return KEPT_BYTES;
    } catch {
      return 0;
    }
  }

  #take(bytes: Buffer): void {
    this.#held.add(bytes);
    this.#hash?.update(bytes);
  }

  /** Counts what is held and kept, one step ahead. */
  #count(): void {
    const held = this.#held.heldBytes + this.#parts.fieldBytes;
    if (held <= this.#counted) return;
    const wanted = inSteps(held);
    try {
      memoryOf(this.#call, this.#ports.memory).take(wanted - this.#counted);
    } catch (error) {
      throw this.#parts.has('model') ? error : unknownModel(error, held);
    }
    this.#counted = wanted;
  }

  #waitForTurn(): void {
    if (this.#turnBytes < TURN_BYTES) return;
    this.#call.request.pause();
    this.#nextTurn ??= setImmediate(() => {
      this.#nextTurn = null;
      this.#turnBytes = 0;
      if (this.#begun !== null) this.#call.request.resume();
    });
  }

  // The second part: an attempt sends it.

  /** For one attempt; the one before is over. */
  write(edit: (field: FormField) => FormField | null): StreamedBody & { readonly contentType: string } {
    const writer = new FormWriter();
    const { file, fields, fieldsBefore } = this.#parts;
    const part = (field: FormField): Buffer | null => {
      const edited = edit(field);
      return edited === null ? null : writer.field(edited);
    };
    const before = fields.slice(0, fieldsBefore).map(part);
    const head = [...before.filter((bytes) => bytes !== null), writer.file(file as PartHead)];
    const tail = (): readonly Buffer[] => [
      LINE_BREAK,
      ...fields
        .slice(fieldsBefore)
        .map(part)
        .filter((bytes) => bytes !== null),
      writer.end(),
    ];
    return {
      contentType: writer.contentType,
      length: this.#isComplete ? lengthOf(head) + this.fileBytes + lengthOf(tail()) : null,
      open: () => this.#open(head, tail),
    };
  }

  /** The file alone, for one attempt; the one before is over. */
  writeFile(): StreamedBody {
    return { length: this.#isComplete ? this.fileBytes : null, open: () => this.#open([], null) };
  }

  /** What the running attempt has to know. */
  follow(follower: UploadFollower): void {
    this.#follower = follower;
  }

  /** What keeps the running attempt from having sent it by now; null if nothing does. */
  stalled(nowMs: number): GatewayError | null {
    if (this.isSent) return null;
    if (this.#body?.isWaiting === true && !this.#isComplete) {
      this.#takenAt = nowMs;
      return this.#pace.check(nowMs, this.#received);
    }
    this.#pace.restart(nowMs, this.#received);
    return nowMs - this.#takenAt < this.#ports.timeouts.idleMs
      ? null
      : new GatewayError('upstream_timeout', { message: 'The provider stopped reading the request.' });
  }

  /** Nothing more is read of it. The rest of the request is left to whoever answers it. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#follower = null;
    this.#ports.watch.delete(this);
    if (this.#nextTurn !== null) clearImmediate(this.#nextTurn);
    this.#nextTurn = null;
    const { request } = this.#call;
    request.off('data', this.#onData).off('end', this.#onEnd);
    if (!this.#isComplete) request.pause();
    this.#body?.destroy();
  }

  #open(head: readonly Buffer[], tail: (() => readonly Buffer[]) | null): Readable {
    this.#held.rewind();
    this.sentAt = Number.POSITIVE_INFINITY;
    const nowMs = this.#ports.clock.monotonic();
    this.#takenAt = nowMs;
    this.#pace.restart(nowMs, this.#received);
    const source = new OrderedForm(head, tail, {
      file: () => this.#nextOfFile(),
      isOver: () => this.#isComplete && this.#held.unsentBytes === 0,
      sent: () => {
        this.sentAt = this.#ports.clock.monotonic();
      },
      closed: (body) => this.#sendingEnded(body),
    });
    const body = new FormBody(source);
    this.#body = body;
    return body;
  }

  #nextOfFile(): Buffer | null | typeof END {
    const piece = this.#held.take();
    this.#flow();
    if (piece !== null) {
      this.#takenAt = this.#ports.clock.monotonic();
      if (this.#held.isWhole && this.#held.heldBytes > this.#keptMax) this.#held.drop();
      return piece;
    }
    return this.#isComplete ? END : null;
  }

  /** Reads on if the provider takes it. */
  #flow(): void {
    const { request } = this.#call;
    if (this.#isComplete || this.#isClosed) return;
    if (this.#held.unsentBytes < UNSENT_MAX) request.resume();
    else request.pause();
  }

  #sendingEnded(body: FormBody): void {
    if (this.#body !== body) return;
    this.#body = null;
    if (!this.#isComplete) this.#call.request.pause();
  }

  #fail(error: unknown): void {
    const begun = this.#begun;
    const follower = this.#follower;
    this.#begun = null;
    this.close();
    if (begun !== null) {
      this.#call.active = null;
      this.#call.memory?.release();
      begun.reject(error);
    } else follower?.failed(error);
  }
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
