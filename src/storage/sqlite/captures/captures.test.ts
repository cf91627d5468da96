/** Goal: stored bodies survive a restart, are returned to their account only, and are deleted when they expire, on request, or when they need too much space. Method: real files in a separate folder, time by hand. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CaptureStore, SealedCapture } from '../../../capture/ports.ts';
import { type AccountId, accountId, type CallId, newCallId } from '../../../core/ids.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const MINE = accountId(1);
const THEIRS = accountId(2);

test('stored bodies are found after a restart, by their account only', async () => {
  const subject = await openSqliteUnderTest();
  const kept = capture(NOON);
  subject.storage.captures.append(kept);
  assert.deepEqual(await read(subject.storage.captures, kept), kept, 'before it is written');
  const again = await subject.reopen();
  assert.deepEqual(await read(again.storage.captures, kept), kept);
  assert.equal(await again.storage.captures.read(THEIRS, kept.callId), null);
  assert.equal(await again.storage.captures.read(MINE, newCallId(NOON)), null);
  assert.equal(await again.storage.captures.read(MINE, newCallId(NOON - 5 * DAY_MS)), null);
  assert.deepEqual(files(again), ['2026-11-21.db'], 'reading creates no file');
  assert.equal(statSync(join(again.folder, 'captures', '2026-11-21.db')).mode & 0o777, 0o600);
  await again.dispose();
});

test('bodies are written after a moment, to a file per day of the call', async () => {
  const subject = await openSqliteUnderTest();
  for (const at of [NOON - DAY_MS, NOON, NOON - DAY_MS, NOON]) subject.storage.captures.append(capture(at));
  subject.clock.advance(250);
  await subject.storage.captures.heads();
  assert.deepEqual(files(subject), ['2026-11-20.db', '2026-11-21.db']);
  await subject.dispose();
});

test('expired bodies are deleted row by row, and the file of an empty day is removed', async () => {
  const subject = await openSqliteUnderTest();
  const { captures } = subject.storage;
  const [short, long, old] = [
    capture(NOON, { days: 1 }),
    capture(NOON, { days: 9 }),
    capture(NOON - 2 * DAY_MS, { days: 1 }),
  ];
  for (const each of [short, long, old]) captures.append(each);
  await captures.deleteExpired(NOON, () => 9);
  assert.deepEqual(files(subject), ['2026-11-21.db']);
  subject.clock.advance(DAY_MS);
  await captures.deleteExpired(subject.clock.now(), () => 9);
  assert.equal(await read(captures, short), null);
  assert.deepEqual(await read(captures, long), long);
  await captures.deleteExpired(subject.clock.now(), (account) => (account === MINE ? 1 : 9));
  assert.equal(await read(captures, long), null, 'the account’s retention is shorter now');
  assert.deepEqual(files(subject), []);
  await subject.dispose();
});

test('bodies of one account are deleted by call or all together, and another account’s are kept', async () => {
  const subject = await openSqliteUnderTest();
  const { captures } = subject.storage;
  const mine = Array.from({ length: 40 }, (_, index) => capture(NOON - (index % 3) * DAY_MS));
  const theirs = capture(NOON, { account: THEIRS });
  for (const each of [...mine, theirs]) captures.append(each);
  const [first] = mine;
  assert.ok(first !== undefined);
  assert.equal(await captures.delete(THEIRS, first.callId), false);
  assert.equal(await captures.delete(MINE, first.callId), true, 'before it is written');
  await captures.heads();
  const [, second] = mine;
  assert.ok(second !== undefined);
  assert.equal(await captures.delete(MINE, second.callId), true);
  assert.equal(await captures.delete(MINE, second.callId), false);
  captures.append(capture(NOON));
  assert.equal(await captures.deleteOf(MINE), 39);
  assert.equal(await captures.deleteOf(MINE), 0);
  assert.deepEqual(await read(captures, theirs), theirs);
  assert.deepEqual(files(subject), ['2026-11-21.db']);
  await subject.dispose();
});

test('deleted bodies are overwritten in the file, which becomes smaller', async () => {
  const subject = await openSqliteUnderTest();
  const { captures } = subject.storage;
  const kept = Array.from({ length: 30 }, () => capture(NOON, { text: 'canary '.repeat(5000) }));
  const theirs = capture(NOON, { account: THEIRS });
  for (const each of [...kept, theirs]) captures.append(each);
  const full = await subject.reopen();
  const path = join(full.folder, 'captures', '2026-11-21.db');
  const before = statSync(path).size;
  assert.ok(readFileSync(path).includes('canary'));
  assert.equal(await full.storage.captures.deleteOf(MINE), 30);
  const after = await full.reopen();
  assert.ok(!readFileSync(path).includes('canary'));
  assert.ok(statSync(path).size < before / 10, `${statSync(path).size} of ${before}`);
  await after.dispose();
});

test('the oldest days are removed above the limit; if one day alone exceeds it, no more is stored, which is reported', async () => {
  const subject = await openSqliteUnderTest({ capturesBytesMax: 3_000_000 });
  const { captures } = subject.storage;
  const write = async (at: number, count: number) => {
    for (let index = 0; index < count; index += 1) captures.append(capture(at, { text: 'x'.repeat(100_000) }));
    await captures.heads();
  };
  await write(NOON - 2 * DAY_MS, 12);
  await write(NOON - DAY_MS, 12);
  await write(NOON, 24);
  assert.ok(!files(subject).includes('2026-11-19.db'));
  assert.equal(subject.problems.length, 0);
  await write(NOON, 60);
  assert.deepEqual(files(subject), ['2026-11-21.db']);
  const types = subject.problems.map(({ type }) => type);
  assert.equal(types[0], 'captures_over_limit');
  assert.equal(types.filter((type) => type === 'captures_over_limit').length, 1);
  assert.ok(types.includes('captures_lost'));
  await write(NOON + DAY_MS, 1);
  assert.deepEqual(files(subject), ['2026-11-22.db'], 'the next day displaces the old one');
  await subject.dispose();
});

test('rows that cannot be written are counted as lost, and later ones are written', async () => {
  const subject = await openSqliteUnderTest();
  const { captures } = subject.storage;
  captures.append({ ...capture(NOON), sealed: 'no bytes, no text: an object' as unknown as Uint8Array });
  captures.append({ ...capture(NOON), sealed: { length: 1 } as unknown as Uint8Array });
  await captures.heads();
  assert.deepEqual(
    subject.problems.map(({ type, count }) => [type, count]),
    [['captures_lost', 2]],
  );
  const kept = capture(NOON);
  captures.append(kept);
  assert.deepEqual(await read(captures, kept), kept);
  await subject.dispose();
});

test('heads lists the beginnings of sealed values, one for each sealing key', async () => {
  const subject = await openSqliteUnderTest();
  const { captures } = subject.storage;
  for (const text of ['1key-one-text', '1key-one-other', '1key-two-text']) captures.append(capture(NOON, { text }));
  const heads = (await captures.heads()).map((head) => Buffer.from(head).toString());
  assert.deepEqual(heads.sort(), ['1key-one-', '1key-two-']);
  await subject.dispose();
});

interface Given {
  readonly account?: AccountId;
  readonly days?: number;
  readonly text?: string;
}

function capture(at: number, { account = MINE, days = 7, text = 'sealed' }: Given = {}): SealedCapture {
  const callId: CallId = newCallId(at);
  return { callId, accountId: account, expiresAt: at + days * DAY_MS, sealed: new Uint8Array(Buffer.from(text)) };
}

function read(captures: CaptureStore, wanted: SealedCapture): Promise<SealedCapture | null> {
  return captures.read(wanted.accountId, wanted.callId);
}

function files({ folder }: SqliteUnderTest): string[] {
  const path = join(folder, 'captures');
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith('.db'))
        .sort()
    : [];
}
