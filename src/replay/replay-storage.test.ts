/** Goal: the registry works with the real ledger. Method: a database in a temporary folder, closed and opened again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSettlement, settlementRow } from '../storage/contract/sample-rows.ts';
import { openSqliteUnderTest } from '../storage/sqlite/sqlite-under-test.ts';
import { requestOf, SEALING_KEY, SPACE_BYTES, START_MS } from './fixture.ts';
import { ReplayRegistry } from './replay-registry.ts';
import { KEPT_MS } from './replay-ticket.ts';

test('an answer written with its settlement is replayed after a restart, and deleted when it has expired', async () => {
  let subject = await openSqliteUnderTest();
  try {
    const open = () =>
      new ReplayRegistry({
        sealingKey: SEALING_KEY,
        store: subject.storage.ledger,
        clock: subject.clock,
        bytesMax: SPACE_BYTES,
      });
    const settlement = sampleSettlement(START_MS);
    const request = requestOf({ projectId: settlement.projectId, callId: settlement.callId });
    const begun = await open().begin(request);
    assert.ok(begun.type === 'new');
    const answer = Buffer.alloc(1024 * 1024, '{"choices":[]}');
    const replay = begun.ticket.rowFor(answer, START_MS);
    assert.ok(replay !== null);
    await subject.storage.ledger.commit([settlementRow(settlement, { replay })]);
    begun.ticket.done(replay);

    subject = await subject.reopen();
    const registry = open();
    await registry.load(START_MS);
    assert.equal(registry.bytes, replay.answer?.length);
    const again = await registry.begin(request);
    assert.ok(again.type === 'kept');
    assert.equal(again.callId, settlement.callId);
    assert.ok((await again.read()).equals(answer));

    await registry.deleteExpired(START_MS + KEPT_MS);
    assert.deepEqual([registry.size, registry.bytes], [0, 0]);
    assert.equal(await subject.storage.ledger.replayAnswer(settlement.callId), null);
  } finally {
    await subject.dispose();
  }
});
