/** Goal: an answer can be opened unchanged, for its own row only. Method: every byte changed, every length, every part of the row swapped. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { newCallId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { AnswerSeal, type SealedFor } from './answer-seal.ts';
import { SEALING_KEY, START_MS } from './fixture.ts';

const seal = new AnswerSeal(SEALING_KEY);
const row: SealedFor = { projectId: projectId(7), callId: newCallId(START_MS), keyDigest: Buffer.alloc(32, 1) };
const answer = Buffer.from('{"choices":[{"message":{"content":"the secret recipe"}}]}');

test('any answer can be opened as it was sealed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2048 }), (bytes) => {
      assert.deepEqual(seal.open(seal.seal(Buffer.from(bytes), row), row), Buffer.from(bytes));
    }),
  );
});

test('a large answer is sealed and opened in turns, in the same format', async () => {
  const large = randomBytes(4_000_000);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const sealed = await seal.sealInTurns(large, row);
  assert.ok(large.equals(await seal.openInTurns(sealed, row)));
  clearInterval(counting);
  assert.ok(turns > 1);
  assert.ok(large.equals(seal.open(sealed, row)));
  assert.ok(large.equals(await seal.openInTurns(seal.seal(large, row), row)));
  sealed[2_000_000] = (sealed[2_000_000] as number) ^ 1;
  await assert.rejects(seal.openInTurns(sealed, row));
  await assert.rejects(seal.openInTurns(sealed.subarray(0, 20), row));
});

test('a sealed answer reveals nothing of the answer, and differs each time', () => {
  const sealed = seal.seal(answer, row);
  assert.equal(sealed.length, answer.length + 29);
  assert.equal(sealed[0], 1);
  for (let at = 0; at + 8 <= answer.length; at += 1) assert.equal(sealed.includes(answer.subarray(at, at + 8)), false);
  assert.notDeepEqual(seal.seal(answer, row), sealed);
});

test('it cannot be opened for another project, call or key, nor with another secret', () => {
  const sealed = seal.seal(answer, row);
  const others: SealedFor[] = [
    { ...row, projectId: projectId(8) },
    { ...row, callId: newCallId(START_MS) },
    { ...row, keyDigest: Buffer.alloc(32, 2) },
  ];
  for (const other of others) assert.throws(() => seal.open(sealed, other));
  assert.throws(() => new AnswerSeal(new Secret('fedcba9876543210'.repeat(4))).open(sealed, row));
});

test('a changed byte or another length is rejected', () => {
  const sealed = seal.seal(answer, row);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => seal.open(changed, row), `byte ${at}`);
    assert.throws(() => seal.open(sealed.subarray(0, at), row), `length ${at}`);
  }
  assert.throws(() => seal.open(Buffer.concat([sealed, Buffer.of(0)]), row));
});
