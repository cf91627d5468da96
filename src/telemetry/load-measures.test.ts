/** Goal: an overload of this process shows in its figures. Method: figures by hand; then real turns of the event loop that are long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoryMax, memoryUse, ProcessLoad } from './load-measures.ts';

test('what is nearer to its limit decides: the heap, or the memory of the container', () => {
  assert.equal(memoryUse({ heap: 450, heapMax: 500, resident: 600, residentMax: 1000 }), 0.9);
  assert.equal(memoryUse({ heap: 50, heapMax: 500, resident: 600, residentMax: 1000 }), 0.6);
});

test('long turns show once, and then those after them', async () => {
  const load = new ProcessLoad();
  try {
    await nextTurn();
    load.loopDelayMs();
    for (let turn = 0; turn < 3; turn += 1) {
      const untilMs = performance.now() + 30;
      while (performance.now() < untilMs);
      await nextTurn();
    }
    await nextTurn();
    assert.ok(load.loopDelayMs() >= 25);
    assert.equal(load.loopDelayMs(), 0);
    assert.ok(load.memoryUse() > 0 && load.memoryUse() < 1);
    assert.ok(memoryMax() > 64 * 1024 * 1024);
  } finally {
    load.close();
  }
});
