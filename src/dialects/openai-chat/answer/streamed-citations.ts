/**
 * The citations of one streamed answer as `annotations`. OpenAI's Python package cannot join two lists of them unless each entry has an
 * `index`, and its npm package keeps only the last list: so they are gathered and sent together in the last chunk of the answer; those
 * beyond the limit are sent separately with their index.
 *
 * https://github.com/openai/openai-python/blob/main/src/openai/lib/streaming/_deltas.py
 */
import type { Citation } from '../../../chat/response.ts';
import { writeCitation } from './citation.ts';

/** No answer cites as many pages; it bounds the memory of a stream. */
const GATHERED_MAX = 1024;
/** The same for their text, in characters. */
const GATHERED_LENGTH_MAX = 256 * 1024;

export class StreamedCitations {
  #gathered: object[] = [];
  #length = 0;
  #count = 0;

  /** What must be sent now; nearly always nothing. */
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
