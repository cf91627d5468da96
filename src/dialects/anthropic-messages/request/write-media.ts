/**
 * Images and documents for the Messages API.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/vision
 * https://docs.anthropic.com/en/docs/build-with-claude/pdf-support
 */
import type { DocumentBlock, ImageBlock, MediaSource } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { imageTypeInBase64 } from '../../kit/media/image-type.ts';
import type { WireBlock } from './cache-marks.ts';

/** Throws `GatewayError` 400 for a type of image that the API does not read. */
export function writeImage(block: ImageBlock): WireBlock {
  const { source } = block;
  if (source.type === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
  if (source.type === 'text') throw unsupported('messages', 'Text cannot be sent as an image.');
  const mediaType = imageTypeInBase64(source.data) ?? source.mediaType.toLowerCase();
  if (!IMAGE_TYPES.has(mediaType)) throw unsupported('messages', 'An image must be a JPEG, PNG, GIF or WebP.');
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: source.data } };
}

/** Throws `GatewayError` 400 for a type of document that the API does not read. */
export function writeDocument(block: DocumentBlock): WireBlock {
  return {
    type: 'document',
    source: writeSource(block.source),
    ...(block.name !== null && block.name !== '' && { title: block.name }),
    ...(block.context !== null && block.context !== '' && { context: block.context }),
    ...(block.citations && { citations: { enabled: true } }),
  };
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
function writeSource(source: MediaSource): WireBlock {
  if (source.type === 'url') return { type: 'url', url: source.url };
  if (source.type === 'text') return plainText(source.text);
  const mediaType = source.mediaType.toLowerCase();
  if (mediaType.startsWith('text/')) return plainText(Buffer.from(source.data, 'base64').toString());
  if (mediaType !== 'application/pdf') throw unsupported('messages', 'A document must be a PDF or plain text.');
  return { type: 'base64', media_type: mediaType, data: source.data };
}

function plainText(text: string): WireBlock {
  return { type: 'text', media_type: 'text/plain', data: text };
}
