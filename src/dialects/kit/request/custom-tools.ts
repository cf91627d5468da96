/**
 * Tools that take free text instead of arguments, which two formats have: https://platform.openai.com/docs/guides/function-calling
 * (custom tools). For the others such a tool is a function with one string, and a call of it is turned back for the caller
 * (`kit/answer/custom-input.ts`).
 */
import type { CacheMark, CustomInput, JsonObject, Tool } from '../../../chat/request.ts';

/** A custom tool in the neutral form. */
export function customTool(tool: {
  readonly name: string;
  readonly description: string | null;
  readonly grammar: CustomInput['grammar'];
  readonly cache: CacheMark | null;
}): Tool {
  const { name, description, grammar, cache } = tool;
  return { name, description, schema: ONE_STRING, strict: null, cache, custom: { grammar } };
}

const ONE_STRING: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
};

/** The tools for a format without custom tools. Nothing there enforces a grammar, so the description states it. */
export function functionsOf(tools: readonly Tool[], warnings: Set<string>): readonly Tool[] {
  if (tools.every(({ custom }) => custom === undefined)) return tools;
  return tools.map((tool) => {
    const { custom, ...written } = tool;
    if (custom === undefined) return tool;
    warnings.add('custom tools are passed on as functions with one string, "input"');
    if (custom.grammar === null) return written;
    warnings.add('the grammar of custom tools is not enforced by this provider; it was added to their descriptions');
    const { syntax, definition } = custom.grammar;
    const rule = `The input must match this ${syntax === 'lark' ? 'Lark grammar' : 'regular expression'}:\n${definition}`;
    return { ...written, description: written.description === null ? rule : `${written.description}\n\n${rule}` };
  });
}

/** What a writer of answers must know: the names of the custom tools. */
export interface CustomNames {
  readonly customTools: readonly string[];
}

/** The names in a request's `forAnswer`. */
export function customToolsOf(forAnswer: object | undefined): ReadonlySet<string> {
  return forAnswer !== undefined && 'customTools' in forAnswer
    ? new Set((forAnswer as CustomNames).customTools)
    : NO_TOOLS;
}

const NO_TOOLS: ReadonlySet<string> = new Set();

export function customNamesOf(tools: readonly Tool[]): CustomNames {
  return { customTools: tools.filter(({ custom }) => custom !== undefined).map(({ name }) => name) };
}
