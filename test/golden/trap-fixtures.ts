/** Small answers and requests of each format for `traps.test.ts`: a new dialect adds a line to each. */
import type { JsonObject } from '../../src/core/json-object.ts';

type Payloads = readonly object[];

const CHAT_CALL = { id: 'c1', type: 'function', function: { name: 'tide', arguments: '{"a":1}' } };
const CHAT = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };
const chatChunk = (delta: object, finish_reason: string | null = null) => ({
  ...CHAT,
  choices: [{ index: 0, delta, finish_reason }],
});
const CHAT_CALLS = [chatChunk({ tool_calls: [{ index: 0, ...CHAT_CALL }] }), chatChunk({}, 'tool_calls')];

const TOOL_USE = { type: 'tool_use', id: 'c1', name: 'tide', input: {} };
const message = (stop: string) => [
  {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: TOOL_USE },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];

const ITEM = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'tide',
  arguments: '{"a":1}',
  status: 'completed',
};
const RESPONSE = { id: 'resp_1', object: 'response', status: 'completed', output: [ITEM] };
const RESPONSES = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...ITEM, arguments: '', status: 'in_progress' } },
  { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_1', delta: '{"a":1}' },
  { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc_1', arguments: '{"a":1}' },
  { type: 'response.output_item.done', output_index: 0, item: ITEM },
  { type: 'response.completed', response: RESPONSE },
];

const GOOGLE = {
  candidates: [
    {
      index: 0,
      finishReason: 'STOP',
      content: { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'tide', args: { a: 1 } } }] },
    },
  ],
  responseId: 'r',
};

const CONVERSE = (stopReason: string) => [
  { messageStart: { role: 'assistant' } },
  { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'c1', name: 'tide' } } } },
  { contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input: '{"a":1}' } } } },
  { contentBlockStop: { contentBlockIndex: 0 } },
  { messageStop: { stopReason } },
  { metadata: { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } } },
];

interface Calls {
  readonly payloads: readonly string[];
  /** Whether an event says that the call has ended. */
  isEnd(payload: string): boolean;
}

const callsOf = (payloads: Payloads, end: string): Calls => ({
  payloads: payloads.map((each) => JSON.stringify(each)),
  isEnd: (payload) => payload.includes(end),
});

/** A stream with one call. */
export const EVENTS_OF_CALLS: Readonly<Record<string, Calls>> = {
  'openai-chat': callsOf(CHAT_CALLS, '"finish_reason":"tool_calls"'),
  'anthropic-messages': callsOf(message('tool_use'), 'content_block_stop'),
  'openai-responses': callsOf(RESPONSES, '.done"'),
  gemini: callsOf(
    [
      { ...GOOGLE, candidates: [{ ...GOOGLE.candidates[0], finishReason: undefined }] },
      { candidates: [{ index: 0, finishReason: 'STOP' }] },
    ],
    'STOP',
  ),
  'bedrock-converse': callsOf(CONVERSE('tool_use'), 'contentBlockStop'),
};

/** A whole answer, and a stream, that call a tool although their reason is an ordinary end. */
export const STOP_WITH_CALLS: Readonly<Record<string, readonly [whole: object, stream: Payloads]>> = {
  'openai-chat': [
    {
      id: 'x',
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, tool_calls: [CHAT_CALL] } },
      ],
    },
    [chatChunk({ tool_calls: [{ index: 0, ...CHAT_CALL }] }), chatChunk({}, 'stop')],
  ],
  'anthropic-messages': [
    {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [TOOL_USE],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    message('end_turn'),
  ],
  'openai-responses': [RESPONSE, RESPONSES],
  gemini: [GOOGLE, [GOOGLE]],
  'bedrock-converse': [
    {
      output: { message: { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'tide', input: {} } }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    },
    CONVERSE('end_turn'),
  ],
};

/** Some words, and the provider's error. */
export const ERROR_EVENTS: Readonly<Record<string, readonly (object | string)[]>> = {
  'openai-chat': [
    chatChunk({ content: 'High' }),
    { error: { message: 'The server is overloaded', type: 'server_error', code: 503 } },
  ],
  'anthropic-messages': [
    ...message('end_turn').slice(0, 1),
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'High' } },
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ],
  'openai-responses': [
    ...RESPONSES.slice(0, 1),
    {
      type: 'response.failed',
      response: {
        ...RESPONSE,
        status: 'failed',
        output: [],
        error: { code: 'server_error', message: 'The server failed' },
      },
    },
  ],
  gemini: [
    { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'High' }] } }] },
    { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
  ],
  'bedrock-converse': [
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'High' } } },
    { throttlingException: { message: 'Too many tokens' } },
  ],
};

/** The body of a 400 with these words. */
export const REFUSALS: Readonly<Record<string, (message: string) => object>> = {
  'openai-chat': (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  'anthropic-messages': (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  'openai-responses': (message) => ({ error: { message, type: 'invalid_request_error', param: 'input', code: null } }),
  gemini: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  'bedrock-converse': (message) => ({ message }),
};

const SCHEMA = { type: 'object', properties: { port: { type: 'string' } } };

/** Two parallel calls, each answered in a message of its own, in another order. */
export const SPLIT_RESULTS: Readonly<Record<string, JsonObject>> = {
  'openai-chat': {
    model: 'm',
    messages: [
      { role: 'user', content: 'q' },
      { role: 'assistant', tool_calls: ['a', 'b'].map((id) => ({ ...CHAT_CALL, id })) },
      ...['b', 'a'].map((id) => ({ role: 'tool', tool_call_id: id, content: `of ${id}` })),
    ],
    tools: [{ type: 'function', function: { name: 'tide', parameters: SCHEMA } }],
  },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: ['a', 'b'].map((id) => ({ ...TOOL_USE, id })) },
      ...['b', 'a'].map((id) => ({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: `of ${id}` }],
      })),
    ],
    tools: [{ name: 'tide', input_schema: SCHEMA }],
  },
  'openai-responses': {
    model: 'm',
    input: [
      { role: 'user', content: 'q' },
      ...['a', 'b'].map((id) => ({ ...ITEM, id: `fc_${id}`, call_id: id })),
      ...['b', 'a'].map((id) => ({ type: 'function_call_output', call_id: id, output: `of ${id}` })),
    ],
    tools: [{ type: 'function', name: 'tide', parameters: SCHEMA, strict: false }],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: ['a', 'b'].map((id) => ({ functionCall: { id, name: 'tide', args: {} } })) },
      ...['b', 'a'].map((id) => ({
        role: 'user',
        parts: [{ functionResponse: { id, name: 'tide', response: { output: `of ${id}` } } }],
      })),
    ],
    tools: [{ functionDeclarations: [{ name: 'tide', parametersJsonSchema: SCHEMA }] }],
  },
};
