/**
 * Goal: a format of one operation alone reads what its provider sends as what it is: an answer that is cut anywhere has failed, only a valid length is
 * charged, a refusal becomes one of the gateway's errors without anything of the operator's. Method: answers and refusals written by hand after
 * the vendors' documentation, cut and changed; and generated transcripts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf } from '../../../../core/body.ts';
import { GatewayError } from '../../../../core/errors.ts';
import { scanJson } from '../../../../wire/json-scan.ts';
import type { AskedInFormat } from '../../../interface/operation-format.ts';
import { WholeAnswer } from '../../../kit/relay/whole-answer.ts';
import { countSeconds } from '../../meter/count-seconds.ts';
import { deepgramListen } from './deepgram-listen.ts';
import { elevenlabsSpeech } from './elevenlabs-speech.ts';
import { operationFormats } from './index.ts';

const CONTEXT = { callerModel: 'c', cost: () => null, unitLine: () => 1, fileBytes: () => 16_000 };

function asked(fields: object): AskedInFormat {
  const document = scanJson(Buffer.from(JSON.stringify(fields)), {});
  return { inbound: { document }, peek: { units: { name: 'second', most: 16 } } } as unknown as AskedInFormat;
}

function listen(answer: string, fields: object = {}) {
  const relay = deepgramListen.openRelay(asked(fields), CONTEXT);
  const whole = new WholeAnswer(Buffer.from(answer));
  relay.readBody(whole);
  return { meter: relay.meter, text: () => bytesOf(relay.editBody(whole)).toString() };
}

const ANSWER = {
  metadata: { request_id: 'r', duration: 3.2, channels: 1 },
  results: {
    channels: [{ alternatives: [{ transcript: 'é "x"', confidence: 0.9, words: [] }] }],
    utterances: [{ start: 0, end: 3.2, transcript: 'é "x"' }],
  },
};

test('each is in the table under its own name', () => {
  for (const [name, format] of Object.entries(operationFormats)) assert.equal(format.name, name);
});

test('an answer of Deepgram’s that is cut anywhere has failed', () => {
  const bytes = Buffer.from(JSON.stringify(ANSWER));
  for (let end = 0; end < bytes.length; end += 1) {
    const relay = deepgramListen.openRelay(asked({}), CONTEXT);
    relay.readBody(new WholeAnswer(bytes.subarray(0, end)));
    assert.equal(relay.meter.state, 'failed', String(end));
  }
  const { meter } = listen(bytes.toString());
  assert.deepEqual([meter.state, meter.usage()?.units, meter.usage()?.unitLine], ['finished', 4, 1]);
});

test('answers that lack a part, or have another in its place, have failed', () => {
  for (const results of [null, [], {}, { channels: {} }, { channels: [] }, { channels: [{ alternatives: [{}] }] }]) {
    const { meter, text } = listen(JSON.stringify({ ...ANSWER, results }));
    assert.equal(meter.state, 'failed');
    assert.throws(text, (error) => error instanceof GatewayError && error.status === 502);
  }
});

test('a length counts in whole seconds, one that has begun included, and nothing else is a length', () => {
  for (const [stated, seconds] of [
    [0, 0],
    [0.001, 1],
    [25.933313, 26],
    [3600, 3600],
    ['12.5', 13],
    [604_800, 604_800],
    [604_800.1, null],
    [-0.5, null],
    [Number.POSITIVE_INFINITY, null],
    [Number.NaN, null],
    ['', null],
    [' ', null],
    ['soon', null],
    ['9'.repeat(40), null],
    [null, null],
    [true, null],
    [[], null],
    [{}, null],
  ] as const)
    assert.equal(countSeconds(stated), seconds, String(stated));
  for (const literal of ['1e999', '-1', '"soon"', 'true', '[]', 'null']) {
    const { meter, text } = listen(JSON.stringify(ANSWER).replace('3.2,"channels"', `${literal},"channels"`));
    assert.deepEqual([meter.state, meter.usage(), meter.delivered().units?.units], ['finished', null, 1], literal);
    assert.deepEqual(JSON.parse(text()), { text: 'é "x"' });
  }
});

test('subtitles of any speech have a cue for each utterance, in order, and no line that could be taken for another cue', () => {
  const spoken = fc.record({
    start: fc.double({ min: 0, max: 600_000, noNaN: true }),
    end: fc.double({ min: 0, max: 600_000, noNaN: true }),
    transcript: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a\n\n2\n00:00:00,000 --> x', '-->', '\r')),
  });
  fc.assert(
    fc.property(fc.array(spoken, { maxLength: 8 }), (utterances) => {
      const answer = JSON.stringify({ ...ANSWER, results: { ...ANSWER.results, utterances } });
      const srt = listen(answer, { response_format: 'srt' }).text();
      const cues = srt.split('\n').filter((line) => line.includes('-->'));
      assert.equal(cues.length, utterances.length);
      for (const cue of cues) assert.match(cue, /^\d{2,}:\d\d:\d\d,\d{3} --> \d{2,}:\d\d:\d\d,\d{3}$/);
      assert.equal(srt.split('\n').length, utterances.length * 4 + 1);
      assert.ok(listen(answer, { response_format: 'vtt' }).text().startsWith('WEBVTT\n\n'));
    }),
  );
});

test('an invalid language does not reach the caller', () => {
  for (const [detected, shown] of [
    ['pt-BR', 'pt-BR'],
    ['0123456789abcdef0123456789abcdef01234567', undefined],
    ['Token secret', undefined],
    [7, undefined],
  ] as const) {
    const [channel] = ANSWER.results.channels;
    const results = { ...ANSWER.results, channels: [{ ...channel, detected_language: detected }] };
    const { text } = listen(JSON.stringify({ ...ANSWER, results }), { response_format: 'verbose_json' });
    assert.equal((JSON.parse(text()) as { language?: string }).language, shown);
  }
});

test('refusals become the gateway’s errors; those about the request are relayable, without secrets', () => {
  const detail = (status: string, message = 'It is so.') => JSON.stringify({ detail: { status, message } });
  const listed = JSON.stringify({ detail: [{ loc: ['body', 'text'], msg: 'Field required', type: 'missing' }] });
  const legacy = (code: string) => JSON.stringify({ err_code: code, err_msg: 'It is so.', request_id: 'r' });
  const modern = JSON.stringify({ category: 'X', message: 'It is so.', details: 'Because.', request_id: 'r' });
  for (const [format, status, body, code, message] of [
    [elevenlabsSpeech, 400, detail('max_character_limit_exceeded'), 'bad_request', 'It is so.'],
    [elevenlabsSpeech, 404, detail('voice_not_found'), 'not_found', 'It is so.'],
    [elevenlabsSpeech, 422, listed, 'bad_request', 'Field required'],
    [elevenlabsSpeech, 401, detail('invalid_api_key'), 'upstream_credential_rejected', null],
    [elevenlabsSpeech, 400, detail('invalid_api_key'), 'upstream_credential_rejected', null],
    [elevenlabsSpeech, 401, detail('quota_exceeded'), 'upstream_credential_rejected', null],
    [elevenlabsSpeech, 400, detail('quota_exceeded'), 'upstream_credential_rejected', null],
    [elevenlabsSpeech, 429, detail('too_many_concurrent_requests'), 'upstream_rate_limited', null],
    [elevenlabsSpeech, 500, detail('internal_error'), 'bad_gateway', null],
    [elevenlabsSpeech, 400, '<html>', 'bad_gateway', null],
    [elevenlabsSpeech, 400, `{"detail":{"message":"${'x'.repeat(70_000)}"}}`, 'bad_gateway', null],
    [deepgramListen, 400, legacy('Bad Request'), 'bad_request', 'It is so.'],
    [deepgramListen, 400, modern, 'bad_request', 'It is so. Because.'],
    [deepgramListen, 401, legacy('INVALID_AUTH'), 'upstream_credential_rejected', null],
    [deepgramListen, 402, legacy('ASR_PAYMENT_REQUIRED'), 'upstream_credential_rejected', null],
    [deepgramListen, 403, legacy('INSUFFICIENT_PERMISSIONS'), 'upstream_credential_rejected', null],
    [deepgramListen, 429, legacy('TOO_MANY_REQUESTS'), 'upstream_rate_limited', null],
    [deepgramListen, 503, '', 'upstream_overloaded', null],
    [deepgramListen, 400, '"some text"', 'bad_gateway', null],
  ] as const) {
    const error = format.readError(status, {}, Buffer.from(body));
    assert.deepEqual([error.code, error.relayable], [code, message !== null], body.slice(0, 80));
    if (message !== null) assert.equal(error.message, message);
  }
  for (const body of [detail('x', 'Bad key sk-abcdef0123456789'), legacy('x').replace('It', 'Key sk-abcdef0123456789')])
    for (const { readError } of Object.values(operationFormats)) {
      const { message, quotable, relayable } = readError(400, {}, Buffer.from(body));
      assert.ok(!`${message}${quotable}`.includes('abcdef0123456789') && !relayable);
    }
});
