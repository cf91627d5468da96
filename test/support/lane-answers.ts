/** Good, empty and failed answers of a provider in each format, as frames that a script sends: a new dialect adds an entry. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { encodeEvent, encodeException } from './event-stream.ts';
import { anthropicBody, anthropicFrames, data, event, openaiBody, openaiFrames } from './upstream-scripts.ts';

/** Every usage reports this prompt. */
export const REPORTED_PROMPT = 5;

export type AnswerFrame = string | Buffer;

export interface LaneAnswers {
  /** The words, each in a frame of its own, and the end with a usage of as many tokens. */
  frames(words: readonly string[]): readonly AnswerFrame[];
  /** How many frames come before the words. */
  readonly lead: number;
  /** A whole answer of one word that reports this many tokens of output. */
  body(word: string, output: number): object;
  /** Ends properly, says nothing and gives no reason; null if the format cannot. */
  readonly empty: { readonly frames: readonly AnswerFrame[]; readonly body: object } | null;
  /** What the empty answer reports of its prompt; null if nothing. */
  readonly emptyPrompt: number | null;
  /** Whether the prompt is reported before the end. */
  readonly reportsPromptFirst: boolean;
  /** An error of the provider inside a stream. */
  readonly error: AnswerFrame;
  /** The body of a 400. */
  readonly refusal: object;
  readonly contentType: string;
}

const SSE = 'text/event-stream';
const EMPTY_MESSAGE = { id: 'msg', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null };

export const laneAnswers: Readonly<Record<ProviderDialectName, LaneAnswers>> = {
  'openai-chat': {
    frames: openaiFrames,
    lead: 1,
    body: (word, output) => withOutput(openaiBody(word), output),
    empty: {
      frames: [
        data({ id: 'x', object: 'chat.completion.chunk', model: 'x', created: 1, choices: [] }),
        'data: [DONE]\n\n',
      ],
      body: {
        id: 'x',
        object: 'chat.completion',
        model: 'x',
        created: 1,
        choices: [{ index: 0, message: { content: '' } }],
      },
    },
    emptyPrompt: null,
    reportsPromptFirst: false,
    error: data({ error: { message: 'The server failed', type: 'server_error', code: 500 } }),
    refusal: { error: { message: 'no', type: 'invalid_request_error', param: null, code: 'invalid_request_error' } },
    contentType: SSE,
  },
  'anthropic-messages': {
    frames: anthropicFrames,
    lead: 2,
    body: (word, output) => withOutput(anthropicBody(word), output),
    empty: { frames: emptyMessages(), body: emptyMessage() },
    emptyPrompt: REPORTED_PROMPT,
    reportsPromptFirst: true,
    error: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    refusal: { type: 'error', error: { type: 'invalid_request_error', message: 'no' } },
    contentType: SSE,
  },
  'openai-responses': {
    frames: (words) => responsesFrames(words),
    lead: 4,
    body: (word, output) => response([messageItem(word)], 'completed', output),
    empty: null,
    emptyPrompt: null,
    reportsPromptFirst: false,
    error: event({ type: 'error', code: 'server_error', message: 'The server failed', param: null }),
    refusal: { error: { message: 'no', type: 'invalid_request_error', param: null, code: 'invalid_request_error' } },
    contentType: SSE,
  },
  gemini: {
    frames: (words) => [
      ...words.map((text) => data(candidate([{ text }]))),
      data(candidate([{ text: '' }], { finishReason: 'STOP' }, words.length)),
    ],
    lead: 0,
    body: (word, output) => candidate([{ text: word }], { finishReason: 'STOP' }, output),
    empty: null,
    emptyPrompt: null,
    reportsPromptFirst: true,
    error: data({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
    refusal: { error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } },
    contentType: SSE,
  },
  'bedrock-converse': {
    frames: (words) => [
      encodeEvent('messageStart', { role: 'assistant' }),
      ...words.map((text) => encodeEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text } })),
      encodeEvent('contentBlockStop', { contentBlockIndex: 0 }),
      encodeEvent('messageStop', { stopReason: 'end_turn' }),
      encodeEvent('metadata', { usage: converseUsage(words.length) }),
    ],
    lead: 1,
    body: (word, output) => converse([{ text: word }], 'end_turn', output),
    empty: null,
    emptyPrompt: null,
    reportsPromptFirst: false,
    error: encodeException('modelStreamErrorException', 'The model failed'),
    refusal: { message: 'no' },
    contentType: 'application/vnd.amazon.eventstream',
  },
};

function withOutput(body: string, output: number): object {
  return JSON.parse(body.replace(/"(completion|output)_tokens":1\b/, `"$1_tokens":${output}`));
}

function emptyMessage(): object {
  return { ...EMPTY_MESSAGE, usage: { input_tokens: REPORTED_PROMPT, output_tokens: 0 } };
}

function emptyMessages(): readonly string[] {
  return [event({ type: 'message_start', message: emptyMessage() }), event({ type: 'message_stop' })];
}

function messageItem(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

function response(output: readonly object[], status: string, tokens: number | null): object {
  const usage = tokens === null ? null : responsesUsage(tokens);
  const base = { id: 'resp_1', object: 'response', created_at: 1, model: 'scripted-1', error: null };
  return { ...base, incomplete_details: null, status, output, usage };
}

function responsesUsage(output: number): object {
  return {
    input_tokens: REPORTED_PROMPT,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: REPORTED_PROMPT + output,
  };
}

function responsesFrames(words: readonly string[]): readonly string[] {
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
  const part = { type: 'output_text', text: '', annotations: [] };
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const text = words.join('');
  const events = [
    { type: 'response.created', response: response([], 'in_progress', null) },
    { type: 'response.in_progress', response: response([], 'in_progress', null) },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.content_part.added', ...at, part },
    ...words.map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part: { ...part, text } },
    { type: 'response.output_item.done', output_index: 0, item: messageItem(text) },
    { type: 'response.completed', response: response([messageItem(text)], 'completed', words.length) },
  ];
  return events.map((each, sequence_number) => event({ ...each, sequence_number }));
}

function candidate(parts: readonly object[], more: object = {}, output: number | null = null): object {
  const counted = output === null ? {} : { candidatesTokenCount: output };
  const usageMetadata = {
    promptTokenCount: REPORTED_PROMPT,
    ...counted,
    totalTokenCount: REPORTED_PROMPT + (output ?? 0),
  };
  const candidates = [{ index: 0, content: { role: 'model', parts }, ...more }];
  return { candidates, usageMetadata, modelVersion: 'scripted-1', responseId: 'r1' };
}

function converse(content: readonly object[], stopReason: string, output: number): object {
  return { output: { message: { role: 'assistant', content } }, stopReason, usage: converseUsage(output), metrics: {} };
}

function converseUsage(outputTokens: number): object {
  return { inputTokens: REPORTED_PROMPT, outputTokens, totalTokens: REPORTED_PROMPT + outputTokens };
}
