/**
 * Goal: whatever a provider's connection does, each format's caller gets its error in time, and pays nothing for it. Method: U1–U8 of the
 * fault table against the fault backend, in every lane, on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CLOSED_SOON_MS } from '../../support/closed-soon.ts';
import { openBlackHole, refusingOrigin } from '../../support/fault-backend.ts';
import { type FaultBench, openFaultBench } from '../../support/fault-bench.ts';
import { laneAnswers } from '../../support/lane-answers.ts';
import { ALL_LANES, type AnyLane } from '../../support/ledger-bench.ts';
import type { Exchange } from '../../support/scripted-upstream.ts';
import { until } from '../../support/turns.ts';
import { faultRow, type RowNotes } from './fault-row.ts';

const FILE = import.meta.filename;
const SECOND = 1_000;
/** Limits are checked four times a second. */
const SWEEP = 250;

let bench: FaultBench;
before(async () => {
  bench = await openFaultBench();
});
after(() => bench.close());

const WAYS = ALL_LANES.flatMap((lane) => [true, false].map((streamed) => ({ lane, streamed })));
const STREAMS = ALL_LANES.map((lane) => ({ lane, streamed: true }));

/** Every way of calling meets the fault; `reached` is how often the provider was asked each time. */
async function everyWay(row: RowNotes, fault: string, ways: typeof WAYS, code: string, reached = 1): Promise<void> {
  bench.play(fault);
  for (const { lane, streamed } of ways) {
    const asked = bench.upstream.exchanges.length;
    const suffered = await bench.suffer(lane, streamed);
    assert.equal(suffered.code, code, `${lane.name}: ${suffered.text}`);
    assert.equal(suffered.ledger, 'LV', lane.name);
    assert.equal(bench.upstream.exchanges.length - asked, reached, lane.name);
    row.suffered(suffered);
  }
}

faultRow('U1', FILE, async (row) => {
  const refusing = await refusingOrigin();
  for (const origins of [() => [refusing], (good: string) => [refusing, good]]) {
    const own = row.owns(await openFaultBench({ origins }));
    for (const { lane, streamed } of WAYS) {
      const suffered = await own.suffer(lane, streamed);
      assert.ok(suffered.tookMs < SECOND, `${suffered.tookMs} ms`);
      assert.equal(suffered.isWhole ? 'LP' : 'LV', suffered.ledger);
      assert.equal(suffered.isWhole, origins.length === 1, lane.name);
      if (suffered.isWhole) row.fellBack(suffered);
      else row.suffered(suffered);
    }
  }
});

faultRow('U2', FILE, async (row) => {
  const hole = row.owns(await openBlackHole());
  const connectMs = 200;
  const own = row.owns(await openFaultBench({ origins: () => [hole.origin], file: { timeouts: { connectMs } } }));
  // One after the other would wait for each.
  const given = await Promise.all(WAYS.map(({ lane, streamed }) => own.call(lane, streamed)));
  const settled = await own.ledger.settled(given.length);
  for (const each of given) {
    assert.equal(each.code, 'upstream_timeout', each.text);
    assert.ok(each.tookMs >= connectMs && each.tookMs < connectMs + 3 * SECOND, `${each.tookMs} ms`);
    row.given(each);
  }
  for (const { charge } of settled.values()) assert.equal(charge, 0n);
  row.ledger.add('LV');
});

faultRow('U3', FILE, async (row) => {
  for (const { lane, streamed } of WAYS) {
    bench.play('silent');
    const arrived = bench.upstream.nextExchange();
    const suffering = bench.suffer(lane, streamed);
    const exchange = await arrived;
    bench.clock.advance((streamed ? 120 : 600) * SECOND - SECOND);
    assert.equal(exchange.socket.destroyed, false);
    bench.clock.advance(SECOND + SWEEP);
    await closedSoon(exchange, lane);
    const suffered = await suffering;
    assert.equal(suffered.code, 'upstream_timeout');
    row.suffered(suffered);
  }
});

faultRow('U4', FILE, (row) => everyWay(row, 'reset', WAYS, 'upstream_unreachable', 2));

faultRow('U5', FILE, async (row) => {
  for (const frames of [1, 3, 5]) await everyWay(row, `reset@${frames}`, STREAMS, 'bad_gateway');
  await everyWay(
    row,
    'reset@1',
    WAYS.filter(({ streamed }) => !streamed),
    'bad_gateway',
  );
});

faultRow('U6', FILE, async (row) => {
  for (const fault of ['fin@1', 'fin@4', 'truncated@1', 'truncated@4'])
    await everyWay(row, fault, STREAMS, 'bad_gateway');
  await everyWay(
    row,
    'fin@1',
    WAYS.filter(({ streamed }) => !streamed),
    'bad_gateway',
  );
});

faultRow('U7', FILE, async (row) => {
  const limits = { totalMs: 400, idleMs: 250, firstByteStreamedMs: 10 * SECOND };
  const own = row.owns(await openFaultBench({ file: { timeouts: limits } }));
  own.play('drip@10');
  const exchanges: Promise<Exchange>[] = STREAMS.map(() => own.upstream.nextExchange());
  const calls = STREAMS.map(({ lane }) => own.call(lane, true));
  for (const { socket } of await Promise.all(exchanges)) await until('its head', () => socket.bytesWritten > 0);
  // A byte every 10 ms is no silence, if the gateway gets to read it.
  for (let passed = 0; passed < limits.totalMs - 10; passed += 10) {
    own.clock.advance(10);
    for (let turns = 0; turns < 5; turns += 1) await setImmediate();
  }
  assert.equal(own.app.gateway.running.count, STREAMS.length, 'all of them still run');
  own.clock.advance(10 + SWEEP);
  for (const each of await Promise.all(calls)) {
    assert.equal(each.code, 'upstream_timeout', each.text);
    row.given(each);
  }
  for (const { charge } of (await own.ledger.settled(STREAMS.length)).values()) assert.equal(charge, 0n);
  row.ledger.add('LV');
});

faultRow('U8', FILE, async (row) => {
  for (const { lane, streamed } of WAYS) {
    bench.play(`silent@${laneAnswers[lane.upstream].lead + 2}`);
    const entered = bench.nextCall();
    const suffering = bench.suffer(lane, streamed);
    const call = await entered;
    await until('the beginning of the answer', () => (streamed ? call.responseBytes > 0 : call.answered));
    bench.clock.advance(299 * SECOND);
    assert.equal(bench.app.gateway.running.count, 1, 'it is still waited for');
    bench.clock.advance(SECOND + 2 * SWEEP);
    const exchange = bench.upstream.exchanges.at(-1) as Exchange;
    await closedSoon(exchange, lane);
    const suffered = await suffering;
    assert.equal(suffered.code, 'upstream_timeout', suffered.text);
    row.suffered(suffered);
  }
});

async function closedSoon(exchange: Exchange, lane: AnyLane): Promise<void> {
  const advancedAt = performance.now();
  const keptMs = (await exchange.closed) - advancedAt;
  assert.ok(keptMs < CLOSED_SOON_MS, `${lane.name}: closed after ${keptMs} ms`);
}
