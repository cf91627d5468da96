/**
 * The media in a request: images in the body are counted; files, media by URL and unknown media have no bound. The part, the declared type
 * and the bytes must agree.
 *
 * https://platform.openai.com/docs/api-reference/responses/create (input)
 */
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';
import { type InlineMedia, MediaTally, NO_MEDIA } from '../../kit/media/inline-media.ts';
import { BlockReader } from '../../kit/peek/block-fields.ts';

/** The nested keys that the body scan must report: where this format, and servers that extend it, put media. */
export const mediaKeys: readonly string[] = [
  ...['image_url', 'file_data', 'file_url', 'video_url', 'audio_url', 'input_audio', 'input_video', 'data'],
  // An image that was generated earlier.
  ...['result', 'source', 'inline_data'],
];

export function readInlineMedia(document: JsonDocument): InlineMedia {
  const { watched } = document;
  if (watched.length === 0) return NO_MEDIA;
  const tally = new MediaTally();
  const blocks = new BlockReader(document);
  for (const field of watched) if (field.type !== 'null' && isMedia(field.path)) add(tally, document, blocks, field);
  return tally;
}

const MEDIA_KEYS: ReadonlySet<string> = new Set(mediaKeys);
/** In an item; not in the tools that an item may add, nor in a call's own data. */
const PLACE = /^input\[\]\.(?:content|output|result)\b/;
/** The parts with an `image_url`; some servers need no type. */
const IMAGE_PARTS: ReadonlySet<string | undefined> = new Set(['input_image', 'computer_screenshot', undefined]);
const IMAGE_NAMES: ReadonlySet<string> = new Set(['type', 'image_url', 'detail', 'prompt_cache_breakpoint']);

function isMedia(path: string): boolean {
  return PLACE.test(path) && MEDIA_KEYS.has(lastName(path));
}

/** A name with a dot is quoted in a path, and is not a media name. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function add(tally: MediaTally, document: JsonDocument, blocks: BlockReader, field: WatchedField): void {
  const name = lastName(field.path);
  if (field.type !== 'string') return tally.addOther();
  if (name === 'file_data') return tally.addFile(document, field);
  if (name !== 'image_url') return tally.addOther();
  const part = blocks.around(field, ['type']);
  if (part === null || !IMAGE_PARTS.has(part.texts.get('type')) || part.names.some((each) => !IMAGE_NAMES.has(each)))
    tally.addOther();
  tally.addImage(document, field);
}
