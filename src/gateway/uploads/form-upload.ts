/**
 * The second part of reading a form with files: its call is admitted, and it arrives only as fast as its provider takes it. What was sent is kept
 * for another attempt until it is more than what was held before; from then on there is only one attempt.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { StreamedBody } from '../../core/body.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Form } from '../../dialects/interface/form.ts';
import { type FormField, FormWriter, LINE_BREAK } from '../../wire/multipart/form-writer.ts';
import { ArrivalPace } from './arrival-pace.ts';
import type { ArrivingForm } from './arriving-form.ts';
import { type BodyEnds, END, FormBody, type FormSource } from './form-body.ts';
import type { FILE_END } from './held-pieces.ts';
import { LoneFile } from './lone-file.ts';
import { OrderedForm } from './ordered-form.ts';
import { tooLate } from './upload-errors.ts';

export interface UploadPorts {
  readonly clock: { monotonic(): number };
  readonly timeouts: { readonly idleMs: number };
}

/** Follows a form while an attempt sends it. */
export interface UploadFollower {
  /** All of it has arrived; the last bytes are not sent before this returns. Throws `GatewayError` if it is not one that can be served. */
  arrived(): void;
  /** It cannot be sent to its end. */
  failed(error: unknown): void;
}

/** Arrived and not sent, above which the caller has to wait. */
const UNSENT_MAX = 256 * 1024;
/** Of fields that come after a form has gone on, bytes: they are kept until all files are sent. */
const LATER_FIELDS_MAX = 64 * 1024;

export class FormUpload implements Form {
  /** Monotonic, ms: when the provider had been given all of it; infinite before. */
  sentAt = Number.POSITIVE_INFINITY;
  readonly #ports: UploadPorts;
  readonly #request: IncomingMessage;
  readonly #form: ArrivingForm;
  readonly #pace: ArrivalPace;
  #keptMax = 0;
  #fieldBytesMax = 0;
  #isClosed = false;
  #body: FormBody | null = null;
  #follower: UploadFollower | null = null;
  /** When the provider last took something. */
  #takenAt = 0;

  constructor(ports: UploadPorts, request: IncomingMessage, form: ArrivingForm) {
    this.#ports = ports;
    this.#request = request;
    this.#form = form;
    this.#pace = new ArrivalPace(ports.clock.monotonic());
  }

  get fileBytes(): number {
    return this.#form.held.bytes;
  }

  get isComplete(): boolean {
    return this.#form.isComplete;
  }

  /** Whether all of it was given to the provider. */
  get isSent(): boolean {
    return this.sentAt !== Number.POSITIVE_INFINITY;
  }

  /** Whether it can be sent once more. */
  get isRepeatable(): boolean {
    return this.#form.held.isWhole;
  }

  /** What is known of it, as JSON. */
  describe(): Buffer {
    return this.#form.describe();
  }

  /** From here on it reads the rest itself. `keptMax`: as `openForm` says. */
  goOn(keptMax: number): void {
    this.#keptMax = keptMax;
    this.#fieldBytesMax = this.#form.parts.fieldBytes + LATER_FIELDS_MAX;
    if (!this.isComplete) this.#request.on('data', this.#onData).on('end', this.#onEnd);
  }

  /** For one attempt; the one before is over. */
  write(edit: (field: FormField) => FormField | null): StreamedBody & { readonly contentType: string } {
    const writer = new FormWriter();
    const { fields, files, fieldsBefore } = this.#form.parts;
    const edited = (from: number, to?: number) =>
      fields.slice(from, to).flatMap((field) => {
        const sent = edit(field);
        return sent === null ? [] : [writer.field(sent)];
      });
    const head = edited(0, fieldsBefore);
    const headOfFile = (index: number): Buffer | null => {
      const file = files[index];
      return file === undefined ? null : writer.file(file.head);
    };
    const tail = () => [...edited(fieldsBefore), writer.end()];
    const ofFiles = files.map((file) => writer.file(file.head).length + file.bytes + LINE_BREAK.length);
    return {
      contentType: writer.contentType,
      length: this.isComplete ? lengthOf(head) + sumOf(ofFiles) + lengthOf(tail()) : null,
      open: () => {
        const ordered = {
          head: (index: number) => headOfFile(index) ?? (this.isComplete ? END : null),
          bytes: () => this.#nextOfFile(),
        };
        return this.#open((ends) => new OrderedForm(head, tail, { ...ordered, ...ends }));
      },
    };
  }

