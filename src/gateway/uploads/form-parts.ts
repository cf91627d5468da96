/** What has arrived of a form: its fields, and the head of its one file. The bytes of the file go elsewhere. */
import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../../core/errors.ts';
import { FILE_FIELD } from '../../dialects/interface/form.ts';
import type { FormField } from '../../wire/multipart/form-writer.ts';
import { malformed, type PartSink } from '../../wire/multipart/multipart-reader.ts';
import { type PartHead, readPartHead } from '../../wire/multipart/part-head.ts';

/** Bounds what a form can take in memory besides its file. */
export const FIELDS_MAX = 32;
export const FIELD_BYTES_MAX = 64 * 1024;

const NO_BYTES = Buffer.alloc(0);

export class FormParts implements PartSink {
  /** In the order in which they came. */
  readonly fields: FormField[] = [];
  file: PartHead | null = null;
  /** Whether all of it has arrived. */
  isFileOver = false;
  /** How many fields came before the file. */
  fieldsBefore = 0;
  /** Bytes of all fields so far. */
  fieldBytes = 0;
  /** Gets the bytes of the file. */
  readonly #take: (bytes: Buffer) => void;
  readonly #names = new Set<string>();
  /** Of the field that is arriving; null for the file. */
  #head: PartHead | null = null;
  #value: Buffer = NO_BYTES;
  #length = 0;

  constructor(take: (bytes: Buffer) => void) {
    this.#take = take;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  begin(lines: Buffer): void {
    const head = readPartHead(lines);
    this.#head = head.fileName === null ? head : null;
    if (head.fileName === null) this.#beginField(head);
    else this.#beginFile(head);
  }

  data(bytes: Buffer): void {
    if (this.#head === null) return this.#take(bytes);
    this.fieldBytes += bytes.length;
    const length = this.#length + bytes.length;
    if (length > FIELD_BYTES_MAX)
      throw invalid(this.#head.name, `A field of a form may have at most ${FIELD_BYTES_MAX} bytes.`);
    if (length > this.#value.length) this.#grow(length);
    bytes.copy(this.#value, this.#length);
    this.#length = length;
  }

  end(): void {
    const head = this.#head;
    if (head === null) {
      this.isFileOver = true;
      return;
    }
    const { name } = head;
    const value = this.#value.subarray(0, this.#length);
    if (!isUtf8(value)) throw new GatewayError('invalid_utf8', { param: name });
    this.fields.push({ name, value });
    this.#names.add(name);
    this.#value = NO_BYTES;
    this.#length = 0;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#value.length));
    this.#value.copy(larger, 0, 0, this.#length);
    this.#value = larger;
  }

  #beginField({ name }: PartHead): void {
    if (name === FILE_FIELD) throw invalid(name, 'Send the file with a file name: filename="…".');
    if (this.fields.length === FIELDS_MAX) throw malformed(`it has more than ${FIELDS_MAX} fields`);
    if (this.#names.has(name) && !isList(name))
      throw new GatewayError('duplicate_key', { message: `The form has the field ${name} twice.`, param: name });
  }

  #beginFile(head: PartHead): void {
    if (head.name !== FILE_FIELD) throw invalid(head.name, `Only the field "${FILE_FIELD}" may be a file here.`);
    if (this.file !== null) throw invalid(FILE_FIELD, 'Send one file.');
    this.file = head;
    this.fieldsBefore = this.fields.length;
  }
}

/** Clients send a list as a field of this name for each of its items. */
export function isList(name: string): boolean {
  return name.endsWith('[]');
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}
