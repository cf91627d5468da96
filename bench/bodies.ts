import { CHAT, type DialectName, MESSAGES } from './dialects.ts';
/**
 * What goes over the wire in every measure, written by hand in the two formats. The backend's name
 * for a model differs from the caller's, so that a gateway which promises the caller's own name
 * back has to edit every answer.
 *
 * Chat chunks: https://platform.openai.com/docs/api-reference/chat-streaming
 * Messages events: https://docs.anthropic.com/en/docs/build-with-claude/streaming
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
  return `${dialect === CHAT ? 'bench-chat' : 'bench-messages'}/${scenario}`;
}

/** A model whose provider speaks the other format: every answer is translated. */
export function translatedModel(dialect: DialectName, scenario: Scenario): string {
  return `${dialect === CHAT ? 'bench-chat-translated' : 'bench-messages-translated'}/${scenario}`;
}

export function otherDialect(dialect: DialectName): DialectName {
  return dialect === CHAT ? MESSAGES : CHAT;
}

/** What the backend calls it. */
export function upstreamModel(scenario: Scenario): string {
  return `${scenario}-2026-11-01`;
}

const QUESTION = 'Which roads of the old town had a toll gate in 1790, and who was let through without paying?';

/** A request of about 0.3 kB. */
export function requestBody(dialect: DialectName, scenario: Scenario, model = callerModel(dialect, scenario)): Buffer {
  const stream = scenario === 'whole' ? {} : { stream: true };
  const system = 'Answer briefly and name your sources.';
  const question = { role: 'user', content: QUESTION };
  const body =
    dialect === CHAT
      ? {
          model,
          messages: [{ role: 'system', content: system }, question],
          temperature: 0.2,
          max_tokens: 400,
          ...stream,
        }
      : { model, max_tokens: 400, system, messages: [question], temperature: 0.2, ...stream };
  return Buffer.from(JSON.stringify(body));
}

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
  const text = 'The gates stood on the roads to the harbour, the mill and the market. '.repeat(8).trim();
  const model = upstreamModel('whole');
  const answer =
    dialect === CHAT
      ? {
          id: 'chatcmpl-B7xQm2Lr9TvKc4WdYh1ZpNs8',
          object: 'chat.completion',
          created: 1795250000,
          model,
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: text, refusal: null, annotations: [] },
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
        }
      : {
          id: 'msg_01Qv7nRk3YtLw5XzBd8HsJcF',
          type: 'message',
          role: 'assistant',
          model,
          content: [{ type: 'text', text }],
          stop_reason: 'end_turn',
          stop_sequence: null,
          usage: {
            input_tokens: 43,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
            output_tokens: 128,
            service_tier: 'standard',
          },
        };
  return Buffer.from(JSON.stringify(answer));
}

/** The events of a stream: the opening ones, a repeated one, the closing ones. */
export interface StreamEvents {
  readonly opening: readonly Buffer[];
  readonly repeated: Buffer;
  readonly closing: readonly Buffer[];
}

export function streamEvents(dialect: DialectName, scenario: Scenario): StreamEvents {
  return dialect === CHAT ? chatEvents(upstreamModel(scenario)) : messagesEvents(upstreamModel(scenario));
}

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
    repeated: event({ content: ' harbour' }, null),
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
    repeated: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' harbour' } }),
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
