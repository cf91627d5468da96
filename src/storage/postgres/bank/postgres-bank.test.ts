/** The contract of banks, on every PostgreSQL that is here; and what only a bank with several histories can be asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresBank } from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { ACCOUNT, BALANCE, TestNode } from '../../../nodes/contract/test-node.ts';
import { bankContract } from '../../../nodes/contract.ts';
import type { Role } from '../engine/role.ts';
import type { StoredPulse } from './node-rows.ts';
import { PostgresBank } from './postgres-bank.ts';

for (const name of serverNames) bankContract(`PostgreSQL ${name}`, (mode) => openPostgresBank(name, mode));

for (const server of serverNames)
  test(`PostgreSQL ${server}: a server with another history than a place writes nothing for it`, async (context) => {
    const subject = await openPostgresBank(server);
    context.after(() => subject.dispose());
    await subject.post(ACCOUNT, 1_000n);
    const node = await TestNode.start(subject, 0);
    assert.match(node.place.history ?? '', /^\d+\/[0-9A-F]{8}\/\d+\.\d+$/);
    await node.lease({ shortfall: 300n });
    const [settled, elsewhere] = [node.call(100n), node.call(50n)];
    await node.settle([settled]);
    assert.equal((await node.pulse()).isMine, true);
    const before = await subject.lent(BALANCE);
    assert.deepEqual(before, { granted: 300n, spent: 100n });

    const { place } = node;
    node.place = { ...place, history: `${place.history?.split('/')[0]}/0000FFFF/1.1` };
    assert.equal((await node.pulse()).isMine, false);
    assert.deepEqual(await node.ask([{ shortfall: 1n }]), { isOver: true });
    await node.giveBack(100n);
    const isRefused = /has another history than the one in which this node has its place/;
    await assert.rejects(node.settle([elsewhere]), isRefused);
    await assert.rejects(node.bank.closeLeases(node.place), isRefused);
    await assert.rejects(node.bank.leave(node.place), isRefused);
    assert.deepEqual(await subject.lent(BALANCE), before);
    assert.equal(await subject.settlement(elsewhere.settlement.callId), null);

    node.place = place;
    assert.equal((await node.pulse()).isMine, true);
    await node.settle([elsewhere]);
    assert.deepEqual(await subject.lent(BALANCE), { granted: 300n, spent: 150n });
    await node.bank.leave(node.place);
    assert.deepEqual(await subject.lent(BALANCE), { granted: 0n, spent: 0n });
  });

for (const server of serverNames)
  test(`PostgreSQL ${server}: a log that ends before where it was is seen, once`, async (context) => {
    const subject = await openPostgresBank(server);
    context.after(() => subject.dispose());
    const [connections] = subject.connections;
    // As after an image of the server's disk was restored.
    let lost = 0n;
    const query = async (...asked: Parameters<Role['query']>) => {
      const answer = await connections.pulse.query<StoredPulse>(...asked);
      return { ...answer, rows: answer.rows.map((row) => ({ ...row, position: row.position - lost })) };
    };
    const pulse = { ...connections.pulse, query } as Role;
    const bank = new PostgresBank({ connections: { ...connections, pulse }, clock: subject.clock, mode: 'prepaid' });
    const node = await TestNode.startOn(subject, bank, 'node');
    const seen = async () => (await node.pulse()).hasGoneBack;
    assert.deepEqual([await seen(), await seen()], [undefined, undefined]);
    lost = 10n ** 9n;
    assert.deepEqual([await seen(), await seen()], [true, undefined]);
  });
