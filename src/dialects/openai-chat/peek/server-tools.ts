/** Whether a request has tools that the provider runs itself, which make its prompt longer than the body. In doubt it has. */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { callerRunsAll } from '../../kit/peek/tool-fields.ts';

/**
 * Whether the provider runs one of the tools itself. It runs every type except `function` and `custom`; a tool without a type is a function
 * for vendors that allow that, or has a field for what they run.
 */
export function runsServerTools(document: JsonDocument, tools: JsonField): boolean {
  const isJudged = tools.type === 'array' && tools.valueEnd - tools.valueStart <= TOOLS_BYTES_MAX;
  return !isJudged || !callerRunsAll(document, tools, isFunction);
}

/** Whether the choice is a tool that the provider runs itself: OpenRouter accepts its own there. */
export function choosesServerTool(document: JsonDocument, choice: JsonField): boolean {
  return choice.type === 'object' && !callerRunsAll(document, choice, isChoice);
}

/** A longer list is not walked, since that would delay other calls: it fills the context window of most models. */
const TOOLS_BYTES_MAX = 512 * 1024;

function isFunction(type: string): boolean {
  return type === 'function' || type === 'custom';
}

const CHOICES: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'allowed_tools',
  'auto',
  'none',
  'any',
  'required',
]);

function isChoice(type: string): boolean {
  return CHOICES.has(type);
}
