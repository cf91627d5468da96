/** Reads a model's earlier calls of functions and of custom tools. */
import type { JsonObject, ToolCallBlock } from '../../../chat/request.ts';
import type { ToolInputs } from '../../kit/answer/tool-input.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { readArguments } from '../../kit/request/read-arguments.ts';
import { readName, readTextOrNull } from '../../kit/request/request-values.ts';
import { flatName } from './flat-name.ts';
import { warnOfCaller, warnOfUnknown } from './unknown-fields.ts';

const KNOWN = fieldsByType(['type', 'id', 'status', 'call_id', 'name', 'namespace'], {
  // OpenAI's SDK adds the second.
  function_call: ['arguments', 'parsed_arguments'],
  custom_tool_call: ['input'],
});

export function readCall(item: JsonObject, path: string, inputs: ToolInputs, warnings: Set<string>): ToolCallBlock {
  return { ...readNames(item, path, warnings), input: readArguments(item['arguments'], `${path}.arguments`, inputs) };
}

export function readCustomCall(item: JsonObject, path: string, warnings: Set<string>): ToolCallBlock {
  const input = readTextOrNull(item['input'], `${path}.input`) ?? '';
  return { ...readNames(item, path, warnings), input: { input }, custom: true };
}

function readNames(item: JsonObject, path: string, warnings: Set<string>): Omit<ToolCallBlock, 'input'> {
  warnOfUnknown(item, KNOWN.of(item['type']), 'input[].', warnings);
  warnOfCaller(item, warnings);
  const namespace = readTextOrNull(item['namespace'], `${path}.namespace`) || null;
  return {
    type: 'tool_call',
    id: readName(item['call_id'], `${path}.call_id`),
    name: flatName(namespace, readName(item['name'], `${path}.name`)),
    cache: null,
  };
}
