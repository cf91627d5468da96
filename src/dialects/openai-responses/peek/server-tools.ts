/**
 * What the tools of a request mean for its price. A tool runs either at the caller (the body bounds its cost) or at the provider (the body
 * does not bound what it adds to the prompt). In doubt it runs at the provider.
 *
 * https://platform.openai.com/docs/guides/tools
 */
import { asObject, isObject, objectsOf } from '../../../core/json-object.ts';
import type { ServerTool } from '../../../core/server-tools.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { nameGivenTwice } from '../../../wire/json-twice.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { callerRunsAll, isCallerToolField } from '../../kit/peek/tool-fields.ts';

export interface ToolCosts {
  /** Those that the provider runs, without repeats. */
  readonly runs: readonly ServerTool[];
  /** How many run at the caller but are only named: the provider adds their definitions. */
  readonly named: number;
}

/** For the tools in this value. Throws 400 for a list too large to be judged. */
export function toolCosts(document: JsonDocument, field: JsonField): ToolCosts {
  const length = field.valueEnd - field.valueStart;
  if (length > SEARCHED_BYTES_MAX) throw tooManyTools();
  if (callerRunsAll(document, field, isFunction)) return NO_COSTS;
  if (length > PARSED_BYTES_MAX) throw tooManyTools();
  // Of two fields of one name, some servers use the first, others the last.
  if (nameGivenTwice(document.bytes.toString('utf8', field.valueStart, field.valueEnd)) !== null) return UNCLEAR;
  const tools: unknown = readValue(document, field);
  let costs = NO_COSTS;
  for (const tool of Array.isArray(tools) ? tools : [tools]) costs = addCosts(costs, costsOf(tool));
  return costs;
}

export const NO_COSTS: ToolCosts = { runs: [], named: 0 };
const UNCLEAR: ToolCosts = { runs: ['other'], named: 0 };

export function addCosts(some: ToolCosts, more: ToolCosts): ToolCosts {
  return {
    runs: more.runs.length === 0 ? some.runs : [...new Set([...some.runs, ...more.runs])],
    named: some.named + more.named,
  };
}

/** Whether the choice is a tool that the provider runs itself. */
export function choosesServerTool(document: JsonDocument, choice: JsonField): boolean {
  if (choice.type !== 'object') return false;
  const { valueStart, valueEnd } = choice;
  if (valueEnd - valueStart > PARSED_BYTES_MAX) return true;
  if (nameGivenTwice(document.bytes.toString('utf8', valueStart, valueEnd)) !== null) return true;
  // Which tools are allowed makes no difference: they are tools of the request.
  const { type } = asObject(readValue(document, choice)) ?? {};
  return typeof type !== 'string' || !CHOICES.has(type);
}

/** Whether this is the search that a provider of this format runs, in its present version. */
export function isSearchTool(tool: unknown): boolean {
  return isObject(tool) && typeof tool['type'] === 'string' && runBy(tool['type']) === 'web_search';
}

/** A list with other tools than functions that is larger than this is not judged: parsing it would delay other calls. */
export const PARSED_BYTES_MAX = 512 * 1024;
/** No context window fits so many tools; even the search for types takes time. */
const SEARCHED_BYTES_MAX = 4 * 1024 * 1024;

export function tooManyTools(): Error {
  return invalid(
    'tools',
    `Tools may take at most ${SEARCHED_BYTES_MAX} bytes, ` +
      `and at most ${PARSED_BYTES_MAX} with others than functions and custom tools among them, or in an item.`,
  );
}

function isFunction(type: string): boolean {
  return type === 'function' || type === 'custom';
}

/** Run by the caller, defined by the vendor: https://platform.openai.com/docs/guides/tools-computer-use and its neighbours. */
const NAMED = /^(?:computer_use_preview|computer_use|computer|local_shell|apply_patch)$/;
/** Dated names are those of versions. */
const RUN: readonly (readonly [type: RegExp, tool: ServerTool])[] = [
  [/^web_search(?:_2025_08_26)?$/, 'web_search'],
  [/^web_search_preview(?:_2025_03_11)?$/, 'web_search_preview'],
  [/^file_search$/, 'file_search'],
  [/^code_interpreter$/, 'code_interpreter'],
  [/^mcp$/, 'mcp'],
  [/^image_generation$/, 'image_generation'],
];

const CHOICES: ReadonlySet<string> = new Set([
  ...['function', 'custom', 'allowed_tools', 'auto', 'none', 'required'],
  ...['computer_use_preview', 'computer_use', 'computer', 'local_shell', 'apply_patch'],
]);

function costsOf(tool: unknown): ToolCosts {
  const type = isObject(tool) && typeof tool['type'] === 'string' ? tool['type'] : '';
  if (isObject(tool) && type === 'namespace' && isNamespace(tool)) return NO_COSTS;
  if (isFunction(type) && hasCallersFields(tool)) return NO_COSTS;
  if (NAMED.test(type)) return { ...NO_COSTS, named: 1 };
  const run = runBy(type);
  return { runs: [run === 'code_interpreter' && isLarge(tool) ? 'other' : run], named: 0 };
}

function runBy(type: string): ServerTool {
  return RUN.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
}

/** A container with more memory has another price: https://platform.openai.com/docs/pricing#built-in-tools */
function isLarge(tool: unknown): boolean {
  const container = isObject(tool) ? tool['container'] : null;
  return isObject(container) && !STANDARD_MEMORY.has(container['memory_limit']);
}

const STANDARD_MEMORY: ReadonlySet<unknown> = new Set([undefined, null, '1g']);

/** A namespace contains nothing but functions and custom tools. */
function isNamespace(tool: Readonly<Record<string, unknown>>): boolean {
  const { tools, ...rest } = tool;
  if (!Array.isArray(tools) || !hasCallersFields({ ...rest, type: 'function' })) return false;
  return objectsOf(tools).length === tools.length && tools.every((inner) => isPlain(inner) && hasCallersFields(inner));
}

function isPlain(tool: unknown): boolean {
  return isObject(tool) && typeof tool['type'] === 'string' && isFunction(tool['type']);
}

function hasCallersFields(tool: unknown): boolean {
  if (!isObject(tool)) return false;
  return Object.entries(tool).every(([name, value]) => {
    if (name === 'name' && (typeof value !== 'string' || value.startsWith('$'))) return false;
    const startsSomething = value === true || (typeof value === 'object' && value !== null);
    return name.toLowerCase() !== 'type' || name === 'type' ? isCallerToolField(name, startsSomething) : false;
  });
}
