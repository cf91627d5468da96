/** Test material: streams as readers and writers of answers see them. */
import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../chat/response.ts';
import { NO_USAGE, type Usage } from '../../../core/usage.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { openReader } from './stream-reader.ts';
import { openWriter } from './stream-writer.ts';

export interface WrittenEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const context: WriteContext = {
  callerModel: 'harbour/lighthouse',
  id: '01jd0000000000000000000000',
  created: 1_790_000_000,
  wantsUsage: false,
  showsReasoning: true,
  // Tests that check them pass their own set.
  warnings: new Set(),
  cost: () => '0.25',
};

export const usage: Usage = { ...NO_USAGE, inputTokens: 20, outputTokens: 7 };

/** All events that a reader returns for a stream in these chunks, including its end. */
export function readChunks(chunks: readonly Buffer[]): ChatEvent[] {
  const splitter = new SseSplitter();
  const reader = openReader();
  const events = chunks.flatMap((chunk) => splitter.push(chunk)).flatMap((frame) => reader.frame(frame));
  return [...events, ...reader.end()];
}

export function readStream(stream: Buffer | string): ChatEvent[] {
  return readChunks([Buffer.from(stream)]);
}

/** A provider's stream of these payloads. */
export function streamOf(...payloads: readonly WrittenEvent[]): Buffer {
  return Buffer.from(
    payloads.map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`).join(''),
  );
}

export function writeStream(events: readonly ChatEvent[], differences: Partial<WriteContext> = {}): Buffer {
  const writer = openWriter({ ...context, ...differences });
  return Buffer.concat(events.map((event) => writer.event(event)));
}

/** The written events. Fails if one has no `event:` line with its type. */
export function parseStream(stream: Buffer): WrittenEvent[] {
  return new SseSplitter().push(stream).map((frame) => {
    const payload = JSON.parse(frame.data?.toString() ?? '') as WrittenEvent;
    assert.equal(frame.event, payload.type);
    return payload;
  });
}

/** An otherwise ordinary answer with these blocks. */
export function answerOf(...blocks: readonly ChatEvent[][]): ChatEvent[] {
  return [
    { type: 'start', id: null, usage: null },
    ...blocks.flat(),
    { type: 'finish', finish: { reason: 'end', stopSequence: null, native: 'stop', explanation: null } },
    { type: 'end', usage },
  ];
}

export function textBlock(...texts: readonly string[]): ChatEvent[] {
  return [
    { type: 'block_start', block: { type: 'text' } },
    ...texts.map((text): ChatEvent => ({ type: 'text', text })),
    { type: 'block_end' },
  ];
}

export function toolBlock(id: string, name: string, ...pieces: readonly string[]): ChatEvent[] {
  return [
    { type: 'block_start', block: { type: 'tool_call', id, name } },
    ...pieces.map((json): ChatEvent => ({ type: 'arguments', json })),
    { type: 'block_end' },
  ];
}

export function thinkingBlock(text: string, signature: string | null, origin: string): ChatEvent[] {
  return [
    { type: 'block_start', block: { type: 'reasoning', encrypted: null, origin } },
    ...(text === '' ? [] : [{ type: 'reasoning', text } as const]),
    ...(signature === null ? [] : [{ type: 'signature', signature, origin } as const]),
    { type: 'block_end' },
  ];
}
