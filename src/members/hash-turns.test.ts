/** Goal: a flood of sign-ins blocks neither known people nor strangers at other addresses. Method: work that ends when the test decides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hasher, HashTurns, strangerAt } from './hash-turns.ts';

const known = (owner: string): Hasher => ({ lane: 'known', owner });
const SHEDDING = { code: 'shedding', retryAfterSeconds: 2 };

function open() {
  const turns = new HashTurns();
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const refused: string[] = [];
  let pending = 0;
  return {
    turns,
    running,
    refused,
    names: () => running.map(({ name }) => name),
    ask: (hasher: Hasher, name = hasher.owner) => {
      pending += 1;
      return turns
        .run(hasher, () => new Promise<void>((end) => running.push({ name, end })))
        .catch(() => void refused.push(name))
        .finally(() => {
          pending -= 1;
        });
    },
    async endNext(): Promise<void> {
      running.shift()?.end();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
    pending: () => pending,
  };
}

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

test('two run concurrently, at most one of them for strangers', async () => {
  const { ask, names } = open();
  for (let each = 0; each < 5; each += 1) void ask(strangerAt(`10.0.0.${each}`));
  await settled();
  assert.deepEqual(names(), ['10.0.0.0']);
  void ask(known('ada'));
  void ask(known('bob'));
  await settled();
  assert.deepEqual(names(), ['10.0.0.0', 'ada']);
});

test('a flood from many addresses blocks no known person', async () => {
  const { ask, names, refused, endNext } = open();
  for (let each = 0; each < 1_000; each += 1) void ask(strangerAt(`10.0.${each >> 8}.${each & 255}`));
  await settled();
  assert.equal(refused.length, 1_000 - 34);
  const ada = ask(known('ada'));
  await settled();
  assert.ok(names().includes('ada'));
  await endNext();
  await endNext();
  await ada;
  assert.ok(!refused.includes('ada'));
});

test('a flood from one address leaves capacity for others', async () => {
  const { ask, refused, pending } = open();
  for (let each = 0; each < 1_000; each += 1) void ask(strangerAt('10.0.0.1'));
  await settled();
  assert.equal(pending(), 17);
  for (let each = 2; each < 6; each += 1) void ask(strangerAt(`10.0.0.${each}`));
  await settled();
  assert.ok(!refused.some((name) => name !== '10.0.0.1'));
});

test('known people neither starve strangers nor block each other', async () => {
  const { ask, names, refused, endNext } = open();
  for (let each = 0; each < 100; each += 1) void ask(known('ada'));
  await settled();
  assert.equal(refused.length, 100 - 17);
  void ask(known('bob'));
  void ask(strangerAt('10.0.0.1'));
  await settled();
  await endNext();
  assert.deepEqual(names().toSorted(), ['10.0.0.1', 'ada']);
  assert.ok(!refused.includes('bob'));
});

test('a request beyond the capacity is refused with a wait, and freed capacity is used again', async () => {
  const { turns, ask, endNext, pending } = open();
  for (let each = 0; each < 17; each += 1) void ask(known('ada'));
  await assert.rejects(
    turns.run(known('ada'), async () => undefined),
    SHEDDING,
  );
  await settled();
  while (pending() > 0) await endNext();
  await turns.run(known('ada'), async () => undefined);
  await assert.rejects(
    turns.run(known('ada'), async () => {
      throw new Error('the work failed');
    }),
    /the work failed/,
  );
  await turns.run(known('ada'), async () => undefined);
});
