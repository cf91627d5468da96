/** The other fields of a conversation block that has a watched field, read in place. */
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';

export interface BlockFields {
  /** The texts of the requested fields, if they are strings. */
  readonly texts: ReadonlyMap<string, string>;
  /** The names of all its fields. */
  readonly names: readonly string[];
}

/** How much of one body is walked, watched values excluded: longer texts exceed the context window of every model. */
const WALKED_BYTES_MAX = 8 * 1024 * 1024;
const FIELDS_MAX = 64;
/** No name and no requested text is longer. */
const TEXT_BYTES_MAX = 128;

/** Reads blocks of one body. */
export class BlockReader {
  readonly #document: JsonDocument;
  readonly #cursor = new FieldCursor();
  #bytesLeft = WALKED_BYTES_MAX;

  constructor(document: JsonDocument) {
    this.#document = document;
  }

  /**
   * The object with `field`. Null if its meaning is not clear: it has a duplicate name or a name with escapes, or the body is too long to
   * walk.
   */
  around(field: WatchedField, wanted: readonly string[]): BlockFields | null {
    const { bytes } = this.#document;
    const known = field.valueEnd - field.valueStart;
    const cursor = this.#cursor;
    cursor.open(bytes, field.objectStart, Math.min(bytes.length, field.objectStart + known + this.#bytesLeft));
    cursor.know(field.keyStart, field.valueEnd);
    const names: string[] = [];
    const texts = new Map<string, string>();
    while (cursor.next()) {
      const name = plainText(bytes, cursor.keyStart, cursor.keyEnd);
      if (name === null || names.length === FIELDS_MAX || names.includes(name))
        return this.#walkedTo(cursor.valueEnd, field);
      names.push(name);
      if (!wanted.includes(name) || bytes[cursor.valueStart] !== QUOTE) continue;
      const text = plainText(bytes, cursor.valueStart, cursor.valueEnd);
      if (text === null) return this.#walkedTo(cursor.valueEnd, field);
      texts.set(name, text);
    }
    if (cursor.broken) {
      this.#bytesLeft = 0;
      return null;
    }
    this.#walkedTo(cursor.objectEnd, field);
    return { texts, names };
  }

  #walkedTo(end: number, { objectStart, valueStart, valueEnd }: WatchedField): null {
    this.#bytesLeft -= end - objectStart - (end >= valueEnd ? valueEnd - valueStart : 0);
    return null;
  }
}

const QUOTE = 0x22;

/** `start` and `end` include the quotes. Null for a long string, and for one with an escape other than a slash. */
function plainText(bytes: Buffer, start: number, end: number): string | null {
  if (end - start > TEXT_BYTES_MAX) return null;
  const text = bytes.toString('utf8', start + 1, end - 1).replaceAll('\\/', '/');
  return text.includes('\\') ? null : text;
}
