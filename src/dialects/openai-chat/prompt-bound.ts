/**
 * Whether a provider may read more than the body holds: media behind an address, and tools that it
 * runs itself and whose results join the prompt. Where it cannot be told, the answer is yes.
 */
import { isSpace } from '../../wire/json-grammar.ts';
import { type JsonDocument, type JsonField, readString } from '../../wire/json-scan.ts';
import { FieldCursor, skipValue } from './field-cursor.ts';
import { present } from './peek.ts';

/** The nested keys the body scan has to report for `readsBeyondBody`: where the formats in use put media. */
export const mediaKeys: readonly string[] = [
  'url',
  'image_url',
  'video_url',
  'file_url',
  'document_url',
  'file_data',
  'input_audio',
];

/** `tools` is the field of that name when it holds anything. */
export function readsBeyondBody(document: JsonDocument, tools: JsonField | null): boolean {
  if (present(document, 'web_search_options') !== null) return true;
  if (tools !== null && hasServerTool(document, tools)) return true;
  return document.watched.some((field) => mediaPath.test(field.path) && isAddress(document, field));
}

const mediaPath = new RegExp(`^messages\\[\\]\\.content\\[\\]\\..*\\b(${mediaKeys.join('|')})$`);
const INLINE = 'data:';
/** Enough for `data:` with every letter escaped. */
const ADDRESS_BYTES = 32;

/** Inline media is a `data:` address; bare base64, which some formats take for audio, has no colon. */
function isAddress(document: JsonDocument, field: JsonField): boolean {
  if (field.type !== 'string') return false;
  const start = field.valueStart + 1;
  if (document.bytes.latin1Slice(start, start + INLINE.length).toLowerCase() === INLINE) return false;
  if (field.valueEnd - field.valueStart <= ADDRESS_BYTES) return readString(document, field) !== '';
  const head = document.bytes.latin1Slice(start, start + ADDRESS_BYTES);
  return /[:\\]/.test(head) || field.valueEnd - field.valueStart < 256;
}

const TYPE = Buffer.from('"type"');

/** Every type but `function` and `custom` is one that the provider runs, whatever it is called. */
function hasServerTool(document: JsonDocument, tools: JsonField): boolean {
  if (tools.type !== 'array') return true;
  const { bytes } = document;
  const end = tools.valueEnd - 1;
  const cursor = new FieldCursor();
  let at = tools.valueStart + 1;
  while (at < end) {
    const byte = bytes[at] as number;
    if (isSpace(byte) || byte === 0x2c) {
      at += 1;
      continue;
    }
    if (!runsAtCaller(bytes, at, end, cursor)) return true;
    at = skipValue(bytes, at, tools.valueEnd);
  }
  return false;
}

/** Stops at the type, which stands before the long schema in all but odd bodies. */
function runsAtCaller(bytes: Buffer, start: number, end: number, cursor: FieldCursor): boolean {
  cursor.open(bytes, start, end);
  while (cursor.next()) {
    if (!cursor.keyIs(TYPE)) continue;
    const type = bytes.latin1Slice(cursor.valueStart, cursor.valueEnd);
    return type === '"function"' || type === '"custom"';
  }
  // A tool without a type is a function to the vendors that forgive it.
  return !cursor.broken;
}
