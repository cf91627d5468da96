/** Goal: what an answer reports is what is charged, in every form of answer. Method: answers by hand, with and without a price for seconds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteSplitter } from '../../../wire/frames/byte-splitter.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { TranscriptMeter } from './transcript-meter.ts';

function meterOf(unitLine: number, isPlainText = false, leastSeconds = 0): TranscriptMeter {
  return new TranscriptMeter({ unitLine, isPlainText, leastSeconds, usualSeconds: () => 7 });
}

function whole(unitLine: number, answer: object, leastSeconds = 0): TranscriptMeter {
  const meter = meterOf(unitLine, false, leastSeconds);
  meter.body(new WholeAnswer(Buffer.from(JSON.stringify(answer))));
  return meter;
}

function streamed(unitLine: number, ...events: readonly (object | string)[]): TranscriptMeter {
  const meter = meterOf(unitLine);
  const text = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
  for (const frame of new SseSplitter().push(Buffer.from(text))) if (!meter.ended) meter.frame(frame);
  return meter;
}

test('seconds come from the usage or the duration, rounded up', () => {
  for (const [answer, seconds] of [
    [{ text: 'a', usage: { type: 'duration', seconds: 9 } }, 9],
    [{ text: 'a', duration: 8.01 }, 9],
    [{ text: 'a', duration: '8.01' }, 9],
    [{ text: 'a', duration: 3, usage: { prompt_audio_seconds: 9, prompt_tokens: 4, completion_tokens: 1 } }, 9],
    [{ text: '', duration: 0 }, 0],
  ] as const) {
    const meter = whole(1, answer);
    assert.equal(meter.state, 'finished');
    assert.deepEqual([meter.usage()?.units, meter.usage()?.unitLine, meter.reported()], [seconds, 1, 'all']);
  }
});

test('where a recording costs no less than some seconds, those count for a shorter one, reported or not', () => {
  for (const [answer, seconds] of [
    [{ text: 'a', duration: 3 }, 10],
    [{ text: 'a', duration: 10.1 }, 11],
    [{ text: 'a' }, null],
  ] as const) {
    const meter = whole(1, answer, 10);
    assert.deepEqual([meter.usage()?.units ?? null, meter.delivered().units?.units], [seconds, 10]);
  }
  assert.equal(whole(0, { text: 'a', duration: 3 }, 10).usage(), null);
});

test('tokens are sound and text, and all of the prompt is sound if nothing is said about that', () => {
  const usage = { type: 'tokens', input_tokens: 14, input_token_details: { audio_tokens: 10 }, output_tokens: 5 };
  const counts = [usage, { prompt_tokens: 14, completion_tokens: 5 }].map((each) => {
    const read = whole(0, { text: 'a', duration: 3, usage: each }).usage();
    return [read?.inputTokens, read?.inputAudioTokens, read?.outputTokens, read?.units];
  });
  assert.deepEqual(counts, [
    [4, 10, 5, 0],
    [0, 14, 5, 0],
  ]);
});

test('without a report, the usual length is owed', () => {
  for (const answer of [{ text: 'abc' }, { text: 'abc', usage: { input_tokens: 3, output_tokens: 4 } }]) {
    const meter = whole(1, answer);
    assert.deepEqual([meter.usage(), meter.reported()], [null, 'none']);
    assert.deepEqual(meter.delivered(), { outputBytes: 3, outputTokens: null, units: { units: 7, unitLine: 1 } });
  }
  assert.deepEqual(whole(0, { text: 'abc' }).delivered().units, { units: 0, unitLine: 0 });
});

test('a count that is no number is invalid', () => {
  for (const [unitLine, answer] of [
    [1, { text: 'a', duration: -1 }],
    [1, { text: 'a', duration: 'long' }],
    [1, { text: 'a', duration: 1e12 }],
    ...['', ' ', [], [3], false, true, {}].map((duration) => [1, { text: 'a', duration }] as const),
    [0, { text: 'a', usage: { input_tokens: -1, output_tokens: 1 } }],
    [0, { text: 'a', usage: { input_tokens: 1, output_tokens: 1, input_token_details: { audio_tokens: 2 } } }],
  ] as const) {
    const meter = whole(unitLine, answer);
    assert.deepEqual([meter.usage(), meter.usageInvalid()], [null, true], JSON.stringify(answer));
  }
});

test('events are metered, of both vendors', () => {
  const openai = streamed(
    0,
    { type: 'transcript.text.delta', delta: 'ab' },
    { type: 'transcript.text.done', text: 'ab', usage: { input_tokens: 3, output_tokens: 1 } },
  );
  assert.deepEqual([openai.state, openai.ended, openai.usage()?.outputTokens], ['finished', true, 1]);
  const mistral = streamed(
    1,
    { type: 'transcription.language', audio_language: 'en' },
    { type: 'transcription.text.delta', text: 'ab' },
    { type: 'transcription.done', text: 'ab', usage: { prompt_audio_seconds: 4 } },
  );
  assert.deepEqual([mistral.state, mistral.usage()?.units, mistral.delivered().outputBytes], ['finished', 4, 2]);
  assert.equal(streamed(1, { type: 'transcript.text.delta', delta: 'ab' }).state, 'open');
  assert.equal(streamed(1, { type: 'transcript.text.delta', delta: 'ab' }, '[DONE]').state, 'finished');
  assert.equal(streamed(1, '[DONE]').state, 'open');
  assert.equal(streamed(1, { type: 'error', message: 'no' }).state, 'failed');
  assert.equal(streamed(1, { error: { message: 'no' } }).state, 'failed');
  assert.equal(streamed(1, 'no').failure, 'unreadable');
  assert.equal(streamed(1, { type: 'else' }).isUnknown, true);
});

test('text is whole when its connection ends well; without any, nothing was said', () => {
  const meter = meterOf(1, true);
  assert.equal(meter.state, 'empty');
  for (const frame of new ByteSplitter().push(Buffer.from('abc'))) meter.frame(frame);
  assert.deepEqual([meter.state, meter.delivered().outputBytes, meter.usage()], ['finished', 3, null]);
});

test('an object without a text is no answer', () => {
  for (const answer of [{}, { error: { message: 'no' } }, { text: 7 }]) assert.equal(whole(1, answer).state, 'failed');
});
