/** Goal: one at a time, first come first served, and nobody slips in while the gate is handed on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate } from './gate.ts';

test('those who wait are let in one by one, in the order they came', async () => {
  const gate = new Gate();
  const order: string[] = [];
  const enter = async (name: string) => {
    const release = await gate.acquire();
    order.push(`${name} in`);
    await Promise.resolve();
    order.push(`${name} out`);
    release();
  };
  await Promise.all([enter('a'), enter('b'), enter('c')]);
  assert.deepEqual(order, ['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  assert.ok(gate.isOpen);
});

test('the gate is shut from the moment it is held until nobody waits any more', async () => {
  const gate = new Gate();
  const first = await gate.acquire();
  const waiting = gate.acquire();
  first();
  assert.equal(gate.isOpen, false, 'it is handed on, not opened');
  (await waiting)();
  assert.equal(gate.isOpen, true);
});

test('letting go twice lets only one in', async () => {
  const gate = new Gate();
  const first = await gate.acquire();
  const second = gate.acquire();
  first();
  first();
  const release = await second;
  assert.equal(gate.isOpen, false);
  release();
  assert.equal(gate.isOpen, true);
});
