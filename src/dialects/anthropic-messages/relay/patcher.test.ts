/**
 * Goal: the caller reads back the model it asked for, and every other byte of the answer is the provider's. Method: compare each stream
 * with the same text with the name replaced.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesOf } from '../../../core/body.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { framesOf, inboundOf, leastRequest, readFixture, streamNames } from '../fixtures/read-fixture.ts';
import { peek } from '../peek/peek.ts';
import { openRelay } from './open-relay.ts';

const CALLER_MODEL = 'anthropic/"lighthouse" 灯';
const UPSTREAM_MODEL = /"claude-lighthouse-[45]"/g;

function openFor(callerModel = CALLER_MODEL) {
  return openRelay(peek(inboundOf(leastRequest)), { callerModel, cost: () => '0.5' });
}

function relayed(bytes: Buffer, callerModel = CALLER_MODEL): string {
  const open = openFor(callerModel);
  return Buffer.concat(framesOf(bytes).map((frame) => open.frame(frame) ?? Buffer.alloc(0))).toString();
}

describe('a relayed stream', () => {
  for (const name of streamNames.filter((name) => name !== 'proxied.sse')) {
    test(`${name} passes with the caller's model and no other change`, () => {
      const bytes = readFixture(name);
      const wanted = bytes.toString().replace(UPSTREAM_MODEL, () => JSON.stringify(CALLER_MODEL));
      assert.notEqual(wanted, bytes.toString());
      assert.equal(relayed(bytes), wanted);
    });
  }

  test('a first event without its name, over two data lines, is recognised by its payload and written again', () => {
    const bytes = readFixture('proxied.sse');
    const [comment, start, ...rest] = framesOf(Buffer.from(relayed(bytes)));
    const [, , ...before] = framesOf(bytes);
    assert.equal(comment?.bytes.toString(), ': a proxy says hello\r\n\r\n');
    assert.equal(JSON.parse(start?.data?.toString() ?? '').message.model, CALLER_MODEL);
    assert.deepEqual(rest, before);
  });

  test('frames that are not edited are the received bytes, not copies', () => {
    const open = openFor();
    for (const frame of framesOf(readFixture('thinking.sse')).slice(1)) assert.equal(open.frame(frame), frame.bytes);
  });

  test('a thinking signature survives byte for byte', () => {
    const signature = '"signature":"c2lnbmF0dXJl+/AbC\\/dEf0123456789==\\u0041zz"';
    assert.ok(relayed(readFixture('thinking.sse')).includes(signature));
  });

  test('a stream that names the model as the caller did is not touched', () => {
    for (const name of ['text.sse', 'proxied.sse']) {
      assert.equal(relayed(readFixture(name), 'claude-lighthouse-4'), readFixture(name).toString());
    }
  });

  test('a broken first event passes unchanged', () => {
    const broken = 'event: message_start\ndata: {"type":"message_start","message":{"model":"claude\n\n';
    assert.equal(relayed(Buffer.from(broken)), broken);
    const absent = 'event: message_start\ndata: {"type":"message_start","message":{"model":null}}\n\n';
    assert.equal(relayed(Buffer.from(absent)), absent);
  });

  test('text that mentions message_start does not change', () => {
    const text = 'event: content_block_delta\ndata: {"type":"message_start","message":{"model":"claude"}}\n\n';
    assert.equal(relayed(Buffer.from(text)), text);
  });
});

describe('a relayed answer', () => {
  test("names the caller's model at the top and nowhere else", () => {
    const bytes = readFixture('text.json');
    const wanted = bytes.toString().replace('"claude-lighthouse-4"', JSON.stringify(CALLER_MODEL));
    assert.equal(bytesOf(openFor().editBody(new WholeAnswer(bytes))).toString(), wanted);
    assert.equal(JSON.parse(wanted).content[2].input.model, 'boat');
  });

  test('that has no model, or is not JSON, passes unchanged', () => {
    for (const body of ['{"type":"message"}', '{"model":null}', '<html>', '[]', '']) {
      assert.equal(bytesOf(openFor().editBody(new WholeAnswer(Buffer.from(body)))).toString(), body);
    }
  });

  test('never carries a cost', () => {
    assert.ok(
      !openFor()
        .editBody(new WholeAnswer(readFixture('text.json')))
        .includes('cost'),
    );
  });
});
