/** The formats that coding assistants speak, as they send them: a request, how its answer ends, and what an error looks like. */
import { eventsIn, listAt, objectIn, type Reply, valueAt } from './deployment.ts';
import { UNCACHED } from './finding.ts';

export interface Format {
  readonly title: string;
  path(model: string, stream: boolean): string;
  headers(key: string): Readonly<Record<string, string>>;
  body(model: string, prompt: string, outputCap: number, stream: boolean): object;
  /** Whether a whole answer is one. */
  isAnswer(reply: Reply): boolean;
  /** Whether a stream has its last event. */
  isComplete(reply: Reply): boolean;
  /** The message of an error in this format; null if it is none. */
  errorIn(reply: Reply): string | null;
  /** The header with the request id. */
  readonly requestIdHeader: string;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, ...UNCACHED });
/** https://docs.anthropic.com/en/api/versioning */
export const ANTHROPIC_VERSION = { 'anthropic-version': '2023-06-01' } as const;

export const messages: Format = {
  title: 'Messages',
  path: () => '/v1/messages',
  headers: (key) => ({ 'x-api-key': key, ...ANTHROPIC_VERSION, ...UNCACHED }),
  body: (model, prompt, outputCap, stream) => ({
    ...{ model, max_tokens: outputCap, stream },
    messages: [{ role: 'user', content: prompt }],
  }),
  isAnswer: (reply) => valueAt(objectIn(reply), 'type') === 'message',
  isComplete: (reply) => valueAt(eventsIn(reply).at(-1), 'type') === 'message_stop',
  errorIn(reply) {
    const object = objectIn(reply);
    return valueAt(object, 'type') === 'error' ? textOrNull(valueAt(object, 'error', 'message')) : null;
  },
  requestIdHeader: 'request-id',
};

export const chatCompletions: Format = {
  title: 'Chat Completions',
  path: () => '/v1/chat/completions',
  headers: bearer,
  body: (model, prompt, outputCap, stream) => ({
    ...{ model, max_tokens: outputCap, stream },
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [{ role: 'user', content: prompt }],
  }),
  isAnswer: (reply) => valueAt(objectIn(reply), 'choices', 0, 'message') !== undefined,
  isComplete: ({ body }) => /\ndata: ?\[DONE\]\s*$/.test(body.subarray(-64).toString()),
  errorIn: openaiError,
  requestIdHeader: 'x-request-id',
};

export const responses: Format = {
  title: 'Responses',
  path: () => '/v1/responses',
  headers: bearer,
  body: (model, prompt, outputCap, stream) => ({
    ...{ model, max_output_tokens: outputCap, stream, store: false },
    input: [{ role: 'user', content: prompt }],
  }),
  isAnswer: (reply) => valueAt(objectIn(reply), 'object') === 'response',
  isComplete: (reply) =>
    ['response.completed', 'response.incomplete'].includes(String(valueAt(eventsIn(reply).at(-1), 'type'))),
  errorIn: openaiError,
  requestIdHeader: 'x-request-id',
};

export const gemini: Format = {
  title: 'Gemini',
  path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  headers: (key) => ({ 'x-goog-api-key': key, ...UNCACHED }),
  body: (_model, prompt, outputCap) => ({
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: { maxOutputTokens: outputCap },
  }),
  isAnswer: (reply) => listAt(objectIn(reply), 'candidates').length > 0,
  isComplete: (reply) =>
    eventsIn(reply).some((event) => typeof valueAt(event, 'candidates', 0, 'finishReason') === 'string'),
  errorIn(reply) {
    const object = objectIn(reply);
    return typeof valueAt(object, 'error', 'status') === 'string'
      ? textOrNull(valueAt(object, 'error', 'message'))
      : null;
  },
  requestIdHeader: 'x-request-id',
};

export const formats: readonly Format[] = [messages, chatCompletions, responses, gemini];

function openaiError(reply: Reply): string | null {
  const object = objectIn(reply);
  return valueAt(object, 'type') === 'error' ? null : textOrNull(valueAt(object, 'error', 'message'));
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
