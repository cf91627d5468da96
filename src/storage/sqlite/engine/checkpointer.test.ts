/** Goal: the thread, not the writer, syncs logs and keeps them short. Method: a real database and a manual clock. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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

test('a short log is checkpointed concurrently with the writer after some seconds without writes', async () => {
  await withCheckpointer(async ({ checkpointer, database, path, moved, advance }) => {
    fill(database, MEGABYTE);
    checkpointer.committed(path);
    await advance(250);
    assert.ok(!moved(), 'it is synced, no more');
    for (let ms = 0; ms < 8_000; ms += 1_000) {
      database.exec('INSERT INTO filling VALUES (zeroblob(10))');
      checkpointer.committed(path);
      await advance(1_000);
    }
    assert.ok(!moved(), 'something was written every second');
    for (let ms = 0; ms < 12_000; ms += 1_000) await advance(1_000);
    assert.ok(moved());
  });
});

test('commits to a log that was not checkpointed cause no sync: each is appended', async () => {
  await withCheckpointer(async ({ checkpointer, database, path, advance }) => {
    fill(database, 10);
    for (let commit = 0; commit < 20; commit += 1) {
      const before = logBytes(path);
      database.exec('INSERT INTO filling VALUES (zeroblob(10))');
      checkpointer.committed(path);
      await advance(250);
      assert.ok(logBytes(path) > before, 'a restarted log begins with a sync, and does not grow');
    }
  });
});

test('the log of a file that is reached through a link is checkpointed', async () => {
  await withCheckpointer(async ({ checkpointer, database, path, gate, advance }) => {
    await checkpointer.forget(path);
    const link = `${path}.link`;
    symlinkSync(path, link);
    checkpointer.watch(link, gate);
    fill(database, 33 * MEGABYTE);
    checkpointer.committed(link);
    await advance(250);
    assert.equal(logBytes(path), 0);
  });
});

test('a log above 32 MB is checkpointed concurrently with the writer, and restarted while the gate is held', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, gate }) => {
    fill(database, 33 * MEGABYTE);
    const before = statSync(path).size;
    const release = await gate.acquire();
    clock.advance(250);
    await until('the log to be checkpointed', () => statSync(path).size >= before + 33 * MEGABYTE);
    assert.ok(logBytes(path) > 32 * MEGABYTE);
    release();
    await checkpointer.settled();
    assert.equal(logBytes(path), 0);
    assert.ok(gate.isOpen);
  });
});

test('the log of a busy writer is also checked between two ticks of the timer', async () => {
  await withCheckpointer(async ({ checkpointer, database, path }) => {
    fill(database, 33 * MEGABYTE);
    for (let commit = 0; commit < 128; commit += 1) checkpointer.committed(path);
    await checkpointer.settled();
    assert.equal(logBytes(path), 0);
  });
});

test('an idle log is rarely checked, and a new commit is noticed within a quarter of a second', async () => {
  await withCheckpointer(async ({ clock, checkpointer, database, path, advance }) => {
    for (let ms = 0; ms < 12_000; ms += 1_000) await advance(1_000);
    const before = clock.wakeUps;
    await advance(9_000);
    assert.ok(clock.wakeUps - before <= 1, `${clock.wakeUps - before} times in nine seconds`);
    fill(database, 33 * MEGABYTE);
    checkpointer.committed(path);
    await advance(250);
    assert.equal(logBytes(path), 0);
  });
});

test('writes that were not announced are checkpointed too, some seconds later', async () => {
  await withCheckpointer(async ({ database, advance, moved }) => {
    for (let ms = 0; ms < 12_000; ms += 1_000) await advance(1_000);
    fill(database, MEGABYTE);
    for (let ms = 0; ms < 25_000; ms += 1_000) await advance(1_000);
    assert.ok(moved());
  });
});

test('if a reader prevents the restart of the log, the gate stays open and the next check tries again', async () => {
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
    assert.deepEqual(problems, [], 'a reader is not reported as a problem');
  });
});

test('an unreadable database is reported, and the others are still checkpointed', async () => {
  await withCheckpointer(async ({ checkpointer, database, path, problems, advance }) => {
    const broken = `${path}.broken`;
    for (const file of [broken, `${broken}-wal`]) writeFileSync(file, 'no database. '.repeat(1_000));
    checkpointer.watch(broken, new Gate());
    fill(database, 33 * MEGABYTE);
    await advance(250);
    assert.equal(logBytes(path), 0);
    for (let ms = 0; ms < 6_000; ms += 1_000) await advance(1_000);
    assert.deepEqual(
      problems.map(({ type, overAfterMs }) => [type, overAfterMs]),
      [['checkpoint_failed', undefined]],
      'it is reported once',
    );
    for (const file of [broken, `${broken}-wal`]) rmSync(file);
    const whole = openDatabase(broken, 'NORMAL');
    whole.exec('CREATE TABLE filling (bytes BLOB)');
    fill(whole, MEGABYTE);
    for (let ms = 0; ms < 12_000; ms += 1_000) await advance(1_000);
    whole.close();
    const [, over, ...more] = problems;
    assert.deepEqual([over?.type, more], ['checkpoint_failed', []], 'and once when it works again');
    assert.ok((over?.overAfterMs ?? 0) > 6_000, `${over?.overAfterMs} ms`);
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
  /** Advances the clock, and resolves when the due work is done. */
  advance(byMs: number): Promise<void>;
}

class CountedClock extends ManualClock {
  /** Timers that ran. */
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
  const advance = async (byMs: number) => {
    clock.advance(byMs);
    await checkpointer.settled();
  };
  await run({ clock, checkpointer, database, path, gate, problems, moved, advance });
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
