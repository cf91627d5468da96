/** The names of a body's fields: decoded where they matter, compared as bytes where they do not. */
import { GatewayError } from '../core/errors.ts';
import { internName } from './intern-name.ts';

/**
 * The name whose text lies at `bytes[start, end)`, quotes excluded, with its escapes undone.
 * Throws `invalid_json` for an escape JSON does not know and for a raw control byte.
 */
export function decodeName(bytes: Buffer, start: number, end: number): string {
  const known = internName(bytes, start, end);
  if (known !== null) return known;
  try {
    return JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string;
  } catch (cause) {
    throw new GatewayError('invalid_json', {
      message: `The request body is not valid JSON: the name at byte ${start - 1} has an escape or a byte that JSON does not allow.`,
      cause,
    });
  }
}

const SEGMENT_BYTES_MAX = 64;
const PLAIN = /^[\w$-]+$/;

/**
 * A name as a step of a path: as it is when it is a plain word, else quoted, so that no name can
 * pass itself off as a longer path. A name that is longer than any real one is cut.
 */
export function pathSegment(bytes: Buffer, start: number, end: number): string {
  if (end - start > SEGMENT_BYTES_MAX) {
    return `["${bytes.toString('utf8', start, start + SEGMENT_BYTES_MAX)}…"]`;
  }
  const name = decodeName(bytes, start, end);
  return PLAIN.test(name) ? name : `[${JSON.stringify(name)}]`;
}

/** A set of names, compiled so that a name that is not in it is told by its first byte and length. */
export class NameFilter {
  readonly #names: ReadonlySet<string>;
  /** By first byte: bit n is set when a name of n bytes begins with it; bit 31 stands for 31 and more. */
  readonly #lengths = new Int32Array(256);
  readonly #escapedBytesMax: number;

  /** The filter of a set; one per set is kept, so the set must not change. */
  static of(names: ReadonlySet<string>): NameFilter {
    const known = filters.get(names);
    if (known !== undefined) return known;
    const made = new NameFilter(names);
    filters.set(names, made);
    return made;
  }

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
    let unitsMax = 0;
    for (const name of names) {
      const bytes = Buffer.from(name);
      const first = bytes[0] ?? 0x22;
      this.#lengths[first] = (this.#lengths[first] as number) | (1 << Math.min(bytes.length, 31));
      unitsMax = Math.max(unitsMax, name.length);
    }
    // The longest spelling of a UTF-16 unit is `\u0000`.
    this.#escapedBytesMax = unitsMax * 6;
  }

  /** Whether the name at `bytes[start, end)` is in the set, however it is spelled. */
  has(bytes: Buffer, start: number, end: number, escaped: boolean): boolean {
    const length = end - start;
    if (escaped) return length <= this.#escapedBytesMax && this.#names.has(decodeName(bytes, start, end));
    // Of an empty name the first byte is the quote that ends it.
    const lengths = this.#lengths[bytes[start] as number] as number;
    if (((lengths >>> Math.min(length, 31)) & 1) === 0) return false;
    return this.#names.has(decodeName(bytes, start, end));
  }
}

const filters = new WeakMap<ReadonlySet<string>, NameFilter>();
