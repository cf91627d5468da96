/**
 * Goal: no caller sees a clean end that is not on disk, nor a first byte before its hold is. Method: a
 * bank whose disk refuses, or is slow, instead of the real one; everything else is the gateway.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { UNWRITABLE } from '../../src/billing/refusal.ts';
import { goodAnswers } from '../faults/fault.ts';
import {
  chatBody,
  DIALECTS,
  endsProperly,
  errorCode,
  eventsOf,
  type OpenBench,
  openBench,
  PATHS,
  rawCall,
} from '../support/open-gateway.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { standstill } from '../support/turns.ts';
import { data, refuse, silent, stream, streamThen } from '../support/upstream-scripts.ts';

let bench: OpenBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const broken = () => Promise.reject(new Error('EIO: i/o error, write'));

describe('a disk that refuses the end of a call', () => {
  for (const dialect of DIALECTS) {
    test(`${dialect}: a whole answer becomes a 503`, async () => {
      bench.app.gateway.bank.finish = broken;
      const response = await bench.post(PATHS[dialect], chatBody(false));
      assert.equal(response.status, 503);
      const text = await response.text();
      assert.equal(errorCode(JSON.parse(text)), 'ledger_unavailable');
      assert.doesNotMatch(text, /Hi you|EIO/);
    });

    test(`${dialect}: a stream ends with an error`, async () => {
      bench.app.gateway.bank.finish = broken;
      const response = await bench.post(PATHS[dialect], chatBody(true));
      const text = await response.text();
      assert.equal(endsProperly(text), false);
      assert.equal(errorCode(eventsOf(text).at(-1)), 'ledger_unavailable');
      assert.doesNotMatch(text, /EIO/);
    });

    test(`${dialect}: what failed anyway keeps its own error`, async () => {
      bench.app.gateway.bank.finish = broken;
      bench.upstream.play(refuse(500, {}));
      const response = await bench.post(PATHS[dialect], chatBody(false));
      assert.equal(response.status, 502);
      assert.equal(errorCode(await response.json()), 'bad_gateway');
    });
  }

  test('leaves no record of a charge that was not made, and an alert', async () => {
    bench.app.gateway.bank.finish = broken;
    for (const streamed of [false, true]) await (await bench.post(PATHS['openai-chat'], chatBody(streamed))).text();
    assert.equal(bench.app.gateway.running.count, 0);
    assert.deepEqual(bench.records, []);
    assert.match(await bench.app.gateway.metrics.text(), /turnpike_alerts_total\{kind="settle_failed"\} 2/);
  });

  test('frees a call whose caller has left', async () => {
    bench.app.gateway.bank.finish = broken;
    bench.upstream.play(streamThen(goodAnswers['openai-chat'].frames.slice(0, 3), () => undefined));
    const entered = bench.nextCall();
    const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
    await reader.sees('one ');
    const { response } = await entered;
    reader.leave();
    await bench.upstream.exchanges.at(-1)?.closed;
    await standstill(() => bench.app.gateway.running.count, 5);
    assert.equal(bench.app.gateway.running.count, 0);
    assert.ok(response.destroyed);
  });
});

describe('a hold that is not durable yet', () => {
  let hold: PromiseWithResolvers<void>;
  beforeEach(() => {
    hold = Promise.withResolvers();
    bench.app.gateway.bank.persistHold = () => hold.promise;
  });

  for (const dialect of DIALECTS) {
    test(`${dialect}: keeps every byte of a stream back, and then sends all of it`, async () => {
      bench.upstream.play(stream(goodAnswers[dialect].frames));
      const arrived = bench.upstream.nextExchange();
      const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
      await arrived;
      await standstill(() => bench.calls.at(-1)?.responseBytes ?? 0, 50);
      assert.equal(reader.text, '');
      hold.resolve();
      await reader.sees((text) => endsProperly(text));
      assert.match(reader.text, /one .*two .*three .*four /s);
      reader.leave();
    });

    test(`${dialect}: that fails is reported, and the provider’s connection is closed`, async () => {
      bench.upstream.play(streamThen(goodAnswers[dialect].frames.slice(0, 3), () => undefined));
      const arrived = bench.upstream.nextExchange();
      const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
      const exchange = await arrived;
      await standstill(() => bench.calls.at(-1)?.responseBytes ?? 0, 50);
      hold.reject(new Error('EIO'));
      await exchange.closed;
      await reader.sees('ledger_unavailable');
      assert.equal(endsProperly(reader.text), false);
      reader.leave();
    });
  }

  test('is on its way while the provider still thinks, but for an answer in one piece', async () => {
    const asked: boolean[] = [];
    bench.app.gateway.bank.persistHold = () => {
      asked.push(bench.calls.at(-1)?.answered ?? true);
      return hold.promise;
    };
    bench.upstream.play(silent);
    for (const streamed of [false, true]) {
      const arrived = bench.upstream.nextExchange();
      const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', streamed));
      const exchange = await arrived;
      assert.deepEqual(asked, streamed ? [false] : []);
      reader.leave();
      await exchange.closed;
    }
  });

  for (const dialect of DIALECTS) {
    test(`${dialect}: that fails while the provider still thinks is reported with a status, and no other provider is called`, async () => {
      bench.upstream.play(silent);
      const arrived = bench.upstream.nextExchange();
      const settled = bench.nextRecord();
      const answer = bench.post(PATHS[dialect], chatBody(true));
      const exchange = await arrived;
      const asked = bench.upstream.exchanges.length;
      hold.reject(new Error('EIO'));
      await exchange.closed;
      const response = await answer;
      assert.equal(response.status, 503);
      assert.equal(errorCode(await response.json()), 'ledger_unavailable');
      const { ending, charge, fault, attempts } = await settled;
      assert.deepEqual([ending, charge, fault], ['gateway_failed', 0n, 0n]);
      assert.deepEqual(
        attempts.map(({ status, error }) => [status, error]),
        [[null, 'ledger_unavailable']],
      );
      assert.equal(bench.upstream.exchanges.length, asked);
    });
  }

  test('does not lose a stream larger than all buffers', async () => {
    const pieces = Array.from({ length: 200 }, (_, index) =>
      data({ choices: [{ index: 0, delta: { content: `${index} ${'x'.repeat(10_000)}` }, finish_reason: null }] }),
    );
    const end = data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    bench.upstream.play(stream([...pieces, end, 'data: [DONE]\n\n']));
    const answer = bench.post(PATHS['openai-chat'], chatBody(true)).then((response) => response.text());
    await bench.upstream.nextExchange();
    await standstill(() => bench.upstream.exchanges.at(-1)?.socket.bytesWritten ?? 0, 50);
    hold.resolve();
    const text = await answer;
    assert.ok(endsProperly(text));
    assert.equal(text.split('"content"').length - 1, 200);
  });
});

test('a bank that refuses at admission refuses the call before any provider is called', async () => {
  const before = bench.upstream.exchanges.length;
  bench.app.gateway.bank.hold = () => UNWRITABLE;
  const response = await bench.post(PATHS['anthropic-messages'], chatBody(true));
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '1');
  assert.equal(errorCode(await response.json()), 'ledger_unavailable');
  assert.equal(bench.upstream.exchanges.length, before);
  assert.deepEqual(bench.records, []);
});
