/**
 * Goal: the sealing key can be rotated at any time without loss, whenever the process dies. Method: a rotation over a store in memory
 * that is interrupted after every write, and resumed from what was written by then.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { Secret } from '../core/secret.ts';
import { openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import { KeyKeeper } from './key-keeper.ts';
import { KeyRing, keyIdOf } from './key-ring.ts';
import type { RingEntry, SealedStore } from './ports.ts';

const FIRST = new Secret('0123456789abcdef'.repeat(4));
const OTHER = new Secret('fedcba9876543210'.repeat(4));
const VALUES = new Map([
  ['provider:one', 'credential one'],
  ['provider:two', 'credential two'],
  ['totp:7', 'secret of seven'],
]);
const HOUR_MS = 3_600_000;

/** What survives a process: the ring's file and the rows. */
interface Disk {
  entries: readonly RingEntry[];
  readonly rows: Map<string, Uint8Array>;
  expiring: readonly Uint8Array[];
}

const { transactions } = await openAccountsInMemory();

class Crash extends Error {}

function freshDisk(): Disk {
  const ring = new KeyRing([FIRST]);
  const rows = new Map([...VALUES].map(([about, value]) => [about, ring.seal(Buffer.from(value), about)]));
  return { entries: [{ secret: FIRST, retiredAt: null }], rows, expiring: [] };
}

/** A process on this disk, which dies after `writes` writes. */
function start(disk: Disk, clock: ManualClock, writes = Number.POSITIVE_INFINITY) {
  let left = writes;
  const write = () => {
    if (left === 0) throw new Crash();
    left -= 1;
  };
  const store: SealedStore = {
    sealed: async () => [...disk.rows].map(([about, sealed]) => ({ about, sealed })),
    async replaceSealed(about, before, after) {
      write();
      if (disk.rows.get(about) !== before) return false;
      disk.rows.set(about, after);
      return true;
    },
    expiringHeads: async () => disk.expiring,
  };
  const ring = new KeyRing(disk.entries.map(({ secret }) => secret));
  const ringStore = {
    read: async () => disk.entries,
    async replace(entries: readonly RingEntry[]) {
      write();
      disk.entries = entries;
    },
  };
  const news: Secret[] = [];
  const parts = {
    ring,
    entries: disk.entries,
    ringStore,
    store,
    transactions,
    clock,
    onNewKey: (secret: Secret) => news.push(secret),
  };
  return { ring, keeper: new KeyKeeper(parts), parts, news };
}

function assertAllOpen(disk: Disk): void {
  const ring = new KeyRing(disk.entries.map(({ secret }) => secret));
  for (const [about, value] of VALUES)
    assert.equal(ring.open(disk.rows.get(about) ?? Buffer.alloc(0), about).toString(), value);
}

test('a rotation seals everything under a new key and announces it; the old key stays for what may still use it', async () => {
  const disk = freshDisk();
  const clock = new ManualClock(1_000_000_000_000);
  const { keeper, ring, news } = start(disk, clock);
  const before = ring.activeId;
  const report = await keeper.rotate();
  assert.notEqual(report.activeKey, before);
  assert.deepEqual(report, { activeKey: ring.activeId, olderKeys: 1, sealed: 3, underActiveKey: 3, unopened: [] });
  assert.equal(news[0]?.reveal(), disk.entries[0]?.secret.reveal());
  assert.equal(disk.entries[1]?.secret.reveal(), FIRST.reveal());
  assertAllOpen(disk);
});

test('a process that dies after any write leaves everything readable, and the next one finishes the rotation', async () => {
  const clock = new ManualClock(1_000_000_000_000);
  let finished = false;
  for (let writes = 0; !finished; writes += 1) {
    const disk = freshDisk();
    await start(disk, clock, writes)
      .keeper.rotate()
      .then(
        () => {
          finished = true;
        },
        (error) => assert.ok(error instanceof Crash),
      );
    assertAllOpen(disk);
    const report = await start(disk, clock).keeper.resume();
    assert.equal(report.underActiveKey, 3, `after ${writes} writes`);
    assertAllOpen(disk);
    assert.ok(writes < 20);
  }
});

test('a retired key is removed after two days if nothing uses it', async () => {
  const disk = freshDisk();
  const clock = new ManualClock(1_000_000_000_000);
  disk.expiring = [new KeyRing([FIRST]).seal(Buffer.from('an answer'), 'creation:1').subarray(0, 9)];
  await start(disk, clock).keeper.rotate();
  clock.advance(47 * HOUR_MS);
  assert.equal((await start(disk, clock).keeper.resume()).olderKeys, 1, 'too early');
  clock.advance(2 * HOUR_MS);
  assert.equal((await start(disk, clock).keeper.resume()).olderKeys, 1, 'an answer that expires still uses it');
  disk.expiring = [];
  const { parts } = start(disk, clock);
  const heads = [new KeyRing([FIRST]).seal(Buffer.from('a body'), 'capture:1').subarray(0, 9)];
  const withCaptures = new KeyKeeper({ ...parts, headsElsewhere: async () => heads });
  assert.equal((await withCaptures.resume()).olderKeys, 1, 'a value stored elsewhere still uses it');
  assert.equal((await start(disk, clock).keeper.resume()).olderKeys, 0);
  assert.equal(disk.entries.length, 1);
  assertAllOpen(disk);
});

