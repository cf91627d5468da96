/**
 * Images, sounds, videos and documents of a request: https://ai.google.dev/api/caching#Blob. A part without a type of media that other formats
 * have is refused, because the question may be about it.
 */
import type { AudioBlock, DocumentBlock, ImageBlock, VideoBlock } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { readName, readObject, readTextOrNull } from '../../kit/request/request-values.ts';
import { fieldOf } from '../field-names.ts';
import { knownFields, quotable, warnOfUnknown } from './unknown-fields.ts';

export type MediaBlock = ImageBlock | DocumentBlock | AudioBlock | VideoBlock;

/** `path` is that of `inlineData`. */
export function readBlob(value: unknown, path: string, warnings: Set<string>): MediaBlock {
  const blob = readObject(value, path);
  warnOfUnknown(blob, KNOWN_IN_BLOB, 'inlineData.', warnings);
  const mediaType = readName(fieldOf(blob, 'mimeType', path), `${path}.mimeType`);
  const data = standardBase64(readName(blob['data'], `${path}.data`));
  const name = readTextOrNull(fieldOf(blob, 'displayName', path), `${path}.displayName`);
  const [kind = '', subtype = ''] = typeOf(mediaType).split('/');
  if (kind === 'image') return imageOf({ type: 'base64', mediaType: typeOf(mediaType), data });
  if (kind === 'audio') return { type: 'audio', data, format: SOUNDS.get(subtype) ?? subtype, cache: null };
  if (typeOf(mediaType) === PDF) return documentOf({ type: 'base64', mediaType: PDF, data }, name);
  if (kind === 'video')
    return { type: 'video', source: { type: 'base64', mediaType: typeOf(mediaType), data }, cache: null };
  if (kind === 'text') return documentOf({ type: 'text', text: Buffer.from(data, 'base64').toString() }, name);
  throw cannotPass(mediaType, path);
}

/** A public address; the peek has refused stored files. `path` is that of `fileData`. */
export function readFile(value: unknown, path: string, warnings: Set<string>): MediaBlock {
  const file = readObject(value, path);
  warnOfUnknown(file, KNOWN_IN_FILE, 'fileData.', warnings);
  const url = readName(fieldOf(file, 'fileUri', path), `${path}.fileUri`);
  const mediaType = readTextOrNull(fieldOf(file, 'mimeType', path), `${path}.mimeType`) ?? '';
  const name = readTextOrNull(fieldOf(file, 'displayName', path), `${path}.displayName`);
  if (typeOf(mediaType).startsWith('image/')) return imageOf({ type: 'url', url });
  if (typeOf(mediaType) === PDF) return documentOf({ type: 'url', url }, name);
  // A video on YouTube is named without a type: https://ai.google.dev/gemini-api/docs/video-understanding#youtube
  if (mediaType === '' || typeOf(mediaType).startsWith('video/'))
    return { type: 'video', source: { type: 'url', url }, cache: null };
  throw cannotPass(mediaType, path);
}

const KNOWN_IN_BLOB = knownFields(['mimeType', 'data', 'displayName']);
const KNOWN_IN_FILE = knownFields(['mimeType', 'fileUri', 'displayName']);
const PDF = 'application/pdf';

/** Subtypes whose usual name is another. */
const SOUNDS: ReadonlyMap<string, string> = new Map([
  ['mpeg', 'mp3'],
  ['x-wav', 'wav'],
  ['wave', 'wav'],
  ['vnd.wave', 'wav'],
]);

function imageOf(source: ImageBlock['source']): ImageBlock {
  return { type: 'image', source, detail: null, cache: null };
}

function documentOf(source: DocumentBlock['source'], name: string | null): DocumentBlock {
  return { type: 'document', source, name: name || null, context: null, citations: false, cache: null };
}

/** Without parameters: `text/plain; charset=utf-8`. */
function typeOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Google also takes the alphabet for URLs, which Python's clients write; other formats do not. */
function standardBase64(data: string): string {
  return /[-_]/.test(data) ? data.replaceAll('-', '+').replaceAll('_', '/') : data;
}

function cannotPass(mediaType: string, path: string): Error {
  return unsupported(
    path,
    `Media of the type "${quotable(mediaType.replace('/', '.')).replace('.', '/')}" cannot be passed to this model.`,
  );
}
