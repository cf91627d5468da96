/**
 * Reads messages into instructions and turns.
 *
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages
 */
import type { JsonObject, TextBlock, ToolResultBlock, Turn } from '../../../chat/request.ts';
import { ToolInputs } from '../../kit/answer/tool-input.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { readList, readName, readObject, readWord } from '../../kit/request/request-values.ts';
import { TurnsBuilder } from '../../kit/request/turns-builder.ts';
import { readAssistant, refuseRepeatedIds } from './read-assistant.ts';
import { markLast, readCacheMark } from './read-cache-mark.ts';
import { readContent } from './read-content.ts';
import { warnOfUnknown } from './unknown-fields.ts';

export interface Conversation {
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
}

/** Throws `GatewayError` 400 for a message that cannot be read, with its path as `param`. */
export function readMessages(messages: unknown, warnings: Set<string>): Conversation {
  const builder = new TurnsBuilder();
  const inputs = new ToolInputs();
  let lastSilent: string | null = null;
  readList(messages, 'messages').forEach((value, index) => {
    const message = readObject(value, `messages[${index}]`);
    const says = readMessage(message, `messages[${index}]`, builder, inputs, warnings);
    if (message['role'] === 'user' && !says) lastSilent = `messages[${index}].content`;
    else if (says) lastSilent = null;
  });
  const conversation = builder.finish(warnings);
  // Without it the model would continue its own answer instead of writing a new one.
  if (lastSilent !== null && conversation.turns.at(-1)?.role === 'assistant') {
    throw invalid(lastSilent, `"${lastSilent}" must say something: it is the turn to be answered.`);
  }
  if (conversation.system.length === 0 && conversation.turns.length === 0) {
    throw invalid('messages', '"messages" must hold at least one message that says something.');
  }
  return conversation;
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;

/**
 * Fields that are read, and fields of answers that clients send back unchanged: `parsed` is added by OpenAI's SDK, `annotations` were
 * written by the provider and mean nothing to a model. A result has the name of its tool in addition to the id of the call, which is enough.
 */
const KNOWN_FIELDS = fieldsByType(
  ['role', 'content', 'cache_control', 'prompt_cache_breakpoint', 'id', 'index', 'provider_specific_fields'],
  {
    assistant: [
      ...['refusal', 'tool_calls', 'function_call', 'reasoning', 'reasoning_content', 'reasoning_details'],
      ...['parsed', 'annotations'],
    ],
    'tool|function': ['tool_call_id', 'name'],
  },
);

/** Returns whether the message has any content. */
function readMessage(
  message: JsonObject,
  path: string,
  builder: TurnsBuilder,
  inputs: ToolInputs,
  warnings: Set<string>,
): boolean {
  const role = readWord(message['role'], `${path}.role`, ROLES);
  warnOfUnknown(message, KNOWN_FIELDS.of(role), 'messages[].', warnings);
  switch (role) {
    case 'system':
    case 'developer': {
      const blocks = readContent(message['content'], `${path}.content`, ['text'], warnings);
      markLast(blocks, readCacheMark(message, `${path}.`, warnings));
      builder.system(blocks);
      return blocks.length > 0;
    }
    case 'user': {
      const blocks = readContent(
        message['content'],
        `${path}.content`,
        ['text', 'image', 'document', 'audio'],
        warnings,
      );
      markLast(blocks, readCacheMark(message, `${path}.`, warnings));
      builder.user(blocks);
      return blocks.length > 0;
    }
    case 'assistant': {
      const blocks = readAssistant(message, path, inputs, warnings);
      refuseRepeatedIds(blocks, path);
      builder.assistant(blocks);
      return blocks.length > 0;
    }
    case 'tool': {
      const param = `${path}.tool_call_id`;
      const callId = readName(message['tool_call_id'], param);
      if (builder.result(readResult(message, path, callId, warnings))) return true;
      throw invalid(param, `"${param}" is not the id of a tool call in the messages before.`);
    }
    case 'function': {
      const param = `${path}.name`;
      const callId = builder.lastCallOf(readName(message['name'], param));
      if (callId !== null && builder.result(readResult(message, path, callId, warnings))) return true;
      throw invalid(param, `"${param}" is not the name of a function called in the messages before.`);
    }
  }
}

function readResult(message: JsonObject, path: string, callId: string, warnings: Set<string>): ToolResultBlock {
  const content = readContent(message['content'], `${path}.content`, ['text', 'image', 'document'], warnings);
  return { type: 'tool_result', callId, content, isError: false, cache: readCacheMark(message, `${path}.`, warnings) };
}
