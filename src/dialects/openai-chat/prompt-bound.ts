/** The tools of a request that the provider runs itself make its prompt longer than the body. Where it cannot be told, it is so. */

import { FieldCursor } from '../../wire/field-cursor.ts';
import { isSpace } from '../../wire/json-grammar.ts';
import type { JsonDocument, JsonField } from '../../wire/json-scan.ts';
import { present } from './request-fields.ts';

/** Whether the provider runs a tool of its own. `tools` is the field of that name when it holds anything. */
export function runsServerTools(document: JsonDocument, tools: JsonField | null): boolean {
  return present(document, 'web_search_options') !== null || (tools !== null && hasServerTool(document, tools));
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
