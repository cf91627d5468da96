/**
 * Images, documents, sounds and videos: https://ai.google.dev/gemini-api/docs/file-input-methods
 *
 * A file in Google's own storage (`files/…`, `gs://…`) belongs to the operator's account, so no caller may name one.
 */
import type { AudioBlock, DocumentBlock, ImageBlock, MediaSource, VideoBlock } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { imageTypeInBase64 } from '../../kit/media/image-type.ts';
import type { DialectTarget } from '../quirks.ts';
import type { Written } from './written.ts';

/** Throws `GatewayError` 400 for text, and for an address that cannot be read. */
export function writeImage({ source }: ImageBlock, target: DialectTarget): Written {
  if (source.type === 'text') throw unsupported('messages', 'Text cannot be sent as an image.');
  if (source.type === 'url') return fileAt(source.url, target, IMAGE_TYPES);
  return inlineData(imageTypeInBase64(source.data) ?? source.mediaType.toLowerCase(), source.data);
}

/** What the caller says about a document is sent before it as text: the format has no field for it. */
export function writeDocument(block: DocumentBlock, target: DialectTarget, warnings: Set<string>): readonly Written[] {
  const { source, name, context } = block;
  if (block.citations) warnings.add('citations of documents are not supported by this provider and were left out');
  const before = context === null || context.trim() === '' ? [] : [{ text: context }];
  const title = name === null || name === '' ? null : `Document "${name}":`;
  const text = textOf(source);
  if (text !== null) return [...before, { text: title === null ? text : `${title}\n\n${text}` }];
  return [...before, ...(title === null ? [] : [{ text: title }]), fileOf(source, target, DOCUMENT_TYPES)];
}

export function writeAudio({ data, format }: AudioBlock): Written {
  return inlineData(format.includes('/') ? format : `audio/${format}`, data);
}

/** Throws `GatewayError` 400 as `writeImage`. Videos on YouTube may be named by every model. */
export function writeVideo({ source }: VideoBlock, target: DialectTarget): Written {
  if (source.type === 'url' && YOUTUBE.test(source.url)) return { fileData: { fileUri: source.url } };
  return fileOf(source, target, VIDEO_TYPES);
}

/** https://ai.google.dev/gemini-api/docs/video-understanding#youtube */
const YOUTUBE = /^https:\/\/(?:www\.youtube\.com\/watch\?|youtu\.be\/)/;

function fileOf(source: MediaSource, target: DialectTarget, types: ReadonlyMap<string, string>): Written {
  switch (source.type) {
    case 'text':
      return { text: source.text };
    case 'url':
      return fileAt(source.url, target, types);
    case 'base64':
      return inlineData(source.mediaType.toLowerCase(), source.data);
  }
}

function fileAt(url: string, { quirks }: DialectTarget, types: ReadonlyMap<string, string>): Written {
  if (!/^https?:\/\//i.test(url) || OWN_FILES.test(url))
    throw unsupported('messages', 'This file cannot be named by its address; send the content itself.');
  if (!quirks.fetchesUrls)
    throw unsupported('messages', 'This model does not fetch files from addresses; send the content itself.');
  const ending = /\.(\w{1,8})(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '';
  const mimeType = types.get(ending);
  return { fileData: { ...(mimeType !== undefined && { mimeType }), fileUri: url } };
}

const OWN_FILES = /^https?:\/\/[^/?#]*\bgoogleapis\.com\b/i;

/** The type by the ending of an address: https://ai.google.dev/gemini-api/docs/file-input-methods#supported-content-types */
const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['bmp', 'image/bmp'],
]);
const DOCUMENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['html', 'text/html'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
]);
const VIDEO_TYPES: ReadonlyMap<string, string> = new Map([
  ['mp4', 'video/mp4'],
  ['mpeg', 'video/mpeg'],
  ['mov', 'video/quicktime'],
  ['avi', 'video/avi'],
  ['webm', 'video/webm'],
  ['wmv', 'video/wmv'],
]);

function inlineData(mimeType: string, data: string): Written {
  return { inlineData: { mimeType, data } };
}

/** Null if it is not plain text. */
function textOf(source: MediaSource): string | null {
  if (source.type === 'text') return source.text;
  if (source.type !== 'base64' || !source.mediaType.toLowerCase().startsWith('text/')) return null;
  return Buffer.from(source.data, 'base64').toString();
}