test('a value that cannot be opened is named, is left unchanged, and keeps its key', async () => {
  const disk = freshDisk();
  const lost = new KeyRing([OTHER]).seal(Buffer.from('x'), 'provider:lost');
  disk.rows.set('provider:lost', lost);
  const clock = new ManualClock(1_000_000_000_000);
  const { keeper } = start(disk, clock);
  assert.deepEqual((await keeper.check()).unopened, ['provider:lost']);
  assert.deepEqual((await keeper.rotate()).unopened, ['provider:lost']);
  assert.equal(disk.rows.get('provider:lost'), lost);
});

test('a value written during a rotation is not overwritten by the older one', async () => {
  const disk = freshDisk();
  const { keeper, ring, parts } = start(disk, new ManualClock(1_000_000_000_000));
  const { sealed } = parts.store;
  parts.store.sealed = async () => {
    const rows = await sealed();
    disk.rows.set('provider:one', ring.seal(Buffer.from('newer'), 'provider:one'));
    parts.store.sealed = sealed;
    return rows;
  };
  await keeper.rotate();
  assert.equal(ring.open(disk.rows.get('provider:one') ?? Buffer.alloc(0), 'provider:one').toString(), 'newer');
});

test('concurrent rotations run one after the other', async () => {
  const disk = freshDisk();
  const { keeper, ring } = start(disk, new ManualClock(1_000_000_000_000));
  await Promise.all([keeper.rotate(), keeper.rotate()]);
  assert.equal(disk.entries.length, 3);
  for (const sealed of disk.rows.values()) assert.equal(keyIdOf(sealed), ring.activeId);
  assertAllOpen(disk);
});

test('a configured key cannot be rotated here; values sealed by older keys are re-sealed under it', async () => {
  const disk = freshDisk();
  const { parts } = start(disk, new ManualClock(1_000_000_000_000));
  const entries = [{ secret: OTHER, retiredAt: null }, ...disk.entries];
  const ring = new KeyRing(entries.map(({ secret }) => secret));
  const keeper = new KeyKeeper({ ...parts, ring, entries, ringStore: null });
  await assert.rejects(keeper.rotate(), { code: 'conflict' });
  assert.equal((await keeper.resume()).underActiveKey, 3);
});

test('a rotation and its note are written together, or neither is', async () => {
  const disk = freshDisk();
  const { keeper, ring } = start(disk, new ManualClock(1000));
  const before = ring.activeId;
  await assert.rejects(
    keeper.rotate(() => Promise.reject(new Error('no entry'))),
    /no entry/,
  );
  assert.deepEqual([ring.activeId, disk.entries.length], [before, 1]);
  const noted: unknown[] = [];
  const report = await keeper.rotate(async (made) => void noted.push(made));
  assert.deepEqual(noted, [{ activeKey: report.activeKey, sealed: VALUES.size, unopened: [] }]);
  assert.notEqual(ring.activeId, before);
  assertAllOpen(disk);
});

test('nothing is sealed under a new key whose commit fails', async () => {
  const disk = freshDisk();
  const { parts, ring } = start(disk, new ManualClock(1000));
  const failing = new KeyKeeper({
    ...parts,
    transactions: {
      isOpen: false,
      afterCommit: (effect) => effect(),
      async run<Result>(work: () => Promise<Result>): Promise<Result> {
        await transactions.run(work);
        // As another request could do between the change and its commit.
        disk.rows.set('provider:three', ring.seal(Buffer.from('credential three'), 'provider:three'));
        throw new Error('the disk is full');
      },
    },
  });
  await assert.rejects(failing.rotate(), /the disk is full/);
  const later = new KeyRing(disk.entries.map(({ secret }) => secret));
  const sealed = disk.rows.get('provider:three') ?? Buffer.alloc(0);
  assert.equal(later.open(sealed, 'provider:three').toString(), 'credential three');
  assert.equal(disk.entries.length, 1);
  assertAllOpen(disk);
});

test('another node follows a rotation, and reads the ring once more for what was sealed before it did', async () => {
  const disk = freshDisk();
  const clock = new ManualClock();
  const one = start(disk, clock);
  const other = start(disk, clock);
  await one.keeper.rotate();
  const sealed = one.ring.seal(Buffer.from('sealed a moment ago'), 'capture:1');
  assert.throws(() => other.ring.open(sealed, 'capture:1'), /a key that is not in the ring/);
  assert.equal((await other.ring.openStored(sealed, 'capture:1')).toString(), 'sealed a moment ago');
  assert.equal(other.ring.activeId, one.ring.activeId);
  assert.equal(other.news.length, 1, 'what is derived from the active key is derived again');
  await other.keeper.follow();
  assert.equal(other.news.length, 1);
  for (const [about, value] of VALUES)
    assert.equal((await other.ring.openStored(disk.rows.get(about) ?? Buffer.alloc(0), about)).toString(), value);

  const foreign = new KeyRing([new Secret('00'.repeat(32))]).seal(Buffer.from('x'), 'capture:2');
  await assert.rejects(other.ring.openStored(foreign, 'capture:2'), /a key that is not in the ring/);
  const unread = { ...other.parts.ringStore, read: () => Promise.reject(new Error('the database is away')) };
  new KeyKeeper({ ...other.parts, ringStore: unread });
  await assert.rejects(other.ring.openStored(foreign, 'capture:2'), /the database is away/);
});
