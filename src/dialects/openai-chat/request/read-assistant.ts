/** An assistant's message: what it thought, what it said, what it called, in that order. */
import type { AssistantBlock, JsonObject as InputObject, ToolCallBlock } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { isExact } from '../../../wire/exact-numbers.ts';
import { ARGUMENT_BYTES_MAX, ARGUMENT_VALUES_MAX, type ToolInputs } from '../../kit/answer/tool-input.ts';
import { asObject, type JsonObject } from '../answer/json-value.ts';
import { invalid } from '../peek/request-fields.ts';
import { markLast, readCacheMark, readContent } from './read-content.ts';
import { readReasoningBack } from './read-reasoning-back.ts';
import { isAbsent, isBlank, listAt, nameAt, objectAt, optionalString, stringAt } from './read-values.ts';

/** The blocks of a message at `path`; none where it says nothing. */
export function readAssistant(
  message: JsonObject,
  path: string,
  inputs: ToolInputs,
  warnings: Set<string>,
): AssistantBlock[] {
  const blocks: AssistantBlock[] = [
    ...readReasoningBack(message, path, warnings),
    ...readContent(message['content'], `${path}.content`, ['text', 'refusal'], warnings),
  ];
  const refusal = optionalString(message['refusal'], `${path}.refusal`) ?? '';
  if (!isBlank(refusal)) blocks.push({ type: 'refusal', text: refusal });
  listAt(message['tool_calls'], `${path}.tool_calls`).forEach((call, index) => {
    blocks.push(readCall(call, `${path}.tool_calls[${index}]`, inputs));
  });
  if (!isAbsent(message['function_call'])) blocks.push(readLegacyCall(message['function_call'], path, inputs));
  markLast(blocks, readCacheMark(message, `${path}.`));
  return blocks;
}

/** The id that a call of the old `function_call` kind gets, which had none; `path` is its message's. */
function legacyCallId(path: string): string {
  return `call_${path.replace(/\D+/g, '')}_function`;
}

function readLegacyCall(value: unknown, path: string, inputs: ToolInputs): ToolCallBlock {
  const call = objectAt(value, `${path}.function_call`);
  return toolCall(legacyCallId(path), call, `${path}.function_call`, inputs);
}

function readCall(value: unknown, path: string, inputs: ToolInputs): ToolCallBlock {
  const call = objectAt(value, path);
  const id = nameAt(call['id'], `${path}.id`);
  if (!isAbsent(call['custom'])) {
    const custom = objectAt(call['custom'], `${path}.custom`);
    const input = optionalString(custom['input'], `${path}.custom.input`) ?? '';
    return {
      type: 'tool_call',
      id,
      name: nameAt(custom['name'], `${path}.custom.name`),
      input: { input },
      cache: null,
    };
  }
  if (!isAbsent(call['type']) && call['type'] !== 'function') {
    throw new GatewayError('unsupported_value', {
      message: `"${path}" is of a type that cannot be passed on to the provider of this model.`,
      param: `${path}.type`,
    });
  }
  return toolCall(id, objectAt(call['function'], `${path}.function`), `${path}.function`, inputs);
}

function toolCall(id: string, called: JsonObject, path: string, inputs: ToolInputs): ToolCallBlock {
  const name = nameAt(called['name'], `${path}.name`);
  return {
    type: 'tool_call',
    id,
    name,
    input: readArguments(called['arguments'], `${path}.arguments`, inputs),
    cache: null,
  };
}

/** Arguments are a model's own words, so they may be no JSON; then they stay the text they are. */
function readArguments(value: unknown, path: string, inputs: ToolInputs): InputObject {
  if (isAbsent(value)) return {};
  const given = asObject(value);
  if (given !== null && !isExact(given)) return given as InputObject;
  const input = inputs.read(stringAt(value, path));
  if (input !== null) return input;
  throw new GatewayError('request_too_large', {
    message: `The arguments of this request's tool calls have more than ${ARGUMENT_VALUES_MAX} values and names, or ${ARGUMENT_BYTES_MAX} bytes, together, which is the most that is translated for a provider of another format.`,
    param: path,
  });
}

/** Throws 400 where two calls of one turn bear the same id: their results could not be told apart. */
export function refuseRepeatedIds(blocks: readonly AssistantBlock[], path: string): void {
  const ids = new Set<string>();
  for (const block of blocks) {
    if (block.type !== 'tool_call') continue;
    if (ids.has(block.id)) throw invalid(`${path}.tool_calls`, `"${path}.tool_calls" gives two calls the same id.`);
    ids.add(block.id);
  }
}
