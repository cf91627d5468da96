/** Checks a list of Chat Completions messages: known roles, content that fits the role, tool calls answered. */
import { isObject, type JsonObject, objectsOf } from '../../core/json-object.ts';
import { badRequest } from '../refusal.ts';
import { areParts, MEDIA_TYPES } from './content.ts';

const TOOL_CALL_ID_LENGTH_MAX = 40;
const TEXT_TYPES: ReadonlySet<string> = new Set(['text']);
const USER_TYPES: ReadonlySet<string> = new Set(['text', ...MEDIA_TYPES]);
const ASSISTANT_TYPES: ReadonlySet<string> = new Set(['text', 'refusal']);

export function checkMessages(messages: unknown): readonly JsonObject[] {
  if (messages === undefined) {
    throw badRequest("Missing required parameter: 'messages'.", {
      param: 'messages',
      code: 'missing_required_parameter',
    });
  }
  if (!Array.isArray(messages)) {
    throw badRequest("Invalid type for 'messages': expected an array.", { param: 'messages', code: 'invalid_type' });
  }
  if (messages.length === 0) {
    throw badRequest("Invalid 'messages': the array is empty; at least one message is expected.", {
      param: 'messages',
      code: 'empty_array',
    });
  }
  const checked = messages.map((message, index) => checkMessage(message, `messages[${index}]`));
  checkToolPairs(checked);
  return checked;
}

function checkMessage(message: unknown, param: string): JsonObject {
  if (!isObject(message)) throw invalid(param, 'it is not an object');
  const content = message['content'];
  switch (message['role']) {
    case 'system':
    case 'developer':
      if (typeof content === 'string' || areParts(content, TEXT_TYPES)) return message;
      break;
    case 'user':
      if (typeof content === 'string' || areParts(content, USER_TYPES)) return message;
      break;
    case 'tool':
      if (typeof message['tool_call_id'] !== 'string') throw invalid(`${param}.tool_call_id`, 'it is missing');
      if (typeof content === 'string' || areParts(content, TEXT_TYPES)) return message;
      break;
    case 'function':
      if (typeof content === 'string' || content === null) return message;
      break;
    case 'assistant':
      checkCalls(message, param);
      if (typeof content === 'string' || areParts(content, ASSISTANT_TYPES)) return message;
      if ((content === null || content === undefined) && hasOtherOutput(message)) return message;
      break;
    default:
      throw invalid(`${param}.role`, 'there is no such role');
  }
  throw invalid(`${param}.content`, 'a string or a list of content parts of this role is expected');
}

function hasOtherOutput(assistant: JsonObject): boolean {
  return ['tool_calls', 'function_call', 'refusal', 'audio'].some(
    (field) => assistant[field] !== undefined && assistant[field] !== null,
  );
}

function checkCalls(assistant: JsonObject, param: string): void {
  const calls = assistant['tool_calls'];
  if (calls === undefined || calls === null) return;
  if (!Array.isArray(calls) || calls.length === 0) throw invalid(`${param}.tool_calls`, 'the array is empty');
  calls.forEach((call, index) => {
    const at = `${param}.tool_calls[${index}]`;
    const id = isObject(call) ? call['id'] : undefined;
    if (typeof id !== 'string' || id === '') throw invalid(`${at}.id`, 'it is missing');
    if (id.length > TOOL_CALL_ID_LENGTH_MAX) {
      throw badRequest(`Invalid '${at}.id': at most ${TOOL_CALL_ID_LENGTH_MAX} characters are taken.`, {
        param: `${at}.id`,
        code: 'string_above_max_length',
      });
    }
    const called = isObject(call) ? (call['function'] ?? call['custom']) : undefined;
    const given = isObject(called) ? (called['arguments'] ?? called['input']) : undefined;
    if (!isObject(called) || typeof called['name'] !== 'string' || typeof given !== 'string') {
      throw invalid(`${at}.function`, 'a name and arguments in a string are expected');
    }
  });
}

/** Every call must be answered right after it, and every answer must belong to a call. */
function checkToolPairs(messages: readonly JsonObject[]): void {
  let open = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      if (open.delete(message['tool_call_id'])) continue;
      throw invalid(`messages[${index}]`, "a 'tool' message answers an open call of the 'tool_calls' before it");
    }
    if (open.size > 0) throw unanswered(open);
    open = new Set(objectsOf(message['tool_calls']).map((call) => call['id']));
  }
  if (open.size > 0) throw unanswered(open);
}

function unanswered(open: ReadonlySet<unknown>): Error {
  return badRequest(
    `An assistant message with 'tool_calls' must be followed by a tool message for each 'tool_call_id'; missing: ${[...open].join(', ')}.`,
    { param: 'messages' },
  );
}

function invalid(param: string, why: string): Error {
  return badRequest(`Invalid '${param}': ${why}.`, { param });
}
