/** What every board of notices promises. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NoticeBoard } from './ports.ts';

/** `open` returns the same board, opened by two nodes. */
export function boardContract(open: () => Promise<Boards>): void {
  test('a notice reaches every other node once, in order, and not the one that posted it', async () => {
    const { boards, close } = await open();
    const [first, second] = boards;
    assert.deepEqual([await first.exchange('one', []), await second.exchange('two', [])], [[], []]);
    const bodies = Array.from({ length: 200 }, (_, index) => `notice ${index} “ü”`);
    assert.deepEqual(await first.exchange('one', bodies), []);
    const read = await second.exchange('two', ['an answer']);
    assert.deepEqual(
      read,
      bodies.map((body) => ({ sender: 'one', body })),
    );
    assert.deepEqual(await second.exchange('two', []), []);
    assert.deepEqual(await first.exchange('one', []), [{ sender: 'two', body: 'an answer' }]);
    await close();
  });

  test('a node that starts reads nothing of before, and one that lost everything goes on', async () => {
    const { boards, flush, close } = await open();
    const [first, second] = boards;
    await first.exchange('one', ['early']);
    assert.deepEqual(await second.exchange('two', []), []);
    await flush();
    await first.exchange('one', ['late']);
    assert.deepEqual(await second.exchange('two', []), [{ sender: 'one', body: 'late' }]);
    await close();
  });
}

export interface Boards {
  readonly boards: readonly [NoticeBoard, NoticeBoard];
  flush(): Promise<void>;
  close(): Promise<void>;
}
