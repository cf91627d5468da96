/**
 * Goal: what a disk can do to a commit, and what callers and health say of it. Method: a target
 * that fails as SQLite does, and a clock that moves when the test says so.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '../../core/clock.ts';
import type { Settlement } from '../../core/settlement.ts';
import { sampleSettlement } from '../sample-rows.ts';
import type { StorageProblem } from '../storage.ts';
import { Gate } from './gate.ts';
import { Health } from './health.ts';
import { type CommitTarget, SqliteSettleStore } from './settlements.ts';

const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;

test('a lock delays rows and loses none, trying again on the timer only', async () => {
  const { store, target, clock } = build();
  target.failing = BUSY;
  let committed = false;
  const rows = [sampleSettlement(1), sampleSettlement(2)];
  const commit = store.commit(rows).then(() => {
    committed = true;
  });
  await turns();
  assert.equal(target.attempts, 1, 'no spinning while time stands still');
  clock.advance(5);
  await turns();
  assert.equal(target.attempts, 2);
  target.failing = null;
  assert.equal(committed, false);
  clock.advance(5);
  await commit;
  assert.deepEqual(target.written, rows);
});

test('rows that come while a lock delays others follow them', async () => {
  const { store, target, clock } = build();
  target.failing = BUSY;
  const rows = [sampleSettlement(1), sampleSettlement(2), sampleSettlement(3)];
  const commits = [];
  for (const row of rows) {
    commits.push(store.commit([row]));
    await turns();
  }
  target.failing = null;
  clock.advance(5);
  await Promise.all(commits);
  assert.deepEqual(target.written, rows);
});

test('a lock that stays for five seconds shows in health, and goes with the first commit', async () => {
  const { store, target, clock, health, problems } = build();
  target.failing = BUSY;
  const commit = store.commit([sampleSettlement(1)]);
  await turns();
  for (let step = 0; step < 1_000; step += 1) {
    clock.advance(5);
    await turns();
  }
  assert.match(problemOf(health), /lock/);
  assert.deepEqual(
    problems.map((problem) => problem.type),
    ['commit_delayed'],
  );
  target.failing = null;
  clock.advance(5);
  await commit;
  assert.equal(health.state(), 'ready');
});

test('a full disk refuses the rows and health, until a probe finds room', async () => {
  const { store, target, clock, health, problems } = build();
  target.failing = FULL;
  await assert.rejects(store.commit([sampleSettlement(1), sampleSettlement(2)]), /disk/);
  assert.match(problemOf(health), /full/);
  assert.deepEqual(
    problems.map(({ type, count }) => [type, count]),
    [['commit_failed', 2]],
  );
  clock.advance(1_000);
  await turns();
  assert.match(problemOf(health), /full/);
  target.failing = null;
  clock.advance(1_000);
  await turns();
  assert.equal(health.state(), 'ready');
  const probes = target.attempts;
  clock.advance(10_000);
  await turns();
  assert.equal(target.attempts, probes, 'the probing ends');
});

test('after an error of the disk itself health stays bad, whatever succeeds later', async () => {
  const { store, target, health } = build();
  target.failing = IO_ERROR;
  await assert.rejects(store.commit([sampleSettlement(1)]));
  target.failing = null;
  await store.commit([sampleSettlement(2)]);
  assert.match(problemOf(health), /restart/);
});

test('a commit waits for whoever holds the gate', async () => {
  const { store, target, gate } = build();
  const release = await gate.hold();
  const commit = store.commit([sampleSettlement(1)]);
  await turns();
  assert.equal(target.attempts, 0);
  release();
  await commit;
  assert.equal(target.attempts, 1);
  assert.ok(gate.isOpen);
});

/** Fails as SQLite does while `failing` is a result code. */
class FailingTarget implements CommitTarget {
  readonly isSynchronous = true;
  readonly written: Settlement[] = [];
  failing: number | null = null;
  attempts = 0;

  write(rows: readonly Settlement[]): void {
    this.probe();
    this.written.push(...rows);
  }

  probe(): void {
    this.attempts += 1;
    if (this.failing !== null) throw Object.assign(new Error('the disk says no'), { errcode: this.failing });
  }
}

function build() {
  const target = new FailingTarget();
  const gate = new Gate();
  const clock = new ManualClock();
  const problems: StorageProblem[] = [];
  const health = new Health((problem) => problems.push(problem));
  const store = new SqliteSettleStore({ target, gate, clock, health, onCommit: () => {} });
  return { store, target, gate, clock, health, problems };
}

function problemOf(health: Health): string {
  const state = health.state();
  return state === 'ready' ? 'ready' : state.problem;
}

/** Lets everything run that waits for nothing but its turn. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}
