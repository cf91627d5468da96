/** The contract of every bank for places: who registers, restarts, leaves or is lost. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import type { BankPromise } from './bank-under-test.ts';
import { twoNodes } from './lending.ts';
import { lose } from './settling.ts';
import { ACCOUNT, BALANCE, idOf, TestNode } from './test-node.ts';

export function placePromises(promise: BankPromise): void {
  promise('each node has a slot of its own, and each registration an epoch of its own', async (subject) => {
    const nodes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => TestNode.start(subject, index % 2 === 0 ? 0 : 1, `node ${index}`)),
    );
    assert.deepEqual(nodes.map(({ place }) => place.slot).toSorted(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.equal(new Set(nodes.map(({ place }) => place.epoch)).size, 8);
    const [first] = nodes as [TestNode];
    const { slot, epoch } = first.place;
    assert.equal(await first.restart(), epoch);
    assert.equal(first.place.slot, slot);
    assert.ok(first.place.epoch > epoch);
    assert.equal((await first.pulse()).liveNodes, 8);
    const known = await first.bank.nodes();
    assert.deepEqual(
      known.map(({ name, state }) => [name, state]).toSorted(),
      nodes.map(({ identity }) => [identity.name, 'live']).toSorted(),
    );
  });

  promise(
    'a copy of a running node’s journal is refused, and taken once the node was not seen for 15 s',
    async (subject) => {
      const [first] = await twoNodes(subject);
      const copy = { ...first.identity, fingerprint: 'another disk' };
      assert.deepEqual(await subject.banks[1].register(copy), { refused: 'id_in_use', name: 'node 0' });
      await subject.advance(14_000);
      assert.equal((await first.pulse()).isMine, true);
      await subject.advance(14_000);
      assert.deepEqual(await subject.banks[1].register(copy), { refused: 'id_in_use', name: 'node 0' });
      await subject.advance(2_000);
      const answer = await subject.banks[1].register(copy);
      assert.ok(answer.refused === null && answer.place.slot === first.place.slot);
      assert.equal((await first.pulse()).isMine, false, 'the epoch of the first one is over');
      assert.deepEqual(await first.ask([{ shortfall: 0 }]), { isOver: true });
    },
  );

  promise(
    'a node whose accounts pay in another way is refused as long as one lives, and nothing is changed',
    async (subject) => {
      const [first, second] = await twoNodes(subject);
      const other = { ...second.identity, id: 'another', settings: { 'billing.mode': 'off' } as const };
      const refused = { refused: 'other_mode', mode: 'prepaid' } as const;
      assert.partialDeepStrictEqual(await subject.banks[1].register(other), refused);
      assert.equal((await first.bank.nodes()).length, 2);
      await second.bank.leave(second.place);
      assert.deepEqual(await subject.banks[1].register(other), { ...refused, name: first.identity.name });
      // Also one that was here before.
      const changed = { ...second.identity, settings: other.settings };
      assert.deepEqual(await subject.banks[1].register(changed), { ...refused, name: first.identity.name });
      await subject.advance(60_000);
      assert.equal((await first.pulse()).isMine, true);
      await subject.advance(119_000);
      assert.deepEqual(await subject.banks[1].register(changed), { ...refused, name: first.identity.name });
      await subject.advance(2_000);
      const answer = await subject.banks[1].register(changed);
      assert.ok(answer.refused === null, 'the first one was not seen for two minutes');
      assert.deepEqual(await first.bank.register(first.identity), {
        ...{ refused: 'other_mode', name: second.identity.name, mode: 'off' },
      });
      await second.bank.leave(answer.place);
      assert.equal((await first.bank.register(first.identity)).refused, null);
    },
  );

  promise('a restarted node settles from the leases of before, until it closes them', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 100n);
    await first.lease({ shortfall: 60 });
    const before = first.place.epoch;
    const calls = [first.call(10), first.call(20), first.call(15)];
    assert.equal(await first.restart(), before);
    assert.equal(await first.restart(), before, 'also if it is killed while it starts');
    const { epoch } = first.place;
    assert.deepEqual(await first.settle(calls.slice(0, 1), before), { conflicts: [], late: null });
    assert.deepEqual(await first.settle(calls.slice(1, 2), epoch), { conflicts: [], late: null });
    assert.deepEqual(await subject.lent(BALANCE), { granted: 60n, spent: 30n });
    await first.bank.closeLeases(first.place);
    assert.deepEqual(await subject.lent(BALANCE), { granted: 0n, spent: 0n });
    assert.deepEqual(await subject.account(ACCOUNT), { free: 70n, balance: 70n, credited: 100n, charged: 30n });
    assert.deepEqual(await first.settle(calls, before), { conflicts: [], late: { calls: 1, loss: 0n } });
    assert.deepEqual(await subject.account(ACCOUNT), { free: 55n, balance: 55n, credited: 100n, charged: 45n });
    assert.equal(await first.restart(), epoch, 'and not the one before, whose leases are closed');
  });

  promise('what an earlier epoch asks for is not done', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 100n);
    await first.lease({ shortfall: 60 });
    const earlier = first.place;
    await first.restart();
    const back = { purse: BALANCE, seq: 99, keeps: 0n as never, isLast: true };
    await first.bank.giveBack(earlier, [back]);
    await first.bank.closeLeases(earlier);
    await first.bank.leave(earlier);
    assert.deepEqual(await first.bank.reap(earlier, 0), []);
    assert.deepEqual(await first.bank.lease(earlier, [first.want({ shortfall: 1 })], true), { isOver: true });
    assert.deepEqual(await subject.lent(BALANCE), { granted: 60n, spent: 0n });
    assert.equal((await first.pulse()).isMine, true);
  });

  promise('a node that leaves returns everything, and its slot is used again', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 100n);
    await first.lease({ shortfall: 60 });
    const call = first.call(10);
    await first.settle([call]);
    await first.bank.leave(first.place);
    assert.equal((await subject.account(ACCOUNT)).free, 90n);
    assert.equal((await first.pulse()).isMine, false);
    const [gone] = await second.bank.nodes();
    assert.deepEqual([gone?.state, gone?.lent], ['gone', 0n]);
    const next = await TestNode.start(subject, 1, 'the next');
    assert.equal(next.place.slot, first.place.slot);
    const late = first.call(5);
    assert.deepEqual(await first.settle([call, late]), { conflicts: [], late: { calls: 1, loss: 0n } });
    assert.deepEqual(await subject.settlement(idOf(late)), { charge: 5n, nodeLoss: 0n });
    await first.restart();
    assert.notEqual(first.place.slot, next.place.slot);
  });

  promise('a node that is lost lends nothing more, and what it had is free', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 100n);
    await first.lease({ shortfall: 60 });
    await subject.advance(119_000);
    await second.pulse();
    assert.deepEqual(await second.bank.reap(second.place, 120_000), []);
    await lose(subject, first, second);
    assert.deepEqual(await subject.account(ACCOUNT), { free: 100n, balance: 100n, credited: 100n, charged: 0n });
    const lost = (await second.bank.nodes()).find(({ slot }) => slot === first.place.slot);
    assert.deepEqual([lost?.state, lost?.unsentFrom], ['lost', lost?.seenAt], 'its calls are in its journal');
    const { isMine, liveNodes } = await first.pulse();
    assert.deepEqual([isMine, liveNodes], [false, 1]);
    assert.deepEqual(await first.ask([{ shortfall: 1 }]), { isOver: true });
    assert.deepEqual(await first.bank.reap(first.place, 0), [], 'it declares nobody lost');
    assert.equal(await first.restart(), null);
    assert.equal((await first.lease({ shortfall: 1 })).granted, 1n);
  });

  promise('a node is reaped once, whoever tries, while its settlements arrive', async (subject) => {
    const [first, second] = await twoNodes(subject);
    const third = await TestNode.start(subject, 0, 'a third');
    await subject.post(ACCOUNT, 1_000n);
    await first.lease({ shortfall: 400 });
    const calls = Array.from({ length: 20 }, () => first.call(10));
    await subject.advance(121_000);
    await Promise.all([second.pulse(), third.pulse()]);
    const [reaped] = await Promise.all([
      Promise.all([second, third].map(({ bank, place }) => bank.reap(place, 120_000))),
      ...calls.map((call) => first.settle([call])),
    ]);
    assert.deepEqual(reaped.flat(), [first.place.slot]);
    assert.deepEqual(await subject.account(ACCOUNT), { free: 800n, balance: 800n, credited: 1_000n, charged: 200n });
    assert.deepEqual(await subject.lent(BALANCE), { granted: 0n, spent: 0n });
  });

  promise('a pulse says how far the node is and what the time is', async (subject) => {
    const [first] = await twoNodes(subject);
    await first.bank.pulse(first.place, { feedSeq: 0, unsentFrom: 17, isDraining: true });
    const pulse = await first.pulse();
    assert.equal(pulse.now, subject.now());
    assert.equal(pulse.isMine, true);
    assert.equal(pulse.lastSeq, pulse.changes?.at(-1)?.seq ?? 0);
    await subject.advance(6_000);
    const { place, bank } = first;
    await bank.pulse(place, { feedSeq: 0, unsentFrom: 17, isDraining: true });
    const [known] = await bank.nodes();
    assert.deepEqual(
      { ...known },
      {
        ...{ slot: place.slot, epoch: place.epoch, id: 'id of node 0', name: 'node 0', version: '1.2.3' },
        ...{ state: 'draining', seenAt: subject.now(), seenAgoMs: 0, feedSeq: 0, unsentFrom: 17, lent: 0n },
      },
    );
    await subject.advance(16_000);
    assert.equal((await bank.nodes())[0]?.seenAgoMs, 16_000);
    assert.equal((await first.pulse()).liveNodes, 2, 'it drains no more');
  });
}
