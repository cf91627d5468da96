/** Goal: logs stay short, by the thread's work and not the writer's. Method: a real database and a clock that is moved. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { until } from '../../../test/support/turns.ts';
import { ManualClock, type Timer } from '../../core/clock.ts';
import type { StorageProblem } from '../storage.ts';
import { Checkpointer } from './checkpointer.ts';
import { Gate } from './gate.ts';
import { openDatabase } from './open-database.ts';

const MEGABYTE = 1024 * 1024;

test('a short log is moved into the database beside the writer, within a quarter of a second', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path }) => {
    fill(database, MEGABYTE);
    const before = statSync(path).size;
    clock.advance(250);
    await checkpointer.settled();
    assert.ok(statSync(path).size >= before + MEGABYTE);
  });
});

test('a log above 8 MB is moved beside the writer, and started afresh while the gate is held', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, gate }) => {
    fill(database, 9 * MEGABYTE);
    const before = statSync(path).size;
    const release = await gate.hold();
    clock.advance(250);
    await until('the log to be moved', () => statSync(path).size >= before + 9 * MEGABYTE);
    assert.ok(logBytes(path) > 8 * MEGABYTE);
    release();
    await checkpointer.settled();
    assert.equal(logBytes(path), 0);
    assert.ok(gate.isOpen);
  });
});

test('a busy writer has its log looked at between two ticks of the timer', async () => {
  await withCheckpointer(async ({ checkpointer, database, path }) => {
    fill(database, 9 * MEGABYTE);
    for (let commit = 0; commit < 128; commit += 1) checkpointer.committed(path);
    await checkpointer.settled();
    assert.equal(logBytes(path), 0);
  });
});

test('while nothing is written the log is hardly looked at, and within a quarter of a second once something is', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, moved }) => {
    clock.advance(250);
    await checkpointer.settled();
    clock.advance(250);
    assert.ok(clock.wakeUps <= 2);
    clock.advance(9_000);
    assert.ok(clock.wakeUps <= 2, `${clock.wakeUps} times in nine seconds`);
    fill(database, MEGABYTE);
    checkpointer.committed(path);
    clock.advance(250);
    await checkpointer.settled();
    assert.ok(moved());
  });
});

test('what was written without a word is moved as well, some seconds later', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, moved }) => {
    clock.advance(250);
    await checkpointer.settled();
    clock.advance(250);
    fill(database, MEGABYTE);
    clock.advance(10_000);
    await checkpointer.settled();
    clock.advance(250);
    await checkpointer.settled();
    assert.ok(moved());
  });
});

test('a reader in the way of a fresh start leaves the gate open and the log to the next look', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, gate, problems }) => {
    const reader = openDatabase(path, 'NORMAL');
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM filling').get();
    fill(database, 9 * MEGABYTE);
    clock.advance(250);
    await checkpointer.settled();
    assert.ok(gate.isOpen);
    assert.ok(logBytes(path) > 0);
    reader.close();
    clock.advance(250);
    await checkpointer.settled();
    assert.equal(logBytes(path), 0);
    assert.deepEqual(problems, [], 'a reader is no problem');
  });
});

test('a database that cannot be read is reported, and the others are looked after', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, problems }) => {
    const broken = `${path}.broken`;
    for (const file of [broken, `${broken}-wal`]) writeFileSync(file, 'no database. '.repeat(1_000));
    checkpointer.watch(broken, new Gate());
    fill(database, 9 * MEGABYTE);
    clock.advance(250);
    await checkpointer.settled();
    assert.equal(logBytes(path), 0);
    assert.deepEqual(
      problems.map((problem) => problem.type),
      ['checkpoint_failed'],
    );
  });
});

interface Subject {
  readonly clock: CountedClock;
  readonly checkpointer: Checkpointer;
  readonly database: DatabaseSync;
  readonly path: string;
  readonly gate: Gate;
  readonly problems: StorageProblem[];
  /** Whether the database has grown by what `fill` wrote. */
  moved(): boolean;
}

class CountedClock extends ManualClock {
  /** Timers that fell due. */
  wakeUps = 0;

  override after(delayMs: number, run: () => void): Timer {
    return super.after(delayMs, () => {
      this.wakeUps += 1;
      run();
    });
  }
}

async function withCheckpointer(run: (subject: Subject) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const path = join(folder, 'a.db');
  const clock = new CountedClock();
  const problems: StorageProblem[] = [];
  const checkpointer = new Checkpointer({ clock, onProblem: (problem) => problems.push(problem) });
  const database = openDatabase(path, 'NORMAL');
  const gate = new Gate();
  database.exec('CREATE TABLE filling (bytes BLOB)');
  checkpointer.watch(path, gate);
  const moved = () => statSync(path).size >= MEGABYTE;
  await run({ clock, checkpointer, database, path, gate, problems, moved });
  await checkpointer.close();
  database.close();
  rmSync(folder, { recursive: true });
}

function fill(database: DatabaseSync, bytes: number): void {
  const insert = database.prepare('INSERT INTO filling VALUES (zeroblob(100000))');
  database.exec('BEGIN');
  for (let written = 0; written < bytes; written += 100_000) insert.run();
  database.exec('COMMIT');
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`).size;
}
