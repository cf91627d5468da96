/**
 * Goal: how callers and health react to everything a disk can do to a commit. Method: a target
 * that fails as SQLite does, and a manual clock.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerRow } from '../../../billing/ports.ts';
import { ManualClock } from '../../../core/clock.ts';
import { sampleSettlement, settlementRow } from '../../contract/sample-rows.ts';
import type { StorageProblem } from '../../storage.ts';
import { Ballast } from '../engine/ballast.ts';
import { Gate } from '../engine/gate.ts';
import { Health } from '../engine/health.ts';
import { type CommitTarget, GroupCommit } from './group-commit.ts';

const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;

test('a lock delays rows and loses none; retries happen on the timer only', async () => {
  const { store, target, clock } = build();
  target.failing = BUSY;
  let committed = false;
  const rows = [settlementRow(sampleSettlement(1)), settlementRow(sampleSettlement(2))];
  const commit = store.commit(rows).then(() => {
    committed = true;
  });
  await turns();
  assert.equal(target.attempts, 1, 'no busy loop while time does not advance');
  clock.advance(5);
  await turns();
  assert.equal(target.attempts, 2);
  target.failing = null;
  assert.equal(committed, false);
  clock.advance(5);
  await commit;
  assert.deepEqual(target.written, rows);
});

test('rows that arrive while a lock delays others are written after them', async () => {
  const { store, target, clock } = build();
  target.failing = BUSY;
  const rows = [
    settlementRow(sampleSettlement(1)),
    settlementRow(sampleSettlement(2)),
    settlementRow(sampleSettlement(3)),
  ];
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

test('a lock of five seconds makes health bad until the first commit', async () => {
  const { store, target, clock, health, problems } = build();
  target.failing = BUSY;
  const commit = store.commit([settlementRow(sampleSettlement(1))]);
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

test('a full disk refuses rows and makes health bad until a probe finds space', async () => {
  const { store, target, clock, health, problems } = build();
  target.failing = FULL;
  await assert.rejects(store.commit([settlementRow(sampleSettlement(1)), settlementRow(sampleSettlement(2))]), /disk/);
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
  assert.equal(target.attempts, probes, 'probing stops');
});

test('on a full disk the ballast is released and the rows are written; no call is admitted until it is created again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  let free = Number.POSITIVE_INFINITY;
  const ballast = new Ballast(folder, () => free);
  assert.equal(ballast.make(), true);
  const { store, target, clock, health, problems } = build(ballast);
  const rows = [1, 2, 3, 4].map((ms) => settlementRow(sampleSettlement(ms))) as [
    LedgerRow,
    LedgerRow,
    LedgerRow,
    LedgerRow,
  ];
  target.failing = FULL;
  // The space of the ballast is enough for the next attempt.
  target.hasRecovered = () => !existsSync(join(folder, 'ballast'));
  free = 0;
  await store.commit([rows[0]]);
  assert.deepEqual(target.written, [rows[0]]);
  assert.match(problemOf(health), /full/);
  await store.commit([rows[1]]);
  assert.match(problemOf(health), /full/, 'the remaining space is for running calls');
  clock.advance(1_000);
  await turns();
  assert.match(problemOf(health), /full/);
  free = Number.POSITIVE_INFINITY;
  target.failing = null;
  clock.advance(1_000);
  await turns();
  assert.equal(health.state(), 'ready');
  assert.equal(statSync(join(folder, 'ballast')).size, 8 * 1024 * 1024);

  target.failing = FULL;
  target.hasRecovered = () => false;
  await assert.rejects(store.commit([rows[2]]), /disk/);
  await assert.rejects(store.commit([rows[3]]), /disk/);
  assert.deepEqual(target.written, rows.slice(0, 2));
  const [, over, ...again] = problems;
  assert.deepEqual(over, { type: 'disk_full', count: 1, cause: null, overAfterMs: 2_000 });
  assert.deepEqual(
    again.map(({ type, overAfterMs }) => [type, overAfterMs]),
    [
      ['disk_full', undefined],
      ['commit_failed', undefined],
      ['commit_failed', undefined],
    ],
  );
  rmSync(folder, { recursive: true });
});

test('an invalid row is refused alone, after the rows of its batch were tried one by one', async () => {
  const { store, target, health, problems } = build();
  const rows = [1, 2, 3].map((ms) => settlementRow(sampleSettlement(ms))) as [LedgerRow, LedgerRow, LedgerRow];
  target.unwritable = rows[1];
  const results = await Promise.allSettled(rows.map((row) => store.commit([row])));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(target.written, [rows[0], rows[2]]);
  assert.equal(health.state(), 'ready');
  assert.deepEqual(
    problems.map(({ type, count }) => [type, count]),
    [['commit_failed', 1]],
  );
});

test('rows whose writer dies before it answers are tried once more, one or several', async () => {
  for (const count of [1, 3]) {
    const { store, target, health, problems } = build();
    target.isSynchronous = false;
    target.deaths = 1;
    const rows = Array.from({ length: count }, (_, ms) => settlementRow(sampleSettlement(ms)));
    await Promise.all(rows.map((row) => store.commit([row])));
    assert.deepEqual(target.written, rows);
    assert.equal(health.state(), 'ready');
    assert.deepEqual(problems, []);
  }
});

test('if the writer dies again, the rows are refused and the failure is reported', async () => {
  const { store, target, problems } = build();
  target.isSynchronous = false;
  target.deaths = 2;
  await assert.rejects(store.commit([settlementRow(sampleSettlement(1))]), /thread/);
  assert.equal(target.attempts, 2);
  assert.deepEqual(
    problems.map(({ type, count }) => [type, count]),
    [['commit_failed', 1]],
  );
});

test('after a disk error health stays bad, even if later commits succeed', async () => {
  const { store, target, health } = build();
  target.failing = IO_ERROR;
  await assert.rejects(store.commit([settlementRow(sampleSettlement(1))]));
  target.failing = null;
  await store.commit([settlementRow(sampleSettlement(2))]);
  assert.match(problemOf(health), /restart/);
});

test('a commit waits until the gate is released', async () => {
  const { store, target, gate } = build();
  const release = await gate.acquire();
  const commit = store.commit([settlementRow(sampleSettlement(1))]);
  await turns();
  assert.equal(target.attempts, 0);
  release();
  await commit;
  assert.equal(target.attempts, 1);
  assert.ok(gate.isOpen);
});

/** Fails as SQLite does while `failing` is a result code. */
class FailingTarget implements CommitTarget {
  isSynchronous = true;
  readonly written: LedgerRow[] = [];
  failing: number | null = null;
  /** Whether the failure is over. */
  hasRecovered: () => boolean = () => false;
  /** A row that violates a constraint. */
  unwritable: LedgerRow | null = null;
  /** How many attempts will end without an answer. */
  deaths = 0;
  attempts = 0;

  write(rows: readonly LedgerRow[]): void {
    this.probe();
    this.deaths -= 1;
    if (this.deaths >= 0) throw new Error('a thread of the storage ended');
    if (this.unwritable !== null && rows.includes(this.unwritable)) throw new Error('a constraint failed');
    this.written.push(...rows);
  }

  probe(): void {
    this.attempts += 1;
    if (this.failing !== null && !this.hasRecovered())
      throw Object.assign(new Error('the disk says no'), { errcode: this.failing });
  }
}

function build(ballast = new Ballast('/nowhere')) {
  const target = new FailingTarget();
  const gate = new Gate();
  const clock = new ManualClock();
  const problems: StorageProblem[] = [];
  const health = new Health((problem) => problems.push(problem), clock);
  const store = new GroupCommit({ target, gate, clock, health, ballast, onCommit: () => {} });
  return { store, target, gate, clock, health, problems };
}

function problemOf(health: Health): string {
  const state = health.state();
  return state === 'ready' ? 'ready' : state.problem;
}

/** Runs everything that only waits for a turn of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}
