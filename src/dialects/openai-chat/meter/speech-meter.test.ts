/** Goal: of speech is metered what is owed, from its first byte on, however it is cut. Method: bytes and events, at every place where they may be cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE } from '../../../core/usage.ts';
import { ByteSplitter } from '../../../wire/frames/byte-splitter.ts';
import type { FrameSplitter } from '../../../wire/frames/frame-splitter.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { SpeechMeter } from './speech-meter.ts';

const CHARACTERS = { units: 5, unitLine: 2 };
const DELTA = 'data: {"type":"speech.audio.delta","audio":"UklGRg=="}\n\n';
const DONE =
  'data: {"type":"speech.audio.done","usage":{"input_tokens":14,"output_tokens":101,"total_tokens":115}}\n\n';

function metered(splitter: FrameSplitter, pieces: readonly (string | Buffer)[], unitLine = 2): SpeechMeter {
  const meter = new SpeechMeter({ characters: { units: 5, unitLine }, audioTokens: 8 });
  for (const piece of pieces) for (const frame of splitter.push(Buffer.from(piece))) meter.frame(frame);
  return meter;
}

test('before its first byte nothing is owed, and then all characters are', () => {
  const before = metered(new ByteSplitter(), []);
  assert.deepEqual([before.state, before.usage(), before.delivered().units], ['open', null, undefined]);
  const meter = metered(new ByteSplitter(), ['x']);
  assert.deepEqual([meter.state, meter.ended, meter.usage()], ['finished', false, { ...NO_USAGE, ...CHARACTERS }]);
  assert.deepEqual(meter.delivered(), { outputBytes: 1, outputTokens: 0, audioTokens: 8, units: CHARACTERS });
});

test('characters without a price are none, and the sound is an estimate', () => {
  const meter = metered(new ByteSplitter(), ['x'], 0);
  assert.deepEqual([meter.usage(), meter.reported()], [null, 'none']);
  assert.deepEqual(meter.delivered().units, { units: 0, unitLine: 0 });
});

test('events end with the usage, wherever they are cut', () => {
  const bytes = Buffer.from(`: hello\n\n${DELTA}${DELTA}${DONE}`);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const meter = metered(new SseSplitter(), [bytes.subarray(0, cut), bytes.subarray(cut)]);
    assert.deepEqual([meter.state, meter.ended, meter.failure], ['finished', true, null]);
    assert.deepEqual(meter.usage(), { ...NO_USAGE, inputTokens: 14, outputAudioTokens: 101, ...CHARACTERS });
    assert.equal(meter.delivered().outputBytes, 8);
  }
});

test('events without a last one are not whole', () => {
  const meter = metered(new SseSplitter(), [DELTA]);
  assert.deepEqual([meter.state, meter.ended, meter.reported()], ['open', false, 'all']);
});

test('the mark at the end of other servers is an end, if there was sound', () => {
  const together = 'data: {"type":"conversation.item.audio_output.delta","delta":"UklGRg=="}\n\n';
  assert.equal(metered(new SseSplitter(), [together, 'data: [DONE]\n\n']).state, 'finished');
  assert.equal(metered(new SseSplitter(), ['data: [DONE]\n\n']).state, 'open');
});

test('errors fail, what is no JSON is unreadable, and what is unknown is nothing', () => {
  for (const error of ['{"type":"error","message":"no"}', '{"error":{"message":"no"}}']) {
    const meter = metered(new SseSplitter(), [DELTA, `data: ${error}\n\n`]);
    assert.deepEqual([meter.state, meter.ended], ['failed', true], error);
  }
  assert.equal(metered(new SseSplitter(), ['data: {"type"\n\n']).failure, 'unreadable');
  for (const unknown of [': ping\n\n', 'data: {"type":"other"}\n\n', 'event: x\n\n'])
    assert.equal(metered(new SseSplitter(), [unknown]).isUnknown, true, unknown);
});

test('a usage that is no count is invalid, and then estimated', () => {
  const meter = metered(new SseSplitter(), [DELTA, DONE.replace('101', '-1')]);
  assert.deepEqual([meter.usage(), meter.usageInvalid(), meter.state], [null, true, 'finished']);
});

test('JSON is no speech', () => {
  const meter = metered(new ByteSplitter(), []);
  meter.body();
  assert.deepEqual([meter.state, meter.ended], ['failed', true]);
});
