/**
 * The conversation: messages into instructions and turns.
 *
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages
 */
import type { TextBlock, ToolResultBlock, Turn } from '../../chat/request.ts';
import type { JsonObject } from './json-value.ts';
import { readAssistant } from './read-assistant.ts';
import { markLast, readCacheMark, readContent } from './read-parts.ts';
import { TurnsBuilder } from './read-turns.ts';
import { arrayAt, nameAt, objectAt, warnOfOthers, wordAt } from './read-values.ts';
import { invalid } from './request-fields.ts';

export interface Conversation {
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
}

/** Throws `GatewayError` 400 for a message that cannot be read, with its place as `param`. */
export function readMessages(messages: unknown, warnings: Set<string>): Conversation {
  const builder = new TurnsBuilder();
  arrayAt(messages, 'messages').forEach((message, index) => {
    readMessage(objectAt(message, `messages[${index}]`), `messages[${index}]`, builder, warnings);
  });
  const conversation = builder.finish(warnings);
  if (conversation.system.length === 0 && conversation.turns.length === 0) {
    throw invalid('messages', '"messages" must hold at least one message that says something.');
  }
  return conversation;
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;

/**
 * What is read, and what answers bear that clients send back as they got them: `parsed` is a helper's of OpenAI's
 * SDK, `annotations` were written by the provider and mean nothing to a model.
 */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['role', 'content', 'cache_control', 'prompt_cache_breakpoint', 'tool_call_id'],
  ...['refusal', 'tool_calls', 'function_call', 'reasoning', 'reasoning_content', 'reasoning_details'],
  ...['parsed', 'annotations', 'id', 'index', 'provider_specific_fields'],
]);
/** A result bears the name of its tool beside the id of the call, which says it already. */
const KNOWN_IN_RESULTS: ReadonlySet<string> = new Set([...KNOWN_FIELDS, 'name']);

function readMessage(message: JsonObject, path: string, builder: TurnsBuilder, warnings: Set<string>): void {
  const role = wordAt(message['role'], `${path}.role`, ROLES);
  const isResult = role === 'tool' || role === 'function';
  warnOfOthers(message, isResult ? KNOWN_IN_RESULTS : KNOWN_FIELDS, 'messages[].', warnings);
  switch (role) {
    case 'system':
    case 'developer': {
      const blocks = readContent(message['content'], `${path}.content`, ['text']);
      markLast(blocks, readCacheMark(message, `${path}.`));
      builder.system(blocks);
      return;
    }
    case 'user': {
      const blocks = readContent(message['content'], `${path}.content`, ['text', 'image', 'document', 'audio']);
      markLast(blocks, readCacheMark(message, `${path}.`));
      builder.user(blocks);
      return;
    }
    case 'assistant':
      builder.assistant(readAssistant(message, path, warnings), path);
      return;
    case 'tool': {
      const param = `${path}.tool_call_id`;
      const callId = nameAt(message['tool_call_id'], param);
      if (builder.result(readResult(message, path, callId))) return;
      throw invalid(param, `"${param}" is not the id of a tool call in the messages before.`);
    }
    case 'function': {
      const param = `${path}.name`;
      const callId = builder.lastCallOf(nameAt(message['name'], param));
      if (callId !== null && builder.result(readResult(message, path, callId))) return;
      throw invalid(param, `"${param}" is not the name of a function called in the messages before.`);
    }
  }
}

function readResult(message: JsonObject, path: string, callId: string): ToolResultBlock {
  const content = readContent(message['content'], `${path}.content`, ['text', 'image', 'document']);
  return { type: 'tool_result', callId, content, isError: false, cache: readCacheMark(message, `${path}.`) };
}
