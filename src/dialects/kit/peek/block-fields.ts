/** What the block of a conversation that holds a watched field says of itself, read where it stands in the body. */
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';

export interface BlockFields {
  /** The texts of the fields asked for, where they are strings. */
  readonly texts: ReadonlyMap<string, string>;
  /** The names of all its fields. */
  readonly names: readonly string[];
}

/** What is walked through of one body beside the watched values: longer texts are beyond the window of every model. */
const WALKED_BYTES_MAX = 8 * 1024 * 1024;
const FIELDS_MAX = 64;
/** No name, and no text that is asked for, is longer. */
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
   * The object that has `field`. Null where it cannot be said what it means: a name is given twice, one is spelled with
   * escapes, or the body is too long to look.
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

/** From one quote to behind the other. Null for a long one, and for one with an escape that is not a slash. */
function plainText(bytes: Buffer, start: number, end: number): string | null {
  if (end - start > TEXT_BYTES_MAX) return null;
  const text = bytes.toString('utf8', start + 1, end - 1).replaceAll('\\/', '/');
  return text.includes('\\') ? null : text;
}
