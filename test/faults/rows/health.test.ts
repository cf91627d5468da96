/**
 * Goal: a provider that fails often is left alone while others serve its model, is asked again once it is well, and is never left out
 * because of its callers; and nothing is asked many times when all fail. Method: U30 of the fault table: three providers of every model on
 * a clock that the test moves, 20 calls a second, relayed and translated.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { seeded } from '../../prove/support/seeded.ts';
import { goodAnswer } from '../../support/fault-answers.ts';
import { asked, startFaultBackend } from '../../support/fault-backend.ts';
import { type FaultBench, type Given, openFaultBench } from '../../support/fault-bench.ts';
import { giveGood } from '../../support/fault-scripts.ts';
import { ALL_LANES, type AnyLane, requestBytes } from '../../support/ledger-bench.ts';
import { outcomeOf } from '../../support/ledger-outcome.ts';
import type { Exchange, Script, ScriptedUpstream } from '../../support/scripted-upstream.ts';
import { StreamReader } from '../../support/stream-reader.ts';
import { faultRow, type RowNotes } from './fault-row.ts';

const FILE = import.meta.filename;
const SECOND = 1_000;
const CALL_EVERY_MS = 50;
const HEALED_WITHIN_S = 30;
/** Of calls, further attempts; and as many as may be made in any case. */
const RETRIED_SHARE = 0.2;
const RETRIED_MIN = 3;
/** The first: every second call fails. */
const EVERY_SECOND = 0;
const SEEDS = [EVERY_SECOND, 1, 2, 3, 4, 5, 6, 7];
/** Callers that may see an error until a provider that fails half of its calls rests, in each of these. */
const FAILED_MAX = 3;

let bench: FaultBench;
let others: readonly ScriptedUpstream[];
before(async () => {
  others = [await startFaultBackend(), await startFaultBackend()];
  bench = await openFaultBench({ origins: (first) => [first, ...others.map(({ origin }) => origin)] });
});
after(async () => {
  await bench.close();
  for (const other of others) await other.close();
});

/** So many seconds of calls, and their rows. */
async function calls(
  row: RowNotes,
  lane: AnyLane,
  seconds: number,
  everyMs = CALL_EVERY_MS,
): Promise<readonly Given[]> {
  const given: Given[] = [];
  for (let passed = 0; passed < seconds * SECOND; passed += everyMs) {
    given.push(await bench.call(lane, given.length % 2 === 0));
    bench.clock.advance(everyMs);
  }
  for (const settled of (await bench.ledger.settled(given.length)).values()) row.ledger.add(outcomeOf(settled));
  return given;
}

const requests = () => [bench.upstream, ...others].reduce((sum, { exchanges }) => sum + exchanges.length, 0);
const failuresOf = (given: readonly Given[]) => given.filter(({ isWhole }) => !isWhole).length;
const answerWell: Script = (exchange: Exchange) => {
  const { format, streamed } = asked(exchange);
  return giveGood(goodAnswer(format), streamed)(exchange);
};
const fail: Script = (exchange) => exchange.whole(500, '{}');

faultRow('U30', FILE, async (row) => {
  const [relayed, translated] = [ALL_LANES[0], ALL_LANES[4]] as [AnyLane, AnyLane];
  // One that fails always: the others serve, and it is asked once a rest.
  for (const lane of [translated, relayed]) {
    bench.play(answerWell);
    await calls(row, lane, 1);
    bench.play(fail);
    assert.equal(failuresOf(await calls(row, lane, 5)), 0, lane.name);
    const before = bench.upstream.exchanges.length;
    assert.equal(failuresOf(await calls(row, lane, 5)), 0);
    assert.ok(bench.upstream.exchanges.length - before <= 2, 'it rests, but for a probe');
  }
  row.note('the answer of another provider', 'LP');
  // Well again, it is asked again.
  bench.play(answerWell);
  await calls(row, relayed, HEALED_WITHIN_S, SECOND);
  const before = bench.upstream.exchanges.length;
  assert.equal(failuresOf(await calls(row, relayed, 1)), 0);
  assert.equal(bench.upstream.exchanges.length - before, SECOND / CALL_EVERY_MS, 'every call is its again');
  // Callers that leave are no failure of its.
  bench.clock.advance(60 * SECOND);
  bench.play('silent');
  for (let left = 0; left < 20; left += 1) {
    const arrived = bench.upstream.nextExchange();
    const reader = await StreamReader.open(bench.url, requestBytes(bench, { lane: relayed, streamed: true }));
    const exchange = await arrived;
    reader.leave();
    await exchange.closed;
  }
  await bench.ledger.settled(20);
  bench.play(answerWell);
  const afterAborts = bench.upstream.exchanges.length;
  await calls(row, relayed, 1);
  assert.equal(bench.upstream.exchanges.length - afterAborts, SECOND / CALL_EVERY_MS, 'it is asked as before');
  // Half of its calls fail, from the first call on, and after it was well.
  for (const seed of SEEDS) {
    const random = seeded(seed);
    let turn = 0;
    const fails = () => {
      turn += 1;
      return seed === EVERY_SECOND ? turn % 2 === 0 : random() < 0.5;
    };
    bench.clock.advance(60 * SECOND);
    bench.play(answerWell);
    if (seed % 2 === 0) await calls(row, relayed, 5);
    bench.play((exchange) => (fails() ? fail : answerWell)(exchange));
    const half = await calls(row, relayed, 15);
    const settled = half.slice((5 * SECOND) / CALL_EVERY_MS);
    assert.ok(failuresOf(half) <= FAILED_MAX, `seed ${seed}: ${failuresOf(half)} of ${half.length}`);
    assert.ok(failuresOf(settled) < settled.length / 100, `seed ${seed}: ${failuresOf(settled)} of ${settled.length}`);
  }
  row.note('502 `bad_gateway` for a few calls, until it rests', 'LV');
  // All fail, and none is asked much more often than usual.
  bench.clock.advance(60 * SECOND);
  for (const upstream of [bench.upstream, ...others]) upstream.play(fail);
  const asking = requests();
  const none = await calls(row, relayed, 10);
  assert.equal(failuresOf(none), none.length);
  assert.ok(requests() - asking <= none.length * (1 + RETRIED_SHARE) + RETRIED_MIN, `${requests() - asking} requests`);
  row.note('502 `bad_gateway`, if all fail', 'LV');
});
