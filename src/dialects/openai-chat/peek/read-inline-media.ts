/**
 * The media in a chat completions request: images and sounds in the body are counted; files, media by URL and unknown media have no bound.
 * The part, the declared type and the bytes must agree.
 *
 * https://platform.openai.com/docs/api-reference/chat/create (messages)
 */
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';
import { type InlineMedia, MediaTally, NO_MEDIA } from '../../kit/media/inline-media.ts';
import { BlockReader } from '../../kit/peek/block-fields.ts';

/** Objects whose fields are checked by their own names. */
const containers: readonly string[] = [
  'image_url',
  'video_url',
  'file_url',
  'document_url',
  'audio_url',
  'input_audio',
];
/** The nested keys that the body scan must report: where the formats in use put media. */
export const mediaKeys: readonly string[] = [
  ...containers,
  ...['url', 'file_data', 'data', 'image', 'video', 'audio', 'source', 'inline_data', 'input_video'],
];

export function readInlineMedia(document: JsonDocument): InlineMedia {
  const { watched } = document;
  if (watched.length === 0) return NO_MEDIA;
  const tally = new MediaTally();
  const blocks = new BlockReader(document);
  for (const field of watched) {
    if (field.type === 'null' || !isMedia(field.path)) continue;
    if (field.type === 'string') addText(tally, document, blocks, field);
    else if (!isContainer(blocks, field)) tally.addOther();
  }
  return tally;
}

const MEDIA_PLACES: readonly string[] = ['messages[].content', 'messages[].images'];
const MEDIA_KEYS: ReadonlySet<string> = new Set(mediaKeys);
const CONTAINERS: ReadonlySet<string> = new Set(containers);

/** In a message's parts, at any depth. */
function isMedia(path: string): boolean {
  const place = MEDIA_PLACES.find((each) => path.startsWith(each));
  if (place === undefined || !MEDIA_KEYS.has(lastName(path))) return false;
  const next = path[place.length];
  return next === '[' || next === '.';
}

/** A name with a dot is quoted in a path, and is not a media name. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The types of parts with an `image_url`; some servers need no type. */
const IMAGE_PART_TYPES: ReadonlySet<string | undefined> = new Set(['image_url', 'input_image', undefined]);
/** With any other field, such as LiteLLM's `format`, the URL may be read as something else. */
const IMAGE_NAMES: ReadonlySet<string> = new Set(['url', 'detail']);

/** An object whose fields are reported as well. */
function isContainer(blocks: BlockReader, field: WatchedField): boolean {
  const name = lastName(field.path);
  if (field.type !== 'object' || !CONTAINERS.has(name)) return false;
  return name !== 'image_url' || isImagePart(blocks, field);
}

function isImagePart(blocks: BlockReader, field: WatchedField): boolean {
  const part = blocks.around(field, ['type']);
  return part !== null && IMAGE_PART_TYPES.has(part.texts.get('type'));
}

function addText(tally: MediaTally, document: JsonDocument, blocks: BlockReader, field: WatchedField): void {
  const { path } = field;
  if (path.endsWith('.image_url.url')) {
    const image = blocks.around(field, []);
    if (image === null || image.names.some((name) => !IMAGE_NAMES.has(name))) tally.addOther();
    tally.addImage(document, field);
  } else if (path.endsWith('.image_url')) {
    if (!isImagePart(blocks, field)) tally.addOther();
    tally.addImage(document, field);
  } else if (path.endsWith('.input_audio.data')) {
    const sound = blocks.around(field, ['format']);
    tally.addSound(document, field, sound?.texts.get('format') ?? '');
  } else if (path.endsWith('.input_audio')) {
    tally.addSound(document, field, null);
  } else {
    tally.addFile(document, field);
  }
}
