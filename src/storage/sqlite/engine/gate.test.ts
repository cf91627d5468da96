/** Goal: one holder at a time, first come first served, and no newcomer gets in during a handover. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate } from './gate.ts';

test('waiters get the gate one by one, in the order in which they came', async () => {
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

test('the gate is closed from the first acquire until nobody waits any more', async () => {
  const gate = new Gate();
  const first = await gate.acquire();
  const waiting = gate.acquire();
  first();
  assert.equal(gate.isOpen, false, 'it is handed over, not opened');
  (await waiting)();
  assert.equal(gate.isOpen, true);
});

test('releasing twice admits only one waiter', async () => {
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
