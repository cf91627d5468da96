/**
 * Whether a provider may read more than the body holds: media behind an address, and tools that it
 * runs itself and whose results join the prompt. Where it cannot be told, the answer is yes.
 */
import { isSpace } from '../../wire/json-grammar.ts';
import type { JsonDocument, JsonField, WatchedField } from '../../wire/json-scan.ts';
import { FieldCursor } from './field-cursor.ts';
import { present } from './request-fields.ts';

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
/** Where some formats take bare base64, which has no colon; an address always has one. */
const mayBeBare = /\.(file_data|input_audio)$/;
const INLINE = 'data:';
const HEAD_BYTES = 32;

function isAddress(document: JsonDocument, field: WatchedField): boolean {
  if (field.type !== 'string') return false;
  const start = field.valueStart + 1;
  const head = document.bytes.toString('latin1', start, Math.min(start + HEAD_BYTES, field.valueEnd));
  if (head.toLowerCase().startsWith(INLINE)) return false;
  return !mayBeBare.test(field.path) || /[:\\]/.test(head);
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
