/** A form with files, as far as it has arrived: its fields, its files' bytes, and what is known of all that as JSON. It reads from no connection. */
import type { FormRules } from '../../dialects/interface/form.ts';
import { MultipartReader } from '../../wire/multipart/multipart-reader.ts';
import { formDocument } from './form-document.ts';
import { FormParts } from './form-parts.ts';
import { HeldPieces } from './held-pieces.ts';
import { tooLarge } from './upload-errors.ts';

/** How a form is sent, and how much it may be. */
export interface FormFrame {
  readonly boundary: string;
  /** Its length as the caller states it, bytes; null if it is not stated. */
  readonly declared: number | null;
  readonly bytesMax: number;
}

export class ArrivingForm {
  readonly rules: FormRules;
  readonly held = new HeldPieces();
  readonly parts: FormParts;
  /** Bytes of all of it so far. */
  received = 0;
  isComplete = false;
  readonly #frame: FormFrame;
  readonly #reader: MultipartReader;

  /** `isStored`: whether the account's bodies are. */
  constructor(rules: FormRules, frame: FormFrame, isStored: boolean) {
    this.rules = rules;
    this.#frame = frame;
    this.parts = new FormParts(rules, this.held, isStored);
    this.#reader = new MultipartReader(frame.boundary, this.parts);
  }

  /** Throws `GatewayError` 400 for what is no form of these rules, 413 for one that is too large. */
  feed(chunk: Buffer): void {
    const { bytesMax } = this.#frame;
    this.received += chunk.length;
    if (this.received > bytesMax) throw tooLarge(bytesMax);
    this.#reader.feed(chunk);
  }

  /** To be called at the end of the request. Throws `GatewayError` 400 if it is not complete. */
  finish(): void {
    this.#reader.finish();
    this.isComplete = true;
  }

  /** What is known of it, as JSON. */
  describe(): Buffer {
    const { fields, files } = this.parts;
    return formDocument(fields, files, this.#frame.declared ?? this.#frame.bytesMax);
  }
}
