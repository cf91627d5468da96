/** The contract of every storage for batches and for stored answers of their lines. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import type { BatchQuery, BatchRow } from '../../batches/ports.ts';
import { accountId, type BatchId, keyId, newBatchId, newCallId, newFileId, projectId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import { completionTokens, promptTokens } from '../../core/usage.ts';
import { sampleSettlement, settlementRow } from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const [PROJECT, OTHER] = [projectId(2), projectId(3)];

export function batchPromises(promise: Promising): void {
  promise('a batch is what was made, for its project only, even after reopening', async (subject) => {
    const row = sampleBatch(1, { metadata: { team: 'a' }, address: '10.0.0.1' });
    await subject.storage.batches.create(row);
    const again = await subject.reopen();
    const { batches } = again.storage;
    assert.deepEqual(await batches.find(PROJECT, row.id), row);
    assert.equal(await batches.find(OTHER, row.id), null);
    assert.equal(await batches.find(PROJECT, newBatchId(NOW)), null);
    assert.equal(await batches.runningBatchOf(PROJECT, row.inputFileId), row.id);
    assert.equal(await batches.runningBatchOf(OTHER, row.inputFileId), null);
    assert.equal(await batches.runningBatchOf(PROJECT, newFileId(NOW)), null);
    assert.equal(await batches.countOpen(row.accountId), 1);
    return again;
  });

  promise('batches are listed newest first, a page at a time', async (subject) => {
    const { batches } = subject.storage;
    const rows = [1, 2, 3].map((number) => sampleBatch(number));
    for (const row of rows) await batches.create(row);
    const ids = rows.map(({ id }) => id).toReversed();
    const page = await batches.list(PROJECT, { after: null, limit: 2 });
    assert.deepEqual(idsOf(page), ids.slice(0, 2));
    assert.deepEqual(idsOf(await batches.list(PROJECT, { after: ids[1] ?? null, limit: 2 })), ids.slice(2));
    assert.deepEqual(await batches.list(OTHER, { after: null, limit: 2 }), []);
    return undefined;
  });

  promise('operators find batches of any account, project, key and status, newest first', async (subject) => {
    const { batches } = subject.storage;
    const first = sampleBatch(1);
    const other = sampleBatch(2, { accountId: accountId(77), projectId: OTHER });
    const ofKey = sampleBatch(3, { keyId: keyId(9), status: 'in_progress' });
    for (const row of [first, other, ofKey]) await batches.create(row);
    const all = { accountId: null, projectId: null, keyId: null, statuses: null, after: null, limit: 9 };
    const found = async (asked: Partial<BatchQuery>) => idsOf(await batches.search({ ...all, ...asked }));
    assert.deepEqual(await found({}), [ofKey.id, other.id, first.id]);
    assert.deepEqual(await found({ limit: 1 }), [ofKey.id]);
    assert.deepEqual(await found({ after: ofKey.id }), [other.id, first.id]);
    assert.deepEqual(await found({ accountId: first.accountId }), [ofKey.id, first.id]);
    assert.deepEqual(await found({ accountId: first.accountId, projectId: OTHER }), []);
    assert.deepEqual(await found({ keyId: ofKey.keyId }), [ofKey.id]);
    assert.deepEqual(await found({ statuses: ['validating', 'failed'] }), [other.id, first.id]);
    assert.deepEqual(await batches.read(other.id), other);
    assert.equal(await batches.read(newBatchId(NOW)), null);
    return undefined;
  });

  promise('what waits, and what its answers came to, is kept with every digit', async (subject) => {
    const { batches } = subject.storage;
    const { id } = sampleBatch(1);
    await batches.create({ ...sampleBatch(1), id });
    await batches.claim(claim('one', NOW), 10);
    const waits = { waiting: 3, waitingFor: 'upstream_rate_limited' };
    await batches.change(id, 'one', ['validating'], waits);
    assert.deepEqual(await batches.read(id), { ...sampleBatch(1), ...(await batches.read(id)), ...waits });
    const totals = {
      ...{ inputTokens: 5, cachedTokens: 2, outputTokens: 3, reasoningTokens: 1, model: 'acme/large' },
      charge: nanoUsd(9_007_199_254_740_993n),
    };
    await batches.change(id, 'one', ['validating'], { waiting: 0, waitingFor: null, totals });
    const after = await batches.read(id);
    assert.deepEqual([after?.waiting, after?.waitingFor, after?.totals], [0, null, totals]);
    return undefined;
  });

  promise('settlements of calls are added up, those that are there', async (subject) => {
    const one = sampleSettlement(NOW);
    const two = sampleSettlement(NOW);
    const three = { ...sampleSettlement(NOW), model: 'another/model' };
    for (const call of [one, two, three]) await subject.storage.ledger.commit([settlementRow(call)]);
    // A node has sent all that it has when it ends.
    const again = await subject.reopen();
    const { batches, ledger } = again.storage;
    const { usage } = one;
    // What is lent to nobody is charged to nobody: so on PostgreSQL.
    const charges = await Promise.all(
      [one, two].map(async ({ callId }) => (await ledger.chargeOf(callId))?.charge ?? -1n),
    );
    const twice = await batches.settledCalls([one.callId, two.callId, newCallId(NOW)]);
    assert.deepEqual(twice, {
      calls: 2,
      inputTokens: 2 * promptTokens(usage),
      cachedTokens: 2 * usage.cacheReadTokens,
      outputTokens: 2 * completionTokens(usage),
      reasoningTokens: 2 * usage.reasoningTokens,
      charge: charges.reduce((sum, charge) => sum + charge, 0n),
      models: [one.model],
    });
    const { models } = await batches.settledCalls([one.callId, three.callId]);
    assert.deepEqual(models.toSorted(), [one.model, three.model].toSorted());
    assert.deepEqual((await batches.settledCalls([newCallId(NOW)])).models, []);
    return again;
  });

  promise('one owner has a batch until its claim is over, and only it changes it', async (subject) => {
    const { batches } = subject.storage;
    const { id } = sampleBatch(1);
    await batches.create({ ...sampleBatch(1), id });
    assert.deepEqual(idsOf(await batches.claim(claim('one', NOW), 10)), [id]);
    assert.deepEqual(await batches.claim(claim('two', NOW + 9), 10), []);
    assert.deepEqual(idsOf(await batches.renew(claim('one', NOW + 9), [id])), [id]);
    assert.deepEqual(await batches.renew(claim('two', NOW + 9), [id]), []);
    assert.deepEqual(await batches.claim(claim('two', NOW + 15), 10), []);
    assert.equal(await batches.change(id, 'two', ['validating'], { total: 7 }), false);
    assert.equal(await batches.change(id, 'one', ['in_progress'], { total: 7 }), false);
    assert.equal(await batches.change(id, 'one', ['validating'], { total: 7, status: 'in_progress' }), true);
    assert.deepEqual(idsOf(await batches.claim(claim('two', NOW + 19), 10)), [id]);
    assert.equal(await batches.change(id, 'one', ['in_progress'], { total: 8 }), false);
    assert.deepEqual(await batches.renew(claim('one', NOW + 19), [id]), []);
    await batches.release('two', [id]);
    assert.deepEqual(idsOf(await batches.claim(claim('three', NOW + 20), 10)), [id]);
    assert.equal((await batches.find(PROJECT, id))?.total, 7);
    return undefined;
  });

  promise('of an account the oldest ten run, accounts in turn', async (subject) => {
    const { batches } = subject.storage;
    const many = Array.from({ length: 12 }, (_, at) => sampleBatch(at + 1));
    for (const row of many) await batches.create(row);
    const other = sampleBatch(20, { accountId: accountId(77) });
    await batches.create(other);
    const [first, second, ...rest] = idsOf(await batches.claim(claim('one', NOW), 100));
    assert.deepEqual([first, second], [many[0]?.id, other.id]);
    assert.deepEqual(
      rest,
      many.slice(1, 10).map(({ id }) => id),
    );
    assert.deepEqual(await batches.claim(claim('two', NOW), 100), []);
    const ended = { status: 'failed', times: { endedAt: NOW } } as const;
    assert.equal(await batches.change(first as BatchId, 'one', ['validating'], ended), true);
    assert.deepEqual(idsOf(await batches.claim(claim('two', NOW), 100)), [many[10]?.id]);
    return undefined;
  });

  promise('a batch is cancelled while it validates or runs, and what has ended stays', async (subject) => {
    const { batches } = subject.storage;
    const { id, inputFileId, accountId } = sampleBatch(1);
    const files = { inputFileId, outputFileId: newFileId(NOW), errorFileId: newFileId(NOW) };
    await batches.create({ ...sampleBatch(1), id, ...files });
    assert.equal(await batches.cancel(OTHER, id, NOW), null);
    const cancelling = await batches.cancel(PROJECT, id, NOW + 1);
    assert.deepEqual([cancelling?.status, cancelling?.times], ['cancelling', { cancellingAt: NOW + 1 }]);
    await batches.claim(claim('one', NOW), 10);
    for (const file of Object.values(files)) assert.equal(await batches.runningBatchOf(PROJECT, file), id);
    const ended = { status: 'cancelled', times: { cancellingAt: NOW + 1, endedAt: NOW + 5 } } as const;
    assert.equal(await batches.change(id, 'one', ['cancelling'], ended), true);
    assert.equal((await batches.cancel(PROJECT, id, NOW + 9))?.status, 'cancelled');
    for (const file of Object.values(files)) assert.equal(await batches.runningBatchOf(PROJECT, file), null);
    assert.equal(await batches.countOpen(accountId), 0);
    assert.deepEqual(await batches.claim(claim('two', NOW + 99), 10), []);
    await batches.deleteEnded(NOW + 5);
    assert.notEqual(await batches.find(PROJECT, id), null);
    await batches.deleteEnded(NOW + 6);
    assert.equal(await batches.find(PROJECT, id), null);
    return undefined;
  });

  promise(
    'of the batches of an account that have ended the last ones are kept, and all that have not',
    async (subject) => {
      const { batches } = subject.storage;
      const open = sampleBatch(1);
      const ended = [5, 3, 4, 2].map((number) => sampleBatch(number, endedAt(NOW + number)));
      const other = sampleBatch(9, { ...endedAt(NOW), accountId: accountId(77) });
      for (const row of [open, ...ended, other]) await batches.create(row);
      await batches.keepLast(open.accountId, 4);
      assert.equal((await batches.list(PROJECT, { after: null, limit: 10 })).length, 6);
      await batches.keepLast(open.accountId, 2);
      const left = [open, other, ended[0], ended[2]].map((row) => row?.id);
      assert.deepEqual(new Set(idsOf(await batches.list(PROJECT, { after: null, limit: 10 }))), new Set(left));
      assert.equal(await batches.countOpen(open.accountId), 1);
      return undefined;
    },
  );

  promise('however many batches ended long ago, all of them are deleted', async (subject) => {
    const { batches } = subject.storage;
    const kept = sampleBatch(1, endedAt(NOW + 1));
    await batches.create(kept);
    for (let number = 2; number < 232; number += 1) await batches.create(sampleBatch(number, endedAt(NOW)));
    await batches.deleteEnded(NOW + 1);
    assert.deepEqual(idsOf(await batches.list(PROJECT, { after: null, limit: 300 })), [kept.id]);
    return undefined;
  });

  promise(
    'the stored answer of a line is found by its digest until it is deleted; its settlement stays',
    async (subject) => {
      const { ledger, lineAnswers } = subject.storage;
      const call = sampleSettlement(NOW);
      const row = {
        projectId: PROJECT,
        keyDigest: digest(5),
        bodyDigest: Buffer.alloc(32, 9),
        callId: call.callId,
        createdAt: NOW,
        expiresAt: NOW + 100,
        answer: Buffer.from('sealed'),
      };
      await ledger.commit([settlementRow(call, { replay: row })]);
      const again = await subject.reopen();
      const lines = again.storage.lineAnswers;
      const found = await lines.find(PROJECT, [digest(4), digest(5)], NOW);
      assert.deepEqual([found?.callId, found?.digest, found?.hasEnded], [call.callId, 1, true]);
      assert.equal(await lines.find(OTHER, [digest(5)], NOW), null);
      assert.equal(await lines.find(PROJECT, [digest(5)], NOW + 100), null);
      assert.deepEqual(await lines.between(PROJECT, digest(4), digest(6)), [call.callId]);
      assert.deepEqual(await lines.between(PROJECT, digest(6), digest(7)), []);
      await lines.delete([call.callId]);
      assert.equal(await lines.find(PROJECT, [digest(5)], NOW), null);
      await lines.delete([call.callId]);
      assert.notEqual(await again.storage.ledger.chargeOf(call.callId), null);
      assert.ok(lineAnswers);
      return again;
    },
  );
}

/** A batch that validates. */
export function sampleBatch(number: number, changes: Partial<BatchRow> = {}): BatchRow {
  return {
    id: newBatchId(NOW + number),
    accountId: sampleSettlement(NOW).accountId,
    projectId: PROJECT,
    keyId: sampleSettlement(NOW).keyId,
    address: null,
    endpoint: '/v1/chat/completions',
    inputFileId: newFileId(NOW + number),
    createdAt: NOW,
    expiresAt: NOW + 86_400_000,
    keptMs: 1_000,
    metadata: null,
    status: 'validating',
    times: {},
    outputFileId: null,
    errorFileId: null,
    total: 0,
    completed: 0,
    failed: 0,
    errors: [],
    waiting: 0,
    waitingFor: null,
    totals: null,
    ...changes,
  };
}

function endedAt(ms: number): Pick<BatchRow, 'status' | 'times'> {
  return { status: 'failed', times: { endedAt: ms } };
}

function claim(owner: string, nowMs: number) {
  return { owner, nowMs, untilMs: nowMs + 10 };
}

function idsOf(rows: readonly BatchRow[]): readonly BatchId[] {
  return rows.map(({ id }) => id);
}

function digest(number: number): Buffer {
  return Buffer.alloc(32, number);
}
