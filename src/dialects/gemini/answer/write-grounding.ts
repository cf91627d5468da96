/**
 * Citations of an answer as Google writes what a search found: the pages, and the passages of the answer that they support.
 *
 * https://ai.google.dev/gemini-api/docs/google-search#understanding_the_grounding_response
 */
import type { Citation } from '../../../chat/response.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { writeCitation } from './citation.ts';

/** A citation with its place in bytes of the answer's text, as Google counts; null if that is unknown. */
export interface PlacedCitation {
  readonly citation: Citation;
  readonly place: { readonly start: number; readonly end: number } | null;
}

/** `groundingMetadata`; each page is listed once. */
export function writeGrounding(citations: readonly PlacedCitation[]): JsonObject {
  const pages = new Map<string, number>();
  const chunks: JsonObject[] = [];
  const supports: JsonObject[] = [];
  for (const { citation, place } of citations) {
    const { url, quote } = citation;
    let index = pages.get(url);
    if (index === undefined) {
      index = chunks.length;
      pages.set(url, index);
      chunks.push(writeCitation(citation));
    }
    if (place === null && quote === '') continue;
    const segment = {
      ...(place !== null && { startIndex: place.start, endIndex: place.end }),
      ...(quote !== '' && { text: quote }),
    };
    supports.push({ segment, groundingChunkIndices: [index] });
  }
  return { groundingChunks: chunks, ...(supports.length > 0 && { groundingSupports: supports }) };
}
