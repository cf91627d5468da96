/**
 * Whether the caller runs the tools itself, judged by the fields of their objects without parsing them. Tools that a vendor runs have a
 * special type (`web_search`) or field (`{"google_search": {}}`).
 */
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { isSpace } from '../../../wire/json-grammar.ts';

/**
 * `tools` is an array of tools, or one tool. `isCallers` judges a type. What an escape or another case could hide counts as the provider's,
 * and so does anything that is not an object, and any list with more tools or fields than is plausible.
 */
export function callerRunsAll(
  { bytes }: JsonDocument,
  tools: JsonField,
  isCallers: (type: string) => boolean,
): boolean {
  const isList = tools.type === 'array';
  const end = isList ? tools.valueEnd - 1 : tools.valueEnd;
  const cursor = new FieldCursor();
  let at = isList ? tools.valueStart + 1 : tools.valueStart;
  let left = TOOLS_MAX;
  while (at < end) {
    const byte = bytes[at] as number;
    if (isSpace(byte) || byte === COMMA) {
      at += 1;
      continue;
    }
    cursor.open(bytes, at, tools.valueEnd);
    left -= 1;
    if (left < 0 || !callerRunsTool(bytes, cursor, isCallers)) return false;
    at = cursor.objectEnd;
  }
  return true;
}

/** Whether such a field may be part of a tool that the caller runs: its value starts nothing, or its name is known. */
export function isCallerToolField(name: string, startsSomething: boolean): boolean {
  return !startsSomething || CALLERS_FIELDS.has(name);
}

/** The fields of a tool that the caller runs, in any format and in its extensions. */
const CALLERS_FIELDS: ReadonlySet<string> = new Set([
  ...['type', 'function', 'custom', 'name', 'description', 'parameters', 'strict', 'format'],
  ...['input_schema', 'inputSchema', 'cache_control', 'prompt_cache_breakpoint', 'defer_loading'],
  ...['eager_input_streaming', 'input_examples', 'allowed_callers', 'annotations', 'metadata', 'title'],
  ...['output_schema', 'returns', 'definition', 'allowed_tools'],
]);
const TYPE = 'type';
/** OpenAI accepts 128. With `FIELDS_MAX` it keeps the walk short, whatever the list contains. */
const TOOLS_MAX = 1024;
const FIELDS_MAX = 64;
/** No known name or type is longer. */
const TEXT_BYTES_MAX = 128;

function callerRunsTool(bytes: Buffer, tool: FieldCursor, isCallers: (type: string) => boolean): boolean {
  let left = FIELDS_MAX;
  while (tool.next()) {
    left -= 1;
    if (left < 0) return false;
    const { keyStart, keyEnd, valueStart, valueEnd } = tool;
    const name = plainText(bytes, keyStart, keyEnd);
    if (name === null) return false;
    if (name === TYPE) {
      const type = plainText(bytes, valueStart, valueEnd);
      if (type === null || !isCallers(type)) return false;
    } else if (isBuiltIn(bytes, name, valueStart, valueEnd)) {
      return false;
    } else if (name.toLowerCase() === TYPE || !isCallerToolField(name, startsSomething(bytes[valueStart])))
      return false;
  }
  return !tool.broken;
}

/**
 * Whether it is, or contains, the name of a function that the vendor runs: Moonshot's begin with `$`, which a caller's function may not:
 * https://platform.moonshot.ai/docs/guide/use-web-search
 */
function isBuiltIn(bytes: Buffer, field: string, start: number, end: number): boolean {
  if (field === 'name') return bytes[start] === QUOTE && plainText(bytes, start, end)?.startsWith('$') !== false;
  if (field !== 'function' || bytes[start] !== OPEN_BRACE) return false;
  const value = bytes.subarray(start, end);
  // Almost no tool contains that character, so its inside seldom needs to be walked.
  if (!value.includes(DOLLAR) && !value.includes(DOLLAR_ESCAPED)) return false;
  const inside = new FieldCursor();
  inside.open(bytes, start, end);
  while (inside.next()) {
    const name = plainText(bytes, inside.keyStart, inside.keyEnd);
    if (name === null || (name === 'name' && isBuiltIn(bytes, name, inside.valueStart, inside.valueEnd))) return true;
  }
  return inside.broken;
}

/** The text of a string in the body; null if it is not a string, has an escape, or is too long. */
function plainText(bytes: Buffer, start: number, end: number): string | null {
  if (bytes[start] !== QUOTE || end - start > TEXT_BYTES_MAX) return null;
  const text = bytes.toString('latin1', start + 1, end - 1);
  return text.includes('\\') ? null : text;
}

/** True for an object, a list or `true`; a string, a number, `false` and `null` under an unknown name start nothing. */
function startsSomething(first: number | undefined): boolean {
  return first === OPEN_BRACE || first === OPEN_BRACKET || first === LETTER_T;
}

const DOLLAR = 0x24;
const DOLLAR_ESCAPED = Buffer.from('\\u0024');
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const LETTER_T = 0x74;
