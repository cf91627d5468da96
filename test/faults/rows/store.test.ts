/**
 * Goal: a clock that jumps, a key that is revoked, a balance that ends, an entry that comes again and a second gateway change no call that
 * runs, and no balance twice. Method: S11, S18, S19, S21 and S24 of the fault table, in every lane where a call is concerned.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { balanceOf } from '../../../src/billing/money-view.ts';
import { accountId } from '../../../src/core/ids.ts';
import { spawnServer } from '../../prove/support/spawned-server.ts';
import { control, createKey, keyId, revokeKey } from '../../support/control.ts';
import { goodAnswer } from '../../support/fault-answers.ts';
import { asked } from '../../support/fault-backend.ts';
import { type FaultBench, type Given, openFaultBench } from '../../support/fault-bench.ts';
import { giveGood } from '../../support/fault-scripts.ts';
import { laneAnswers } from '../../support/lane-answers.ts';
import { ALL_LANES, type AnyLane } from '../../support/ledger-bench.ts';
import { outcomeOf } from '../../support/ledger-outcome.ts';
import type { Exchange } from '../../support/scripted-upstream.ts';
import { newInstallation } from '../../support/serve-process.ts';
import { until } from '../../support/turns.ts';
import { faultRow, type RowNotes } from './fault-row.ts';

const FILE = import.meta.filename;
const HOUR = 3_600_000;

let bench: FaultBench;
before(async () => {
  bench = await openFaultBench();
});
after(() => bench.close());

/** A stream whose first words have been sent, and the rest of it. */
interface Begun {
  readonly lane: AnyLane;
  readonly given: Promise<Given>;
  goOn(): Promise<void>;
}

async function begin(each: FaultBench, lane: AnyLane, headers: Readonly<Record<string, string>> = {}): Promise<Begun> {
  const { lead } = laneAnswers[lane.upstream];
  const { frames, contentType } = goodAnswer(lane.upstream);
  each.play(async (exchange) => {
    await exchange.openStream({ 'content-type': contentType });
    for (const frame of frames.slice(0, lead + 2)) await exchange.chunk(frame);
  });
  const [arrived, entered] = [each.upstream.nextExchange(), each.nextCall()];
  const given = each.call(lane, true, headers);
  const exchange: Exchange = await arrived;
  const call = await entered;
  await until('its first words', () => call.responseBytes > 0);
  return {
    lane,
    given,
    async goOn() {
      for (const frame of frames.slice(lead + 2)) await exchange.chunk(frame);
      await exchange.lastChunk();
    },
  };
}

function playGood(each: FaultBench): void {
  each.play((exchange) => {
    const { format, streamed } = asked(exchange);
    return giveGood(goodAnswer(format), streamed)(exchange);
  });
}

async function noted(row: RowNotes, each: FaultBench, given: Given): Promise<void> {
  row.given(given);
  const fresh = await each.ledger.settled(given.response.status === 200 ? 1 : 0);
  row.ledger.add(outcomeOf([...fresh.values()][0] ?? null));
}

faultRow('S11', FILE, async (row) => {
  for (const lane of ALL_LANES)
    for (const stepMs of [HOUR, -HOUR]) {
      const { given, goOn } = await begin(bench, lane);
      bench.clock.stepWall(stepMs);
      // Every limit is checked again, and none has been reached.
      bench.clock.advance(1_000);
      assert.equal(bench.app.gateway.running.count, 1, 'it runs on');
      await goOn();
      const whole = await given;
      assert.ok(whole.isWhole, whole.text);
      await noted(row, bench, whole);
      playGood(bench);
      await noted(row, bench, await bench.call(lane, false));
    }
});

faultRow('S18', FILE, async (row) => {
  for (const [index, lane] of ALL_LANES.entries())
    for (const now of [true, false]) {
      const name = `cut ${index} ${now}`;
      const key = await createKey(bench.dataFolder, name);
      const headers = { authorization: `Bearer ${key}` };
      const { given, goOn } = await begin(bench, lane, headers);
      const revokedAt = performance.now();
      if (now)
        await control(bench.dataFolder, 'DELETE', `/control/api/keys/${await keyId(bench.dataFolder, name)}?now=true`);
      else await revokeKey(bench.dataFolder, name);
      // A new call is refused at once, whatever happens to the one that runs.
      const refused = await bench.call(lane, true, headers);
      assert.deepEqual([refused.response.status, refused.code], [401, 'invalid_api_key'], lane.name);
      assert.ok(performance.now() - revokedAt < 1_000);
      if (!now) await goOn();
      const running = await given;
      assert.equal(running.code, now ? 'invalid_api_key' : null, running.text);
      assert.ok(performance.now() - revokedAt < 2_000);
      row.given(refused);
      await noted(row, bench, running);
    }
  row.ledger.add('L0');
});

