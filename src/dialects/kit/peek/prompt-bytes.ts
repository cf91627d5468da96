import type { JsonDocument } from '../../../wire/json-document.ts';
import type { InlineMedia } from '../media/inline-media.ts';

/** The total bytes of these top-level fields without media: about what a model reads of a request. */
export function promptBytesOf(document: JsonDocument, fields: readonly string[], media: InlineMedia): number {
  let bytes = 0;
  for (const name of fields) {
    const field = document.fields.get(name);
    if (field !== undefined) bytes += field.valueEnd - field.valueStart;
  }
  return bytes - media.bytes;
}
