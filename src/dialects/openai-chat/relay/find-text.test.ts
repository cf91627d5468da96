/**
 * Goal: a meter and a patcher that have learned a stream's chunks treat the next chunk exactly as new ones would. Method: chunks that
 * differ from a learned one anywhere, against fresh instances.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Frame } from '../../../wire/frames/frame.ts';
import { encodeSse, SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { inboundOf, relayedAgain } from '../../contract.ts';
import { TextTemplate } from '../../kit/relay/text-template.ts';
import { OpenaiChatMeter } from '../meter/meter.ts';
import { openaiChat } from '../openai-chat.ts';
import { findText } from './find-text.ts';
import { StreamPatcher } from './patcher.ts';

const peek = openaiChat.peek(inboundOf(openaiChat, '{"model":"mine","messages":[{}],"stream":true}'));
const context = { callerModel: 'mine', cost: () => '0.5' };

for (const [way, isAgain] of [
  ['cut and compared', false],
  ['compared as it comes', true],
] as const) {
  test(`a chunk like the previous one is metered and patched as if it were parsed, ${way}`, () => {
    let known = 0;
    fc.assert(
      fc.property(fc.array(arbitraryChunk, { minLength: 1, maxLength: 12 }), (chunks) => {
        const [reader, editor] = [new OpenaiChatMeter(1), new StreamPatcher(false, context)];
        const relay = openaiChat.openRelay(peek, context);
        for (const frame of chunks.map(frameOf)) {
          reader.frame(frame);
          const edited = editor.frame(frame);
          const again = isAgain ? relayedAgain(relay, frame.bytes) : null;
          const relayed = again ?? relay.frame(frame);
          if (again !== null || relay.isKnown) known += 1;
          assert.equal(relayed?.toString(), edited?.toString());
          assert.deepEqual(relay.meter.delivered(), reader.delivered(), frame.bytes.toString());
          assert.deepEqual([relay.meter.state, relay.meter.usage()], [reader.state, reader.usage()]);
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(known > 50, `only ${known} chunks were known`);
  });
}

test('of a duplicate field the last counts, as for a JSON parser', () => {
  const twice = (first: string, last: string) =>
    chunkOf(last, '').replace('"content"', `"content":"${first}","content"`);
  const relay = openaiChat.openRelay(peek, context);
  let bytes = 0;
  for (const [first, last] of [
    ['a', 'b'],
    ['a', 'ccc'],
    ['ddd', 'b'],
    ['ddd', 'ee'],
  ] as const) {
    relay.frame(frameOf(twice(first, last)));
    bytes += last.length;
    assert.equal(relay.meter.delivered().outputBytes, bytes);
  }
});

test('chunks that differ in their text and padding are recognised, with the length of their text', () => {
  const template = new TextTemplate(findText);
  assert.ok(template.learn(...whole(chunkOf('first', 'abc'))));
  for (const [text, bytes] of [
    ['x', 1],
    ['', 0],
    ['Grüße 👋', 12],
    ['a\\n\\"b\\\\', 5],
  ] as const) {
    assert.ok(template.match(Buffer.from(chunkOf(text, 'z'.repeat(bytes)))), text);
    assert.equal(template.textBytes, bytes);
  }
  for (const other of [
    chunkOf('\\u00e9', 'abc'),
    chunkOf('\\q', 'abc'),
    chunkOf('a\nb', 'abc'),
    chunkOf('x', 'a\\"c'),
    `${chunkOf('x', 'abc')} `,
    chunkOf('x', 'abc').replace('null', '"stop"'),
    chunkOf('x', 'abc').slice(0, -1),
    chunkOf('x', 'abc","usage":{"prompt_tokens":1},"y":"'),
    chunkOf('x","finish_reason":"stop","y":"', 'abc'),
  ]) {
    assert.equal(template.match(Buffer.from(other)), false, other);
  }
});

test('a stream whose chunks have nothing in common is not learned for long', () => {
  const template = new TextTemplate(findText);
  const learned = Array.from({ length: 20 }, (_, at) =>
    template.learn(...whole(chunkOf(`${at}`, '').replace('"a"', `"a${at}"`))),
  );
  assert.ok(learned[0] && !learned.at(-1));
});

function chunkOf(text: string, padding: string): string {
  return `{"id":"a","model":"up","choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}],"usage":null,"obfuscation":"${padding}"}`;
}

function whole(chunk: string): [Buffer, number, number] {
  const bytes = Buffer.from(chunk);
  return [bytes, 0, bytes.length];
}

function frameOf(data: string): Frame {
  const [frame] = new SseSplitter().push(encodeSse(null, data));
  assert(frame !== undefined);
  return frame;
}

const text = fc.oneof(
  fc.constantFrom('a', 'bc', '', ' \\n', '\\"', '\\\\', '\\u00e9', '\\ud83d\\udc4b', 'ü', '👋', '\\q', '"', '\\'),
  fc.string({ maxLength: 8 }).map((plain) => JSON.stringify(plain).slice(1, -1)),
);

/** Mostly ordinary chunks; some with a reason, a usage, another choice, another order, or a piece cut out. */
const arbitraryChunk: fc.Arbitrary<string> = fc
  .tuple(text, fc.string({ maxLength: 4 }), fc.nat(15), fc.nat(400), fc.nat(3))
  .map(([content, padding, kind, at, length]) => {
    const chunk = chunkOf(content, padding.replace(/[^a-z]/g, ''));
    switch (kind) {
      case 0:
        return chunk.replace('"finish_reason":null', '"finish_reason":"stop"');
      case 1:
        return chunk.replace('"usage":null', '"usage":{"prompt_tokens":1,"completion_tokens":1}');
      case 2:
        return chunk.replace('"index":0', '"index":1');
      case 3:
        return chunk.replace(',"usage":null', '').replace('{"id"', '{"usage":null,"id"');
      case 4:
        return chunk.replace('"content"', '"reasoning_content"');
      case 5:
        return chunk.replace('"content"', '"reasoning":"same","content"');
      case 6:
        return chunk.replace('"delta":{', '"delta":{"tool_calls":[{"index":0,"function":{"name":"f"}}],');
      case 7:
        return chunk.slice(0, at) + chunk.slice(at + length);
      default:
        return chunk;
    }
  });