faultRow('S19', FILE, async (row) => {
  // Relayed, translated, and over the provider that only translations reach.
  for (const lane of [ALL_LANES[0], ALL_LANES[4], ALL_LANES.at(-1)] as AnyLane[]) {
    // Enough for one hold of this size, and not for two.
    const own = row.owns(await openFaultBench({ file: { billing: { firstRunCredit: '0.008' } } }));
    const { given, goOn } = await begin(own, lane);
    const refused = await own.call(lane, true);
    assert.deepEqual([refused.response.status, refused.code], [402, 'balance_reserved'], refused.text);
    assert.ok(refused.response.headers.has('retry-after'), lane.name);
    // Meanwhile the rest of the balance is taken away; what is held is not.
    const take = (amount: string) =>
      control(own.dataFolder, 'POST', '/control/api/balance/entries', {
        kind: 'adjustment',
        amount,
        reference: `taken ${amount}`,
      });
    assert.equal((await take('-0.002')).status, 201);
    const tooMuch = await take('-0.005');
    assert.ok(tooMuch.status >= 400 && tooMuch.status < 500, JSON.stringify(tooMuch.body));
    await goOn();
    const whole = await given;
    assert.ok(whole.isWhole, whole.text);
    row.given(refused);
    await noted(row, own, whole);
    const money = await balanceOf(own.app.gateway.bank.money, accountId(1));
    assert.ok((money?.balance ?? -1n) >= 0n);
  }
  row.ledger.add('L0');
});

faultRow('S21', FILE, async (row) => {
  const balance = async () => (await balanceOf(bench.app.gateway.bank.money, accountId(1)))?.balance ?? 0n;
  playGood(bench);
  const lane = ALL_LANES[0] as AnyLane;
  const paid = await bench.suffer(lane, false);
  const before = await balance();
  const post = (path: string, body: object) => control(bench.dataFolder, 'POST', `/control/api/balance/${path}`, body);
  const topup = { amount: '1', reference: 'payment 1' };
  const refund = { call: paid.settled?.id, reference: 'refund 1' };
  // The refund comes first, and everything five times, at once and again.
  const statuses = await Promise.all(
    Array.from({ length: 5 }, () => [post('refunds', refund), post('entries', topup)]).flat(),
  );
  for (const { status, body } of statuses) assert.ok([200, 201].includes(status), JSON.stringify(body));
  const added = 1_000_000_000n + (paid.settled?.charge ?? 0n);
  assert.equal((await balance()) - before, added, 'each is posted once');
  const fresh = statuses.filter(({ body }) => (body as { is_new: boolean }).is_new);
  assert.equal(fresh.length, 2);
  row.note('the entry as it was posted first', 'L0');
  const other = await post('entries', { ...topup, amount: '2' });
  assert.equal(other.status, 409, JSON.stringify(other.body));
  row.note('409 for another amount under the same reference', 'L0');
  const forged = await bench.post('/api/v1/balance/entries', { amount: '5', reference: 'forged' });
  assert.ok([401, 403, 404].includes(forged.status), await forged.text());
  row.note('no entry without the rights of an operator', 'L0');
  assert.equal((await balance()) - before, added);
  await bench.ledger.settled(0);
});

faultRow('S24', FILE, async (row) => {
  const { folder, key } = await newInstallation({ dataFolder: bench.dataFolder });
  const second = spawnServer({ folder, dataFolder: bench.dataFolder, key, storage: null });
  assert.equal(await second.ready, null, 'it does not serve');
  assert.equal(second.process.exitCode, 1);
  assert.ok(second.printed().includes(bench.dataFolder), second.printed());
  row.note('the answers of the first; the second does not start, and names the folder', 'L0');
  playGood(bench);
  await noted(row, bench, await bench.call(ALL_LANES[0] as AnyLane, true));
});