  /** The file alone, for one attempt; the one before is over. */
  writeFile(): StreamedBody {
    const file = {
      bytes: () => this.#nextOfFile(),
      isComplete: () => this.isComplete,
      isSent: () => this.#form.held.unsentBytes === 0,
    };
    return {
      length: this.isComplete ? this.fileBytes : null,
      open: () => this.#open((ends) => new LoneFile({ ...file, ...ends })),
    };
  }

  /** What the running attempt has to know. */
  follow(follower: UploadFollower): void {
    this.#follower = follower;
  }

  /** What keeps the running attempt from having sent it by now; null if nothing does. */
  stalled(nowMs: number): GatewayError | null {
    if (this.isSent) return null;
    if (this.#body?.isWaiting === true && !this.isComplete) {
      this.#takenAt = nowMs;
      return this.#pace.check(nowMs, this.#form.received);
    }
    this.#pace.restart(nowMs, this.#form.received);
    return nowMs - this.#takenAt < this.#ports.timeouts.idleMs
      ? null
      : new GatewayError('upstream_timeout', { message: 'The provider stopped reading the request.' });
  }

  /** Nothing more is read of it. The rest of the request is left to whoever answers it. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#follower = null;
    this.#request.off('data', this.#onData).off('end', this.#onEnd);
    if (!this.isComplete) this.#request.pause();
    this.#body?.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#form.feed(chunk);
      if (this.#form.parts.fieldBytes > this.#fieldBytesMax) throw tooLate();
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#body === null) return void this.#request.pause();
    this.#flow();
    this.#body.pump();
  };

  readonly #onEnd = (): void => {
    try {
      this.#form.finish();
      this.#follower?.arrived();
    } catch (error) {
      return this.#fail(error);
    }
    this.#body?.pump();
  };

  #open(sourceOf: (ends: BodyEnds) => FormSource): Readable {
    this.#form.held.rewind();
    this.sentAt = Number.POSITIVE_INFINITY;
    const nowMs = this.#ports.clock.monotonic();
    this.#takenAt = nowMs;
    this.#pace.restart(nowMs, this.#form.received);
    const source = sourceOf({
      sent: () => {
        this.sentAt = this.#ports.clock.monotonic();
      },
      closed: (body) => this.#sendingEnded(body),
    });
    const body = new FormBody(source);
    this.#body = body;
    return body;
  }

  #nextOfFile(): Buffer | null | typeof FILE_END {
    const { held } = this.#form;
    const piece = held.take();
    this.#flow();
    if (piece === null) return null;
    this.#takenAt = this.#ports.clock.monotonic();
    if (held.isWhole && held.heldBytes > this.#keptMax) held.drop();
    return piece;
  }

  /** Reads on if the provider takes it. */
  #flow(): void {
    if (this.isComplete || this.#isClosed) return;
    if (this.#form.held.unsentBytes < UNSENT_MAX) this.#request.resume();
    else this.#request.pause();
  }

  #sendingEnded(body: FormBody): void {
    if (this.#body !== body) return;
    this.#body = null;
    if (!this.isComplete) this.#request.pause();
  }

  #fail(error: unknown): void {
    const follower = this.#follower;
    this.close();
    follower?.failed(error);
  }
}

function lengthOf(parts: readonly Buffer[]): number {
  return sumOf(parts.map(({ length }) => length));
}

function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}
