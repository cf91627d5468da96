/**
 * The thoughts of one streamed answer as entries of `reasoning_details`, fit for clients that put a stream together in
 * different ways:
 *
 * - OpenAI's Python package adds strings of one index up, and takes the index for the place in the list: so whose a thought is,
 *   and its name, stand on the first entry of an index only, and indexes have no holes.
 *   https://github.com/openai/openai-python/blob/main/src/openai/lib/streaming/_deltas.py
 * - OpenAI's npm package keeps the list of the last chunk that has one: so what a vendor wants back (signatures, encrypted
 *   thoughts) is repeated together, under new indexes, in the chunk that ends the answer. Readers count it once.
 *   https://github.com/openai/openai-node/blob/master/src/lib/ChatCompletionStream.ts
 */
import { encryptedDetail, textDetail, type Whose } from './reasoning-details.ts';

/** What is kept to be repeated, in characters: some thoughts are signed with tens of thousands, and an event has an end (`wire/frames/sse-splitter.ts`). */
const REPEATED_LENGTH_MAX = 256 * 1024;

export class StreamedThoughts {
  /** Of the thought that is open, or comes next. */
  #index = 0;
  #isBegun = false;
  /** The name that its first entry gave. */
  #id: string | null = null;
  #entries = 0;
  readonly #repeated: ((index: number) => object)[] = [];
  #repeatedLength = 0;

  text(text: string, whose: Whose): object {
    return textDetail({ text }, this.#named(whose), this.#index);
  }

  /** As `text` gives the next piece of the thought that it gave the last one of. It changes nothing. */
  nextText(text: string, { summary }: Whose): object {
    return textDetail({ text }, summary === undefined ? {} : { summary }, this.#index);
  }

  signature(signature: string, whose: Whose): object {
    this.#keep(signature, (index) => textDetail({ signature }, whose, index));
    return textDetail({ signature }, this.#named(whose), this.#index);
  }

  encrypted(data: string, whose: Whose): object {
    this.#keep(data, (index) => encryptedDetail(data, whose, index));
    return encryptedDetail(data, this.#named(whose), this.#index);
  }

  /** The open thought is over. One that said nothing takes no index. */
  end(): void {
    if (this.#isBegun) this.#index += 1;
    this.#isBegun = false;
    this.#id = null;
  }

  /** What to repeat in the last chunk; empty where one entry was all there was. */
  repeated(): readonly object[] {
    return this.#entries < 2 ? [] : this.#repeated.map((entry, place) => entry(this.#index + place));
  }

  #named(whose: Whose): Partial<Whose> {
    this.#entries += 1;
    const { summary } = whose;
    if (this.#isBegun) {
      const isNew = whose.id !== undefined && this.#id === null;
      if (isNew) this.#id = whose.id ?? null;
      return { ...(isNew && { id: whose.id }), ...(summary !== undefined && { summary }) };
    }
    this.#isBegun = true;
    this.#id = whose.id ?? null;
    return whose;
  }

  #keep(value: string, entry: (index: number) => object): void {
    this.#repeatedLength += value.length;
    if (this.#repeatedLength <= REPEATED_LENGTH_MAX) this.#repeated.push(entry);
  }
}
