/**
 * Writes the thoughts of one streamed answer as entries of `reasoning_details`, for clients that assemble a stream in different ways:
 *
 * - OpenAI's Python package concatenates strings of one index, and takes the index for the position in the list: so its vendor,
 *   and its id, are only on the first entry of an index, and indexes have no holes.
 *   https://github.com/openai/openai-python/blob/main/src/openai/lib/streaming/_deltas.py
 * - OpenAI's npm package keeps the list of the last chunk that has one: so what a vendor expects back (signatures, encrypted
 *   thoughts) is repeated together, under new indexes, in the chunk that ends the answer. Readers count it once.
 *   https://github.com/openai/openai-node/blob/master/src/lib/ChatCompletionStream.ts
 */
import { encryptedDetail, textDetail, type Whose } from './reasoning-details.ts';

/**
 * How much is kept to be repeated, in characters: some signatures have tens of thousands, and the size of an event is limited
 * (`wire/frames/sse-splitter.ts`).
 */
const REPEATED_LENGTH_MAX = 256 * 1024;

export class StreamedThoughts {
  /** The index of the open thought, or the next one. */
  #index = 0;
  #isBegun = false;
  /** The id on its first entry. */
  #id: string | null = null;
  #entries = 0;
  readonly #repeated: ((index: number) => object)[] = [];
  #repeatedLength = 0;

  text(text: string, whose: Whose): object {
    return textDetail({ text }, this.#named(whose), this.#index);
  }

  /** Like `text` for a further piece of the same thought, but without changing state. */
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

  /** Ends the open thought. An empty one takes no index. */
  end(): void {
    if (this.#isBegun) this.#index += 1;
    this.#isBegun = false;
    this.#id = null;
  }

  /** What to repeat in the last chunk; empty if there was only one entry. */
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
