/**
 * What a provider may read of a request: media in the body are counted; media behind an address, media nobody here
 * knows, and tools that the provider runs itself make the prompt longer than the body. Where it cannot be told, it is so.
 */
import { isSpace } from '../../wire/json-grammar.ts';
import type { JsonDocument, JsonField, WatchedField } from '../../wire/json-scan.ts';
import { type InlineMedia, MediaTally, NO_MEDIA } from '../inline-media.ts';
import { FieldCursor } from './field-cursor.ts';
import { present } from './request-fields.ts';

/** Objects whose fields are looked at by their own names. */
const containers: readonly string[] = [
  'image_url',
  'video_url',
  'file_url',
  'document_url',
  'audio_url',
  'input_audio',
];
/** The nested keys the body scan has to report: where the formats in use put media. */
export const mediaKeys: readonly string[] = [
  ...containers,
  ...['url', 'file_data', 'data', 'image', 'video', 'audio', 'source', 'inline_data', 'input_video'],
];

/** The media in the body; null when some of what a model reads there has no bound. */
export function readInlineMedia(document: JsonDocument): InlineMedia | null {
  const { watched } = document;
  if (watched.length === 0) return NO_MEDIA;
  const tally = new MediaTally();
  for (const field of watched) {
    if (!isMediaPath(field.path) || field.type === 'null') continue;
    if (field.type === 'string' ? !add(tally, document, field) : !CONTAINERS.has(lastName(field.path))) return null;
  }
  return tally;
}

/** Whether the provider runs a tool of its own. `tools` is the field of that name when it holds anything. */
export function runsServerTools(document: JsonDocument, tools: JsonField | null): boolean {
  return present(document, 'web_search_options') !== null || (tools !== null && hasServerTool(document, tools));
}

const MEDIA_PLACES: readonly string[] = ['messages[].content[].', 'messages[].images[].'];
const MEDIA_KEYS: ReadonlySet<string> = new Set(mediaKeys);
const CONTAINERS: ReadonlySet<string> = new Set(containers);

function isMediaPath(path: string): boolean {
  return MEDIA_PLACES.some((place) => path.startsWith(place)) && MEDIA_KEYS.has(lastName(path));
}

/** A name with a dot in it is quoted in a path, and is none of those that are looked for. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

const AUDIO_PATH = /\.(input_audio|input_audio\.data)$/;

function add(tally: MediaTally, document: JsonDocument, field: WatchedField): boolean {
  return AUDIO_PATH.test(field.path) ? tally.addAudio(document, field) : tally.addFile(document, field);
}

const TYPE = Buffer.from('"type"');
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** A longer list is not walked through, which would keep other calls waiting: it fills the window of most models. */
const TOOLS_BYTES_MAX = 512 * 1024;

function hasServerTool(document: JsonDocument, tools: JsonField): boolean {
  if (tools.type !== 'array' || tools.valueEnd - tools.valueStart > TOOLS_BYTES_MAX) return true;
  const { bytes } = document;
  const end = tools.valueEnd - 1;
  const cursor = new FieldCursor();
  let at = tools.valueStart + 1;
  while (at < end) {
    const byte = bytes[at] as number;
    if (isSpace(byte) || byte === COMMA) {
      at += 1;
      continue;
    }
    cursor.open(bytes, at, end);
    if (!runsAtCaller(bytes, cursor)) return true;
    at = cursor.objectEnd;
  }
  return false;
}

/**
 * Every type but `function` and `custom` is one that the provider runs, whatever it is called; a tool without
 * a type is a function to the vendors that forgive it. An escape could hide a type, so it counts as one.
 */
function runsAtCaller(bytes: Buffer, tool: FieldCursor): boolean {
  while (tool.next()) {
    if (bytes.subarray(tool.keyStart, tool.keyEnd).includes(BACKSLASH)) return false;
    if (!tool.keyIs(TYPE)) continue;
    const type = bytes.toString('latin1', tool.valueStart, tool.valueEnd);
    if (type !== '"function"' && type !== '"custom"') return false;
  }
  return !tool.broken;
}
