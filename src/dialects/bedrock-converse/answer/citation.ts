/**
 * Citations of an answer. Only those of a page can be expressed elsewhere; the others point into the caller's own documents.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Citation.html
 */
import type { Citation } from '../../../chat/response.ts';
import { isObject, objectsOf, stringOf } from '../../../core/json-object.ts';

/** Null if no page is named. The format says which block a citation belongs to, not where in its text. */
export function readCitation(value: unknown): Citation | null {
  if (!isObject(value)) return null;
  const { title, source, sourceContent, location } = value;
  const web = isObject(location) ? location['web'] : null;
  const url = isObject(web) ? web['url'] : source;
  if (typeof url !== 'string' || !ADDRESS.test(url)) return null;
  const quote = objectsOf(sourceContent)
    .map(({ text }) => stringOf(text))
    .join('');
  return { url, title: stringOf(title), quote, start: null, end: null };
}

/** The source of a search result is any text the caller chose; only an address is a page. */
const ADDRESS = /^https?:\/\//i;
