/** Goal: bodies are returned to their account only, stored sealed, and deleted when due; problems are reported and fail no call. Method: a store in memory, a real key ring, time by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Body } from '../core/body.ts';
import { ManualClock } from '../core/clock.ts';
import { type AccountId, accountId, type CallId, newCallId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { KeyRing } from '../credentials/key-ring.ts';
import { CallCapture } from './call-capture.ts';
import { type CaptureProblem, CaptureRecorder } from './capture-recorder.ts';
import type { CaptureStore, SealedCapture } from './ports.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const MINE = accountId(1);
const THEIRS = accountId(2);

test('bodies are returned unchanged, to their account only, and are stored sealed', async () => {
  const { recorder, store, keep } = open();
  const id = keep({ request: 'the question', response: ['the ', 'answer'] });
  assert.equal(await recorder.hasBodies(MINE, id), true);
  assert.deepEqual(await recorder.bodiesOf(MINE, id), {
    request: { text: 'the question', isTruncated: false },
    response: { text: 'the answer', isTruncated: false },
    keptUntil: NOW + 7 * DAY_MS,
  });
  assert.equal(await recorder.bodiesOf(THEIRS, id), null);
  assert.equal(await recorder.hasBodies(THEIRS, id), false);
  const [row] = store.rows;
  assert.ok(row !== undefined);
  assert.ok(!Buffer.from(row.sealed).includes('question') && !Buffer.from(row.sealed).includes('answer'));
});

test('bodies sealed for one call cannot be opened for another call or account', async () => {
  const { recorder, store, keep } = open();
  const [first, second] = [keep({ request: 'first' }), keep({ request: 'second' })];
  await recorder.hasBodies(MINE, second);
  const [row] = store.rows;
  assert.ok(row !== undefined);
  store.rows = [
    { ...row, callId: second },
    { ...row, accountId: THEIRS },
  ];
  await assert.rejects(recorder.bodiesOf(MINE, second), /changed, or sealed for another place/);
  await assert.rejects(recorder.bodiesOf(THEIRS, first), /changed, or sealed for another place/);
});

test('redaction follows the account’s setting at the time of the call', async () => {
  const { recorder, keep } = open();
  const [blacked, plain] = [keep({ request: 'ada@example.org', redact: true }), keep({ request: 'ada@example.org' })];
  assert.equal((await recorder.bodiesOf(MINE, blacked))?.request?.text, '[e-mail address]');
  assert.equal((await recorder.bodiesOf(MINE, plain))?.request?.text, 'ada@example.org');
});

test('expired bodies are not returned even before they are deleted, and a shorter retention applies immediately', async () => {
  const { recorder, clock, store, retention, keep } = open();
  const id = keep({ request: 'hello', retentionDays: 2 });
  assert.equal((await recorder.bodiesOf(MINE, id))?.keptUntil, NOW + 2 * DAY_MS);
  retention.days = 1;
  assert.equal((await recorder.bodiesOf(MINE, id))?.keptUntil, NOW + DAY_MS);
  await recorder.settingsChanged();
  assert.deepEqual(store.expired.at(-1), [NOW, 1]);
  clock.stepWall(DAY_MS);
  assert.equal(await recorder.bodiesOf(MINE, id), null);
  retention.days = 30;
  assert.equal(
    (await recorder.bodiesOf(MINE, id))?.keptUntil,
    NOW + 2 * DAY_MS,
    'a longer retention does not apply to bodies stored before',
  );
});

test('expired bodies are deleted every hour, and a failure is reported and retried', async () => {
  const { recorder, clock, store, problems } = open();
  clock.advance(3_600_000);
  await recorder.expire();
  assert.equal(store.expired.length, 2);
  store.failing = new Error('disk');
  await recorder.expire();
  assert.deepEqual(
    problems.map(({ type }) => type),
    ['captures_not_deleted'],
  );
});

test('bodies are deleted by call and by account, including those not written yet', async () => {
  const { recorder, keep } = open();
  const [first, second, theirs] = [
    keep({ request: '1' }),
    keep({ request: '2' }),
    keep({ request: '3', account: THEIRS }),
  ];
  assert.equal(await recorder.deleteBodies(THEIRS, first), false);
  assert.equal(await recorder.deleteBodies(MINE, first), true);
  assert.equal(await recorder.deleteBodies(MINE, first), false);
  assert.equal(await recorder.deleteAllOf(MINE), 1);
  assert.equal(await recorder.hasBodies(MINE, second), false);
  assert.equal(await recorder.hasBodies(THEIRS, theirs), true);
});

test('bodies that cannot be sealed, or for which too many are waiting, are counted, and no call fails', async () => {
  const { recorder, problems, sealer, keep } = open();
  sealer.failing = new Error('no key');
  keep({ request: 'lost' });
  await recorder.close();
  sealer.failing = null;
  const large = 'x'.repeat(30 * 1024 * 1024);
  for (const _ of [1, 2, 3]) keep({ request: large });
  await recorder.close();
  assert.deepEqual(
    problems.map(({ type, count }) => [type, count]),
    [
      ['captures_lost', 1],
      ['captures_lost', 1],
    ],
  );
});

interface Given {
  readonly request: string;
  readonly response?: readonly string[];
  readonly account?: AccountId;
  readonly redact?: boolean;
  readonly retentionDays?: number;
}

function open() {
  const clock = new ManualClock(NOW);
  const store = new MemoryCaptures();
  const problems: CaptureProblem[] = [];
  const ring = new KeyRing([new Secret('7b'.repeat(32))]);
  const sealer = {
    failing: null as Error | null,
    seal(plain: Buffer, about: string) {
      if (this.failing !== null) throw this.failing;
      return ring.seal(plain, about);
    },
    open: (sealed: Uint8Array, about: string) => ring.open(sealed, about),
    openStored: (sealed: Uint8Array, about: string) => ring.openStored(sealed, about),
    sealInTurns: (plain: Body, about: string) => ring.sealInTurns(plain, about),
  };
  const retention = { days: 7 };
  const recorder = new CaptureRecorder({
    store,
    sealer,
    clock,
    retentionDaysOf: () => retention.days,
    onProblem: (problem) => problems.push(problem),
  });
  const keep = ({ request, response = [], account = MINE, redact = false, retentionDays = 7 }: Given): CallId => {
    const id = newCallId(NOW);
    const capture = new CallCapture(id, account, { retentionDays, redact }, Buffer.from(request));
    for (const piece of response) capture.response.add(Buffer.from(piece));
    recorder.keep(capture);
    return id;
  };
  return { recorder, clock, store, problems, sealer, retention, keep };
}

class MemoryCaptures implements CaptureStore {
  rows: SealedCapture[] = [];
  readonly expired: [nowMs: number, days: number][] = [];
  failing: Error | null = null;

  append(capture: SealedCapture): void {
    this.rows.push(capture);
  }

  async read(account: AccountId, callId: CallId): Promise<SealedCapture | null> {
    return this.rows.find((row) => row.accountId === account && row.callId === callId) ?? null;
  }

  async delete(account: AccountId, callId: CallId): Promise<boolean> {
    return this.#remove((row) => row.accountId === account && row.callId === callId) > 0;
  }

  async deleteOf(account: AccountId): Promise<number> {
    return this.#remove((row) => row.accountId === account);
  }

  async deleteExpired(nowMs: number, daysOf: (account: AccountId) => number): Promise<void> {
    if (this.failing !== null) throw this.failing;
    this.expired.push([nowMs, daysOf(MINE)]);
  }

  async heads(): Promise<readonly Uint8Array[]> {
    return [];
  }

  #remove(matches: (row: SealedCapture) => boolean): number {
    const before = this.rows.length;
    this.rows = this.rows.filter((row) => !matches(row));
    return before - this.rows.length;
  }
}
