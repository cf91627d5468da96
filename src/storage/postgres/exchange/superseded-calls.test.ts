/**
 * Goal: no name (an idempotency key, a line of a batch) is charged twice, whenever a lost node comes back with what it has settled. Method: two nodes
 * on real servers; the first one is declared lost with a settlement in its journal, and brings it later. Afterwards every sum must agree.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { VIOLATIONS_SQL } from '../../../../test/support/bank-model/tables-sql.ts';
import { openPostgresBank } from '../../../../test/support/postgres/bank-under-test.ts';
import { type ServerName, serverNames } from '../../../../test/support/postgres/servers.ts';
import { type CallId, callIdBytes, callIdFromBytes, newCallId, projectId } from '../../../core/ids.ts';
import { Secret } from '../../../core/secret.ts';
import { ACCOUNT, BALANCE, idOf, KEY, PROJECT, TestNode } from '../../../nodes/contract/test-node.ts';
import type { SettleAnswer } from '../../../nodes/ports.ts';
import { generationOf } from '../../../replay/generation.ts';
import { leaveLine, leaveLines } from '../../../replay/leave-lines.ts';
import type { ReplayRow } from '../../../replay/ports.ts';
import { type BatchRow, encodeBatch } from '../../journal/encode-batch.ts';
import { PostgresClaims } from './postgres-claims.ts';

const HOUR_MS = 3_600_000;
const PROJECT_ID = projectId(PROJECT.id);
const GENERATION = generationOf(new Secret('0123456789abcdef'.repeat(4)));
const BATCH = 'batch_1';
const NAMES = {
  'a line of a batch': GENERATION.digests.ofLine(PROJECT_ID, { batchId: BATCH, number: 3 }),
  'an idempotency key': GENERATION.digests.ofKey(PROJECT_ID, 'order 7'),
};
const COUNTED = { conflicts: [], late: null };

for (const server of serverNames)
  for (const mode of ['prepaid', 'postpaid'] as const)
    describe(`PostgreSQL ${server}, ${mode}: a node is lost with a settlement, and comes back`, () => {
      for (const [what, name] of Object.entries(NAMES))
        test(`after another node was charged for ${what}: not charged, also when it is sent again`, async (context) => {
          const bench = await open(server, mode, context);
          const { first, second } = bench;
          const late = await bench.settledAt(first, name, 30n);
          await bench.lose();
          const again = await bench.settledAt(second, name, 20n);
          assert.deepEqual(await bench.send(second, again), COUNTED);
          await bench.comesBack();
          assert.deepEqual(await bench.send(first, late), { conflicts: [], late: { calls: 1, loss: 30n } });
          for (const node of [first, second, first]) assert.deepEqual(await bench.send(node, late), COUNTED);
          assert.deepEqual(await bench.borne(late), { charge: 0n, nodeLoss: 30n, by: idOf(again) });
          assert.deepEqual(await bench.borne(again), { charge: 20n, nodeLoss: 0n, by: null });
          assert.equal(await bench.storedUnder(name), idOf(again), 'the answer that was charged');
          await bench.checkSums(20n);
        });

      test('while another node runs the same: not charged, and the other is', async (context) => {
        const bench = await open(server, mode, context);
        const { first, second } = bench;
        const name = NAMES['a line of a batch'];
        const late = await bench.settledAt(first, name, 30n);
        await bench.lose();
        const again = await bench.settledAt(second, name, 20n);
        await bench.comesBack();
        await bench.send(first, late);
        assert.equal(await bench.storedUnder(name), null);
        await bench.send(second, again);
        assert.equal(await bench.storedUnder(name), idOf(again));
        assert.deepEqual(await bench.borne(late), { charge: 0n, nodeLoss: 30n, by: idOf(again) });
        await bench.checkSums(20n);
      });

      test('as a call that died with its process: not charged once another has its key', async (context) => {
        const bench = await open(server, mode, context);
        const { first, second } = bench;
        const name = NAMES['an idempotency key'];
        const { settlement, lease } = await bench.settledAt(first, name, 30n);
        const died = { settlement: { ...settlement, ending: 'gateway_crashed' as const }, lease, replay: null };
        await bench.lose();
        await bench.send(second, await bench.settledAt(second, name, 20n));
        await bench.comesBack();
        await bench.send(first, died);
        assert.equal((await bench.borne(died)).charge, 0n);
        await bench.checkSums(20n);
      });

      test('after its batch has ended without the line: not charged; a line whose result is in a file is', async (context) => {
        const bench = await open(server, mode, context);
        const { first, claims } = bench;
        const ofLine = (number: number) => GENERATION.digests.ofLine(PROJECT_ID, { batchId: BATCH, number });
        const [missing, done] = [
          await bench.settledAt(first, ofLine(3), 30n),
          await bench.settledAt(first, ofLine(4), 7n),
        ];
        const leaving = () => ({ claims: claims[1], generations: [GENERATION], nowMs: bench.now() });
        const mayEnd = () => leaveLines(leaving(), { projectId: PROJECT_ID, batchId: BATCH }, [1, 2, 3]);
        assert.equal(await mayEnd(), false, 'it may come');
        await bench.lose();
        assert.equal(await mayEnd(), true);
        await bench.comesBack();
        await bench.send(first, missing, done);
        assert.deepEqual(await bench.borne(missing), { charge: 0n, nodeLoss: 30n, by: null });
        assert.deepEqual(await bench.borne(done), { charge: 7n, nodeLoss: 0n, by: null });
        assert.deepEqual([await bench.storedUnder(ofLine(3)), await bench.storedUnder(ofLine(4))], [null, idOf(done)]);
        assert.equal(await bench.superseded(), 1);
        await bench.checkSums(7n);
      });

      test('after the line has failed elsewhere without its name: not charged', async (context) => {
        const bench = await open(server, mode, context);
        const { first, claims } = bench;
        const late = await bench.settledAt(first, NAMES['a line of a batch'], 30n);
        const line = { projectId: PROJECT_ID, batchId: BATCH, number: 3 };
        const own = newCallId(bench.now());
        const mayFail = () =>
          leaveLine({ claims: claims[1], generations: [GENERATION], nowMs: bench.now() }, line, own);
        assert.equal(await mayFail(), false, 'it may come');
        await bench.lose();
        assert.equal(await mayFail(), true);
        await bench.comesBack();
        await bench.send(first, late);
        assert.equal((await bench.borne(late)).charge, 0n);
        await bench.checkSums(0n);
      });

      test('before anybody has taken the name: charged, and others get its answer', async (context) => {
        const bench = await open(server, mode, context);
        const { first, second } = bench;
        const name = NAMES['a line of a batch'];
        const late = await bench.settledAt(first, name, 30n);
        await bench.lose();
        await bench.comesBack();
        assert.deepEqual((await bench.send(first, late)).conflicts, []);
        assert.deepEqual(await bench.borne(late), { charge: 30n, nodeLoss: 0n, by: null });
        const answered = await bench.claim(second, name);
        assert.deepEqual([answered.earlier?.callId, answered.earlier?.hasEnded], [idOf(late), true]);
        await bench.checkSums(30n);
      });

      test('months later, when its claim has expired: not charged if another has the name, whoever has cleaned up', async (context) => {
        const bench = await open(server, mode, context);
        const { first, second, claims } = bench;
        const name = NAMES['a line of a batch'];
        const late = await bench.settledAt(first, name, 30n);
        await bench.lose();
        await bench.advance(20 * HOUR_MS);
        await claims[1].deleteExpired(bench.now());
        await bench.send(second, await bench.settledAt(second, name, 20n));
        await bench.advance(70 * 24 * HOUR_MS);
        await claims[1].deleteExpired(bench.now());
        await bench.comesBack();
        await bench.send(first, late);
        assert.equal((await bench.borne(late)).charge, 0n);
        await bench.checkSums(20n);
      });

      test('as the same process, while the call still runs: it does not have its name again', async (context) => {
        const bench = await open(server, mode, context);
        const { first, second, claims } = bench;
        const name = NAMES['a line of a batch'];
        const running = await bench.settledAt(first, name, 30n);
        await bench.lose();
        await claims[1].giveUp([idOf(running)], bench.now());
        await first.restart();
        await first.bank.closeLeases(first.place, running.lease.epoch);
        const { replay } = running;
        await claims[0].claimAgain([{ ...replay, expiresAt: bench.now() + HOUR_MS }]);
        assert.equal((await bench.claim(second, name)).earlier, null);
        await bench.send(first, running);
        assert.equal((await bench.borne(running)).charge, 0n);
        await bench.checkSums(0n);
      });
    });

for (const server of serverNames)
  describe(`PostgreSQL ${server}: names and settlements at the same moment`, () => {
    test('a node that is only slow has the name, and is charged from what it was lent', async (context) => {
      const bench = await open(server, 'prepaid', context);
      const { first, second } = bench;
      const name = NAMES['an idempotency key'];
      const slow = await bench.settledAt(first, name, 30n);
      await bench.advance(60_000);
      assert.equal((await bench.claim(second, name)).earlier?.callId, idOf(slow));
      assert.deepEqual(await bench.send(first, slow), COUNTED);
      assert.deepEqual(await bench.borne(slow), { charge: 30n, nodeLoss: 0n, by: null });
      assert.equal(await bench.superseded(), 0);
      await bench.checkSums(30n);
    });

    test('a call whose claim has expired while its node lives is not charged once another has the name', async (context) => {
      const bench = await open(server, 'prepaid', context);
      const { first, second, subject } = bench;
      const name = NAMES['an idempotency key'];
      const stuck = await bench.settledAt(first, name, 30n);
      await bench.advance(2 * HOUR_MS);
      await bench.send(second, await bench.settledAt(second, name, 20n));
      assert.deepEqual(await bench.send(first, stuck), { conflicts: [], late: { calls: 1, loss: 30n } });
      assert.deepEqual(await subject.lent(BALANCE), { granted: 200n, spent: 20n }, 'nothing is taken from its lease');
      await first.bank.closeLeases(first.place);
      await bench.checkSums(20n);
    });

    test('of a settlement that arrives while its name is taken, or given up, exactly one counts', async (context) => {
      const bench = await open(server, 'prepaid', context);
      const { first, second, claims } = bench;
      const names = Array.from({ length: 24 }, (_, number) =>
        GENERATION.digests.ofLine(PROJECT_ID, { batchId: BATCH, number }),
      );
      const late: Named[] = [];
      for (const name of names) late.push(await bench.settledAt(first, name, 3n));
      await bench.lose();
      await bench.comesBack();
      const calls = late.map(idOf);
      const [, taken] = await Promise.all([
        Promise.all([late, late.toReversed()].map((each) => bench.send(first, ...each))),
        Promise.all(names.slice(0, 12).map((name) => bench.claim(second, name))),
        Promise.all([calls.slice(12), calls.slice(12).toReversed()].map((each) => claims[1].giveUp(each, bench.now()))),
      ]);
      let charged = 0n;
      for (const [at, call] of late.entries()) {
        const { charge } = await bench.borne(call);
        charged += charge;
        const stored = await bench.storedUnder(names[at] as Buffer);
        assert.equal(stored, charge === 0n ? null : idOf(call), 'what is charged is stored, and nothing else');
        const other = taken[at];
        if (other !== undefined) assert.equal(other.earlier?.callId, charge === 0n ? undefined : idOf(call));
      }
      await bench.checkSums(charged);
    });
  });

interface Named extends BatchRow {
  readonly lease: NonNullable<BatchRow['lease']>;
  readonly replay: ReplayRow;
}

async function open(server: ServerName, mode: 'prepaid' | 'postpaid', context: TestContext) {
  const subject = await openPostgresBank(server, mode);
  context.after(() => subject.dispose());
  const [first, second] = [await TestNode.start(subject, 0), await TestNode.start(subject, 1)];
  await subject.post(ACCOUNT, 1_000n);
  const claims = [first, second].map((node, at) => {
    const { exchange } = subject.connections[at as 0 | 1];
    return new PostgresClaims(exchange, () => node.place);
  }) as [PostgresClaims, PostgresClaims];
  if (mode === 'prepaid') for (const node of [first, second]) await node.lease({ shortfall: 100n });
  const { query } = subject.connections[0];
  const now = () => subject.now();
  const claim = async (node: TestNode, keyDigest: Uint8Array) => {
    const callId = newCallId(now());
    const digests = { keyDigests: [keyDigest], bodyDigest: Buffer.alloc(32, 8) } as const;
    const expiresAt = now() + HOUR_MS;
    const ask = { ...digests, projectId: PROJECT_ID, callId, nowMs: now(), expiresAt };
    return { callId, earlier: await claims[node === first ? 0 : 1].claim(ask) };
  };
  return {
    subject,
    ...{ first, second, claims, now, claim },
    /** A call that has the name, and that its node has settled in its journal. */
    async settledAt(node: TestNode, keyDigest: Uint8Array, charge: bigint): Promise<Named> {
      const { callId, earlier } = await claim(node, keyDigest);
      assert.equal(earlier, null);
      const { settlement, lease } = node.call(charge, { callId });
      const times = { createdAt: now(), expiresAt: now() + 30 * 24 * HOUR_MS };
      const replay = {
        projectId: PROJECT_ID,
        keyDigest,
        bodyDigest: Buffer.alloc(32, 8),
        callId,
        answer: null,
        ...times,
      };
      return { settlement, lease, replay };
    },
    async lose(): Promise<void> {
      await subject.advance(121_000);
      await second.pulse();
      assert.deepEqual(await second.bank.reap(second.place, 120_000), [first.place.slot]);
    },
    /** As a new process with the journal of before. */
    async comesBack(): Promise<void> {
      assert.equal(await first.restart(), null);
    },
    send(node: TestNode, ...calls: readonly BatchRow[]): Promise<SettleAnswer> {
      const epoch = calls[0]?.lease?.epoch ?? assert.fail('there is a call');
      return node.bank.settle(node.place, { epoch, encoded: [encodeBatch(calls)] });
    },
    async advance(byMs: number): Promise<void> {
      await subject.advance(byMs);
      for (const node of [first, second]) await node.pulse();
    },
    /** Who bears the call, and who has its name instead. */
    async borne(call: BatchRow) {
      const callId = idOf(call as Named);
      const { rows } = await query<{ by: Uint8Array | null }>(
        'select by_call_id as by from superseded_calls where call_id = $1',
        [callIdBytes(callId)],
      );
      const by = rows[0]?.by ?? null;
      return { ...(await subject.settlement(callId)), by: by === null ? null : callIdFromBytes(by) } as {
        readonly charge: bigint;
        readonly nodeLoss: bigint;
        readonly by: CallId | null;
      };
    },
    async superseded(): Promise<number> {
      return (await query('select from superseded_calls')).count ?? 0;
    },
    async storedUnder(keyDigest: Uint8Array): Promise<CallId | null> {
      const { rows } = await query<{ id: Uint8Array }>('select call_id as id from replays where key_digest = $1', [
        keyDigest,
      ]);
      return rows[0] === undefined ? null : callIdFromBytes(rows[0].id);
    },
    /** All that was charged is this, wherever it is counted; nothing of it is missing, and nothing is held for it. */
    async checkSums(charged: bigint): Promise<void> {
      await query('create table lost_accounts (id integer primary key)');
      const { rows } = await query(VIOLATIONS_SQL, [mode === 'prepaid', true]);
      assert.deepEqual(rows, []);
      assert.equal((await subject.account(ACCOUNT)).balance, 1_000n - charged);
      assert.deepEqual(await subject.rolledUp(ACCOUNT), { hours: charged, days: charged });
      assert.equal(
        (await subject.spending(KEY)).reduce((sum, day) => sum + day.charge, 0n),
        charged,
      );
      for (const { bank, place } of [first, second]) await bank.leave(place);
      const { free, balance } = await subject.account(ACCOUNT);
      assert.deepEqual([free, await subject.lent(BALANCE)], [balance, { granted: 0n, spent: 0n }]);
    },
  };
}
