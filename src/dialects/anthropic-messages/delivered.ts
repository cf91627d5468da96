/**
 * How much output a delta carries, in UTF-8 bytes of text, thinking, or tool arguments. The usual
 * delta is measured from its bytes: on a stream this runs for every frame, and reading one as
 * JSON costs more than everything else that is done to it.
 */

import type { JsonObject } from './json-object.ts';

/** The output bytes of a `content_block_delta`, or -1 where only reading it as JSON can tell. */
export function measureDelta(data: Buffer): number {
  // One character a byte, so that lengths in the string are lengths in bytes.
  const text = data.toString('latin1');
  const delta = text.indexOf(DELTA);
  if (delta === -1) return -1;
  const kind = delta + DELTA.length;
  if (text.startsWith(TEXT, kind)) return measureString(text, kind + TEXT.length);
  if (text.startsWith(THINKING, kind)) return measureString(text, kind + THINKING.length);
  if (text.startsWith(ARGUMENTS, kind)) return measureString(text, kind + ARGUMENTS.length);
  return text.startsWith(SIGNATURE, kind) ? 0 : -1;
}

/** The output of a delta that was read as JSON. */
export function deltaText(delta: JsonObject): string {
  switch (delta['type']) {
    case 'text_delta':
      return textOf(delta['text']);
    case 'thinking_delta':
      return textOf(delta['thinking']);
    case 'input_json_delta':
      return textOf(delta['partial_json']);
    case 'compaction_delta':
      return textOf(delta['content']);
    default:
      return '';
  }
}

/** The output in a content block, as a stream starts it or as a whole answer holds it. */
export function blockText(block: JsonObject): string {
  switch (block['type']) {
    case 'text':
      return textOf(block['text']);
    case 'thinking':
      return textOf(block['thinking']);
    case 'redacted_thinking':
      return textOf(block['data']);
    case 'compaction':
      return textOf(block['content']);
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return argumentText(block['input']);
    default:
      // Results of server tools are input of the model, not output.
      return '';
  }
}

/** An unescaped quote before `delta` cannot stand inside a JSON string, so the first match is the key. */
const DELTA = '"delta":{"type":"';
const TEXT = 'text_delta","text":"';
const THINKING = 'thinking_delta","thinking":"';
const ARGUMENTS = 'input_json_delta","partial_json":"';
const SIGNATURE = 'signature_delta"';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const CLOSING_BRACE = 0x7d;

/** Bytes of the string that starts at `start`, unescaped; -1 for `\u` escapes and for further fields behind it. */
function measureString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  let bytes = end - start;
  const backslash = text.indexOf('\\', start);
  if (backslash !== -1 && backslash < end) {
    bytes = 0;
    for (end = start; text.charCodeAt(end) !== QUOTE; end += 1) {
      if (text.charCodeAt(end) === BACKSLASH) {
        end += 1;
        if (text.charCodeAt(end) === LETTER_U) return -1;
      }
      if (end >= text.length) return -1;
      bytes += 1;
    }
  }
  return end !== -1 && text.charCodeAt(end + 1) === CLOSING_BRACE ? bytes : -1;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A stream starts a tool call with `{}` and sends the arguments after it; an answer holds them whole. */
function argumentText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return '';
  return JSON.stringify(value);
}
