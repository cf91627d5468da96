/**
 * Goal: as many calls run as allowed, the rest are refused with a time to retry; and however calls end, each
 * admitted one is settled once. Method: a cap of three; then five hundred mixed calls, a third of
 * which leave, counted from within, in the records and in the database.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { goodAnswers } from '../faults/fault.ts';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  errorCode,
  openBench,
  PATHS,
  rawCall,
} from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { countOf, StreamReader } from '../support/stream-reader.ts';
import { until } from '../support/turns.ts';
import { answerWell, isMessages, refuse, silent } from '../support/upstream-scripts.ts';

const CALLS = 500;
const AT_ONCE = 50;

describe('the cap of running calls', () => {
  for (const dialect of DIALECTS) {
    test(`${dialect}: one above it is a 503 with Retry-After, and is admitted as soon as one ends`, async () => {
      const bench = await openBench({ limits: { inFlightMax: 3 } }, {}, silent);
      const readers: StreamReader[] = [];
      for (let number = 0; number < 3; number += 1) {
        const arrived = bench.upstream.nextExchange();
        readers.push(await StreamReader.open(bench.url, rawCall(bench, dialect, true)));
        await arrived;
      }
      const refused = await bench.post(PATHS[dialect], chatBody(false));
      assert.equal(refused.status, 503);
      assert.equal(errorCode(await refused.json()), 'overloaded');
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal(bench.upstream.exchanges.length, 3);

      const settled = bench.nextRecord();
      readers[0]?.leave();
      await settled;
      bench.upstream.play(answerWell);
      const served = await bench.post(PATHS[dialect], chatBody(false));
      assert.equal(served.status, 200);
      await served.text();
      for (const reader of readers) reader.leave();
      await until('the others to end', () => bench.app.gateway.running.count === 0);
      await bench.close();
    });
  }

  test('a caller without a key takes no slot', async () => {
    const bench = await openBench({ limits: { inFlightMax: 1 } });
    const connection = await bench.connect();
    await connection.write(
      `POST ${PATHS['openai-chat']} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer no\r\nContent-Length: 50\r\n\r\n{`,
    );
    await connection.answer();
    const served = await bench.post(PATHS['openai-chat'], chatBody(false));
    assert.equal(served.status, 200);
    await served.text();
    connection.close();
    await bench.close();
  });
});

/** Answers by turns: well, with a refusal, cut, silent, with a reset, as a long stream. */
function byTurns(): Script {
  let turn = 0;
  return async (exchange) => {
    turn += 1;
    const { frames, body } = goodAnswers[isMessages(exchange) ? 'anthropic-messages' : 'openai-chat'];
    const streamed = exchange.json['stream'] === true;
    switch (turn % 6) {
      case 0:
        return refuse(turn % 12 === 0 ? 500 : 429, {})(exchange);
      case 1:
        return exchange.reset();
      case 2:
        if (!streamed) return exchange.whole(200, body);
        await exchange.openStream();
        for (const frame of frames.slice(0, 3)) await exchange.chunk(frame);
        return exchange.finish();
      default:
        if (!streamed) return exchange.whole(200, body);
        await exchange.openStream();
        for (const frame of frames) await exchange.chunk(frame);
        return exchange.lastChunk();
    }
  };
}

test(`${CALLS} calls of every kind, a third of which leave: as many settlements as admissions`, async (context) => {
  const bench = await openBench({}, {}, byTurns());
  let next = 0;
  const caller = async () => {
    while (next < CALLS) {
      const number = next;
      next += 1;
      const dialect: DialectUnderTest = DIALECTS[number % 2] ?? 'openai-chat';
      const streamed = number % 4 < 2;
      if (number % 3 !== 0) {
        const response = await bench.post(PATHS[dialect], chatBody(streamed));
        await response.text();
        continue;
      }
      const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, streamed));
      // Some leave at once, some with the head of the answer, some in its middle; some are too late to leave.
      if (number % 9 === 3) await Promise.race([reader.sees('HTTP/1.1'), reader.closed()]);
      if (number % 9 === 6)
        await Promise.race([reader.sees((text) => countOf(text, 'data: ') > 1 || text.includes('}')), reader.closed()]);
      reader.leave();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  await until('all calls to end', () => bench.app.gateway.running.count === 0);

  const admitted = bench.calls.filter((call) => call.hold !== null);
  const inDatabase = settlementsOf(bench.dataFolder);
  const endings = new Map<string, number>();
  for (const { ending } of bench.records) endings.set(ending, (endings.get(ending) ?? 0) + 1);
  context.diagnostic(`${bench.calls.length} let in, ${admitted.length} admitted: ${JSON.stringify([...endings])}`);
  assert.equal(bench.records.length, admitted.length);
  assert.equal(new Set(bench.records.map(({ callId }) => callId)).size, admitted.length);
  assert.equal(inDatabase, admitted.length);
  assert.ok((endings.get('caller_left') ?? 0) > 20);
  for (const call of bench.calls) assert.equal(call.active, null, 'nothing holds on to a call that has ended');
  for (const call of bench.calls) assert.equal(call.response.listenerCount('drain'), 0);
  await bench.close();
});

function settlementsOf(dataFolder: string): number {
  const database = new DatabaseSync(join(dataFolder, 'turnpike.db'), { readOnly: true });
  const row = database.prepare('SELECT count(DISTINCT call_id) AS calls, count(*) AS all_rows FROM settlements').get();
  database.close();
  assert.equal(row?.['calls'], row?.['all_rows']);
  return Number(row?.['calls']);
}
