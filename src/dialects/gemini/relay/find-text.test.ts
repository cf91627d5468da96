/** Goal: messages that differ only in their text are recognised, and no others. Method: pairs of messages through a relay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainContext, relayedAgain } from '../../contract.ts';
import { PEEK } from '../../contract-fixture.ts';
import { framesOf } from '../fixtures/read-fixture.ts';
import { findText } from './find-text.ts';
import { openRelay } from './open-relay.ts';

const message = (part: string, more = '', usage = '"trafficType":"ON_DEMAND"') =>
  `{"candidates":[{"content":{"role":"model","parts":[${part}]}${more}}],"usageMetadata":{${usage}},"modelVersion":"up-1","responseId":"r"}`;
const eventOf = (json: string) => Buffer.from(`data: ${json}\r\n\r\n`);

/** What the second message becomes if it is recognised as a repetition of the first. */
function again(first: string, second: string): string | null {
  const relay = openRelay(PEEK, plainContext('caller/model'));
  for (const frame of framesOf(eventOf(first))) relay.frame(frame);
  return relayedAgain(relay, eventOf(second))?.toString() ?? null;
}

test('a text, and a thought, is recognised and has the caller’s model', () => {
  for (const part of ['{"text":"x"}', '{"text":"x","thought":true}', '{"thought":true,"text":"x"}']) {
    const second = message(part.replace('"x"', '"Höhe \\"12\\""'));
    assert.equal(again(message(part), second), eventOf(second.replace('up-1', 'caller/model')).toString(), part);
  }
});

test('whatever says more than a text is read', () => {
  const first = message('{"text":"x"}');
  for (const second of [
    message('{"text":"y"}', ',"finishReason":"STOP"'),
    message('{"text":"y"}', '', '"promptTokenCount":1'),
    message('{"text":"y","thoughtSignature":"c2ln"}'),
    message('{"text":"y"},{"text":"z"}'),
  ])
    assert.equal(again(first, second), null, second);
  for (const part of [
    '{"text":"x","thoughtSignature":"c2ln"}',
    '{"text":"x"},{"text":"y"}',
    '{"functionCall":{"name":"f"}}',
  ])
    assert.equal(again(message(part), message(part)), null, part);
});

test('the text is that of the only part of the first candidate', () => {
  const found = (json: string) => {
    const bytes = Buffer.from(json);
    const place = findText(bytes, 0, bytes.length);
    return place === null ? null : bytes.toString('utf8', place.textStart, place.textEnd);
  };
  assert.equal(found('{"text":"no","candidates":[{"content":{"parts":[{"text":"yes"}]}}]}'), 'yes');
  for (const json of [
    '{"candidates":{}}',
    '{"candidates":[]}',
    '{"candidates":[{"content":{"parts":[{"text":""}]}}]}',
    '[]',
    '{',
  ])
    assert.equal(found(json), null, json);
});
