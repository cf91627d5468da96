/**
 * Images and files in a request: inline as `data:` URLs or bare base 64, or by URL. Their type is judged by the first bytes, because
 * callers get the media type wrong and some providers refuse that.
 */
import type { MediaSource } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { invalid } from '../errors/request-errors.ts';
import { IMAGE_HEAD_BYTES, imageTypeOf } from './image-type.ts';

/** Inline media, or a URL that the provider should fetch. */
export type Media = Exclude<MediaSource, { readonly type: 'text' }>;

/** Media from a field at `path`; `bareType` is the media type of a value that is not a URL. */
export function readMedia(value: string, path: string, bareType: string | null): Media {
  if (/^data:/i.test(value)) return readDataAddress(value, path);
  if (/^https?:\/\//i.test(value)) return { type: 'url', url: value };
  if (bareType === null || value.includes(':')) {
    throw invalid(path, `"${path}" must be an https: or a data: address.`);
  }
  return inline(bareType, value, path);
}

/** The text of inline media with a text type, otherwise null. */
export function textOf(media: Media): string | null {
  if (media.type !== 'base64' || !TEXT_TYPES.test(media.mediaType)) return null;
  return Buffer.from(media.data, 'base64').toString('utf8');
}

export function isImage(media: Media): boolean {
  return media.type === 'base64' && media.mediaType.startsWith('image/');
}

const TEXT_TYPES = /^(text\/.+|application\/(json|xml|yaml|x-yaml|javascript))$/;
/** Media types and their parameters are short; anything longer is not the head of a `data:` URL. */
const HEAD_LENGTH_MAX = 512;

/** RFC 2397. Without `;base64` the data is percent-encoded text. */
function readDataAddress(address: string, path: string): Media {
  const comma = address.slice(0, HEAD_LENGTH_MAX).indexOf(',');
  if (comma === -1) throw invalid(path, `"${path}" is not a whole data: address.`);
  const [mediaType = '', ...parameters] = address.slice('data:'.length, comma).split(';');
  const data = address.slice(comma + 1);
  const base64 = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64');
  return inline(mediaType.trim().toLowerCase() || 'text/plain', base64 ? data : encoded(data, path), path);
}

function encoded(data: string, path: string): string {
  try {
    return Buffer.from(decodeURIComponent(data)).toString('base64');
  } catch (cause) {
    throw new GatewayError('invalid_value', { message: `"${path}" is not well encoded.`, param: path, cause });
  }
}

function inline(mediaType: string, data: string, path: string): Media {
  if (data === '') throw invalid(path, `"${path}" holds no data.`);
  return { type: 'base64', mediaType: sniffed(data) ?? (mediaType === 'image/jpg' ? 'image/jpeg' : mediaType), data };
}

/** The base 64 length of the bytes that identify every type. */
const HEAD_CHARACTERS = (IMAGE_HEAD_BYTES / 3) * 4;

function sniffed(data: string): string | null {
  const head = Buffer.from(data.slice(0, HEAD_CHARACTERS), 'base64').toString('latin1');
  return imageTypeOf(head) ?? (head.startsWith('%PDF-') ? 'application/pdf' : null);
}
