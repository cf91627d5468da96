/** A string of a request that contains a file: base 64, alone or in a `data:` URL. It is read in place, never as a whole. */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';

/** Enough of a string to recognise it; the comma of a `data:` URL must be within. */
const HEAD_CHARACTERS = 256;
/** If slashes are escaped, an image with its size further on counts as having none. */
const ESCAPED_BYTES_MAX = 2 * 1024 * 1024;
const BACKSLASH = 0x5c;
const NOTHING = Buffer.alloc(0);

/** `either` also has the two characters of https://www.rfc-editor.org/rfc/rfc4648#section-5. */
export type Base64Alphabet = 'standard' | 'either';

const CHARACTERS: Readonly<Record<Base64Alphabet, RegExp>> = {
  standard: /^[A-Za-z0-9+/]*/,
  either: /^[A-Za-z0-9+/_-]*/,
};

export class InlineData {
  /** Whether it is a `data:` URL. */
  readonly isAddress: boolean;
  /** The media type of the URL, in lower case; empty if it has none, or if there is no URL. */
  readonly mediaType: string;
  /** Whether the data is declared as base 64, or bare. */
  readonly isBase64: boolean;
  /** Length of the data alone; a little too long if slashes are escaped. */
  readonly base64Length: number;
  readonly #bytes: Buffer;
  readonly #characters: RegExp;
  /** Where the data begins in the body. */
  readonly #start: number;
  readonly #end: number;
  /** The last position sought in the data, and how many characters of the data precede it. */
  #at: number;
  #charactersBefore = 0;

  /** `field` is a string. `alphabet`: the characters of base 64 that the format takes. */
  constructor(document: JsonDocument, field: JsonField, alphabet: Base64Alphabet = 'standard') {
    this.#characters = CHARACTERS[alphabet];
    this.#bytes = document.bytes;
    this.#end = field.valueEnd - 1;
    const start = field.valueStart + 1;
    const head = document.bytes.toString('latin1', start, Math.min(start + HEAD_CHARACTERS, this.#end));
    const comma = head.indexOf(',');
    this.isAddress = /^data:/i.test(head) && comma !== -1;
    // An escaped slash is a slash; with any other escape the type is unknown.
    const parameters = this.isAddress
      ? head.slice('data:'.length, comma).replaceAll('\\/', '/').toLowerCase().split(';')
      : [];
    this.mediaType = parameters[0]?.trim() ?? '';
    this.isBase64 = !this.isAddress || parameters.slice(1).some((parameter) => parameter.trim() === 'base64');
    this.#start = start + (this.isAddress ? comma + 1 : 0);
    this.#at = this.#start;
    this.base64Length = this.isBase64 ? this.#end - this.#start : 0;
  }

  /** The first characters as they are in the body. */
  textAt(count: number): string {
    return this.#bytes.toString('latin1', this.#start, Math.min(this.#start + count, this.#end));
  }

  /** `count` bytes of the decoded data from `offset`; fewer at its end, none if it is not base 64. */
  readonly read = (offset: number, count: number): Buffer => {
    if (!this.isBase64) return NOTHING;
    const skipped = offset % 3;
    const from = this.#seek((4 * (offset - skipped)) / 3);
    // Includes space for escaped slashes, which take two characters each.
    const to = Math.min(from + 8 * Math.ceil((skipped + count) / 3), this.#end);
    const text = this.#bytes.toString('latin1', from, to).replaceAll('\\/', '/');
    const part = this.#characters.exec(text)?.[0] ?? '';
    return Buffer.from(part, 'base64').subarray(skipped, skipped + count);
  };

  /** The position after this many characters of the data, not counting backslashes; the end if that is too far to search. */
  #seek(characters: number): number {
    if (characters < this.#charactersBefore) {
      this.#at = this.#start;
      this.#charactersBefore = 0;
    }
    const left = characters - this.#charactersBefore;
    const to = Math.min(this.#at + left, this.#end);
    this.#charactersBefore = characters;
    if (this.#bytes.subarray(this.#at, to).includes(BACKSLASH)) this.#at = this.#afterEscaped(left);
    else this.#at = to;
    return this.#at;
  }

  #afterEscaped(characters: number): number {
    const bytes = this.#bytes;
    const last = Math.min(this.#end, this.#start + ESCAPED_BYTES_MAX);
    let left = characters;
    let at = this.#at;
    for (; left > 0 && at < last; at += 1) if (bytes[at] !== BACKSLASH) left -= 1;
    return left > 0 ? this.#end : at;
  }
}
