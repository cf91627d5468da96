/** The contract of every storage for what providers keep: who may name it. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import type { StoredId } from '../../billing/ports.ts';
import { projectId } from '../../core/ids.ts';
import { sampleSettlement, settlementRow } from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

export function storedIdPromises(promise: Promising): void {
  promise('what a provider keeps of a call is known to its project only, even after reopening', async (subject) => {
    const call = sampleSettlement(NOW);
    const stored = [sample(1), sample(2), sample(3, { provider: 'other', upstreamModel: 'small-1', credential: null })];
    await subject.storage.ledger.commit([settlementRow(call, { stored })]);
    const again = await subject.reopen();
    const { ledger } = again.storage;
    const digests = [1, 2, 3, 4].map(digest);
    assert.deepEqual(
      (await ledger.storedIds(projectId(2), digests)).map(plain).toSorted(),
      stored.map(plain).toSorted(),
    );
    assert.deepEqual(await ledger.storedIds(projectId(3), digests), []);
    assert.deepEqual(await ledger.storedIds(projectId(2), []), []);
    return again;
  });

  promise('the same id in two projects is two facts, of which each is forgotten alone', async (subject) => {
    const { ledger } = subject.storage;
    const other = sample(1, { projectId: projectId(3), provider: 'other' });
    await ledger.commit([settlementRow(sampleSettlement(NOW), { stored: [sample(1)] })]);
    await ledger.commit([settlementRow(sampleSettlement(NOW + 1), { stored: [other] })]);
    await ledger.forgetStored(projectId(2), digest(1));
    assert.deepEqual(await ledger.storedIds(projectId(2), [digest(1)]), []);
    assert.deepEqual((await ledger.storedIds(projectId(3), [digest(1)])).map(plain), [plain(other)]);
    await ledger.forgetStored(projectId(2), digest(1));
    return undefined;
  });

  promise('what is too old is forgotten, however much it is', async (subject) => {
    const { ledger } = subject.storage;
    const stored = Array.from({ length: 1_300 }, (_, index) => sample(index, { createdAt: NOW + index }));
    await ledger.commit([settlementRow(sampleSettlement(NOW), { stored })]);
    await ledger.forgetStoredBefore(NOW + 1_200);
    const left = await ledger.storedIds(
      projectId(2),
      stored.map((row) => row.digest),
    );
    assert.deepEqual(
      left.map(({ createdAt }) => createdAt).toSorted(),
      Array.from({ length: 100 }, (_, index) => NOW + 1_200 + index),
    );
    return undefined;
  });

  promise('nothing is remembered of a call whose settlement was refused', async (subject) => {
    const { ledger } = subject.storage;
    const call = sampleSettlement(NOW);
    await ledger.commit([settlementRow(call)]);
    await assert.rejects(ledger.commit([settlementRow({ ...call, charge: call.fault }, { stored: [sample(9)] })]));
    assert.deepEqual(await ledger.storedIds(projectId(2), [digest(9)]), []);
    return undefined;
  });
}

function sample(number: number, changes: Partial<StoredId> = {}): StoredId {
  return {
    projectId: projectId(2),
    digest: digest(number),
    provider: 'acme',
    upstreamModel: 'large-1',
    credential: '0123456789abcdef',
    createdAt: NOW,
    ...changes,
  };
}

function digest(number: number): Uint8Array {
  const bytes = Buffer.alloc(16, 7);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** Databases return different array types. */
function plain({ digest: bytes, ...rest }: StoredId): string {
  return JSON.stringify({ digest: Buffer.from(bytes).toString('hex'), ...rest });
}
