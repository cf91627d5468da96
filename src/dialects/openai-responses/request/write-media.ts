/** Images and documents as a provider of this format reads them. */
import type { DocumentBlock, ImageBlock } from '../../../chat/request.ts';
import { assertNever } from '../../../core/assert.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';

export function writeImage({ source, detail }: ImageBlock): JsonObject {
  if (source.type === 'text') throw unsupported('messages', 'An image cannot be given as text.');
  const url = source.type === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
  return { type: 'input_image', image_url: url, detail: detail ?? 'auto' };
}

/** What the caller says about a document is sent before it as text: the format has a field only for the name. */
export function writeDocument(
  { source, name, context, citations }: DocumentBlock,
  warnings: Set<string>,
): readonly JsonObject[] {
  if (citations) warnings.add('citations of documents are not supported by this provider and were left out');
  const before = context === null || context.trim() === '' ? [] : [inputText(context)];
  switch (source.type) {
    case 'text':
      return [...before, inputText(name === null ? source.text : `Document "${name}":\n\n${source.text}`)];
    case 'base64': {
      const filename = name ?? (source.mediaType === 'application/pdf' ? 'document.pdf' : 'document');
      const file_data = `data:${source.mediaType};base64,${source.data}`;
      return [...before, { type: 'input_file', filename, file_data }];
    }
    case 'url':
      // The format takes no name together with an address, so the text before it says the name.
      return [
        ...before,
        ...(name === null ? [] : [inputText(`Document "${name}":`)]),
        { type: 'input_file', file_url: source.url },
      ];
    default:
      return assertNever(source);
  }
}

export function inputText(text: string): JsonObject {
  return { type: 'input_text', text };
}
