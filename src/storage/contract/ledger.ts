/** The contract of every storage for calls: each is settled once, whatever happens to the process. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import { accountId, firstCallIdAt } from '../../core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../core/money.ts';
import {
  callIds,
  crashed,
  fromCache,
  HAD_MEDIA,
  MADE_IMAGES,
  pricedTarget,
  sampleReplay,
  sampleSettlement,
  settlementRow,
  settlementRows,
  USED_TOOLS,
} from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
/** No database takes it. */
const NO_ACCOUNT = accountId(null as unknown as number);

export function ledgerPromises(promise: Promising): void {
  promise('a settlement is read exactly as written, even after reopening', async (subject) => {
    const rows = [
      sampleSettlement(NOW),
      sampleSettlement(NOW + 1, { priceVersion: null, cost: null, ending: 'caller_left', usageSource: 'estimated' }),
      sampleSettlement(NOW + 2, {
        model: 'other/model',
        provider: 'other',
        ending: 'gateway_failed',
        usageSource: 'none',
      }),
      sampleSettlement(NOW + 3, { usage: USED_TOOLS }),
      sampleSettlement(NOW + 4, { usage: HAD_MEDIA }),
      fromCache(sampleSettlement(NOW + 5)),
      sampleSettlement(NOW + 6, { usage: MADE_IMAGES }),
    ];
    await subject.storage.ledger.commit(settlementRows(rows));
    assert.deepEqual(await subject.settlements(), rows);
    const again = await subject.reopen();
    await again.storage.ledger.commit([]);
    assert.deepEqual(await again.settlements(), rows);
    return again;
  });

  promise('a second settlement of a call is refused, and the first one is kept', async (subject) => {
    const { ledger } = subject.storage;
    const first = sampleSettlement(NOW);
    await ledger.commit([settlementRow(first)]);
    await assert.rejects(ledger.commit([settlementRow({ ...first, ending: 'empty', charge: NO_MONEY })]));
    assert.deepEqual(await subject.settlements(), [first]);
    assert.equal((await ledger.load()).balances.get(first.accountId)?.charged, first.charge);
    assert.equal(subject.storage.health(), 'ready', 'it is not an error of the disk');
    return undefined;
  });

  promise('committing the same settlement again succeeds and charges nothing more', async (subject) => {
    const { ledger } = subject.storage;
    const settled = sampleSettlement(NOW);
    const end = settlementRow(settled, { hadHold: true, replay: sampleReplay(settled) });
    await ledger.commit([{ type: 'hold', settlement: crashed(settled) }]);
    await ledger.commit([end]);
    await ledger.commit([end]);
    assert.deepEqual(await subject.settlements(), [settled]);
    assert.equal((await ledger.load()).balances.get(settled.accountId)?.charged, settled.charge);
    return undefined;
  });

  promise('concurrent commits are all written, once', async (subject) => {
    const rows = Array.from({ length: 500 }, (_, index) => sampleSettlement(NOW + index));
    await Promise.all(rows.map((row) => subject.storage.ledger.commit([settlementRow(row)])));
    assert.deepEqual(callIds(await subject.settlements()), callIds(rows));
    assert.equal(subject.storage.health(), 'ready');
    return undefined;
  });

  promise('an invalid settlement is refused, and the next one is written', async (subject) => {
    const broken = { ...sampleSettlement(NOW), accountId: NO_ACCOUNT };
    await assert.rejects(subject.storage.ledger.commit([settlementRow(broken)]));
    const sound = sampleSettlement(NOW + 1, { model: 'met/in-the-refused-batch' });
    await assert.rejects(
      subject.storage.ledger.commit(settlementRows([sound, { ...broken, callId: firstCallIdAt(NOW) }])),
    );
    await subject.storage.ledger.commit([settlementRow(sound)]);
    assert.deepEqual(await subject.settlements(), [sound]);
    assert.equal(subject.storage.health(), 'ready', 'it is not an error of the disk');
    return undefined;
  });

  promise('settlements and transactions of the control plane do not interfere', async (subject) => {
    const { accounts, ledger } = subject.storage;
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const rows = Array.from({ length: 50 }, (_, index) => sampleSettlement(NOW + index));
    await Promise.all([
      ...rows.map((row) => ledger.commit([settlementRow(row)])),
      ...rows.map((row) => accounts.createProject({ accountId: account.id, name: row.callId, createdAt: NOW })),
      subject.storage.prices.pin(rows.map((_, index) => pricedTarget(BigInt(index)))),
    ]);
    assert.equal((await subject.settlements()).length, rows.length);
    assert.equal((await accounts.projects()).length, rows.length);
    return undefined;
  });

  promise('only the commit with an invalid row is refused, not those in the same batch', async (subject) => {
    const { ledger } = subject.storage;
    const settled = sampleSettlement(NOW);
    await ledger.commit([settlementRow(settled)]);
    const others = [1, 2].map((ms) => sampleSettlement(NOW + ms));
    const results = await Promise.allSettled([
      ledger.commit(settlementRows(others.slice(0, 1))),
      ledger.commit([settlementRow({ ...settled, charge: NO_MONEY })]),
      ledger.commit(settlementRows([sampleSettlement(NOW + 9), { ...settled, accountId: NO_ACCOUNT }])),
      ledger.commit(settlementRows(others.slice(1))),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await subject.settlements(), [settled, ...others]);
    return undefined;
  });

  promise('a hold exists until its call is settled, and is removed with the settlement', async (subject) => {
    const { ledger } = subject.storage;
    const call = sampleSettlement(NOW);
    await ledger.commit([{ type: 'hold', settlement: crashed(call) }]);
    assert.deepEqual(await subject.holds(), [crashed(call)]);
    const delivered = { ...crashed(call), usage: call.usage, charge: nanoUsd(5n) };
    await ledger.commit([{ type: 'checkpoint', settlement: delivered }]);
    assert.deepEqual(await subject.holds(), [delivered]);
    assert.deepEqual(await subject.settlements(), []);
    assert.equal((await ledger.load()).balances.size, 0, 'nothing is charged before the settlement');
    await ledger.commit([settlementRow(call, { hadHold: true })]);
    assert.deepEqual(await subject.holds(), []);
    assert.deepEqual(await subject.settlements(), [call]);
    return undefined;
  });

  promise('a call that begins and ends in one batch leaves no hold, nor does a late checkpoint', async (subject) => {
    const { ledger } = subject.storage;
    const call = sampleSettlement(NOW);
    const checkpoint = { type: 'checkpoint', settlement: crashed(call) } as const;
    await Promise.all([
      ledger.commit([{ type: 'hold', settlement: crashed(call) }]),
      ledger.commit([checkpoint]),
      ledger.commit([settlementRow(call, { hadHold: true })]),
      ledger.commit([checkpoint]),
    ]);
    await ledger.commit([checkpoint]);
    assert.deepEqual(await subject.holds(), []);
    const again = await subject.reopen();
    assert.equal(again.storage.ledger.recovered, 0);
    assert.deepEqual(await again.settlements(), [call]);
    return again;
  });

  promise('a call left open by the process is charged once, by its last checkpoint', async (subject) => {
    const [untouched, delivered, free, ended] = [0, 1, 2, 3].map((ms) => sampleSettlement(NOW + ms)) as [
      ReturnType<typeof sampleSettlement>,
      ReturnType<typeof sampleSettlement>,
      ReturnType<typeof sampleSettlement>,
      ReturnType<typeof sampleSettlement>,
    ];
    const checkpoint = { ...crashed(delivered), usage: delivered.usage, cost: nanoUsd(70n), charge: nanoUsd(70n) };
    const freeCheckpoint = { ...crashed(free), hold: null, cost: nanoUsd(9n), charge: nanoUsd(9n) };
    const { ledger } = subject.storage;
    await ledger.commit([untouched, delivered, ended].map((call) => ({ type: 'hold', settlement: crashed(call) })));
    await ledger.commit([{ type: 'hold', settlement: freeCheckpoint }]);
    await ledger.commit([{ type: 'checkpoint', settlement: checkpoint }, settlementRow(ended, { hadHold: true })]);
    let again = await subject.reopen();
    assert.equal(again.storage.ledger.recovered, 3);
    const settled = [crashed(untouched), checkpoint, freeCheckpoint, ended];
    assert.deepEqual(await again.settlements(), settled);
    assert.deepEqual(await again.holds(), []);
    const { balances } = await again.storage.ledger.load();
    assert.equal(balances.get(ended.accountId)?.balance, -(ended.charge + 70n), 'without a hold no balance moves');
    const records = await again.storage.records.tail({ after: null, limit: 9 });
    assert.deepEqual(callIds(records), callIds(settled), 'each has a record');
    assert.deepEqual(
      records.map((record) => record.charge),
      settled.map((each) => each.charge),
    );
    again = await again.reopen();
    assert.equal(again.storage.ledger.recovered, 0);
    assert.deepEqual(await again.settlements(), settled);
    return again;
  });
}
