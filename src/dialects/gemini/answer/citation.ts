/**
 * Citations of an answer: the pages that a search found, with the passages that they support, and recited passages.
 *
 * https://ai.google.dev/gemini-api/docs/google-search#understanding_the_grounding_response
 */
import type { Citation } from '../../../chat/response.ts';
import {
  asArray,
  asObject,
  asText,
  isWholeNumber,
  type JsonObject,
  objectsOf,
  stringOf,
} from '../../../core/json-object.ts';
import { CITATION_WITHOUT_ADDRESS } from './losses.ts';

export interface CitationReading {
  readonly citations: readonly Citation[];
  readonly warnings: readonly string[];
}

/** Those of a candidate; `text` is the whole text of the answer so far. */
export function readCitations(candidate: JsonObject, text: string): CitationReading {
  const grounding = asObject(candidate['groundingMetadata']);
  const recited = asArray(asObject(candidate['citationMetadata'])?.['citationSources']);
  if (grounding === null && recited.length === 0) return NONE;
  const citations: Citation[] = [];
  const warnings = new Set<string>();
  const places = new Places(text);
  const chunks = asArray(grounding?.['groundingChunks']);
  const cited = new Set<number>();
  for (const support of objectsOf(grounding?.['groundingSupports'])) {
    const segment = asObject(support['segment']) ?? {};
    const indices = new Set(asArray(support['groundingChunkIndices']).filter(isWholeNumber));
    let count = 0;
    for (const index of indices) {
      // Each repeats the passage.
      count += 1;
      if (count > PAGES_OF_PASSAGE_MAX) break;
      const citation = readCitation(chunks[index]);
      cited.add(index);
      if (citation === null) warnings.add(CITATION_WITHOUT_ADDRESS);
      else citations.push({ ...citation, quote: stringOf(segment['text']), ...places.of(segment) });
    }
  }
  for (const [index, chunk] of chunks.entries()) {
    if (cited.has(index)) continue;
    const citation = readCitation(chunk);
    if (citation === null) warnings.add(CITATION_WITHOUT_ADDRESS);
    else citations.push(citation);
  }
  for (const source of objectsOf(recited)) {
    const url = asText(source['uri']);
    if (url === null || !ADDRESS.test(url)) warnings.add(CITATION_WITHOUT_ADDRESS);
    else citations.push({ url, title: stringOf(source['title']), quote: '', ...places.of(source) });
  }
  return { citations, warnings: [...warnings] };
}

/** A page, a document or a place that an answer is grounded on, without its passage; null if it has no address. */
export function readCitation(chunk: unknown): Citation | null {
  const kinds = asObject(chunk);
  const source = asObject(kinds?.['web']) ?? asObject(kinds?.['retrievedContext']) ?? asObject(kinds?.['maps']);
  const url = asText(source?.['uri']);
  if (source === null || url === null || !ADDRESS.test(url)) return null;
  return { url, title: stringOf(source['title']), quote: '', start: null, end: null };
}

/** The page of a citation. */
export function writeCitation({ url, title }: Citation): JsonObject {
  return { web: { uri: url, title } };
}

const NONE: CitationReading = { citations: [], warnings: [] };
const ADDRESS = /^https?:\/\//i;
const PAGES_OF_PASSAGE_MAX = 16;
const NO_PLACE = { start: null, end: null } as const;

/** Turns places in the bytes of a text into places in its UTF-16 units. */
class Places {
  readonly #text: string;
  #bytes: Buffer | null = null;
  /** UTF-16 units before every `STEP`-th byte. */
  #marks: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  of({ startIndex = 0, endIndex }: JsonObject): Pick<Citation, 'start' | 'end'> {
    if (!isWholeNumber(startIndex) || !isWholeNumber(endIndex) || startIndex < 0 || endIndex < startIndex)
      return NO_PLACE;
    this.#bytes ??= this.#measure();
    if (endIndex > this.#bytes.length) return NO_PLACE;
    return { start: this.#unitsAt(startIndex), end: this.#unitsAt(endIndex) };
  }

  #measure(): Buffer {
    const bytes = Buffer.from(this.#text);
    let units = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (at % STEP === 0) this.#marks.push(units);
      units += unitsOf(bytes[at] as number);
    }
    return bytes;
  }

  #unitsAt(place: number): number {
    const bytes = this.#bytes as Buffer;
    const mark = Math.min(Math.floor(place / STEP), this.#marks.length - 1);
    let units = this.#marks[mark] ?? 0;
    for (let at = Math.max(0, mark) * STEP; at < place; at += 1) units += unitsOf(bytes[at] as number);
    return units;
  }
}

const STEP = 256;

/** A character counts at its first byte; one of four bytes has two units. */
function unitsOf(byte: number): number {
  if ((byte & 0xc0) === 0x80) return 0;
  return byte >= 0xf0 ? 2 : 1;
}
