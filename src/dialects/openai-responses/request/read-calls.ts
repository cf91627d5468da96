/** Reads a model's earlier calls of functions and of custom tools. */
import type { JsonObject, ToolCallBlock } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { ARGUMENT_BYTES_MAX, ARGUMENT_VALUES_MAX, type ToolInputs } from '../../kit/answer/tool-input.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { isAbsent, isRecord, readName, readText, readTextOrNull } from '../../kit/request/request-values.ts';
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

/** Arguments are written by a model, so they may not be JSON; then they stay text. */
function readArguments(value: unknown, path: string, inputs: ToolInputs): JsonObject {
  if (isAbsent(value)) return {};
  if (isRecord(value)) return value;
  const input = inputs.read(readText(value, path));
  if (input !== null) return input;
  throw new GatewayError('request_too_large', {
    message: `The arguments of this request's tool calls have more than ${ARGUMENT_VALUES_MAX} values and names, or ${ARGUMENT_BYTES_MAX} bytes, together, which is the most that is translated for a provider of another format.`,
    param: path,
  });
}
