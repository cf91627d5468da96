/** Images and documents as a provider of this format reads them. */
import type { DocumentBlock, ImageBlock, VideoBlock } from '../../../chat/request.ts';
import { assertNever } from '../../../core/assert.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import type { Written } from './cache-marks.ts';

export function writeImage({ source, detail }: ImageBlock): Written {
  if (source.type === 'text') throw unsupported('messages', 'An image cannot be given as text.');
  const url = source.type === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
  return { url, detail: detail ?? undefined };
}

/** As OpenRouter, vLLM and others take it: https://openrouter.ai/docs/features/multimodal/videos */
export function writeVideo({ source }: VideoBlock): string {
  if (source.type === 'text') throw unsupported('messages', 'A video cannot be given as text.');
  return source.type === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
}

/** What the caller says about a document is sent before it as text: the format has a field only for the name. */
export function writeDocument(
  block: DocumentBlock,
  cache_control: Written | undefined,
  warnings: Set<string>,
): readonly Written[] {
  const { source, name, context } = block;
  if (block.citations) warnings.add('citations of documents are not supported by this provider and were left out');
  const before = context === null || context.trim() === '' ? [] : [{ type: 'text', text: context }];
  switch (source.type) {
    case 'text': {
      const text = name === null ? source.text : `Document "${name}":\n\n${source.text}`;
      return [...before, { type: 'text', text, cache_control }];
    }
    case 'base64': {
      const filename = name ?? (source.mediaType === 'application/pdf' ? 'document.pdf' : 'document');
      const file_data = `data:${source.mediaType};base64,${source.data}`;
      return [...before, { type: 'file', file: { filename, file_data }, cache_control }];
    }
    case 'url':
      throw unsupported(
        'messages',
        'This provider takes documents only with their content, not by address; send the content itself.',
      );
    default:
      return assertNever(source);
  }
}
