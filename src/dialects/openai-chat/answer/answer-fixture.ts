/** Test material: streams made from chunks, the events that a reader returns, and what a reader promises. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { ChatEvent } from '../../../chat/response.ts';
import { encodeSse, SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { openReader } from './stream-reader.ts';
import { openWriter } from './stream-writer.ts';

const folder = new URL('../fixtures/', import.meta.url);

export const streamNames: readonly string[] = readdirSync(folder).filter((name) => name.endsWith('.sse'));

export function readFixture(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}

/** A stream of chunks with one choice each; strings, and chunks with `choices` or `error`, are written as they are. */
export function streamOf(...chunks: readonly (object | string)[]): Buffer {
  return Buffer.concat(
    chunks.map((chunk) => {
      if (typeof chunk === 'string') return encodeSse(null, chunk);
      const whole = 'choices' in chunk || 'error' in chunk;
      return encodeSse(null, JSON.stringify(whole ? chunk : { id: 'c1', choices: [{ index: 0, ...chunk }] }));
    }),
  );
}

export const DONE = '[DONE]';

/** All events of a stream that arrives in these pieces; checks them against a reader's promises. */
export function eventsOf(...pieces: readonly Buffer[]): ChatEvent[] {
  const splitter = new SseSplitter();
  const reader = openReader();
  const events: ChatEvent[] = [];
  for (const piece of pieces) for (const frame of splitter.push(piece)) events.push(...reader.frame(frame));
  events.push(...reader.end());
  assertPromises(events);
  return events;
}

/** One start, blocks one after the other with their own deltas, one finish, one end; or an error at any point, last. */
export function assertPromises(events: readonly ChatEvent[]): void {
  let open: string | null = null;
  const order: string[] = [];
  for (const event of events) {
    if (event.type === 'block_start') {
      assert.equal(open, null, 'one block at a time');
      open = event.block.type;
    } else if (event.type === 'block_end') {
      assert.notEqual(open, null, 'a block ends once');
      open = null;
    } else if (event.type === 'warning') {
      assert.ok(order[0] === 'start' && !order.includes('end'), 'a warning within the answer');
    } else if (event.type in HOME) {
      assert.ok(open !== null && HOME[event.type]?.includes(open), `${event.type} within ${open}`);
    } else order.push(event.type);
  }
  if (order.at(-1) === 'error') {
    assert.ok(['error', 'start error'].includes(order.join(' ')));
    assert.equal(events.at(-1)?.type, 'error');
  } else {
    assert.equal(open, null, 'all blocks end');
    assert.deepEqual(order, ['start', 'finish', 'end']);
    assert.deepEqual(
      [events[0], events.at(-2), events.at(-1)].map((event) => event?.type),
      order,
    );
  }
}

const HOME: Record<string, readonly string[]> = {
  text: ['text', 'refusal'],
  citation: ['text'],
  reasoning: ['reasoning'],
  signature: ['reasoning'],
  arguments: ['tool_call'],
};

/** Events in a short notation for comparison: `start`, `+text`, `"Hello"`, `-`, `finish:end`, `end`. */
export function brief(events: readonly ChatEvent[]): string {
  return events.map(briefEvent).join(' ');
}

function briefEvent(event: ChatEvent): string {
  switch (event.type) {
    case 'block_start': {
      const { block } = event;
      if (block.type === 'tool_call') return `+${block.name}(${block.id})`;
      if (block.type === 'reasoning') return `+reasoning(${block.encrypted ?? block.origin})`;
      return `+${block.type}`;
    }
    case 'text':
    case 'reasoning':
      return JSON.stringify(event.text);
    case 'arguments':
      return event.json;
    case 'signature':
      return `signed(${event.signature},${event.origin})`;
    case 'citation':
      return `cites(${event.citation.url})`;
    case 'warning':
      return `warning(${event.text})`;
    case 'block_end':
      return '-';
    case 'finish':
      return `finish:${event.finish.reason}`;
    case 'error':
      return `error:${event.error.code}`;
    default:
      return event.type;
  }
}

/** Checks the events of a stream of these chunks, in the short notation. */
export function reads(chunks: readonly (object | string)[], expected: string): void {
  assert.equal(brief(eventsOf(streamOf(...chunks))), expected);
}

/** Chunks' choices: a delta, a tool call's entry, its function, more of its arguments, and the end. */
export const delta = (fields: object) => ({ delta: fields });
export const call = (fields: object) => delta({ tool_calls: [fields] });
export const calls = (name: string, json: string) => ({ function: { name, arguments: json } });
export const more = (index: number, json: string) => call({ index, function: { arguments: json } });
export const finish = (reason: string, fields: object = {}) => ({ delta: {}, finish_reason: reason, ...fields });

export const CONTEXT: WriteContext = {
  callerModel: 'mine/model',
  provider: 'harbour',
  id: '01kaj5q3x3e8tq2m8f5c9d0b7a',
  created: 1790000000,
  wantsUsage: true,
  showsReasoning: true,
  // Tests that check them pass their own set.
  warnings: new Set(),
  cost: () => '0.000012300',
};

export function written(events: readonly ChatEvent[], context: WriteContext = CONTEXT): Buffer {
  const writer = openWriter(context);
  return Buffer.concat(events.map((event) => writer.event(event)));
}

export type Chunk = Record<string, unknown> & { choices: { delta: Record<string, unknown> }[] };

/** The chunks of a written stream, without `[DONE]`. */
export function chunksOf(bytes: Buffer): Chunk[] {
  return new SseSplitter()
    .push(bytes)
    .filter(({ data }) => data?.[0] === 0x7b)
    .map(({ data }) => JSON.parse(String(data)) as Chunk);
}
