import { CHAT, type DialectName, GEMINI, MESSAGES, RESPONSES } from './dialects.ts';
/**
 * What goes over the wire in every measure, written by hand in each format. The backend's name
 * for a model differs from the caller's, so that a gateway which promises the caller's own name
 * back has to edit every answer.
 *
 * Chat chunks: https://platform.openai.com/docs/api-reference/chat-streaming
 * Messages events: https://docs.anthropic.com/en/docs/build-with-claude/streaming
 * Responses events: https://platform.openai.com/docs/api-reference/responses-streaming
 * Gemini chunks: https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */

/** What the backend does with a call; the scenario is a part of both names of its model. */
export type Scenario =
  /** One answer of about 1 kB. */
  | 'whole'
  /** A stream of many chunks, each in a separate packet, a few milliseconds apart. */
  | 'paced'
  /** A stream that ends right after its first chunk. */
  | 'brief'
  /** A stream that sends one chunk and then stays open. */
  | 'idle';
export const scenarios: readonly Scenario[] = ['whole', 'paced', 'brief', 'idle'];

/** The middle of a `paced` stream. The interval keeps every chunk in a separate packet, for every subject. */
export const pacedChunks = 300;
export const pacedIntervalMs = 8;

/** What a caller writes. One vendor a dialect, as each dialect has its own provider. */
export function callerModel(dialect: DialectName, scenario: Scenario): string {
  return `${VENDORS[dialect]}/${scenario}`;
}

/** A model whose provider speaks another format: every answer is translated. */
export function translatedModel(dialect: DialectName, scenario: Scenario): string {
  return `${VENDORS[dialect]}-translated/${scenario}`;
}

const VENDORS: Readonly<Record<DialectName, string>> = {
  [CHAT]: 'bench-chat',
  [MESSAGES]: 'bench-messages',
  [RESPONSES]: 'bench-responses',
  [GEMINI]: 'bench-gemini',
};

/** What the provider of a translated call speaks: Claude for Codex, OpenAI for Gemini CLI. */
export const otherDialect: Readonly<Record<DialectName, DialectName>> = {
  [CHAT]: MESSAGES,
  [MESSAGES]: CHAT,
  [RESPONSES]: MESSAGES,
  [GEMINI]: RESPONSES,
};

/** What the backend calls it. */
export function upstreamModel(scenario: Scenario): string {
  return `${scenario}-2026-11-01`;
}

const QUESTION = 'Which roads of the old town had a toll gate in 1790, and who was let through without paying?';

/** A request of about 0.3 kB. */
export function requestBody(dialect: DialectName, scenario: Scenario, model = callerModel(dialect, scenario)): Buffer {
  return Buffer.from(JSON.stringify(REQUESTS[dialect](model, scenario === 'whole' ? {} : { stream: true })));
}

const SYSTEM = 'Answer briefly and name your sources.';
const ASKED = { role: 'user', content: QUESTION };

const REQUESTS: Readonly<Record<DialectName, (model: string, stream: object) => object>> = {
  [CHAT]: (model, stream) => ({
    model,
    messages: [{ role: 'system', content: SYSTEM }, ASKED],
    temperature: 0.2,
    max_tokens: 400,
    ...stream,
  }),
  [MESSAGES]: (model, stream) => ({
    model,
    max_tokens: 400,
    system: SYSTEM,
    messages: [ASKED],
    temperature: 0.2,
    ...stream,
  }),
  [RESPONSES]: (model, stream) => ({
    model,
    instructions: SYSTEM,
    input: [ASKED],
    temperature: 0.2,
    max_output_tokens: 400,
    store: false,
    ...stream,
  }),
  // The path has the rest.
  [GEMINI]: () => ({
    systemInstruction: { parts: [{ text: SYSTEM }] },
    contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
    generationConfig: { temperature: 0.2, maxOutputTokens: 400 },
  }),
};

/** A request of exactly `bytes` bytes, nearly all of them one base64 image. */
export function imageRequestBody(bytes: number, model = callerModel(CHAT, 'whole')): Buffer {
  const head =
    `{"model":"${model}","max_tokens":400,"messages":[{"role":"user","content":[` +
    '{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,';
  const tail = '"}}]}]}';
  const body = Buffer.alloc(bytes);
  body.fill('iVBORw0KGgoAAAANSUhEUgAA', head.length, 'latin1');
  body.write(head, 0, 'latin1');
  body.write(tail, bytes - tail.length, 'latin1');
  return body;
}

/** About 1 kB. */
export function wholeAnswer(dialect: DialectName): Buffer {
  return Buffer.from(JSON.stringify(WHOLES[dialect](upstreamModel('whole'))));
}

const ANSWER = 'The gates stood on the roads to the harbour, the mill and the market. '.repeat(8).trim();

const WHOLES: Readonly<Record<DialectName, (model: string) => object>> = {
  [CHAT]: (model) => ({
    id: 'chatcmpl-B7xQm2Lr9TvKc4WdYh1ZpNs8',
    object: 'chat.completion',
    created: 1795250000,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: ANSWER, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 43,
      completion_tokens: 128,
      total_tokens: 171,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    service_tier: 'default',
    system_fingerprint: 'fp_4c2d8a91be',
  }),
  [MESSAGES]: (model) => ({
    id: 'msg_01Qv7nRk3YtLw5XzBd8HsJcF',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: ANSWER }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 43,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 128,
      service_tier: 'standard',
    },
  }),
  [RESPONSES]: (model) => responseOf(model, [messageItem(ANSWER, 'completed')], 'completed', 128),
  [GEMINI]: (model) => ({ ...geminiChunk(model, ANSWER, 128), ...{ responseId: 'Kx8bZ5mTq2vRjL0c' } }),
};

