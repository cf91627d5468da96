/** Goal: the hand-written line is the JSON that a logger would write. Method: parse it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CallEntry, callLine } from './call-log.ts';

const entry: CallEntry = {
  request: 'req_01',
  client: '127.0.0.1',
  keyId: 1,
  dialect: 'openai-chat',
  model: 'demo/echo',
  provider: 'demo',
  status: 200,
  ending: 'complete',
  error: null,
  streamed: false,
  durationMs: 1.2345,
  firstByteMs: null,
  tokensIn: 3,
  tokensOut: 4,
  costNano: 9_007_199_254_740_993n,
  attempts: 1,
  connectionError: null,
};

test('a call is one line of JSON, its numbers exact', () => {
  const line = callLine(',"time":"2026-11-21T00:00:00.000Z"', entry);
  assert.equal(line.indexOf('\n'), line.length - 1);
  assert.match(line, /"costNano":9007199254740993,/);
  const { request, ms, firstByteMs, time, msg } = JSON.parse(line);
  assert.deepEqual([request, ms, firstByteMs, time, msg], ['req_01', 1.2, null, '2026-11-21T00:00:00.000Z', 'call']);
});

test('the line of a call whose connection failed contains the reason', () => {
  assert.equal('connectionError' in JSON.parse(callLine('', entry)), false);
  assert.equal(JSON.parse(callLine('', { ...entry, connectionError: 'ENOTFOUND' })).connectionError, 'ENOTFOUND');
});

test('any model name is escaped, so that the line stays one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (model) => {
      const line = callLine('', { ...entry, model });
      assert.equal(line.split('\n').length, 2);
      assert.equal(JSON.parse(line).model, JSON.parse(JSON.stringify(model)));
    }),
  );
});
