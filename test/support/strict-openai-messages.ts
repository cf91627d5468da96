/** What Chat Completions refuses of a conversation. https://platform.openai.com/docs/api-reference/chat/create */
import { isSigned } from './strict-commands.ts';
import { isObject, type JsonObject, listOf, Refusal } from './strict-server.ts';

export interface Manners {
  readonly routes: boolean;
  readonly isNew: boolean;
  readonly thinks: boolean;
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ID_LENGTH_MAX = 40;
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ['name'],
  developer: ['name'],
  user: ['name'],
  // `parsed` is what the stream helper of the OpenAI package adds to a message.
  assistant: ['name', 'refusal', 'tool_calls', 'audio', 'function_call', 'parsed'],
  tool: ['tool_call_id'],
};
const PARTS: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
};

export function checkMessages(messages: unknown, manners: Manners): void {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw refused("Invalid 'messages': empty array.", 'messages', 'empty_array');
  }
  const list = listOf(messages);
  list.forEach((message, index) => {
    checkMessage(message, `messages[${index}]`, manners);
  });
  checkToolPairs(list);
  if (manners.thinks) checkOpenLoop(list);
}

function checkMessage(message: JsonObject, at: string, { routes, isNew }: Manners): void {
  const role = String(message['role']);
  const fields = FIELDS[role];
  if (fields === undefined || (role === 'developer' && !isNew)) {
    throw refused(`Invalid value: '${role}'.`, `${at}.role`, 'invalid_value');
  }
  allow(
    message,
    ['role', 'content', ...fields, ...(routes ? ['reasoning', 'reasoning_details', 'cache_control'] : [])],
    at,
  );
  const { content } = message;
  if (typeof content === 'string') {
    const mayBeEmpty = role === 'tool' || (role === 'assistant' && message['tool_calls'] !== undefined);
    if (content === '' && !mayBeEmpty) throw refused(`Invalid '${at}.content': it is empty.`, `${at}.content`);
  } else if (Array.isArray(content)) {
    if (content.length === 0) throw refused(`Invalid '${at}.content': empty array.`, `${at}.content`, 'empty_array');
    listOf(content).forEach((part, index) => {
      checkPart(part, `${at}.content[${index}]`, role, routes);
    });
  } else if (
    role !== 'assistant' ||
    (!Array.isArray(message['tool_calls']) && typeof message['refusal'] !== 'string')
  ) {
    throw refused(`Invalid value for 'content': expected a string, got null.`, `${at}.content`);
  }
  if (message['tool_calls'] !== undefined) checkCalls(message['tool_calls'], `${at}.tool_calls`, isNew);
  listOf(message['reasoning_details']).forEach(({ text, signature, format }) => {
    // OpenRouter passes a thought to the vendor its `format` names, and omits those of others.
    if (format === 'anthropic-claude-v1' && !isSigned(String(text ?? ''), signature)) {
      throw refused('Invalid `signature` in `thinking` block', `${at}.reasoning_details`);
    }
  });
}

function checkPart(part: JsonObject, at: string, role: string, routes: boolean): void {
  const type = String(part['type']);
  if (!PARTS[role]?.includes(type)) {
    throw refused(`Invalid value: '${type}'. Supported values are: '${PARTS[role]?.join("', '")}'.`, `${at}.type`);
  }
  allow(part, ['type', type, ...(routes ? ['cache_control'] : [])], at);
  const value = part[type];
  switch (type) {
    case 'text':
    case 'refusal':
      if (typeof value !== 'string' || value.trim() === '') throw refused(`Invalid '${at}.${type}': it is empty.`, at);
      return;
    case 'image_url': {
      const { url, ...rest } = isObject(value) ? value : {};
      allow(rest, ['detail'], `${at}.image_url`);
      if (/^https:\/\/\S+$|^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(String(url))) return;
      throw refused('Invalid image URL.', `${at}.image_url.url`, 'invalid_image_url');
    }
    case 'file': {
      const { filename, file_data: data, ...rest } = isObject(value) ? value : {};
      allow(rest, ['file_id'], `${at}.file`);
      if (typeof filename !== 'string') throw refused(`Missing required parameter: '${at}.file.filename'.`, at);
      if (!/^data:application\/pdf;base64,[A-Za-z0-9+/]+=*$/.test(String(data))) {
        throw refused('Invalid file data.', `${at}.file.file_data`, 'invalid_value');
      }
    }
  }
}

function checkCalls(calls: unknown, at: string, isNew: boolean): void {
  if (!Array.isArray(calls) || calls.length === 0) throw refused(`Invalid '${at}': empty array.`, at, 'empty_array');
  listOf(calls).forEach((call, index) => {
    const { id, type } = call;
    const [kind, text] = isNew && type === 'custom' ? ['custom', 'input'] : ['function', 'arguments'];
    const called = call[kind];
    if (typeof id !== 'string' || id === '') throw refused(`Missing required parameter: '${at}[${index}].id'.`, at);
    if (id.length > ID_LENGTH_MAX) {
      throw refused(
        `Invalid '${at}[${index}].id': string too long. Expected a string with maximum length 40.`,
        `${at}[${index}].id`,
        'string_above_max_length',
      );
    }
    if (type !== kind || !isObject(called)) throw refused(`Missing required parameter: '${at}[${index}].type'.`, at);
    if (!NAME.test(String(called['name'])))
      throw refused(`Invalid '${at}[${index}].${kind}.name'.`, at, 'invalid_value');
    if (typeof called[text] !== 'string') throw refused(`Invalid '${at}[${index}].${kind}.${text}'.`, at);
  });
}

/** Every call is answered directly after it, one message each, and nothing else is an answer. */
function checkToolPairs(messages: readonly JsonObject[]): void {
  let open = new Set<unknown>();
  messages.forEach((message, index) => {
    if (message['role'] === 'tool') {
      if (open.delete(message['tool_call_id'])) return;
      throw refused(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        `messages.[${index}].role`,
      );
    }
    if (open.size > 0) throw unanswered(open);
    open = new Set(listOf(message['tool_calls']).map((call) => call['id']));
  });
  if (open.size > 0) throw unanswered(open);
}

function unanswered(open: ReadonlySet<unknown>): Error {
  return refused(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    'messages',
  );
}

/** OpenRouter serves a Claude: its open loop begins with its thought. */
function checkOpenLoop(messages: readonly JsonObject[]): void {
  const question = messages.findLastIndex((message) => message['role'] === 'user');
  messages.forEach((message, index) => {
    if (index <= question || listOf(message['tool_calls']).length === 0) return;
    const own = listOf(message['reasoning_details']).some(({ format }) => format === 'anthropic-claude-v1');
    if (own) return;
    throw refused(`messages.${index}.content.0.type: Expected \`thinking\`, but found \`tool_use\`.`);
  });
}

function allow(value: JsonObject, names: readonly string[], at: string): void {
  const stranger = Object.keys(value).find((name) => !names.includes(name));
  if (stranger !== undefined)
    throw refused(`Unknown parameter: '${at}.${stranger}'.`, `${at}.${stranger}`, 'unknown_parameter');
}

export function refused(message: string, param?: string, code?: string): Refusal {
  return new Refusal(400, message, {
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });
}