function responseOf(model: string, output: readonly object[], status: string, outputTokens: number | null): object {
  return {
    id: 'resp_0c4d1e7a9b2f',
    object: 'response',
    created_at: 1795250000,
    status,
    error: null,
    incomplete_details: null,
    model,
    output,
    usage: outputTokens === null ? null : responseUsage(outputTokens),
  };
}

function responseUsage(outputTokens: number): object {
  return {
    input_tokens: 43,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 43 + outputTokens,
  };
}

const ITEM_ID = 'msg_0c4d1e7a9b2f';

function messageItem(text: string | null, status: string): object {
  const content = text === null ? [] : [textPart(text)];
  return { type: 'message', id: ITEM_ID, status, role: 'assistant', content };
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [] };
}

/** `tokens` is the output so far. */
function geminiChunk(model: string, text: string, tokens: number, finishReason: string | null = 'STOP'): object {
  const end = finishReason === null ? {} : { finishReason };
  return {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, ...end, index: 0 }],
    usageMetadata: {
      promptTokenCount: 43,
      candidatesTokenCount: tokens,
      totalTokenCount: 43 + tokens,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 43 }],
    },
    modelVersion: model,
  };
}

/** The events of a stream: the opening ones, those in between, the closing ones. */
export interface StreamEvents {
  readonly opening: readonly Buffer[];
  /** In turn; one if they are all the same. */
  readonly repeated: readonly [Buffer, ...Buffer[]];
  readonly closing: readonly Buffer[];
}

export function streamEvents(dialect: DialectName, scenario: Scenario): StreamEvents {
  return STREAMS[dialect](upstreamModel(scenario), scenario === 'paced' ? pacedChunks : 0);
}

/** `chunks` is how many pieces of text there will be. */
const STREAMS: Readonly<Record<DialectName, (model: string, chunks: number) => StreamEvents>> = {
  [CHAT]: chatEvents,
  [MESSAGES]: messagesEvents,
  [RESPONSES]: responsesEvents,
  [GEMINI]: geminiEvents,
};

const WORD = ' harbour';

function chatEvents(model: string): StreamEvents {
  const event = (delta: object, finishReason: string | null) =>
    chatEvent(model, [{ index: 0, delta, logprobs: null, finish_reason: finishReason }], null);
  const usage = {
    prompt_tokens: 43,
    completion_tokens: 200,
    total_tokens: 243,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
  return {
    opening: [event({ role: 'assistant', content: '', refusal: null }, null)],
    repeated: [event({ content: WORD }, null)],
    closing: [event({}, 'stop'), chatEvent(model, [], usage), Buffer.from('data: [DONE]\n\n')],
  };
}

function chatEvent(model: string, choices: readonly object[], usage: object | null): Buffer {
  const chunk = {
    id: 'chatcmpl-B7xQm2Lr9TvKc4WdYh1ZpNs8',
    object: 'chat.completion.chunk',
    created: 1795250000,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_4c2d8a91be',
    choices,
    usage,
  };
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
}

function messagesEvents(model: string): StreamEvents {
  const event = (data: { readonly type: string; readonly [field: string]: unknown }) =>
    Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  const message = {
    id: 'msg_01Qv7nRk3YtLw5XzBd8HsJcF',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 43, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  };
  return {
    opening: [
      event({ type: 'message_start', message }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ],
    repeated: [event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORD } })],
    closing: [
      event({ type: 'content_block_stop', index: 0 }),
      event({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 200 },
      }),
      event({ type: 'message_stop' }),
    ],
  };
}

/** Each event has the next number. */
function responsesEvents(model: string, chunks: number): StreamEvents {
  let number = 0;
  const event = (type: string, fields: object) => {
    const data = JSON.stringify({ type, ...fields, sequence_number: number });
    number += 1;
    return Buffer.from(`event: ${type}\ndata: ${data}\n\n`);
  };
  const place = { item_id: ITEM_ID, output_index: 0, content_index: 0 };
  const started = responseOf(model, [], 'in_progress', null);
  const opening = [
    event('response.created', { response: started }),
    event('response.in_progress', { response: started }),
    event('response.output_item.added', { output_index: 0, item: messageItem(null, 'in_progress') }),
    event('response.content_part.added', { ...place, part: textPart('') }),
  ];
  const repeated = inTurn(chunks, () => event('response.output_text.delta', { ...place, delta: WORD, logprobs: [] }));
  const text = WORD.repeat(chunks);
  const item = messageItem(text, 'completed');
  const closing = [
    event('response.output_text.done', { ...place, text, logprobs: [] }),
    event('response.content_part.done', { ...place, part: textPart(text) }),
    event('response.output_item.done', { output_index: 0, item }),
    event('response.completed', { response: responseOf(model, [item], 'completed', 200) }),
  ];
  return { opening, repeated, closing };
}

/** Each chunk has the output so far. */
function geminiEvents(model: string, chunks: number): StreamEvents {
  const event = (text: string, tokens: number, finishReason: string | null) => {
    const chunk = { ...geminiChunk(model, text, tokens, finishReason), responseId: 'Kx8bZ5mTq2vRjL0c' };
    return Buffer.from(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
  };
  return {
    opening: [event('The', 1, null)],
    repeated: inTurn(chunks, (index) => event(WORD, index + 2, null)),
    closing: [event('.', 200, 'STOP')],
  };
}

function inTurn(count: number, event: (index: number) => Buffer): StreamEvents['repeated'] {
  return [event(0), ...Array.from({ length: Math.max(0, count - 1) }, (_, index) => event(index + 1))];
}
