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
import type { TextPlaces } from './text-places.ts';

export interface CitationReading {
  readonly citations: readonly Citation[];
  readonly warnings: readonly string[];
}

/** Those of a candidate; `places` has the text of the answer so far. */
export function readCitations(candidate: JsonObject, places: TextPlaces): CitationReading {
  const grounding = asObject(candidate['groundingMetadata']);
  const recited = asArray(asObject(candidate['citationMetadata'])?.['citationSources']);
  if (grounding === null && recited.length === 0) return NONE;
  const citations: Citation[] = [];
  const warnings = new Set<string>();
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
