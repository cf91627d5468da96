/** A whole answer: parsed once for the meter, the relay that edits it, and the checks in between. */
import { isAscii } from 'node:buffer';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { findLargeTexts, parseAround, type Span } from '../../../wire/large-texts.ts';

export class WholeAnswer {
  readonly bytes: Buffer;
  /** Undefined until it has been parsed. */
  #object: JsonObject | null | undefined = undefined;
  #text: string | null = null;
  readonly #texts: readonly Span[] | null;

  /** `texts`: its large texts, if they are known. */
  constructor(bytes: Buffer, texts: readonly Span[] | null = null) {
    this.bytes = bytes;
    this.#texts = texts;
  }

  /** The answer as an object; null if the bytes are anything else. Do not change it. */
  get object(): JsonObject | null {
    if (this.#object === undefined) this.#object = this.#parse();
    return this.#object;
  }

  /** The bytes, one character each, so that positions in the text are positions in the bytes. */
  get text(): string {
    this.#text ??= this.bytes.toString('latin1');
    return this.#text;
  }

  /** Whether searching its text costs less than walking its fields. */
  get isShort(): boolean {
    return this.bytes.length <= SHORT_BYTES;
  }

  /** A large answer is parsed without its inline media, which a parser would read character by character. */
  #parse(): JsonObject | null {
    try {
      const { bytes } = this;
      const value: unknown =
        bytes.length > LARGE_BYTES
          ? parseAround(bytes, this.#texts ?? findLargeTexts(bytes))
          : JSON.parse(this.#readable());
      return asObject(value);
    } catch {
      // Not swallowed: null makes the answer a failed one.
      return null;
    }
  }

  /** For a short answer in ASCII this is `text`; other answers need UTF-8 decoding. */
  #readable(): string {
    return this.isShort && isAscii(this.bytes) ? this.text : this.bytes.toString();
  }
}

const SHORT_BYTES = 64 * 1024;
/** From this length on inline media are searched for. */
const LARGE_BYTES = 1024 * 1024;
