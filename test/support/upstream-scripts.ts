/** Good answers in chat completions and in Messages, as frames a script sends, and the faults of a bad provider, by name. */
import { gzipSync } from 'node:zlib';
import type { Exchange, Script } from './scripted-upstream.ts';

/** Frames of a Chat Completions stream; usage is in the last chunk, as when it is requested. */
export function openaiFrames(pieces: readonly string[], model = 'scripted-1'): string[] {
  const head = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1, model };
  const chunk = (delta: object, finish: string | null) =>
    data({ ...head, choices: [{ index: 0, delta, finish_reason: finish }], usage: null });
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...pieces.map((content) => chunk({ content }, null)),
    chunk({}, 'stop'),
    data({ ...head, choices: [], usage: openaiUsage(pieces.length) }),
    'data: [DONE]\n\n',
  ];
}

export function openaiBody(content: string, model = 'scripted-1'): string {
  return JSON.stringify({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
    usage: openaiUsage(1),
  });
}

export function anthropicFrames(pieces: readonly string[], model = 'scripted-1'): string[] {
  const usage = { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const message = { id: 'msg_scripted', type: 'message', role: 'assistant', model, content: [] };
  return [
    event({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...pieces.map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: pieces.length },
    }),
    event({ type: 'message_stop' }),
  ];
}

export function anthropicBody(text: string, model = 'scripted-1'): string {
  return JSON.stringify({
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  });
}

/** A good answer in the format of the request, streamed or whole. */
export const answerWell: Script = async (exchange) => {
  const isAnthropic = isMessages(exchange);
  if (exchange.json['stream'] === true)
    return stream(isAnthropic ? anthropicFrames(['Hi', ' you']) : openaiFrames(['Hi', ' you']))(exchange);
  await exchange.whole(200, isAnthropic ? anthropicBody('Hi you') : openaiBody('Hi you'));
};

/** A whole stream, a chunk a frame. */
export function stream(frames: readonly string[]): Script {
  return async (exchange) => {
    await exchange.openStream();
    for (const frame of frames) await exchange.chunk(frame);
    await exchange.lastChunk();
  };
}

/** The same, a chunk every few bytes: the cuts fall inside words, characters and fields. */
export function streamInPieces(frames: readonly string[], bytesPerChunk: number): Script {
  return async (exchange) => {
    await exchange.openStream();
    const bytes = Buffer.from(frames.join(''));
    for (let at = 0; at < bytes.length; at += bytesPerChunk) {
      await exchange.chunk(bytes.subarray(at, at + bytesPerChunk));
    }
    await exchange.lastChunk();
  };
}

export function refuse(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script {
  return (exchange) => exchange.whole(status, JSON.stringify(body), headers);
}

/** Sends some frames and hands over: `then` decides how it continues. */
export function streamThen(frames: readonly string[], then: (exchange: Exchange) => void | Promise<void>): Script {
  return async (exchange) => {
    await exchange.openStream();
    for (const frame of frames) await exchange.chunk(frame);
    await then(exchange);
  };
}

export const silent: Script = () => undefined;
export const resetAtOnce: Script = (exchange) => exchange.reset();
export const htmlInstead: Script = (exchange) =>
  exchange.whole(200, '<html><body>It works!</body></html>', { 'content-type': 'text/html' });
export const redirectElsewhere =
  (location: string): Script =>
  (exchange) =>
    exchange.whole(307, '', { location });

/** Promises more or fewer bytes than it sends, and closes. */
export function lyingLength(differenceBytes: number): Script {
  return async (exchange) => {
    const body = isMessages(exchange) ? anthropicBody('Hi you') : openaiBody('Hi you');
    const length = Buffer.byteLength(body) + differenceBytes;
    await exchange.head(200, { 'content-type': 'application/json', 'content-length': String(length) });
    await exchange.raw(body);
    exchange.finish();
  };
}

/** A good answer and, in the same packet, unrequested bytes. */
export function trailing(extra: string): Script {
  return async (exchange) => {
    const body = isMessages(exchange) ? anthropicBody('Hi you') : openaiBody('Hi you');
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    await exchange.raw(head + body + extra);
  };
}

/** Interim answers before the real one. */
export function informational(count: number): Script {
  return async (exchange) => {
    for (let sent = 0; sent < count; sent += 1) await exchange.raw('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    await answerWell(exchange);
  };
}

/** Compressed although not requested: a few kilobytes that become `bytes`. */
export function gzipBomb(bytes: number): Script {
  return (exchange) => exchange.whole(200, gzipSync(Buffer.alloc(bytes, 'a')), { 'content-encoding': 'gzip' });
}

/** One event that does not end, in pieces of 64 KiB, until it is long enough or the connection closes. */
export function endlessEvent(bytes: number): Script {
  return async (exchange) => {
    await exchange.openStream();
    await exchange.chunk('data: ');
    const piece = Buffer.alloc(64 * 1024, 'a');
    for (let sent = 0; sent < bytes && !exchange.socket.destroyed; sent += piece.length) await exchange.chunk(piece);
  };
}

export function isMessages(exchange: Exchange): boolean {
  return exchange.request.startLine.includes('/messages');
}

export function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function event(value: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}

function openaiUsage(completion: number): object {
  return {
    prompt_tokens: 5,
    completion_tokens: completion,
    total_tokens: 5 + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
