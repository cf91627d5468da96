/** Reads an assistant's message: its thoughts, its text, its calls, in that order. */
import type { AssistantBlock, JsonObject, ToolCallBlock } from '../../../chat/request.ts';
import type { ToolInputs } from '../../kit/answer/tool-input.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { readArguments } from '../../kit/request/read-arguments.ts';
import {
  isAbsent,
  isBlank,
  readListOrEmpty,
  readName,
  readObject,
  readTextOrNull,
} from '../../kit/request/request-values.ts';
import { markLast, readCacheMark } from './read-cache-mark.ts';
import { readContent } from './read-content.ts';
import { readReasoningBack } from './read-reasoning-back.ts';
import { warnOfUnknown } from './unknown-fields.ts';

/** The blocks of a message at `path`; none if it is empty. */
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
  const refusal = readTextOrNull(message['refusal'], `${path}.refusal`) ?? '';
  if (!isBlank(refusal)) blocks.push({ type: 'refusal', text: refusal });
  readListOrEmpty(message['tool_calls'], `${path}.tool_calls`).forEach((call, index) => {
    blocks.push(readCall(call, `${path}.tool_calls[${index}]`, inputs, warnings));
  });
  if (!isAbsent(message['function_call'])) {
    blocks.push(readLegacyCall(message['function_call'], path, inputs, warnings));
  }
  markLast(blocks, readCacheMark(message, `${path}.`, warnings));
  return blocks;
}

/** The id for a deprecated `function_call`, which has none; `path` is its message's. */
function legacyCallId(path: string): string {
  return `call_${path.replace(/\D+/g, '')}_function`;
}

function readLegacyCall(value: unknown, path: string, inputs: ToolInputs, warnings: Set<string>): ToolCallBlock {
  const call = readObject(value, `${path}.function_call`);
  warnOfUnknown(call, KNOWN_IN_FUNCTION, 'messages[].function_call.', warnings);
  return toolCall(legacyCallId(path), call, `${path}.function_call`, inputs);
}

/** The SDK of OpenAI adds `parsed_arguments`. */
const KNOWN_IN_FUNCTION: ReadonlySet<string> = new Set(['name', 'arguments', 'parsed_arguments']);
const KNOWN_IN_CUSTOM: ReadonlySet<string> = new Set(['name', 'input']);
const KNOWN_IN_CALL: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);
const KNOWN_IN_CUSTOM_CALL: ReadonlySet<string> = new Set(['index', 'id', 'type', 'custom']);

function readCall(value: unknown, path: string, inputs: ToolInputs, warnings: Set<string>): ToolCallBlock {
  const call = readObject(value, path);
  const isCustom = !isAbsent(call['custom']);
  warnOfUnknown(call, isCustom ? KNOWN_IN_CUSTOM_CALL : KNOWN_IN_CALL, 'messages[].tool_calls[].', warnings);
  const id = readName(call['id'], `${path}.id`);
  if (isCustom) {
    const custom = readObject(call['custom'], `${path}.custom`);
    warnOfUnknown(custom, KNOWN_IN_CUSTOM, 'messages[].tool_calls[].custom.', warnings);
    const input = readTextOrNull(custom['input'], `${path}.custom.input`) ?? '';
    return {
      type: 'tool_call',
      id,
      name: readName(custom['name'], `${path}.custom.name`),
      input: { input },
      custom: true,
      cache: null,
    };
  }
  if (!isAbsent(call['type']) && call['type'] !== 'function') {
    throw unsupported(`${path}.type`, `"${path}" is of a type that cannot be passed on to the provider of this model.`);
  }
  const called = readObject(call['function'], `${path}.function`);
  warnOfUnknown(called, KNOWN_IN_FUNCTION, 'messages[].tool_calls[].function.', warnings);
  return toolCall(id, called, `${path}.function`, inputs);
}

function toolCall(id: string, called: JsonObject, path: string, inputs: ToolInputs): ToolCallBlock {
  const name = readName(called['name'], `${path}.name`);
  return {
    type: 'tool_call',
    id,
    name,
    input: readArguments(called['arguments'], `${path}.arguments`, inputs),
    cache: null,
  };
}

/** Throws 400 if two calls of one turn have the same id: their results could not be distinguished. */
export function refuseRepeatedIds(blocks: readonly AssistantBlock[], path: string): void {
  const ids = new Set<string>();
  for (const block of blocks) {
    if (block.type !== 'tool_call') continue;
    if (ids.has(block.id)) throw invalid(`${path}.tool_calls`, `"${path}.tool_calls" gives two calls the same id.`);
    ids.add(block.id);
  }
}
