/** The names of a body's fields: decoded if they matter, otherwise compared as bytes. */
import { GatewayError } from '../core/errors.ts';
import { internName } from './intern-name.ts';

/**
 * Decodes the name at `bytes[start, end)`, quotes excluded. Throws `invalid_json` for an escape that JSON does not have and for a raw
 * control byte.
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
 * A name as a step of a path: unchanged if it is a plain word, otherwise quoted, so that no name can look like a longer path. Names longer
 * than any real one are truncated.
 */
export function pathSegment(bytes: Buffer, start: number, end: number): string {
  if (end - start > SEGMENT_BYTES_MAX) {
    return `["${bytes.toString('utf8', start, start + SEGMENT_BYTES_MAX)}…"]`;
  }
  const name = decodeName(bytes, start, end);
  return PLAIN.test(name) ? name : `[${JSON.stringify(name)}]`;
}

/** A set of names, compiled so that most other names are ruled out by their first byte and length. */
export class NameFilter {
  readonly #names: ReadonlySet<string>;
  /** By first byte: bit n is set when a name of n bytes begins with it; bit 31 means 31 or more. */
  readonly #lengths = new Int32Array(256);
  readonly #escapedBytesMax: number;

  /** The filter for a set; it is cached per set, so the set must not change. */
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
    // The longest escape of a UTF-16 unit is `\u0000`.
    this.#escapedBytesMax = unitsMax * 6;
  }

  /** Whether the name at `bytes[start, end)` is in the set, however it is spelled. */
  has(bytes: Buffer, start: number, end: number, escaped: boolean): boolean {
    const length = end - start;
    if (escaped) return length <= this.#escapedBytesMax && this.#names.has(decodeName(bytes, start, end));
    // For an empty name the first byte is its closing quote.
    const lengths = this.#lengths[bytes[start] as number] as number;
    if (((lengths >>> Math.min(length, 31)) & 1) === 0) return false;
    return this.#names.has(decodeName(bytes, start, end));
  }
}

const filters = new WeakMap<ReadonlySet<string>, NameFilter>();
