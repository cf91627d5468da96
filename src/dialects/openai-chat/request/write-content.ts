/** Content parts as a provider of this format reads them. */
import type { AudioBlock, CacheMark, DocumentBlock, ImageBlock, TextBlock } from '../../../chat/request.ts';
import { assertNever } from '../../../core/assert.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';

/** A piece of a body; fields that are `undefined` are not written. */
export type Written = Readonly<Record<string, unknown>>;

export type PartBlock = TextBlock | ImageBlock | DocumentBlock | AudioBlock;

/** What the messages of one request have in common. */
export interface MessageStyle {
  /** Whether cache marks may stand on parts. */
  readonly cacheControl: boolean;
  readonly warnings: Set<string>;
}

/**
 * One block of text alone is written as a string, which every server reads; several stay several, so that a prompt
 * cache finds the same beginning again.
 */
export function writeContent(blocks: readonly PartBlock[], style: MessageStyle): string | readonly Written[] {
  const [first] = blocks;
  if (first === undefined) return '';
  if (blocks.length === 1 && first.type === 'text' && cacheControl(first.cache, style) === undefined) return first.text;
  return blocks.flatMap((block) => writePart(block, style));
}

/** `cache_control` for a part or a tool, or `undefined` where there is no mark or the provider takes none: it is only a hint. */
export function cacheControl(mark: CacheMark | null, style: MessageStyle): Written | undefined {
  if (mark === null || !style.cacheControl) return undefined;
  return mark === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: mark };
}

export function textPart(text: string): Written {
  return { type: 'text', text };
}

function writePart(block: PartBlock, style: MessageStyle): readonly Written[] {
  const cache_control = cacheControl(block.cache, style);
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text, cache_control }];
    case 'image':
      return [{ type: 'image_url', image_url: writeImage(block), cache_control }];
    case 'document':
      return writeDocument(block, cache_control, style);
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: block.data, format: block.format }, cache_control }];
    default:
      return assertNever(block);
  }
}

function writeImage({ source, detail }: ImageBlock): Written {
  if (source.type === 'text') throw unsupported('messages', 'An image cannot be given as text.');
  const url = source.type === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
  return { url, detail: detail ?? undefined };
}

/** What the caller says about a document stands before it as text: the format has a field for the name only. */
function writeDocument(
  block: DocumentBlock,
  cache_control: Written | undefined,
  style: MessageStyle,
): readonly Written[] {
  const { source, name, context } = block;
  if (block.citations) style.warnings.add('citations of documents are not known to this provider and were left out');
  const before = context === null || context.trim() === '' ? [] : [textPart(context)];
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
