/** What has arrived of a form: its fields, and the heads of its files. The bytes of the files go elsewhere. */
import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../../core/errors.ts';
import type { FormRules } from '../../dialects/interface/form.ts';
import type { FormField } from '../../wire/multipart/form-writer.ts';
import { malformed, type PartSink } from '../../wire/multipart/multipart-reader.ts';
import { type PartHead, readPartHead } from '../../wire/multipart/part-head.ts';
import { FormFile } from './form-file.ts';

/** Bounds what a form can take in memory besides its files. */
export const FIELDS_MAX = 32;
/** The longest prompt that OpenAI takes with images has 32,000 characters: https://platform.openai.com/docs/api-reference/images/createEdit */
export const FIELD_BYTES_MAX = 128 * 1024;

/** Gets the bytes of all files in turn. */
export interface FileSink {
  add(bytes: Buffer): void;
  endFile(): void;
}

const NO_BYTES = Buffer.alloc(0);

export class FormParts implements PartSink {
  /** In the order in which they came. */
  readonly fields: FormField[] = [];
  readonly files: FormFile[] = [];
  /** How many fields came before the first file. */
  fieldsBefore = 0;
  /** Bytes of all fields, and of the heads of files, so far. */
  fieldBytes = 0;
  readonly #rules: FormRules;
  readonly #sink: FileSink;
  readonly #isHashed: boolean;
  readonly #names = new Set<string>();
  /** Of the field that is arriving; null for a file. */
  #head: PartHead | null = null;
  #value: Buffer = NO_BYTES;
  #length = 0;

  /** `isHashed`: whether digests of files are wanted. */
  constructor(rules: FormRules, sink: FileSink, isHashed: boolean) {
    this.#rules = rules;
    this.#sink = sink;
    this.#isHashed = isHashed;
  }

  /** The fields that nothing can be said without and that have not arrived. */
  get missing(): readonly string[] {
    return this.#rules.needs.filter((name) => !this.#names.has(name));
  }

  begin(lines: Buffer): void {
    const head = readPartHead(lines);
    this.#head = head.fileName === null ? head : null;
    if (head.fileName === null) this.#beginField(head);
    else this.#beginFile(head, lines.length);
  }

  data(bytes: Buffer): void {
    if (this.#head === null) {
      this.files.at(-1)?.add(bytes);
      return this.#sink.add(bytes);
    }
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
      this.files.at(-1)?.end();
      return this.#sink.endFile();
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
    if (this.#rules.files.has(name)) throw invalid(name, 'Send a file with a file name: filename="…".');
    if (this.fields.length === FIELDS_MAX) throw malformed(`it has more than ${FIELDS_MAX} fields`);
    if (this.#names.has(name) && !isList(name))
      throw new GatewayError('duplicate_key', { message: `The form has the field ${name} twice.`, param: name });
  }

  #beginFile(head: PartHead, headBytes: number): void {
    const { name } = head;
    const { files, inspect } = this.#rules;
    const most = files.get(name);
    if (most === undefined)
      throw invalid(name, `Only these fields may be files here: ${[...files.keys()].join(', ')}.`);
    if (this.files.filter((file) => file.head.name === name).length === most) throw tooMany(name, most, files);
    if (this.files.length === 0) this.fieldsBefore = this.fields.length;
    this.fieldBytes += headBytes;
    this.files.push(new FormFile(head, inspect?.() ?? null, this.#isHashed));
  }
}

/** Clients send a list as a field of this name for each of its items. */
export function isList(name: string): boolean {
  return name.endsWith('[]');
}

function tooMany(name: string, most: number, files: FormRules['files']): GatewayError {
  if (isList(name)) return invalid(name, `Send at most ${most} files as "${name}".`);
  const list = `${name}[]`;
  return invalid(name, files.has(list) ? `Send several files as "${list}".` : `Send one file as "${name}".`);
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}
