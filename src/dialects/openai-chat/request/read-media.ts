/** Images, files and sounds in a message: https://platform.openai.com/docs/api-reference/chat/create (messages) */
import type { AudioBlock, CacheMark, DocumentBlock, ImageBlock, VideoBlock } from '../../../chat/request.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { isImage, readMedia, textOf } from '../../kit/media/media-address.ts';
import { readName, readObject, readText, readTextOrNull } from '../../kit/request/request-values.ts';

export function readImage(value: unknown, path: string, cache: CacheMark | null): ImageBlock | DocumentBlock {
  const image = typeof value === 'string' ? { url: value } : readObject(value, path);
  const source = readMedia(readText(image['url'], `${path}.url`), `${path}.url`, null);
  const { detail } = image;
  if (source.type === 'url' || isImage(source)) {
    const known = detail === 'low' || detail === 'high' || detail === 'auto';
    return { type: 'image', source, detail: known ? detail : null, cache };
  }
  // Several vendors accept PDF files as an image.
  if (source.mediaType === 'application/pdf') return documentBlock(source, null, cache);
  throw invalid(`${path}.url`, `"${path}.url" must be an image.`);
}

export function readFile(file: JsonObject, path: string, cache: CacheMark | null): ImageBlock | DocumentBlock {
  const name = readTextOrNull(file['filename'], `${path}.filename`);
  const data = readName(file['file_data'], `${path}.file_data`);
  const media = readMedia(data, `${path}.file_data`, 'application/pdf');
  if (isImage(media)) return { type: 'image', source: media, detail: null, cache };
  const text = textOf(media);
  return documentBlock(text === null ? media : { type: 'text', text }, name, cache);
}

/** OpenRouter's: https://openrouter.ai/docs/features/multimodal/videos */
export function readVideo(value: unknown, path: string, cache: CacheMark | null): VideoBlock {
  const video = typeof value === 'string' ? { url: value } : readObject(value, path);
  return { type: 'video', source: readMedia(readText(video['url'], `${path}.url`), `${path}.url`, null), cache };
}

function documentBlock(source: DocumentBlock['source'], name: string | null, cache: CacheMark | null): DocumentBlock {
  return { type: 'document', source, name, context: null, citations: false, cache };
}

export function readAudio(value: unknown, path: string, cache: CacheMark | null): AudioBlock {
  const audio = asObject(value);
  if (audio === null) throw invalid(path, `"${path}" must be an object with "data" and "format".`);
  return {
    type: 'audio',
    data: readName(audio['data'], `${path}.data`),
    format: readName(audio['format'], `${path}.format`),
    cache,
  };
}
