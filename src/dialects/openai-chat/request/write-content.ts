/** Content parts as a provider of this format reads them. */
import type { AudioBlock, DocumentBlock, ImageBlock, TextBlock, VideoBlock } from '../../../chat/request.ts';
import { assertNever } from '../../../core/assert.ts';
import { cacheControl, type MessageStyle, type Written } from './cache-marks.ts';
import { writeDocument, writeImage, writeVideo } from './write-media.ts';

export type PartBlock = TextBlock | ImageBlock | DocumentBlock | AudioBlock | VideoBlock;

/**
 * A single block of text is written as a string, which every server reads; several are not joined, so that a prompt cache finds the same
 * prefix again.
 */
export function writeContent(blocks: readonly PartBlock[], style: MessageStyle): string | readonly Written[] {
  const [first] = blocks;
  if (first === undefined) return '';
  if (blocks.length === 1 && first.type === 'text' && cacheControl(first.cache, style) === undefined) return first.text;
  return blocks.flatMap((block) => writePart(block, style));
}

function writePart(block: PartBlock, style: MessageStyle): readonly Written[] {
  const cache_control = cacheControl(block.cache, style);
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text, cache_control }];
    case 'image':
      return [{ type: 'image_url', image_url: writeImage(block), cache_control }];
    case 'document':
      return writeDocument(block, cache_control, style.warnings);
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: block.data, format: block.format }, cache_control }];
    case 'video':
      return [{ type: 'video_url', video_url: { url: writeVideo(block) }, cache_control }];
    default:
      return assertNever(block);
  }
}
