/**
 * Goal: the dialect keeps the contract of its family, and every answer is metered and read correctly however the network cuts it. Method:
 * fixtures written and counted by hand.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encodeEventLines } from '../../../test/support/event-stream.ts';
import { NO_USAGE, type Usage } from '../../core/usage.ts';
import { EventStreamSplitter } from '../../wire/frames/event-stream-splitter.ts';
import { type Metered, providerContract } from '../contract.ts';
import { PEEK, readMeter } from '../contract-fixture.ts';
import type { ProviderAnswer } from '../provider-contract.ts';
import { bedrockConverse } from './bedrock-converse.ts';

const SPOKEN = 'Fog over the "Straße":\n\t\\o/ 灯台 🗼';

const streams: Record<string, Metered> = {
  text: finished('end_turn', Buffer.byteLength(SPOKEN), { inputTokens: 21, outputTokens: 33 }),
  thinking: finished('end_turn', 'Two plus two.RW9FQmhpZGRlbg==Four.'.length, {
    inputTokens: 50,
    cacheReadTokens: 4000,
    cacheWriteTokens: 100,
    cacheWrite1hTokens: 200,
    outputTokens: 40,
  }),
  'signature-alone': finished('end_turn', 'Done.'.length, { inputTokens: 9, outputTokens: 70 }),
  'parallel-tools': finished('tool_use', 'I look.{"harbour": "Brest"}'.length, { inputTokens: 400, outputTokens: 61 }),
  'usage-first': finished('end_turn', 2, { inputTokens: 12, outputTokens: 5 }),
  'stop-sequence': finished('stop_sequence', 'One, two'.length, { inputTokens: 12, outputTokens: 5 }),
  guardrail: finished('guardrail_intervened', 'Not about that.'.length, {}),
  citations: finished('end_turn', 'High at noon.'.length, { inputTokens: 30, outputTokens: 6 }),
  'server-tool': finished('end_turn', '{"query":"tide"}At noon.'.length, { inputTokens: 30, outputTokens: 16 }),
  malformed: {
    ...finished('malformed_tool_use', 'I call'.length, { inputTokens: 30, outputTokens: 8 }),
    state: 'failed',
  },
  exception: { ...finished(null, 'Half a sen'.length, {}), state: 'failed', usage: null },
  'without-metadata': { ...finished('max_tokens', 'All.'.length, {}), usage: null },
  truncated: { ...finished(null, 'All but'.length, {}), state: 'open', usage: null },
  empty: { ...finished(null, 0, { inputTokens: 8 }), state: 'empty' },
  // The prompt's part of it is unusable; the output is not.
  'wrong-usage': finished('end_turn', 4, { inputTokens: 8, outputTokens: 2 }),
};

const answers: Record<string, Metered> = {
  whole: finished('tool_use', Buffer.byteLength('Hm.Vier. 灯{"model":"boat"}'), {
    inputTokens: 10,
    cacheReadTokens: 30,
    cacheWriteTokens: 5,
    cacheWrite1hTokens: 15,
    outputTokens: 40,
  }),
  thoughts: finished('end_turn', '\n\nLook both ways.How to cross?'.length, { inputTokens: 11, outputTokens: 20 }),
};

providerContract(
  bedrockConverse,
  Object.entries(streams).map(([name, metered]): ProviderAnswer => {
    return { name, bytes: streamOf(name), peek: PEEK, metered, framing: 'aws-event-stream' };
  }),
  Object.entries(answers).map(([name, metered]) => ({ name, bytes: read(`${name}.json`), peek: PEEK, metered })),
  (what) => `bedrock-converse: ${what}`,
);

for (const [name, metered] of Object.entries(streams))
  test(`${name}: cut at any byte, it is metered and read the same`, () => {
    const bytes = streamOf(name);
    const whole = eventsOf(bytes, bytes.length);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const { events, meter } = eventsOf(bytes, cut);
      assert.deepEqual(meter, metered, `cut at ${cut}`);
      assert.deepEqual(events, whole.events, `cut at ${cut}`);
    }
  });

test('a stream that ends after any byte but the last is not a whole answer', () => {
  const bytes = streamOf('parallel-tools');
  const metadata = bytes.lastIndexOf('metadata');
  for (let kept = 0; kept < bytes.length; kept += 1) {
    const { meter, last } = eventsOf(bytes.subarray(0, kept), kept);
    // From the stop on only the usage is missing.
    const stopped = kept >= bytes.lastIndexOf(':event-type', metadata) - 13;
    assert.equal(meter.state, stopped ? 'finished' : 'open', `after ${kept}`);
    assert.equal(last, stopped ? 'end' : 'error', `after ${kept}`);
    assert.equal(meter.usage, null);
  }
});

function eventsOf(bytes: Buffer, cut: number) {
  const splitter = new EventStreamSplitter();
  const frames = [...splitter.push(bytes.subarray(0, cut)), ...splitter.push(bytes.subarray(cut))];
  const meter = bedrockConverse.openMeter(PEEK);
  const reader = bedrockConverse.openReader();
  const events = frames.flatMap((frame) => {
    meter.frame(frame);
    return reader.frame(frame);
  });
  const all = [...events, ...reader.end()];
  return { events: all, meter: readMeter(meter), last: all.at(-1)?.type };
}

function streamOf(name: string): Buffer {
  return encodeEventLines(read(`${name}.events`).toString());
}

function read(file: string): Buffer {
  return readFileSync(new URL(`fixtures/${file}`, import.meta.url));
}

function finished(finishReason: string | null, outputBytes: number, usage: Partial<Usage>): Metered {
  return { state: 'finished', upstreamId: null, finishReason, outputBytes, usage: { ...NO_USAGE, ...usage } };
}
