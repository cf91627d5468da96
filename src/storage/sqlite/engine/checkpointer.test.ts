/** Goal: logs are synced and stay short, by the thread's work and not the writer's. Method: a real database and a clock that is moved. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { until } from '../../../../test/support/turns.ts';
import { ManualClock, type Timer } from '../../../core/clock.ts';
import type { StorageProblem } from '../../storage.ts';
import { Checkpointer } from './checkpointer.ts';
import { Gate } from './gate.ts';
import { openDatabase } from './open-database.ts';

const MEGABYTE = 1024 * 1024;

test('a short log is moved into the database beside the writer once nothing was written for some seconds', async () => {
  await withCheckpointer(async ({ checkpointer, database, path, moved, look }) => {
    fill(database, MEGABYTE);
    checkpointer.committed(path);
    await look(250);
    assert.ok(!moved(), 'it is synced, no more');
    for (let ms = 0; ms < 8_000; ms += 1_000) {
      database.exec('INSERT INTO filling VALUES (zeroblob(10))');
      checkpointer.committed(path);
      await look(1_000);
    }
    assert.ok(!moved(), 'something was written every second');
    for (let ms = 0; ms < 12_000; ms += 1_000) await look(1_000);
    assert.ok(moved());
  });
});

test('commits to a log that was not moved sync nothing: each is after the one before', async () => {
  await withCheckpointer(async ({ checkpointer, database, path, look }) => {
    fill(database, 10);
    for (let commit = 0; commit < 20; commit += 1) {
      const before = logBytes(path);
      database.exec('INSERT INTO filling VALUES (zeroblob(10))');
      checkpointer.committed(path);
      await look(250);
      assert.ok(logBytes(path) > before, 'a log that begins afresh does so with a sync, and does not grow');
    }
  });
});

test('a log above 32 MB is moved beside the writer, and started afresh while the gate is held', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, gate }) => {
    fill(database, 33 * MEGABYTE);
    const before = statSync(path).size;
    const release = await gate.acquire();
    clock.advance(250);
    await until('the log to be moved', () => statSync(path).size >= before + 33 * MEGABYTE);
    assert.ok(logBytes(path) > 32 * MEGABYTE);
    release();
    await checkpointer.settled();
    assert.equal(logBytes(path), 0);
    assert.ok(gate.isOpen);
  });
});

test('a busy writer has its log looked at between two ticks of the timer', async () => {
  await withCheckpointer(async ({ checkpointer, database, path }) => {
    fill(database, 33 * MEGABYTE);
    for (let commit = 0; commit < 128; commit += 1) checkpointer.committed(path);
    await checkpointer.settled();
    assert.equal(logBytes(path), 0);
  });
});

test('while nothing is written the log is hardly looked at, and within a quarter of a second once something is', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, look }) => {
    for (let ms = 0; ms < 12_000; ms += 1_000) await look(1_000);
    const before = clock.wakeUps;
    await look(9_000);
    assert.ok(clock.wakeUps - before <= 1, `${clock.wakeUps - before} times in nine seconds`);
    fill(database, 33 * MEGABYTE);
    checkpointer.committed(path);
    await look(250);
    assert.equal(logBytes(path), 0);
  });
});

test('what was written without a word is moved as well, some seconds later', async () => {
  await withCheckpointer(async ({ database, look, moved }) => {
    for (let ms = 0; ms < 12_000; ms += 1_000) await look(1_000);
    fill(database, MEGABYTE);
    for (let ms = 0; ms < 25_000; ms += 1_000) await look(1_000);
    assert.ok(moved());
  });
});

test('a reader in the way of a fresh start leaves the gate open and the log to the next look', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, gate, problems }) => {
    const reader = openDatabase(path, 'NORMAL');
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM filling').get();
    fill(database, 33 * MEGABYTE);
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
  await withCheckpointer(async ({ checkpointer, database, path, problems, look }) => {
    const broken = `${path}.broken`;
    for (const file of [broken, `${broken}-wal`]) writeFileSync(file, 'no database. '.repeat(1_000));
    checkpointer.watch(broken, new Gate());
    fill(database, 33 * MEGABYTE);
    await look(250);
    assert.equal(logBytes(path), 0);
    for (let ms = 0; ms < 6_000; ms += 1_000) await look(1_000);
    assert.deepEqual([...new Set(problems.map((problem) => problem.type))], ['checkpoint_failed']);
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
  /** Moves the clock, and resolves when what fell due is done. */
  look(byMs: number): Promise<void>;
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
  const look = async (byMs: number) => {
    clock.advance(byMs);
    await checkpointer.settled();
  };
  await run({ clock, checkpointer, database, path, gate, problems, moved, look });
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
