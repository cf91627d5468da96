/**
 * What the tools of a request mean for its price. A typed tool runs either at the caller (the body bounds its cost) or at the provider (the
 * body does not bound what it adds to the prompt).
 *
 * The types: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 */
import { GatewayError } from '../../../core/errors.ts';
import { isObject } from '../../../core/json-object.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { callerRunsAll, isCallerToolField } from '../../kit/peek/tool-fields.ts';

export interface ToolCosts {
  /** How often those that run at the provider may be used; 0 without any. */
  readonly uses: number | 'unbounded';
  /** How many run at the caller but are only named: the provider adds their definitions. Known if `uses` is 0. */
  readonly named: number;
}

/**
 * For the tools in this value (an array of tools, or one tool). Throws 400 for tools that choose a second model, and for a list of typed
 * tools too large to be judged.
 */
export function toolCosts(document: JsonDocument, field: JsonField): ToolCosts {
  const { bytes } = document;
  const value = bytes.subarray(field.valueStart, field.valueEnd);
  if (value.length > SEARCHED_BYTES_MAX) throw tooManyTools();
  let named = 0;
  const isCallers = (type: string): boolean => {
    if (!DEFINED_HERE.has(type)) named += 1;
    return isCallersType(type);
  };
  if (callerRunsAll(document, field, isCallers)) return { uses: 0, named };
  if (value.length > TYPED_TOOLS_BYTES_MAX) throw tooManyTools();
  const parsed: unknown = readValue(document, field);
  let uses: number | 'unbounded' = 0;
  for (const tool of Array.isArray(parsed) ? parsed : [parsed]) {
    const type = typeOf(tool);
    if (SECOND_MODEL.test(type)) throw advisorRefused();
    if (!isCallersType(type)) uses = addUses(uses, limitOf(type, tool));
    else if (!hasCallersFields(tool)) uses = 'unbounded';
  }
  return { uses, named };
}

export function addUses(some: number | 'unbounded', more: number | 'unbounded'): number | 'unbounded' {
  return some === 'unbounded' || more === 'unbounded' ? 'unbounded' : some + more;
}

/** A list of typed tools larger than this is not judged: parsing it would delay other calls. */
export const TYPED_TOOLS_BYTES_MAX = 512 * 1024;

export function tooManyTools(): GatewayError {
  return invalid(
    'tools',
    `Tools may take at most ${SEARCHED_BYTES_MAX} bytes, ` +
      `and at most ${TYPED_TOOLS_BYTES_MAX} where the provider runs one of them, or one is in a message.`,
  );
}

/** Types with a definition by the caller. */
const DEFINED_HERE: ReadonlySet<string> = new Set(['custom', 'function']);

/** A tool without a type is a custom one. */
function isCallersType(type: string): boolean {
  return CALLER_SIDE.test(type);
}

/** Types that the caller executes itself; every other type, dated or not, is assumed to run at the provider. */
const CALLER_SIDE = /^(custom$|function$|bash(_|$)|text_editor(_|$)|memory(_|$)|computer(_|$)|browser_toolset_)/;
/** Anthropic's advisor, and OpenRouter's equivalents. */
const SECOND_MODEL = /^(openrouter:)?(advisor|fusion|subagent)(_|$)/;

function hasCallersFields(tool: unknown): boolean {
  if (!isObject(tool)) return false;
  return Object.entries(tool).every(([name, value]) => {
    const startsSomething = value === true || (typeof value === 'object' && value !== null);
    return name.toLowerCase() !== 'type' || name === 'type' ? isCallerToolField(name, startsSomething) : false;
  });
}

/** No context window fits so many tools; even the search for types takes time. */
const SEARCHED_BYTES_MAX = 4 * 1024 * 1024;

/** The tools whose `max_uses` limits them; in other tools the meaning of that field is unknown. */
const LIMITED = /^web_(search|fetch)_\d{8}$/;
/** More uses than this are as good as no limit. */
const USES_MAX = 1000;

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool (max_uses) */
function limitOf(type: string, tool: unknown): number | 'unbounded' {
  const limit =
    LIMITED.test(type) && typeof tool === 'object' && tool !== null && 'max_uses' in tool ? tool.max_uses : null;
  return typeof limit === 'number' && Number.isInteger(limit) && limit > 0 && limit <= USES_MAX ? limit : 'unbounded';
}

/** `custom` without a type; a value that matches no type if it is not a string. */
function typeOf(tool: unknown): string {
  if (typeof tool !== 'object' || tool === null) return '';
  if (!('type' in tool) || tool.type === null) return 'custom';
  return typeof tool.type === 'string' ? tool.type : '';
}

function advisorRefused(): GatewayError {
  return new GatewayError('field_not_allowed', {
    message: "The advisor tool is not accepted by this gateway: it calls a second model, at that model's price.",
    param: 'tools',
  });
}
