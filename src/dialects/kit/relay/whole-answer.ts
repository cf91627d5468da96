/** A whole answer: parsed once, for the meter that reads it, the relay that edits it and the checks between the two. */
import { isAscii } from 'node:buffer';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { findLargeTexts, parseAround } from '../../../wire/large-texts.ts';

export class WholeAnswer {
  readonly bytes: Buffer;
  /** Undefined until it was parsed. */
  #object: JsonObject | null | undefined = undefined;
  #text: string | null = null;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The answer as an object, null where the bytes are anything else. Nobody may change it. */
  get object(): JsonObject | null {
    if (this.#object === undefined) this.#object = this.#parse();
    return this.#object;
  }

  /** The bytes, one character each, so that places in the text are places in them. */
  get text(): string {
    this.#text ??= this.bytes.toString('latin1');
    return this.#text;
  }

  /** Whether looking for something in its text costs less than a walk through it. */
  get isShort(): boolean {
    return this.bytes.length <= SHORT_BYTES;
  }

  /** A large one is parsed without its inline media, which a parser would look at character by character. */
  #parse(): JsonObject | null {
    try {
      const { bytes } = this;
      const value: unknown =
        bytes.length > LARGE_BYTES ? parseAround(bytes, findLargeTexts(bytes)) : JSON.parse(this.#readable());
      return asObject(value);
    } catch {
      // Not swallowed: null makes the answer a failed one.
      return null;
    }
  }

  /** Of a short one in ASCII it is the text as well; a text of one character a byte must not stand for what takes more. */
  #readable(): string {
    return this.isShort && isAscii(this.bytes) ? this.text : this.bytes.toString();
  }
}

const SHORT_BYTES = 64 * 1024;
/** From here on inline media are looked for. */
const LARGE_BYTES = 1024 * 1024;
