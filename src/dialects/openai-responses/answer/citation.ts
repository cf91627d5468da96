/** A citation of an answer, an entry of `annotations`: https://platform.openai.com/docs/guides/tools-web-search#output-and-citations */
import type { ChatEvent, Citation } from '../../../chat/response.ts';
import { asText, isWholeNumber, type JsonObject } from '../../../core/json-object.ts';
import { CITATION_WITHOUT_ADDRESS, lossOfAnnotation } from './losses.ts';

/** The event of an annotation: its citation, or what is lost. */
export function readCitation(annotation: JsonObject): ChatEvent {
  if (annotation['type'] !== 'url_citation') return { type: 'warning', text: lossOfAnnotation(annotation['type']) };
  const url = asText(annotation['url']);
  if (url === null) return { type: 'warning', text: CITATION_WITHOUT_ADDRESS };
  const start = annotation['start_index'];
  const end = annotation['end_index'];
  const isKnown = isWholeNumber(start) && isWholeNumber(end) && start >= 0 && end > start;
  return {
    type: 'citation',
    citation: {
      url,
      title: asText(annotation['title']) ?? '',
      quote: asText(annotation['content']) ?? '',
      start: isKnown ? start : null,
      end: isKnown ? end : null,
    },
  };
}

/** The format has no value for an unknown position: 0 and 0. `content` is OpenRouter's. */
export function writeCitation({ url, title, quote, start, end }: Citation): JsonObject {
  return {
    type: 'url_citation',
    url,
    title,
    ...(quote !== '' && { content: quote }),
    start_index: start ?? 0,
    end_index: end ?? 0,
  };
}
