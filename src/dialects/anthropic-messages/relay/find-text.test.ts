/**
 * Goal: a delta that repeats the one before is metered and passed on as if it were read. Method: generated deltas of
 * every kind, cut and changed, against a meter and a patcher that read each of them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeSse, SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { inboundOf, relayedAgain } from '../../contract.ts';
import { anthropicMessages } from '../anthropic-messages.ts';
import { AnthropicMessagesMeter } from '../meter/meter.ts';

const peek = anthropicMessages.peek(
  inboundOf(anthropicMessages, '{"model":"mine","max_tokens":9,"messages":[{}],"stream":true}'),
);
const context = { callerModel: 'mine', cost: () => '0.5' };

test('a delta that repeats the one before is metered and passed on as if it were read', () => {
  let repeated = 0;
  fc.assert(
    fc.property(fc.array(delta, { minLength: 1, maxLength: 12 }), (deltas) => {
      const reader = new AnthropicMessagesMeter();
      const relay = anthropicMessages.openRelay(peek, context);
      for (const data of deltas) {
        const [frame] = new SseSplitter().push(encodeSse('content_block_delta', data));
        assert.ok(frame);
        reader.frame(frame);
        const passed = relayedAgain(relay, frame.bytes);
        if (passed !== null) {
          repeated += 1;
          assert.ok(passed.equals(frame.bytes));
        } else {
          assert.equal(relay.frame(frame), frame.bytes);
        }
        assert.deepEqual(relay.meter.delivered(), reader.delivered(), data);
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(repeated > 50, `only ${repeated} deltas were repetitions`);
});

test('a signature is never taken for text', () => {
  const meter = new AnthropicMessagesMeter();
  const signature = '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}';
  const [frame] = new SseSplitter().push(encodeSse('content_block_delta', signature));
  assert.ok(frame);
  meter.frame(frame);
  assert.equal(meter.addedText, 0);
});

const delta: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(fc.string(), fc.constantFrom('Grüße 👋', 'a"b', '\\', '\u0001', '')),
    fc.nat(11),
    fc.nat(120),
    fc.nat(3),
  )
  .map(([text, kind, at, length]) => {
    const written = deltaOf({ type: 'text_delta', text });
    switch (kind) {
      case 0:
        return deltaOf({ type: 'thinking_delta', thinking: text });
      case 1:
        return deltaOf({ type: 'input_json_delta', partial_json: text });
      case 2:
        return deltaOf({ type: 'signature_delta', signature: text });
      case 3:
        return deltaOf({ type: 'thinking_delta', thinking: text, estimated_tokens: 7 });
      case 4:
        return written.replace('"index":0', '"index":1');
      case 5:
        return written.replace('"delta"', '"delta":{"type":"thinking_delta","thinking":"same"},"delta"');
      case 6:
        return written.slice(0, at) + written.slice(at + length);
      default:
        return written;
    }
  });

function deltaOf(what: object): string {
  return JSON.stringify({ type: 'content_block_delta', index: 0, delta: what });
}
