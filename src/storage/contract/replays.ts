/** The contract of every storage for answers stored for retried requests. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import { newCallId, projectId } from '../../core/ids.ts';
import { sampleReplay, sampleSettlement, settlementRow } from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

export function replayPromises(promise: Promising): void {
  promise('a stored answer can be read until it expires, even after reopening', async (subject) => {
    const calls = [0, 1, 2].map((ms) => sampleSettlement(NOW + ms));
    const [answered, streamed, expired] = [
      { keyDigest: Buffer.alloc(32, 7), answer: new Uint8Array(1_048_576).fill(9) },
      { projectId: projectId(3), answer: null },
      { projectId: projectId(4), expiresAt: NOW + 10 },
    ].map((changes, index) => sampleReplay(calls[index] as (typeof calls)[0], changes)) as [Replay, Replay, Replay];
    await subject.storage.ledger.commit(
      [answered, streamed, expired].map((replay, index) =>
        settlementRow(calls[index] as (typeof calls)[0], { replay }),
      ),
    );
    const again = await subject.reopen();
    const { ledger } = again.storage;
    const read = await Array.fromAsync(ledger.replays(NOW + 10));
    assert.deepEqual(read.map(plain), [answered, streamed].map(plain));
    assert.deepEqual(
      read.map(({ answerBytes }) => answerBytes),
      [1_048_576, 0],
    );
    assert.deepEqual(
      Buffer.from((await ledger.replayAnswer(answered.callId)) ?? []),
      Buffer.from(answered.answer ?? []),
    );
    assert.equal(await ledger.replayAnswer(streamed.callId), null);
    assert.equal(await ledger.replayAnswer(expired.callId), null, 'it was deleted');
    assert.equal(await ledger.replayAnswer(newCallId(NOW)), null);
    return again;
  });

  promise('a key can be used again when its answer has expired', async (subject) => {
    const { ledger } = subject.storage;
    const [first, second] = [0, 90_000_000].map((ms) => sampleSettlement(NOW + ms)) as [Call, Call];
    await ledger.commit([settlementRow(first, { replay: sampleReplay(first) })]);
    await ledger.commit([settlementRow(second, { replay: sampleReplay(second) })]);
    const kept = await Array.fromAsync(ledger.replays(NOW));
    assert.deepEqual(
      kept.map((replay) => replay.callId),
      [second.callId],
    );
    return undefined;
  });

  promise('an answer whose settlement was refused is not stored', async (subject) => {
    const { ledger } = subject.storage;
    const call = sampleSettlement(NOW);
    await ledger.commit([settlementRow(call)]);
    await assert.rejects(ledger.commit([settlementRow({ ...call, ending: 'empty' }, { replay: sampleReplay(call) })]));
    assert.deepEqual(await Array.fromAsync(ledger.replays(NOW)), []);
    return undefined;
  });
}

type Replay = ReturnType<typeof sampleReplay>;
type Call = ReturnType<typeof sampleSettlement>;

/** Converts bytes to text: databases return different array types. */
function plain({ keyDigest, bodyDigest, ...replay }: Omit<Replay, 'answer'>): object {
  const { answer: _answer, answerBytes: _bytes, ...others } = { answer: null, answerBytes: 0, ...replay };
  return { ...others, key: Buffer.from(keyDigest).toString('hex'), body: Buffer.from(bodyDigest).toString('hex') };
}
