/**
 * Goal: however much waits for a bank that is away, to try again and to say what waits costs the same. Method: an outbox with random
 * batches, compared with a list; and one with very many, of which only the steps are counted.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outbox, type Sendable } from './outbox.ts';

test('what is unsent, and its order, are those of a list, whatever is taken, put back and acknowledged', () => {
  const random = randomNumbers(17);
  const outbox = new Outbox(0);
  const unsent = new Map<number, Sendable>();
  const taken: (readonly Sendable[])[] = [];
  const acknowledged: Sendable[] = [];
  /** Taken before `sendAgain`. */
  const outdated = new Set<readonly Sendable[]>();
  let id = 0;
  for (let step = 0; step < 4_000; step += 1) {
    const choice = random();
    if (choice < 0.4) {
      id += 1;
      const entry = entryOf(id, Math.floor(random() * 1_000) + id);
      outbox.addStored(entry);
      unsent.set(id, entry);
    } else if (choice < 0.65 && taken.length < 2) {
      const more = outbox.take(1 + Math.floor(random() * 5));
      if (more.length > 0) taken.push(more);
    } else if (choice < 0.99 && taken.length > 0) {
      const [each] = taken.splice(Math.floor(random() * taken.length), 1) as [readonly Sendable[]];
      if (random() < 0.5) outbox.putBack(each);
      else if (outbox.acknowledge(each, 0)) {
        assert.ok(!outdated.delete(each), 'what was sent before it is sent again is not acknowledged');
        for (const entry of each) unsent.delete(entry.id);
        acknowledged.push(...each);
      } else assert.ok(outdated.has(each));
      outdated.delete(each);
    } else if (choice > 0.999) {
      outbox.sendAgain();
      for (const each of taken) outdated.add(each);
      for (const entry of acknowledged.splice(0)) unsent.set(entry.id, entry);
    }
    const { calls, from } = outbox.unsent();
    assert.equal(calls, unsent.size);
    const through = outbox.acknowledgedThrough;
    assert.equal(through, Math.min(id, ...[...unsent.keys()].map((each) => each - 1)));
    const oldest = Math.min(...[...unsent.values()].map(({ admittedFrom }) => admittedFrom));
    if (from === null) assert.equal(unsent.size, 0);
    else assert.ok(from <= oldest, 'nothing is older than what it says');
    if (taken.length === 0 && acknowledged.length === 0 && from !== null) assert.equal(from, oldest);
  }
  for (const each of taken) outbox.putBack(each);
  const order = outbox.take(Number.POSITIVE_INFINITY).map((each) => each.id);
  assert.deepEqual(
    order,
    [...unsent.keys()].sort((a, b) => a - b),
  );
});

test('to try again and to say what waits does not depend on how much waits', () => {
  const outbox = new Outbox(0);
  let reads = 0;
  const entries = 30_000;
  for (let id = 1; id <= entries; id += 1) {
    const entry = entryOf(id, id);
    const counted = {
      ...entry,
      get id() {
        reads += 1;
        return id;
      },
      get admittedFrom() {
        reads += 1;
        return id;
      },
    };
    outbox.addStored(counted);
  }
  reads = 0;
  const tries = 100;
  for (let time = 0; time < tries; time += 1) {
    outbox.putBack(outbox.take(10));
    assert.deepEqual(outbox.unsent(), { calls: entries, from: 1 });
  }
  assert.ok(reads < tries * 100, `${reads} reads for ${tries} tries`);
});

function entryOf(id: number, admittedFrom: number): Sendable {
  return { id, epoch: 1, calls: 1, admittedFrom, bytes: 1, batch: null };
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
