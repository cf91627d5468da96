/** Goal: of several nodes, one has an idempotency key. Method: claims on every PostgreSQL that is here, at once and one after another. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openPostgresBank } from '../../../../test/support/postgres/bank-under-test.ts';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { type ServerName, serverNames } from '../../../../test/support/postgres/servers.ts';
import { callIdBytes, newCallId, projectId } from '../../../core/ids.ts';
import { ACCOUNT, TestNode } from '../../../nodes/contract/test-node.ts';
import type { ReplayClaim } from '../../../replay/ports.ts';
import { encodeBatch } from '../../journal/encode-batch.ts';
import { openConnections, type Role, type Statement } from '../engine/connections.ts';
import { PostgresClaims } from './postgres-claims.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

for (const name of serverNames)
  describe(`PostgreSQL ${name}`, () => {
    test('a key belongs to one call, over all nodes, until it is released or has expired', async (context) => {
      const { first, second } = await open(name, context);
      const claim = claimOf();
      assert.equal(await first.claim(claim), null);
      assert.equal(await first.claim(claim), null, 'a claim whose answer was lost is sent again');
      const { keyDigests: _keys, ...earlier } = claim;
      const refused = await second.claim(claimOf());
      assert.deepEqual(
        { ...refused, bodyDigest: Buffer.from(refused?.bodyDigest ?? []) },
        { callId: earlier.callId, bodyDigest: earlier.bodyDigest, digest: 0, hasEnded: false },
      );
      assert.equal(await second.claim({ ...claimOf(), projectId: projectId(2) }), null);
      await first.release([claim.callId]);
      const next = claimOf();
      assert.equal(await second.claim(next), null);
      assert.ok(await first.claim(claimOf()));
      assert.equal(await first.claim({ ...claimOf(), nowMs: NOW + 2 * HOUR_MS, expiresAt: NOW + 3 * HOUR_MS }), null);
      await second.release([next.callId]);
      assert.ok(await second.claim({ ...claimOf(), nowMs: NOW + 1.5 * HOUR_MS }), 'who lost a key does not release it');
    });

    test('a pooler in transaction mode may stand in between: nothing of a session is relied on', async (context) => {
      const { first, exchange } = await open(name, context);
      const pooled: Role = {
        ...exchange,
        async query<Row extends object>(statement: string | Statement, values?: readonly unknown[]) {
          const connection = await exchange.acquire();
          try {
            await connection.query('discard all');
            return await connection.query<Row>(statement, values);
          } finally {
            connection.release(false);
          }
        },
      };
      const claims = new PostgresClaims(pooled, () => ({ slot: 2, epoch: 12 }));
      assert.equal(await first.claim(claimOf()), null);
      for (let round = 0; round < 3; round += 1) assert.ok(await claims.claim(claimOf()));
    });

    test('of many claims at once, one has the key', async (context) => {
      const { first, second } = await open(name, context);
      for (let round = 0; round < 10; round += 1) {
        const keyDigests = [Buffer.alloc(32, round)] as const;
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? first : second).claim({ ...claimOf(), keyDigests })),
        );
        assert.equal(answers.filter((answer) => answer === null).length, 1);
      }
    });

    test('the row of the call ends its claim, and answers for it until it expires', async (context) => {
      const { first, second, write, query } = await open(name, context);
      for (const expiresAt of [NOW + HOUR_MS, NOW + 3 * HOUR_MS]) {
        const nowMs = expiresAt - HOUR_MS;
        const claim = { ...claimOf(), nowMs };
        assert.equal(await first.claim(claim), null);
        await write(claim, expiresAt);
        assert.equal((await query('select from replay_claims')).count, 0);
        const again = await second.claim({
          ...claimOf(),
          nowMs,
          keyDigests: [Buffer.alloc(32, 99), claim.keyDigests[0]],
        });
        assert.deepEqual([again?.callId, again?.digest, again?.hasEnded], [claim.callId, 1, true]);
        assert.equal((await query('select from replay_claims')).count, 0, 'who was refused has claimed nothing');
      }
    });

    test('keys of a node that was declared lost are free, those of one that restarts once it has sent everything', async (context) => {
      const { first, second, query } = await open(name, context);
      assert.equal(await first.claim(claimOf()), null);
      await query('update nodes set epoch = 12, carried_epoch = 11 where slot = 1');
      assert.equal((await second.claim(claimOf()))?.hasEnded, false);
      await query('update nodes set carried_epoch = null where slot = 1');
      const claim = claimOf();
      assert.equal(await second.claim(claim), null);
      await query("update nodes set state = 'lost' where slot = 2");
      assert.equal(await first.claim(claimOf()), null);
    });

    test('between digests it is seen whether a call runs: of nodes that are not lost, until its row is written', async (context) => {
      const { first, second, write, query } = await open(name, context);
      const [from, to] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)];
      const isClaimed = (nowMs = NOW) =>
        second.between(projectId(1), from, to, nowMs).then((open) => open.some(({ mayRun }) => mayRun));
      for (const byte of [6, 10])
        assert.equal(await first.claim({ ...claimOf(), keyDigests: [Buffer.alloc(32, byte)] }), null);
      assert.equal(await first.claim({ ...claimOf(), projectId: projectId(2) }), null);
      assert.equal(await isClaimed(), false);
      for (const keyDigest of [from, to]) {
        const claim = { ...claimOf(), keyDigests: [keyDigest] as const };
        assert.equal(await first.claim(claim), null);
        assert.deepEqual([await isClaimed(), await isClaimed(claim.expiresAt)], [true, false]);
        await write(claim, NOW + HOUR_MS);
        assert.equal(await isClaimed(), false);
      }
      const claim = { ...claimOf(), keyDigests: [Buffer.alloc(32, 8)] as const };
      assert.equal(await first.claim(claim), null);
      await query('update nodes set epoch = 12, carried_epoch = 11 where slot = 1');
      assert.equal(await isClaimed(), true, 'it has started again, and has not sent everything');
      await query('update nodes set carried_epoch = null where slot = 1');
      assert.equal(await isClaimed(), false);
      await query('update nodes set epoch = 11 where slot = 1');
      assert.equal(await isClaimed(), true);
      await query("update nodes set state = 'lost' where slot = 1");
      assert.equal(await isClaimed(), false);
    });

    test('a call that runs under an older key of the ring has the key', async (context) => {
      const { first, second, query } = await open(name, context);
      const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
      const claim = { ...claimOf(), keyDigests: [older] as const };
      assert.equal(await first.claim(claim), null);
      const again = () => second.claim({ ...claimOf(), keyDigests: [newer, older] });
      const refused = await again();
      assert.deepEqual([refused?.callId, refused?.digest, refused?.hasEnded], [claim.callId, 1, false]);
      assert.equal((await query('select from replay_claims')).count, 1, 'who was refused has claimed nothing');
      await query("update nodes set state = 'lost' where slot = 1");
      assert.equal(await again(), null);
      assert.equal((await again())?.digest, 0);
    });

    test('calls of a node that takes a new place keep their keys', async (context) => {
      const subject = await openPostgresBank(name);
      context.after(() => subject.dispose());
      const [first, second] = [await TestNode.start(subject, 0), await TestNode.start(subject, 1)];
      const claimsOf = (at: 0 | 1, node: TestNode) =>
        new PostgresClaims(subject.connections[at].exchange, () => node.place);
      const [claims, others] = [claimsOf(0, first), claimsOf(1, second)];
      const runsSince = first.place.epoch;
      assert.equal(await claims.claim(claimOf()), null);
      for (const state of ['live', 'lost', 'live']) {
        await subject.connections[0].query('update nodes set state = $1 where slot = $2', [state, first.place.slot]);
        await first.restart();
        await first.bank.closeLeases(first.place, runsSince);
        assert.equal((await others.claim(claimOf()))?.hasEnded, false, 'it runs');
      }
      await first.restart();
      await first.bank.closeLeases(first.place);
      assert.equal(await others.claim(claimOf()), null, 'another process has begun');
      await first.restart();
      await first.bank.closeLeases(first.place, runsSince);
      assert.equal((await claims.claim(claimOf()))?.hasEnded, false, "another node's key stays that node's");
    });

    test('a node that takes a new place has the keys of its running calls, those that the database lost, too', async (context) => {
      const { moving, second, query, move } = await open(name, context);
      const { claims: first, place } = moving;
      const named = (byte: number) => ({ ...claimOf(), keyDigests: [Buffer.alloc(32, byte)] as const });
      const [running, lost, taken] = [named(1), named(2), named(3)];
      for (const claim of [running, lost, taken]) assert.equal(await first.claim(claim), null);
      // As at a standby that lagged.
      await query('delete from replay_claims where call_id = any($1::bytea[])', [
        [lost, taken].map(({ callId }) => callIdBytes(callId)),
      ]);
      assert.equal(await second.claim({ ...taken, callId: newCallId(NOW) }), null);
      for (const epoch of [21, 22]) {
        await move(epoch);
        place.epoch = epoch;
        await first.claimAgain(
          [running, lost, taken].map(({ keyDigests: [keyDigest], nowMs: _now, ...claim }) => ({ ...claim, keyDigest })),
        );
        for (const claim of [running, lost]) {
          const refused = await second.claim({ ...claim, callId: newCallId(NOW) });
          assert.deepEqual([refused?.callId, refused?.hasEnded], [claim.callId, false]);
        }
        assert.ok(await first.claim(taken), 'it stays with who has it');
      }
      await first.release([lost.callId]);
      assert.equal(await second.claim({ ...lost, callId: newCallId(NOW) }), null);
    });

    test('a claim that was under way while its node took a new place counts there', async (context) => {
      const { moving, second, move } = await open(name, context);
      const claim = claimOf();
      const claiming = moving.claims.claim(claim);
      moving.place.epoch = 21;
      assert.equal(await claiming, null);
      await move(21);
      assert.equal((await second.claim(claimOf()))?.callId, claim.callId);
    });

    for (const mode of ['off', 'prepaid'] as const)
      test(`with billing ${mode}, a node that restarts keeps the keys of calls it has not sent, though nothing is lent to it`, async (context) => {
        const subject = await openPostgresBank(name, mode);
        context.after(() => subject.dispose());
        const [first, second] = [await TestNode.start(subject, 0), await TestNode.start(subject, 1)];
        const claimsOf = (at: 0 | 1, node: TestNode) =>
          new PostgresClaims(subject.connections[at].exchange, () => node.place);
        const [claims, others] = [claimsOf(0, first), claimsOf(1, second)];
        if (mode === 'prepaid') {
          await subject.post(ACCOUNT, 100n);
          await first.lease({ shortfall: 50 });
          await first.giveBack(0, { isLast: true });
        }
        const { settlement, lease } = first.call(0, { hold: null });
        const unsent = { ...claimOf(), callId: settlement.callId };
        const died = { ...claimOf(), keyDigests: [Buffer.alloc(32, 9)] as const };
        for (const claim of [unsent, died]) assert.equal(await claims.claim(claim), null);
        const again = (claim: ReplayClaim) => others.claim({ ...claim, callId: newCallId(NOW) });

        for (const _kill of [1, 2]) {
          await first.restart();
          for (const claim of [unsent, died]) assert.equal((await again(claim))?.hasEnded, false, 'it is in flight');
        }
        const replay = {
          projectId: unsent.projectId,
          keyDigest: unsent.keyDigests[0],
          bodyDigest: unsent.bodyDigest,
          callId: unsent.callId,
          createdAt: NOW,
          expiresAt: unsent.expiresAt,
          answer: null,
        };
        await first.bank.settle(first.place, { epoch: 0, encoded: [encodeBatch([{ settlement, lease, replay }])] });
        await first.bank.closeLeases(first.place);
        assert.equal((await again(unsent))?.hasEnded, true);
        assert.equal(await again(died), null, 'once all is sent, what is not there never ended');
      });
  });

async function open(name: ServerName, context: TestContext) {
  const database = await createDatabase(name);
  const { exchange, query, close } = await openConnections({ url: database.url, readUrl: null, connections: 2 });
  context.after(async () => {
    await close();
    await database.drop();
  });
  for (const slot of [1, 2])
    await query(
      `insert into nodes (slot, id, fingerprint, name, version, epoch, state, seen_at) values ($1, $2, '', '', '', $3, 'live', 0)`,
      [slot, `node ${slot}`, slot + 10],
    );
  const write = (claim: ReplayClaim, expiresAt: number) =>
    query(
      `insert into replays (project_id, key_digest, body_digest, call_id, created_at, expires_at) values ($1, $2, $3, $4, 0, $5)
       on conflict (project_id, key_digest) do update set call_id = excluded.call_id, expires_at = excluded.expires_at`,
      [claim.projectId, claim.keyDigests[0], claim.bodyDigest, callIdBytes(claim.callId), expiresAt],
    );
  const claims = (slot: number) => new PostgresClaims(exchange, () => ({ slot, epoch: slot + 10 }));
  const place = { slot: 1, epoch: 11 };
  /** The first node's place is over, and it has another. */
  const move = (epoch: number) => query('update nodes set epoch = $1, carried_epoch = null where slot = 1', [epoch]);
  const moving = { claims: new PostgresClaims(exchange, () => place), place };
  return { first: claims(1), second: claims(2), moving, write, query, move, exchange };
}

function claimOf(): ReplayClaim {
  return {
    projectId: projectId(1),
    keyDigests: [Buffer.alloc(32, 7)],
    bodyDigest: Buffer.alloc(32, 8),
    callId: newCallId(NOW),
    nowMs: NOW,
    expiresAt: NOW + HOUR_MS,
  };
}
