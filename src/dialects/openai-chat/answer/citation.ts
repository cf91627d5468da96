/** A citation of an answer, an entry of `annotations`: https://platform.openai.com/docs/api-reference/chat/object */
import type { Citation } from '../../../chat/response.ts';
import { asText, type JsonObject } from '../../../core/json-object.ts';

/** Null if no page is named. */
export function readCitation(page: JsonObject): Citation | null {
  const url = asText(page['url']);
  if (url === null) return null;
  const start = place(page['start_index']);
  const end = place(page['end_index']);
  // OpenRouter writes 0 and 0 for an unknown position.
  const known = start !== null && end !== null && end > start;
  return {
    url,
    title: asText(page['title']) ?? '',
    quote: asText(page['content']) ?? '',
    start: known ? start : null,
    end: known ? end : null,
  };
}

/** The format has no value for an unknown position: 0 and 0, as OpenRouter writes. */
export function writeCitation({ url, title, quote, start, end }: Citation): object {
  return {
    type: 'url_citation',
    url_citation: {
      url,
      title,
      ...(quote === '' ? {} : { content: quote }),
      start_index: start ?? 0,
      end_index: end ?? 0,
    },
  };
}

function place(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
