/**
 * How much output a delta carries, in UTF-8 bytes of text, thinking, or tool arguments. The usual delta is measured from its bytes: this
 * runs for every frame of a stream, and parsing one as JSON costs more than everything else that is done with it.
 */
import { type JsonObject, stringOf } from '../../../core/json-object.ts';

/** The output bytes of a `content_block_delta`, or -1 if it must be parsed as JSON to know, or may not be JSON at all. */
export function measureDelta(data: Buffer): number {
  // One character per byte, so that lengths in the string are lengths in bytes.
  const text = data.toString('latin1');
  if (!text.startsWith(BEFORE_INDEX)) return -1;
  let at = BEFORE_INDEX.length;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === BEFORE_INDEX.length || !text.startsWith(DELTA, at)) return -1;
  const kind = at + DELTA.length;
  if (text.startsWith(TEXT, kind)) return measureString(text, kind + TEXT.length);
  if (text.startsWith(THINKING, kind)) return measureString(text, kind + THINKING.length);
  return text.startsWith(ARGUMENTS, kind) ? measureString(text, kind + ARGUMENTS.length) : -1;
}

/** The output of a parsed delta. */
export function deltaText(delta: JsonObject): string {
  switch (delta['type']) {
    case 'text_delta':
      return stringOf(delta['text']);
    case 'thinking_delta':
      return stringOf(delta['thinking']);
    case 'input_json_delta':
      return stringOf(delta['partial_json']);
    case 'compaction_delta':
      return stringOf(delta['content']);
    default:
      return '';
  }
}

/** The output in a content block, from the start in a stream or from a whole answer. */
export function blockText(block: JsonObject): string {
  switch (block['type']) {
    case 'text':
      return stringOf(block['text']);
    case 'thinking':
      return stringOf(block['thinking']);
    case 'redacted_thinking':
      return stringOf(block['data']);
    case 'compaction':
      return stringOf(block['content']);
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return argumentText(block['input']);
    default:
      // Results of server tools are input of the model, not output.
      return '';
  }
}

/** How vendors write deltas; any other is parsed as JSON. */
const BEFORE_INDEX = '{"type":"content_block_delta","index":';
const DELTA = ',"delta":{"type":"';
const TEXT = 'text_delta","text":"';
const THINKING = 'thinking_delta","thinking":"';
const ARGUMENTS = 'input_json_delta","partial_json":"';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** The escapes of a single byte, after a backslash. */
const SIMPLE_ESCAPES = '"\\/bfnrt';

/** The unescaped length of the string at `start` in bytes, if only the ends of two objects follow it; otherwise -1. */
function measureString(text: string, start: number): number {
  let bytes = 0;
  let at = start;
  for (; at < text.length; at += 1, bytes += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code < SPACE) return -1;
    if (code !== BACKSLASH) continue;
    at += 1;
    if (!SIMPLE_ESCAPES.includes(text[at] ?? ' ')) return -1;
  }
  return text.endsWith('"}}') && at === text.length - 3 ? bytes : -1;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A stream starts a tool call with `{}` and sends the arguments afterwards; a whole answer has all of them. */
function argumentText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return '';
  return JSON.stringify(value);
}
