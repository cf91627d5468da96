/** Goal: a stream without `alt=sse` is one JSON array, however its events are cut. Method: parse what is written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { writeStreamError } from '../errors/write-error.ts';
import { gemini } from '../gemini.ts';
import { streamForm } from './array-form.ts';
import { encodeEvent } from './encode-event.ts';

const asked = (query: string) => ({ path: '/v1beta/models/m:streamGenerateContent', query, parameters: {} });

function open() {
  return streamForm(asked(''))?.open() ?? assert.fail('an array');
}

test('`alt=sse` asks for events; anything else for an array', () => {
  for (const query of ['alt=sse', 'x=1&alt=SSE', '%61lt=sse', '$alt=sse']) assert.equal(streamForm(asked(query)), null);
  for (const query of ['', 'alt=json', 'alt', 'salt=sse'])
    assert.equal(streamForm(asked(query))?.contentType, 'application/json; charset=utf-8');
});

test('events become elements as Google separates them', () => {
  const encoder = open();
  const parts = [
    encoder.write(gemini.ping),
    encoder.write(encodeEvent('{"a":1}')),
    encoder.write(Buffer.concat([encodeEvent('{"a":2}'), encodeEvent('{"a":3}')])),
    encoder.write(gemini.ping),
    encoder.end(encodeEvent('{"a":4}')),
  ].map(String);
  assert.deepEqual(parts, ['', '[{"a":1}\n', ',\r\n{"a":2}\n,\r\n{"a":3}\n', '\n', ',\r\n{"a":4}\n]']);
  assert.deepEqual(JSON.parse(parts.join('')), [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }]);
});

test('an answer without events, or with nothing but an error, is an array too', () => {
  assert.equal(String(open().end(null)), '[]');
  const error = writeStreamError(new GatewayError('bad_gateway'), 'req_1');
  assert.equal(JSON.parse(String(open().end(error)))[0].error.status, 'UNAVAILABLE');
});
