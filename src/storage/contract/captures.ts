/** The contract of every storage for stored bodies: they are returned to their account only, and removed when they expire or are deleted. */
import assert from 'node:assert/strict';
import type { CaptureStore, SealedCapture } from '../../capture/ports.ts';
import { type AccountId, accountId, newCallId } from '../../core/ids.ts';
import type { Promising } from './storage-under-test.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const MINE = accountId(1);
const THEIRS = accountId(2);

export function capturePromises(promise: Promising): void {
  promise('stored bodies are found immediately and after reopening, by their account only', async (subject) => {
    const kept = capture(NOON);
    subject.storage.captures.append(kept);
    assert.deepEqual(await read(subject.storage.captures, kept), kept);
    const again = await subject.reopen();
    assert.deepEqual(await read(again.storage.captures, kept), kept);
    assert.equal(await again.storage.captures.read(THEIRS, kept.callId), null);
    assert.equal(await again.storage.captures.read(MINE, newCallId(NOON)), null);
    return again;
  });

  promise(
    'stored bodies are removed when they expire, or when their account’s retention is shortened',
    async (subject) => {
      const { captures } = subject.storage;
      const [short, long, old] = [capture(NOON, { days: 1 }), capture(NOON, { days: 9 }), capture(NOON - 5 * DAY_MS)];
      for (const each of [short, long, old]) captures.append(each);
      const now = NOON + DAY_MS;
      subject.clock.stepWall(DAY_MS);
      await captures.deleteExpired(now, () => 9);
      assert.deepEqual([await read(captures, short), await read(captures, old)], [null, old]);
      await captures.deleteExpired(now, () => 3);
      assert.deepEqual([await read(captures, long), await read(captures, old)], [long, null]);
      return undefined;
    },
  );

  promise(
    'stored bodies are deleted by call or by account, once, without affecting other accounts',
    async (subject) => {
      const { captures } = subject.storage;
      const [first, second, third] = [capture(NOON), capture(NOON - DAY_MS), capture(NOON)];
      const theirs = capture(NOON, { account: THEIRS });
      for (const each of [first, second, third, theirs]) captures.append(each);
      assert.equal(await captures.delete(THEIRS, first.callId), false);
      assert.equal(await captures.delete(MINE, first.callId), true);
      assert.equal(await captures.delete(MINE, first.callId), false);
      assert.equal(await captures.deleteOf(MINE), 2);
      assert.equal(await captures.deleteOf(MINE), 0);
      assert.deepEqual(await read(captures, theirs), theirs);
      return undefined;
    },
  );

  promise('heads lists the beginnings of sealed bodies, one for each sealing key', async ({ storage }) => {
    const { captures } = storage;
    for (const text of ['1key-one-text', '1key-one-other', '1key-two-text']) captures.append(capture(NOON, { text }));
    const heads = (await captures.heads()).map((head) => Buffer.from(head).toString());
    assert.deepEqual(heads.sort(), ['1key-one-', '1key-two-']);
    return undefined;
  });
}

interface Given {
  readonly account?: AccountId;
  readonly days?: number;
  readonly text?: string;
}

function capture(at: number, { account = MINE, days = 7, text = 'sealed' }: Given = {}): SealedCapture {
  const sealed = new Uint8Array(Buffer.from(text));
  return { callId: newCallId(at), accountId: account, expiresAt: NOON + days * DAY_MS, sealed };
}

async function read(captures: CaptureStore, { accountId: account, callId }: SealedCapture) {
  return captures.read(account, callId);
}
