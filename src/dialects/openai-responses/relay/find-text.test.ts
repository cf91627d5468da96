/**
 * Goal: deltas that differ only in their text, their padding and their number are recognised without being read, wherever a vendor writes
 * those fields, and anything else is not. Method: streams in the field orders of several vendors, each relayed with and without templates.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { PEEK, plainContext, readMeter } from '../../contract-fixture.ts';
import { TextTemplate } from '../../kit/relay/text-template.ts';
import { openaiResponses } from '../openai-responses.ts';
import { findDelta, findText } from './find-text.ts';

const TYPE = 'response.output_text.delta';
type Delta = (text: string, number: number, padding: string) => object;

/** In the order of OpenAI of two years, OpenRouter, LM Studio, and one without numbers. */
const ORDERS: Readonly<Record<string, Delta>> = {
  'number first': (delta, sequence_number, obfuscation) => ({
    ...{
      type: TYPE,
      sequence_number,
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta,
      logprobs: [],
      obfuscation,
    },
  }),
  'number last': (delta, sequence_number, obfuscation) => ({
    ...{
      type: TYPE,
      content_index: 0,
      delta,
      item_id: 'm',
      logprobs: [],
      obfuscation,
      output_index: 0,
      sequence_number,
    },
  }),
  'number between': (delta, sequence_number, obfuscation) => ({
    ...{ type: TYPE, item_id: 'm', output_index: 0, delta, sequence_number, obfuscation },
  }),
  'number without padding': (delta, sequence_number) => ({ type: TYPE, item_id: 'm', delta, sequence_number }),
  'no number': (delta) => ({ type: TYPE, item_id: 'm', output_index: 0, content_index: 0, delta }),
};
const frameOf = (event: object, named = true) =>
  Buffer.from(`${named ? `event: ${TYPE}\n` : ''}data: ${JSON.stringify(event)}\n\n`);

function learned(bytes: Buffer): TextTemplate {
  const [frame] = new SseSplitter().push(bytes);
  const template = new TextTemplate(findDelta);
  assert.ok(frame?.data);
  assert.ok(template.learn(bytes, frame.dataStart, frame.dataStart + frame.data.length));
  return template;
}

for (const [name, delta] of Object.entries(ORDERS)) {
  for (const named of [true, false]) {
    describe(`${name}, ${named ? 'with' : 'without'} event lines`, () => {
      const bytes = (text: string, number: number, padding: string) => frameOf(delta(text, number, padding), named);

      test('another text, number and padding is the same frame', () => {
        const template = learned(bytes('Once', 4, 'xYz'));
        for (const [text, number, padding] of [
          ['é "upon"\n', 5, ''],
          [' a', 12345, 'abcdefg'],
          ['', 9, 'x'],
        ] as const) {
          const next = bytes(text, number, padding);
          assert.ok(template.match(next));
          assert.equal(template.textBytes, Buffer.byteLength(text));
          const found = next.subarray(template.textStart, template.textEnd);
          assert.equal(JSON.parse(`"${found}"`), text);
        }
      });

      test('a frame that differs in anything else is another', () => {
        const template = learned(bytes('Once', 4, 'xYz'));
        const next = bytes('upon', 5, 'xYz').toString();
        const others = [
          next.replace('"m"', '"n"'),
          next.replace(TYPE, 'response.refusal.delta'),
          next.replace('5', '-5'),
          next.replace('5', '5.5'),
          next.replace('5', '1'.repeat(16)),
          next.replace('5', ''),
          next.replace('"upon"', 'null'),
          next.slice(0, -1),
          `${next}\n`,
        ].filter((other) => other !== next);
        for (const other of others) assert.equal(template.match(Buffer.from(other)), false, other);
      });

      test('a stream of such frames is metered as when each is read', () => {
        const texts = Array.from({ length: 40 }, (_, index) => ` wörd${index}`);
        const frames = texts.map((text, index) => bytes(text, index + 4, 'p'.repeat(index % 7)));
        const relay = openaiResponses.openRelay(PEEK, plainContext('x'));
        let known = 0;
        const splitter = new SseSplitter();
        for (const each of frames) {
          for (const frame of splitter.push(each)) {
            assert.equal(relay.frame(frame)?.toString(), each.toString());
            known += relay.isKnown ? 1 : 0;
          }
        }
        assert.equal(known, frames.length - 1);
        assert.equal(readMeter(relay.meter).outputBytes, Buffer.byteLength(texts.join('')));
      });
    });
  }
}

test('arguments are recognised in a relay only, since their reader depends on what came before', () => {
  const bytes = frameOf({
    type: 'response.function_call_arguments.delta',
    item_id: 'f',
    delta: '{"a"',
    sequence_number: 3,
  });
  const start = bytes.indexOf('{');
  assert.equal(findText(bytes, start, bytes.length - 2), null);
  assert.equal(findDelta(bytes, start, bytes.length - 2)?.textStart, bytes.indexOf('{\\"a'));
});

test('what has no text, or a name that only a parser can read, is not learned', () => {
  for (const json of [
    '{"type":"response.output_text.delta","delta":""}',
    '{"type":"response.output_text.delta","delta":7}',
    '{"type":"response.output_text.done","delta":"x"}',
    '{"type":"response.output_text.delta","d\\u0065lta":"x"}',
    '{"delta":"x"}',
    '[]',
  ])
    assert.equal(findDelta(Buffer.from(json), 0, json.length), null, json);
});
