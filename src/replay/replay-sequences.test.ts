/**
 * Goal: in any order of events, a key has one call at a time, and a replayed answer is the original one.
 * Method: random sequences of calls, ends, refused disks, restarts and time, against a model of a few lines.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../core/clock.ts';
import { type ErrorCode, GatewayError } from '../core/errors.ts';
import { type CallId, newCallId, projectId } from '../core/ids.ts';
import { MemoryReplays, requestOf, SEALING_KEY, SPACE_BYTES, START_MS } from './fixture.ts';
import { ReplayRegistry } from './replay-registry.ts';
import { ANSWER_BYTES_MAX, KEPT_MS, type ReplayTicket } from './replay-ticket.ts';

const MINUTE_MS = 60_000;
const RUNNING_MS_MAX = 65 * MINUTE_MS;
/** The last one requests a stream. */
const BODIES = ['{"a":1}', '{"a":2}', '{"stream":true}'].map((text) => Buffer.from(text));
const STREAMED = 2;

type Step =
  | { readonly type: 'begin'; readonly project: number; readonly key: number; readonly body: number }
  | { readonly type: 'finish'; readonly which: number; readonly answer: Uint8Array; readonly isLarge: boolean }
  | { readonly type: 'release' | 'refuse'; readonly which: number }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'restart' | 'delete-expired' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('begin'),
      project: fc.integer({ min: 1, max: 2 }),
      key: fc.integer({ min: 0, max: 1 }),
      body: fc.nat(STREAMED),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('finish'),
      which: fc.nat(9),
      answer: fc.uint8Array({ maxLength: 64 }),
      isLarge: fc.integer({ min: 0, max: 19 }).map((each) => each === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('release', 'refuse'), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('wait'),
      ms: fc.oneof(fc.nat(MINUTE_MS), fc.constantFrom(RUNNING_MS_MAX - 1, RUNNING_MS_MAX, KEPT_MS - 1, KEPT_MS)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('restart', 'delete-expired') }) },
);

/** The expected state of a key. */
interface Slot {
  readonly callId: CallId;
  readonly body: number;
  /** Monotonic ms while the call runs, then null. */
  runningSince: number | null;
  expiresAt: number;
  /** Null if it was streamed or too large. */
  answer: Buffer | null;
}

interface Served {
  readonly name: string;
  readonly slot: Slot;
  readonly ticket: ReplayTicket;
}

test('one call at a time runs under a key, and its answer is replayed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const run = new Run();
      for (const each of steps) await run.take(each);
    }),
    { numRuns: 300 },
  );
});

class Run {
  readonly #clock = new ManualClock(START_MS);
  readonly #store = new MemoryReplays();
  readonly #slots = new Map<string, Slot>();
  #served: Served[] = [];
  #registry = this.#open();

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'begin':
        return this.#begin(step.project, step.key, step.body);
      case 'finish':
        return this.#finish(step.which, Buffer.from(step.answer), step.isLarge);
      case 'release':
      case 'refuse':
        return this.#fail(step.which, step.type === 'refuse');
      case 'wait':
        return this.#clock.advance(step.ms);
      case 'restart':
        return this.#restart();
      case 'delete-expired':
        return this.#registry.deleteExpired(this.#clock.now());
    }
  }

  async #begin(project: number, key: number, body: number): Promise<void> {
    const name = `${project} ${key}`;
    const nowMs = this.#clock.now();
    const callId = newCallId(nowMs);
    const request = requestOf({
      projectId: projectId(project),
      idempotencyKey: `key-${key}`,
      body: BODIES[body] as Buffer,
      streamed: body === STREAMED,
      callId,
      nowMs,
    });
    const slot = this.#slotOf(name);
    const begun = await this.#registry.begin(request).catch(codeOf);
    if (slot === null) {
      assert.ok(typeof begun !== 'string' && begun.type === 'new', `new was expected: ${JSON.stringify(begun)}`);
      const entered = { callId, body, runningSince: this.#clock.monotonic(), expiresAt: 0, answer: null };
      this.#slots.set(name, entered);
      this.#served.push({ name, slot: entered, ticket: begun.ticket });
    } else if (slot.body !== body) assert.equal(begun, 'idempotency_mismatch');
    else if (slot.runningSince !== null) assert.equal(begun, 'idempotency_in_flight');
    else if (body === STREAMED) assert.equal(begun, 'idempotency_streamed');
    else {
      assert.ok(typeof begun !== 'string' && begun.type === 'kept');
      assert.equal(begun.callId, slot.callId);
      assert.deepEqual(await begun.read().catch(codeOf), slot.answer ?? 'idempotency_streamed');
    }
  }

  /** Chooses among all tickets, because an ended or forgotten one must have no effect. */
  #finish(which: number, answer: Buffer, isLarge: boolean): void {
    const served = this.#served[which % this.#served.length];
    if (served === undefined) return;
    const { name, slot, ticket } = served;
    const nowMs = this.#clock.now();
    const isCurrent = this.#slots.get(name) === slot && slot.runningSince !== null;
    const bytes = isLarge ? Buffer.alloc(ANSWER_BYTES_MAX + 1) : answer;
    const row = ticket.rowFor(slot.body === STREAMED ? null : bytes, nowMs);
    // A ticket beyond its maximum age stays valid until another call uses the key.
    assert.equal(row !== null, isCurrent);
    if (row === null) return;
    this.#store.write(row);
    ticket.done(row);
    slot.runningSince = null;
    slot.expiresAt = nowMs + KEPT_MS;
    slot.answer = slot.body === STREAMED || isLarge ? null : bytes;
  }

  /** A call that fails, or whose row the disk refuses. */
  #fail(which: number, hasRow: boolean): void {
    const served = this.#served[which % this.#served.length];
    if (served === undefined) return;
    const { name, slot, ticket } = served;
    if (hasRow) ticket.rowFor(Buffer.from('refused'), this.#clock.now());
    ticket.release();
    if (this.#slots.get(name) === slot && slot.runningSince !== null) this.#slots.delete(name);
  }

  async #restart(): Promise<void> {
    for (const [name, { runningSince }] of this.#slots) if (runningSince !== null) this.#slots.delete(name);
    this.#served = [];
    this.#registry = this.#open();
    await this.#registry.load(this.#clock.now());
  }

  /** Forgets what is too old, as the registry does on each request. */
  #slotOf(name: string): Slot | null {
    const monotonicMs = this.#clock.monotonic();
    for (const [each, { runningSince, expiresAt }] of this.#slots) {
      const isGone =
        runningSince === null ? expiresAt <= this.#clock.now() : monotonicMs - runningSince >= RUNNING_MS_MAX;
      if (isGone) this.#slots.delete(each);
    }
    return this.#slots.get(name) ?? null;
  }

  #open(): ReplayRegistry {
    return new ReplayRegistry({
      sealingKey: SEALING_KEY,
      store: this.#store,
      clock: this.#clock,
      bytesMax: SPACE_BYTES,
    });
  }
}

function codeOf(error: unknown): ErrorCode {
  assert.ok(error instanceof GatewayError);
  return error.code;
}
