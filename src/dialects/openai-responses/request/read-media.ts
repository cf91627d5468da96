/** Images, files and sounds in an item: https://platform.openai.com/docs/guides/images-vision, https://platform.openai.com/docs/guides/pdf-files */
import type { AudioBlock, CacheMark, DocumentBlock, ImageBlock, JsonObject } from '../../../chat/request.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { isImage, readMedia, textOf } from '../../kit/media/media-address.ts';
import { isAbsent, readName, readObject, readText, readTextOrNull } from '../../kit/request/request-values.ts';
import { warnOfUnknown } from './unknown-fields.ts';

export function readImage(part: JsonObject, path: string, cache: CacheMark | null): ImageBlock | DocumentBlock {
  const at = `${path}.image_url`;
  const source = readMedia(readText(part['image_url'], at), at, null);
  const { detail } = part;
  if (source.type === 'url' || isImage(source)) {
    const known = detail === 'low' || detail === 'high' || detail === 'auto';
    return { type: 'image', source, detail: known ? detail : null, cache };
  }
  // Several vendors accept PDF files as an image.
  if (source.mediaType === 'application/pdf') return documentBlock(source, null, cache);
  throw invalid(at, `"${at}" must be an image.`);
}

/** By its content, or by an address that the provider reads. */
export function readFile(
  part: JsonObject,
  path: string,
  cache: CacheMark | null,
  warnings: Set<string>,
): ImageBlock | DocumentBlock {
  const name = readTextOrNull(part['filename'], `${path}.filename`) || null;
  if (isAbsent(part['file_data'])) {
    const at = `${path}.file_url`;
    return documentBlock(readMedia(readName(part['file_url'], at), at, null), name, cache);
  }
  if (!isAbsent(part['file_url'])) warnings.add('file_url was left out: file_data is used instead');
  const at = `${path}.file_data`;
  const media = readMedia(readName(part['file_data'], at), at, 'application/pdf');
  if (isImage(media)) return { type: 'image', source: media, detail: null, cache };
  const text = textOf(media);
  return documentBlock(text === null ? media : { type: 'text', text }, name, cache);
}

/** As in the chat completions format; OpenRouter and others take it here too. */
export function readAudio(value: unknown, path: string, cache: CacheMark | null, warnings: Set<string>): AudioBlock {
  const audio = readObject(value, path);
  warnOfUnknown(audio, KNOWN_IN_AUDIO, 'input[].content[].input_audio.', warnings);
  return {
    type: 'audio',
    data: readName(audio['data'], `${path}.data`),
    format: readName(audio['format'], `${path}.format`),
    cache,
  };
}

const KNOWN_IN_AUDIO: ReadonlySet<string> = new Set(['data', 'format']);

function documentBlock(source: DocumentBlock['source'], name: string | null, cache: CacheMark | null): DocumentBlock {
  return { type: 'document', source, name, context: null, citations: false, cache };
}
