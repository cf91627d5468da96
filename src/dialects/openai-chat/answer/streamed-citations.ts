/**
 * The citations of one streamed answer as `annotations`. OpenAI's Python package cannot join two lists of them unless each entry has
 * an `index`, and its npm package keeps the last list only: so they are gathered and given together in the chunk that ends the
 * answer, and more than are gathered follow each other with their index.
 *
 * https://github.com/openai/openai-python/blob/main/src/openai/lib/streaming/_deltas.py
 */
import type { Citation } from '../../../chat/response.ts';
import { writeCitation } from './citation.ts';

/** No answer rests on as many pages; a stream must not make us keep more. */
const GATHERED_MAX = 1024;
/** The same of what they say, in characters. */
const GATHERED_LENGTH_MAX = 256 * 1024;

export class StreamedCitations {
  #gathered: object[] = [];
  #length = 0;
  #count = 0;

  /** What has to be given now: nothing, nearly always. */
  add(citation: Citation): readonly object[] {
    this.#gathered.push({ index: this.#count, ...writeCitation(citation) });
    this.#count += 1;
    this.#length += citation.url.length + citation.title.length + citation.quote.length;
    return this.#gathered.length < GATHERED_MAX && this.#length < GATHERED_LENGTH_MAX ? [] : this.rest();
  }

  rest(): readonly object[] {
    const given = this.#gathered;
    this.#gathered = [];
    this.#length = 0;
    return given;
  }
}
