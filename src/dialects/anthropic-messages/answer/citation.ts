/**
 * Citations of an answer. Only the format's citations of a page can be expressed elsewhere; the others point into the caller's own
 * documents and are left out with a warning.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/citations
 */
import type { Citation } from '../../../chat/response.ts';
import { addWarning } from '../../../chat/warnings.ts';
import { isObject, type JsonObject, stringOf } from '../../../core/json-object.ts';
import { CITATION_WITHOUT_ADDRESS } from './losses.ts';

/** Null if no page is named. The format says which block a citation belongs to, not where in its text. */
export function readCitation(value: unknown): Citation | null {
  if (!isObject(value)) return null;
  const url = value['type'] === 'search_result_location' ? value['source'] : value['url'];
  if (typeof url !== 'string' || !ADDRESS.test(url)) return null;
  return { url, title: stringOf(value['title']), quote: stringOf(value['cited_text']), start: null, end: null };
}

export function readCitations(value: unknown, warnings: Set<string>): readonly Citation[] {
  if (!Array.isArray(value)) return [];
  const citations = value.map(readCitation).filter((citation) => citation !== null);
  if (citations.length < value.length) addWarning(warnings, CITATION_WITHOUT_ADDRESS);
  return citations;
}

/** Written as the citation of a web page. `encrypted_index` is of use only to Anthropic, and left empty. */
export function writeCitation(citation: Citation): JsonObject {
  return {
    type: 'web_search_result_location',
    url: citation.url,
    title: citation.title,
    encrypted_index: '',
    cited_text: citation.quote,
  };
}

/** The source of a search result is any text the caller chose; only an address is a page. */
const ADDRESS = /^https?:\/\//i;
