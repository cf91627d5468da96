/**
 * Images, documents, sounds and videos for Converse, which takes their bytes: it does not fetch from addresses.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
 */
import type { AudioBlock, DocumentBlock, ImageBlock, MediaSource, VideoBlock } from '../../../chat/request.ts';
import type { GatewayError } from '../../../core/errors.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { imageTypeInBase64 } from '../../kit/media/image-type.ts';
import type { ModelFamily } from '../model-family.ts';
import type { WireBlock } from './cache-points.ts';
import type { DocumentNames } from './document-names.ts';

/** Throws `GatewayError` 400 for an address, and for a type of image that the API does not read. */
export function writeImage({ source }: ImageBlock): WireBlock {
  if (source.type === 'url') throw noAddress('an image');
  if (source.type === 'text') throw unsupported('messages', 'Text cannot be sent as an image.');
  const format = IMAGE_FORMATS.get(imageTypeInBase64(source.data) ?? source.mediaType.toLowerCase());
  if (format === undefined) throw unsupported('messages', 'An image must be a JPEG, PNG, GIF or WebP.');
  return { image: { format, source: { bytes: source.data } } };
}

/** Throws `GatewayError` 400 for an address, and for a type of document that the API does not read. */
export function writeDocument(
  block: DocumentBlock,
  names: DocumentNames,
  family: ModelFamily,
  warnings: Set<string>,
): WireBlock {
  const { format, bytes } = readSource(block.source);
  const document = { format, name: names.next(block.name), source: { bytes } };
  const context = block.context !== null && block.context.trim() !== '' ? { context: block.context } : {};
  if (family === 'claude' || family === 'unknown')
    return { document: { ...document, ...context, ...(block.citations && { citations: { enabled: true } }) } };
  if (block.citations) warnings.add('citations of documents are not supported by this model and were left out');
  return { document: { ...document, ...context } };
}

/** Throws `GatewayError` 400 for a format that the API does not read. */
export function writeAudio({ data, format }: AudioBlock): WireBlock {
  const known = format.toLowerCase();
  if (!AUDIO_FORMATS.has(known))
    throw unsupported('messages', `Sound in the format "${format}" is not supported here.`);
  return { audio: { format: known, source: { bytes: data } } };
}

/**
 * Of the models that this API serves, Amazon's take videos: https://docs.aws.amazon.com/nova/latest/userguide/modalities-video.html. Throws
 * `GatewayError` 400 for other vendors' models, for an address, and for a type of video that the API does not read.
 */
export function writeVideo({ source }: VideoBlock, family: ModelFamily): WireBlock {
  if (family !== 'nova' && family !== 'unknown') throw unsupported('messages', 'This model does not support video.');
  if (source.type === 'url') throw noAddress('a video');
  const [mediaType = ''] = source.type === 'text' ? [] : source.mediaType.toLowerCase().split(';');
  const format = VIDEO_FORMATS.get(mediaType.trim());
  if (source.type === 'text' || format === undefined)
    throw unsupported('messages', 'A video must be an MP4, MOV, MKV, WebM, FLV, MPEG, WMV or 3GP file.');
  return { video: { format, source: { bytes: source.data } } };
}

const VIDEO_FORMATS: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mov'],
  ['video/mov', 'mov'],
  ['video/x-matroska', 'mkv'],
  ['video/matroska', 'mkv'],
  ['video/webm', 'webm'],
  ['video/x-flv', 'flv'],
  ['video/flv', 'flv'],
  ['video/mpeg', 'mpeg'],
  ['video/mpg', 'mpg'],
  ['video/x-ms-wmv', 'wmv'],
  ['video/wmv', 'wmv'],
  ['video/3gpp', 'three_gp'],
]);

const IMAGE_FORMATS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);

const DOCUMENT_FORMATS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
]);

const AUDIO_FORMATS: ReadonlySet<string> = new Set(
  'mp3 opus wav aac flac mp4 ogg mkv mka m4a mpeg mpga pcm webm'.split(' '),
);

function readSource(source: MediaSource): { readonly format: string; readonly bytes: string } {
  if (source.type === 'url') throw noAddress('a document');
  if (source.type === 'text') return { format: 'txt', bytes: Buffer.from(source.text).toString('base64') };
  const [mediaType = ''] = source.mediaType.toLowerCase().split(';');
  const format = DOCUMENT_FORMATS.get(mediaType.trim()) ?? (mediaType.startsWith('text/') ? 'txt' : null);
  if (format === null)
    throw unsupported('messages', 'A document must be a PDF, a text, a CSV, HTML, Word or Excel file.');
  return { format, bytes: source.data };
}

function noAddress(what: string): GatewayError {
  return unsupported('messages', `This provider does not fetch ${what} from an address; send its content.`);
}
