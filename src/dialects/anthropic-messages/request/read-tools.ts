/**
 * The tools of a Messages request. Only custom ones have a schema that other formats can express; Anthropic's models have learnt the typed
 * ones, or the provider runs them.
 *
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 */
import type { Json, JsonObject, Tool, ToolChoice } from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import {
  isAbsent,
  isList,
  readFlagOrNull,
  readTextOrNull,
  requireList,
  requireName,
  requireObject,
  requireText,
} from '../../kit/request/request-values.ts';
import { readCacheMark } from './read-cache-mark.ts';
import type { ToolChange } from './read-messages.ts';
import { quotable, warnOfUnknown } from './unknown-fields.ts';

/** The tools at the end of the conversation. Throws `GatewayError` 400 for typed tools. */
export function readTools(
  value: Json | undefined,
  changes: readonly ToolChange[],
  warnings: Set<string>,
): readonly Tool[] {
  // A definition in the conversation replaces an earlier one of the same name, and keeps its position.
  const tools = new Map<string, Tool>();
  const listed = isAbsent(value) ? [] : requireList(value, 'tools');
  listed.forEach((entry, index) => {
    const at = `tools[${index}]`;
    const tool = requireObject(entry, at);
    const { name } = tool;
    if (typeof name === 'string' && tools.has(name))
      throw invalid(`${at}.name`, `"${at}.name" is the name of an earlier tool.`);
    define(tools, tool, at, warnings);
  });
  for (const { type, tool, param } of changes) {
    warnOfUnknown(tool, KNOWN_IN_CHANGE.of(tool['type']), 'messages[].content[].tool.', warnings);
    if (tool['type'] === 'tool_definition') {
      define(tools, requireObject(tool['definition'], `${param}.definition`), `${param}.definition`, warnings);
    } else if (tool['type'] !== 'tool_reference') {
      throw unsupported(param, 'Tools of MCP servers cannot be used with this model.');
    } else if (type === 'tool_removal') {
      tools.delete(requireText(tool['name'] ?? tool['tool_name'], `${param}.name`));
    }
  }
  return [...tools.values()];
}

/**
 * The tool choice and whether parallel calls are wanted; each is null if the caller did not say. Throws `GatewayError` 400 for a tool that
 * does not exist.
 */
export function readToolChoice(
  value: Json | undefined,
  tools: readonly Tool[],
  warnings: Set<string>,
): {
  readonly toolChoice: ToolChoice | null;
  readonly parallelTools: boolean | null;
} {
  if (isAbsent(value)) return { toolChoice: null, parallelTools: null };
  const choice = requireObject(value, 'tool_choice');
  warnOfUnknown(choice, KNOWN_IN_CHOICE.of(choice['type']), 'tool_choice.', warnings);
  const disabled = readFlagOrNull(choice['disable_parallel_tool_use'], 'tool_choice.disable_parallel_tool_use');
  return { toolChoice: readChoice(choice, tools), parallelTools: disabled === null ? null : !disabled };
}

const KNOWN_IN_CHOICE = fieldsByType(['type', 'disable_parallel_tool_use'], { tool: ['name'] });

function readChoice(choice: JsonObject, tools: readonly Tool[]): ToolChoice {
  const type = requireText(choice['type'], 'tool_choice.type');
  switch (type) {
    case 'auto':
    case 'none':
      return { type };
    case 'any':
      if (tools.length === 0) throw invalid('tool_choice', '"tool_choice" asks for a tool, but there are no tools.');
      return { type: 'required' };
    case 'tool': {
      const name = requireText(choice['name'], 'tool_choice.name');
      if (tools.some((tool) => tool.name === name)) return { type, name };
      throw invalid('tool_choice.name', '"tool_choice.name" names a tool that is not in "tools".');
    }
    default:
      throw invalid('tool_choice.type', '"tool_choice.type" must be "auto", "any", "tool" or "none".');
  }
}

function define(tools: Map<string, Tool>, tool: JsonObject, param: string, warnings: Set<string>): void {
  const type = readTextOrNull(tool['type'], `${param}.type`) ?? 'custom';
  if (type.startsWith('tool_search_tool_')) {
    // It finds tools with deferred loading, which does not exist here.
    warnings.add('the tool search was left out: all tools are given to the model');
    return;
  }
  if (type !== 'custom') {
    throw unsupported(
      param,
      `The tool type "${quotable(type)}" is not supported by this model; send a tool with a schema.`,
    );
  }
  const name = requireName(tool['name'], `${param}.name`);
  warnOfExtras(tool, warnings);
  tools.set(name, {
    name,
    description: readTextOrNull(tool['description'], `${param}.description`),
    schema: readSchema(tool, `${param}.input_schema`),
    strict: readFlagOrNull(tool['strict'], `${param}.strict`),
    cache: readCacheMark(tool, param, warnings),
  });
}

function readSchema(tool: JsonObject, param: string): JsonObject {
  const schema = requireObject(tool['input_schema'], param);
  const { type } = schema;
  if (isAbsent(type)) return { ...schema, type: 'object' };
  if (type !== 'object') throw invalid(`${param}.type`, `"${param}.type" must be "object".`);
  return schema;
}

const KNOWN_IN_CHANGE = fieldsByType(['type'], {
  tool_definition: ['definition'],
  tool_reference: ['name', 'tool_name'],
});

/** `eager_input_streaming` is only a hint how to cut an answer into events. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['type', 'name', 'description', 'input_schema', 'strict', 'cache_control', 'eager_input_streaming'],
  ...['defer_loading', 'input_examples', 'allowed_callers'],
]);

function warnOfExtras(tool: JsonObject, warnings: Set<string>): void {
  warnOfUnknown(tool, KNOWN, 'tools[].', warnings);
  if (tool['defer_loading'] === true)
    warnings.add('defer_loading is not supported by this provider; the tool was loaded at once');
  const examples = tool['input_examples'];
  if (isList(examples) && examples.length > 0)
    warnings.add('input_examples are not supported by this provider and were left out');
  const callers = tool['allowed_callers'];
  if (isList(callers) && callers.some((caller) => caller !== 'direct')) {
    warnings.add('allowed_callers was left out: only the model itself calls tools here');
  }
}
