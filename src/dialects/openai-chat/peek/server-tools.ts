/** The tools of a request that the provider runs itself make its prompt longer than the body. Where it cannot be told, it is so. */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { callerRunsAll } from '../../kit/peek/tool-fields.ts';

/**
 * Whether the provider runs one of the tools itself. Every type but `function` and `custom` is one that it does, whatever it is
 * called; a tool without a type is a function to the vendors that forgive it, or names what they run by a field.
 */
export function runsServerTools(document: JsonDocument, tools: JsonField): boolean {
  const isJudged = tools.type === 'array' && tools.valueEnd - tools.valueStart <= TOOLS_BYTES_MAX;
  return !isJudged || !callerRunsAll(document, tools, isFunction);
}

/** Whether a tool is to be called that the provider runs itself: OpenRouter takes its own there. */
export function choosesServerTool(document: JsonDocument, choice: JsonField): boolean {
  return choice.type === 'object' && !callerRunsAll(document, choice, isChoice);
}

/** A longer list is not walked through, which would keep other calls waiting: it fills the window of most models. */
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
