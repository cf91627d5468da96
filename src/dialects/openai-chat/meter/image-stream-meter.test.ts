/** Goal: of images that come as events what was delivered is counted, however they are cut. Method: events, cut at every place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE } from '../../../core/usage.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { ImageStreamMeter } from './image-stream-meter.ts';

const event = (type: string, more: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: 'aaaa', ...more })}\n\n`;
const PREVIEW = event('image_generation.partial_image');
const USAGE = { usage: { input_tokens: 3, output_tokens: 40 } };
const HD = { size: '1024x1024', quality: 'hd' };

function metered(
  pieces: readonly (string | Buffer)[],
  { most = 2, hasPrice = true, readsImages = false } = {},
): ImageStreamMeter {
  const asked = { name: 'image/auto/auto', most, orTokens: true, field: 'n' };
  const lineOf = (name: string) => (!hasPrice ? 0 : name === 'image/1024x1024/hd' ? 2 : 1);
  const meter = new ImageStreamMeter(asked, lineOf, readsImages);
  const splitter = new SseSplitter();
  for (const piece of pieces) for (const frame of splitter.push(Buffer.from(piece))) meter.frame(frame);
  return meter;
}

test('it ends with the last image that was asked for, wherever it is cut', () => {
  const done = event('image_generation.completed', { ...HD, ...USAGE });
  const bytes = Buffer.from(`${PREVIEW}${done}${PREVIEW}${done}`);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const meter = metered([bytes.subarray(0, cut), bytes.subarray(cut)]);
    assert.deepEqual([meter.state, meter.ended], ['finished', true]);
    assert.deepEqual(meter.usage(), {
      ...{ ...NO_USAGE, inputTokens: 6, outputTokens: 80, outputImageTokens: 80, units: 2, unitLine: 2 },
    });
  }
});

test('images that are read are counted; without details all of the prompt is, if it has images', () => {
  const details = (image_tokens: unknown) => ({ usage: { ...USAGE.usage, input_tokens_details: { image_tokens } } });
  const read = (usage: object, readsImages = true) => {
    const done = event('image_edit.completed', { ...HD, ...usage });
    const meter = metered([done, done], { readsImages });
    return meter.usageInvalid() ? 'invalid' : meter.usage()?.inputImageTokens;
  };
  assert.deepEqual([read(details(2)), read(details(undefined)), read(USAGE), read(USAGE, false)], [4, 6, 6, 0]);
  for (const wrong of [4, -1, 0.5, '2']) assert.equal(read(details(wrong)), 'invalid');
});

test('fewer images are an answer too; previews are none, but the image that they show is owed', () => {
  const one = metered([event('image_edit.completed', HD)]);
  assert.deepEqual([one.state, one.ended, one.usage()?.units], ['finished', false, 1]);
  const none = metered([PREVIEW, PREVIEW]);
  assert.deepEqual([none.state, none.usage(), none.delivered().outputTokens], ['open', null, 1_200]);
  assert.deepEqual(none.delivered().units, { units: 1, unitLine: 1 });
  const between = metered([event('image_edit.completed', HD), PREVIEW]);
  assert.deepEqual([between.usage()?.units, between.delivered().units?.units], [1, 2]);
});

test('without a report and without a price there is an estimate', () => {
  const meter = metered([PREVIEW, event('image_generation.completed')], { most: 1, hasPrice: false });
  assert.deepEqual([meter.usage(), meter.reported(), meter.delivered().outputTokens], [null, 'none', 1_100]);
});

test('errors fail, what is no JSON is unreadable, and what is unknown is nothing', () => {
  for (const error of ['{"type":"error","message":"no"}', '{"error":{"message":"no"}}']) {
    const meter = metered([PREVIEW, `data: ${error}\n\n`]);
    assert.deepEqual([meter.state, meter.ended], ['failed', true], error);
  }
  assert.equal(metered(['data: {"type"\n\n']).failure, 'unreadable');
  for (const unknown of [': ping\n\n', 'data: {"type":"other"}\n\n']) assert.equal(metered([unknown]).isUnknown, true);
  assert.equal(
    metered([event('image_generation.completed', { usage: { input_tokens: -1 } })], { most: 1 }).usageInvalid(),
    true,
  );
});
