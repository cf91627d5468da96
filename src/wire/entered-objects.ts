/** The fields of some top-level objects, found by the scan of the body around them (`JsonScanOptions.entered`), so that no step scans them again. */
import type { JsonDocument, JsonField, JsonType } from './json-document.ts';
import { decodeName } from './json-names.ts';
import { duplicate, tooMuch } from './json-refusals.ts';

/** Real requests have less than a tenth of this; without a limit 32 MiB of names would become gigabytes of fields. */
export const FIELDS_MAX = 1024;
const TOP_NAME_BYTES_MAX = 1024;

interface EnteredObject {
  readonly objectStart: number;
  objectEnd: number;
  readonly fields: Map<string, JsonField>;
  /** In the object, itself included. */
  values: number;
}

export class EnteredObjects {
  readonly #names: ReadonlySet<string>;
  #found: EnteredObject[] = [];
  #current: EnteredObject | null = null;
  /** Values before the current object. */
  #valuesBefore = 0;
  // The field that is being read.
  #name = '';
  #keyStart = 0;
  #valueStart = 0;
  #type: JsonType = 'null';

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  reset(): void {
    if (this.#found.length > 0) this.#found = [];
    this.#current = null;
  }

  /** Whether the fields of the top-level object called `name` are wanted. `values`: those so far, the object included. */
  enter(name: string, objectStart: number, values: number): boolean {
    if (!this.#names.has(name)) return false;
    this.#current = { objectStart, objectEnd: -1, fields: new Map(), values: 0 };
    this.#valuesBefore = values - 1;
    return true;
  }

  /** A name of the current object; `start` and `end` are inside its quotes. Throws `GatewayError` 400 as for a name at the top. */
  readKey(bytes: Buffer, start: number, end: number): void {
    if (this.#current === null) return;
    this.#name = newFieldName(this.#current.fields, bytes, start, end);
    this.#keyStart = start - 1;
  }

  startValue(at: number, type: JsonType): void {
    this.#valueStart = at;
    this.#type = type;
  }

  endValue(valueEnd: number): void {
    const field = { keyStart: this.#keyStart, valueStart: this.#valueStart, valueEnd, type: this.#type };
    this.#current?.fields.set(this.#name, field);
  }

  leave(objectEnd: number, values: number): void {
    if (this.#current === null) return;
    this.#current.objectEnd = objectEnd;
    this.#current.values = values - this.#valuesBefore;
    this.#found.push(this.#current);
    this.#current = null;
  }

  documents(body: Buffer): readonly JsonDocument[] {
    return this.#found.map(({ objectStart, objectEnd, fields, values }) => ({
      bytes: body.subarray(0, objectEnd),
      objectStart,
      fields,
      watched: [],
      values,
      growth: null,
    }));
  }
}

/** The decoded name of a field whose position is kept. Throws `GatewayError` 400 if it is there already, or too much. */
export function newFieldName(
  fields: ReadonlyMap<string, JsonField>,
  bytes: Buffer,
  start: number,
  end: number,
): string {
  if (end - start > TOP_NAME_BYTES_MAX) throw tooMuch(`a name of more than ${TOP_NAME_BYTES_MAX} bytes`);
  if (fields.size === FIELDS_MAX) throw tooMuch(`more than ${FIELDS_MAX} fields`);
  const name = decodeName(bytes, start, end);
  if (fields.has(name)) throw duplicate(name);
  return name;
}
