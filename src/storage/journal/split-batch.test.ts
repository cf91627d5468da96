/** Goal: a batch that is taken apart gives each call what is its own. Method: encoded batches, split and decoded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredId } from '../../billing/ports.ts';
import { sampleReplay, sampleSettlement } from '../contract/sample-rows.ts';
import { BATCH_COLUMNS } from './batch-format.ts';
import { decodeBatch } from './decode-batch.ts';
import { encodeBatch } from './encode-batch.ts';
import { splitBatch } from './split-batch.ts';

test('each part has the settlement, the replay and the stored ids of one call', () => {
  const settlements = [1, 2, 3, 4].map((ms) => sampleSettlement(ms));
  const rows = settlements.map((settlement, index) => ({
    settlement,
    replay: index % 2 === 0 ? null : sampleReplay(settlement),
    // None of the first call's, so that nothing can be taken for its own.
    stored: Array.from({ length: index }, (_, digit) => storedId(16 * index + digit)),
  }));
  const parts = partsOf(encodeBatch(rows));
  assert.deepEqual(
    parts.map(({ settlements: [first] }) => first?.settlement.callId),
    settlements.map(({ callId }) => callId),
  );
  assert.deepEqual(
    parts.map(({ replays }) => replays.map(({ callId }) => callId)),
    rows.map(({ replay }) => (replay === null ? [] : [replay.callId])),
  );
  assert.deepEqual(parts.map(digitsOf), [[], [16], [32, 33], [48, 49, 50]]);
});

test('no stored id of a batch that an earlier version wrote is lost', () => {
  const [first, second] = [sampleSettlement(1), sampleSettlement(2)];
  const batch = encodeBatch([{ settlement: first }, { settlement: second, stored: [storedId(7), storedId(8)] }]);
  assert.deepEqual(partsOf(withoutCalls(batch, 2)).map(digitsOf), [[7, 8], []]);
});

function partsOf(batch: Uint8Array) {
  let id = 0;
  const { parts } = splitBatch(batch, 5, () => {
    id += 1;
    return id;
  });
  return parts.map((part) => decodeBatch(part.batch));
}

function digitsOf({ storedIds }: { readonly storedIds: readonly StoredId[] }): (number | undefined)[] {
  return storedIds.map(({ digest }) => digest[0]);
}

/** As it was written before stored ids named their calls, which is the last column of their table. */
function withoutCalls(batch: Buffer, ids: number): Buffer {
  const count = BATCH_COLUMNS.storedIds.length;
  let at = 4;
  for (const _table of ['settlements', 'replays']) at = endOfTable(batch, at);
  const end = endOfTable(batch, at);
  const older = Buffer.concat([
    batch.subarray(0, at + 8 + 4 * (count - 1)),
    batch.subarray(at + 8 + 4 * count, end - 8 * ids),
    batch.subarray(end),
  ]);
  older.writeUInt32BE(count - 1, at + 4);
  return older;
}

function endOfTable(batch: Buffer, at: number): number {
  const columns = batch.readUInt32BE(at + 4);
  let end = at + 8 + 4 * columns;
  for (let column = 0; column < columns; column += 1) end += batch.readUInt32BE(at + 8 + 4 * column);
  return end;
}

function storedId(digit: number): StoredId {
  const { projectId } = sampleSettlement(1);
  const digest = new Uint8Array(16).fill(digit);
  return { projectId, digest, provider: 'acme', upstreamModel: 'large-1', credential: null, createdAt: 7 };
}
