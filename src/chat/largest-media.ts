/** The length of a request's longest image, document or sound, in characters. Decides how the request is written. */
import type { ChatRequest, MediaSource, Turn } from './request.ts';

export function largestMedia({ turns }: ChatRequest): number {
  let largest = 0;
  for (const turn of turns) {
    for (const block of turn.blocks) largest = Math.max(largest, sizeOf(block));
  }
  return largest;
}

function sizeOf(block: Turn['blocks'][number]): number {
  switch (block.type) {
    case 'image':
    case 'document':
    case 'video':
      return lengthOf(block.source);
    case 'audio':
      return block.data.length;
    case 'tool_result':
      return block.content.reduce((largest, item) => Math.max(largest, sizeOf(item)), 0);
    default:
      return 0;
  }
}

function lengthOf(source: MediaSource): number {
  switch (source.type) {
    case 'base64':
      return source.data.length;
    case 'url':
      return source.url.length;
    case 'text':
      return source.text.length;
  }
}
