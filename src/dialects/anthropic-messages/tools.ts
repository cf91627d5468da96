/**
 * What the tools of a request mean for its price. A tool with a type of its own either runs at the
 * caller (its cost is in the body) or at the provider (what it brings into the prompt is not).
 *
 * The types: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 */
import { GatewayError } from '../../core/errors.ts';
import { type JsonDocument, type JsonField, readValue } from '../../wire/json-scan.ts';

/**
 * How often the tools in this value (an array of tools, or one tool) that run at the provider may be used; 0
 * without any. Throws 400 for tools that choose a second model, and for a list of typed tools too large to be judged.
 */
export function serverToolUses(document: JsonDocument, field: JsonField): number | 'unbounded' {
  const { bytes } = document;
  const value = bytes.subarray(field.valueStart, field.valueEnd);
  if (value.length > SEARCHED_BYTES_MAX) throw tooManyTools();
  if (!mayHoldTypedTool(value)) return 0;
  if (value.length > TYPED_TOOLS_BYTES_MAX) throw tooManyTools();
  const parsed: unknown = readValue(document, field);
  let uses: number | 'unbounded' = 0;
  for (const tool of Array.isArray(parsed) ? parsed : [parsed]) {
    const type = typeOf(tool);
    if (type === null || CALLER_SIDE.test(type)) continue;
    if (type.startsWith('advisor_')) throw advisorRefused();
    uses = addUses(uses, limitOf(type, tool));
  }
  return uses;
}

export function addUses(some: number | 'unbounded', more: number | 'unbounded'): number | 'unbounded' {
  return some === 'unbounded' || more === 'unbounded' ? 'unbounded' : some + more;
}

/** A list of typed tools larger than this is not judged: parsing it would keep other calls waiting. */
export const TYPED_TOOLS_BYTES_MAX = 512 * 1024;

export function tooManyTools(): GatewayError {
  return new GatewayError('invalid_value', {
    message:
      `Tools may take at most ${SEARCHED_BYTES_MAX} bytes, ` +
      `and at most ${TYPED_TOOLS_BYTES_MAX} where one of them has a type or stands in a message.`,
    param: 'tools',
  });
}

/** Types that the caller executes itself; every other type is taken to run at the provider. */
const CALLER_SIDE = /^(custom$|bash_|text_editor_|memory_|computer_|browser_toolset_)/;

/** No model has a window for so many tools; even the search for types takes its time. */
const SEARCHED_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The types of typed tools end in a date (`web_search_20260318`) or in `toolset`. A list without
 * such a text holds custom tools only, which saves parsing the schemas of a coding assistant on
 * every turn. An escaped letter could hide the text, so escapes count as a possible match.
 */
const MARKS = [Buffer.from('_20'), Buffer.from('toolset'), Buffer.from('\\u')];

function mayHoldTypedTool(value: Buffer): boolean {
  return MARKS.some((mark) => value.includes(mark));
}

/** The tools whose `max_uses` limits them; what a field of that name does in another tool nobody here knows. */
const LIMITED = /^web_(search|fetch)_/;
/** More uses than this are as good as no limit. */
const USES_MAX = 1000;

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool (max_uses) */
function limitOf(type: string, tool: unknown): number | 'unbounded' {
  const limit =
    LIMITED.test(type) && typeof tool === 'object' && tool !== null && 'max_uses' in tool ? tool.max_uses : null;
  return typeof limit === 'number' && Number.isInteger(limit) && limit > 0 && limit <= USES_MAX ? limit : 'unbounded';
}

function typeOf(tool: unknown): string | null {
  if (typeof tool !== 'object' || tool === null || !('type' in tool)) return null;
  return typeof tool.type === 'string' ? tool.type : null;
}

function advisorRefused(): GatewayError {
  return new GatewayError('field_not_allowed', {
    message: "The advisor tool is not accepted by this gateway: it asks a second model, at that model's price.",
    param: 'tools',
  });
}
