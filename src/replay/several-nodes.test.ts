/**
 * Goal: a request sent again is served once, whichever node gets it. Method: two registries with the same table and the same claims, which can be
 * away.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import type { GatewayError } from '../core/errors.ts';
import { type CallId, generationId, type ProjectId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { MemoryReplays, requestOf, SEALING_KEY, SPACE_BYTES, START_MS } from './fixture.ts';
import type { EarlierCall, OpenClaim, ReplayClaim, ReplayClaims, ReplayRow, RunningClaim } from './ports.ts';
import { type NewCall, ReplayRegistry, type ReplayRequest } from './replay-registry.ts';

const ANSWER = Buffer.from('{"id":"gen-1","choices":[]}');
const REST_MS = 2_000;

/** The table of claims, and the answers that end them. */
class MemoryClaims extends MemoryReplays implements ReplayClaims {
  isAway = false;
  asked = 0;
  /** Answers to claims that are made again wait for it. */
  claimed: Promise<void> = Promise.resolve();
  /** Calls whose nodes are lost, and those that lost their names. */
  readonly lost = new Set<CallId>();
  readonly givenUp: CallId[] = [];
  readonly #claims = new Map<string, ReplayClaim>();

  async claim(claim: ReplayClaim): Promise<EarlierCall | null> {
    this.asked += 1;
    if (this.isAway) throw new Error('away');
    const names = claim.keyDigests.map((digest) => `${claim.projectId} ${Buffer.from(digest).toString('hex')}`);
    for (const [digest, name] of names.entries()) {
      const ended = this.rows.get(name);
      if (ended !== undefined && ended.expiresAt > claim.nowMs) return { ...ended, digest, hasEnded: true };
    }
    for (const [digest, name] of names.entries()) {
      const earlier = this.#claims.get(name);
      if (earlier !== undefined && earlier.callId !== claim.callId && earlier.expiresAt > claim.nowMs)
        return { ...earlier, digest, hasEnded: false };
    }
    this.#claims.set(names[0] ?? '', claim);
    return null;
  }

  async claimAgain(running: readonly RunningClaim[]): Promise<void> {
    if (this.isAway) throw new Error('away');
    this.asked += 1;
    await this.claimed;
    for (const { keyDigest, ...claim } of running) {
      const name = `${claim.projectId} ${Buffer.from(keyDigest).toString('hex')}`;
      if (!this.#claims.has(name)) this.#claims.set(name, { ...claim, keyDigests: [keyDigest], nowMs: START_MS });
    }
  }

  async between(project: ProjectId, first: Uint8Array, last: Uint8Array, nowMs: number): Promise<readonly OpenClaim[]> {
    return [...this.#claims.values()]
      .map(({ keyDigests: [keyDigest], ...claim }) => ({ ...claim, keyDigest }))
      .filter(({ projectId, keyDigest }) => projectId === project && isBetween(first, keyDigest, last))
      .map(({ keyDigest, callId, expiresAt }) => ({
        keyDigest,
        callId,
        mayRun: this.#mayRun({ callId, expiresAt }, nowMs),
      }));
  }

  async giveUp(calls: readonly CallId[], nowMs: number): Promise<boolean> {
    const given = [...this.#claims].filter(([, { callId }]) => calls.includes(callId));
    if (given.some(([, claim]) => this.#mayRun(claim, nowMs))) return false;
    for (const [name, { callId }] of given) {
      this.#claims.delete(name);
      this.givenUp.push(callId);
    }
    return true;
  }

  #mayRun({ callId, expiresAt }: Pick<ReplayClaim, 'callId' | 'expiresAt'>, nowMs: number): boolean {
    return expiresAt > nowMs && !this.lost.has(callId);
  }

  /** The database has another state. */
  forget(): void {
    this.#claims.clear();
    this.rows.clear();
  }

  async release(calls: readonly CallId[]): Promise<void> {
    if (this.isAway) throw new Error('away');
    for (const [name, { callId }] of this.#claims) if (calls.includes(callId)) this.#claims.delete(name);
  }

  async deleteExpired(nowMs: number): Promise<void> {
    for (const [name, { expiresAt }] of this.#claims) if (expiresAt <= nowMs) this.#claims.delete(name);
  }

  override write(row: ReplayRow): void {
    super.write(row);
    for (const [name, { callId }] of this.#claims) if (callId === row.callId) this.#claims.delete(name);
  }
}

function isBetween(first: Uint8Array, digest: Uint8Array, last: Uint8Array): boolean {
  return Buffer.compare(first, digest) <= 0 && Buffer.compare(digest, last) <= 0;
}

function nodes(sealingKeys: readonly [Secret, Secret] = [SEALING_KEY, SEALING_KEY]) {
  const store = new MemoryClaims();
  const clock = new ManualClock(START_MS);
  const open = (sealingKey: Secret) => {
    const olderSealingKeys = sealingKeys.filter((each) => each !== sealingKey);
    return new ReplayRegistry({ sealingKey, olderSealingKeys, clock, bytesMax: SPACE_BYTES, store, claims: store });
  };
  return { store, clock, first: open(sealingKeys[0]), second: open(sealingKeys[1]) };
}

async function begin(registry: ReplayRegistry, request: ReplayRequest): Promise<NewCall> {
  const begun = await registry.begin(request);
  assert.ok(begun.type === 'new');
  return begun;
}

function end(store: MemoryClaims, { ticket }: NewCall, answer: Buffer | null): void {
  const row = ticket.rowFor(answer, START_MS);
  assert.ok(row !== null);
  store.write(row);
  ticket.done(row);
}

async function refusal(registry: ReplayRegistry, request: ReplayRequest): Promise<GatewayError> {
  return registry.begin(request).then(
    () => assert.fail('it was not refused'),
    (error: GatewayError) => error,
  );
}

describe('a request sent to another node', () => {
  test('while the first call runs gets a conflict, and a different request a mismatch', async () => {
    const { first, second } = nodes();
    const request = requestOf();
    assert.equal((await begin(first, request)).scope, 'installation');
    const error = await refusal(second, requestOf());
    assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['idempotency_in_flight', 409, 1]);
    assert.deepEqual(error.facts, { generation_id: generationId(request.callId) });
    assert.equal((await refusal(second, requestOf({ body: Buffer.from('{}') }))).code, 'idempotency_mismatch');
  });

  test('after the first call gets its answer and its id; after a streamed one a conflict', async () => {
    const { first, second, store } = nodes();
    const request = requestOf();
    end(store, await begin(first, request), ANSWER);
    const again = await second.begin(requestOf());
    assert.ok(again.type === 'kept');
    assert.equal(again.callId, request.callId);
    assert.deepEqual(await again.read(), ANSWER);
    const stream = { idempotencyKey: 'stream', streamed: true };
    end(store, await begin(first, requestOf(stream)), null);
    assert.equal((await refusal(second, requestOf(stream))).code, 'idempotency_streamed');
  });

  test('after a call that failed is a new call, there and here', async () => {
    const { first, second } = nodes();
    (await begin(first, requestOf())).ticket.release();
    const next = await begin(first, requestOf());
    next.ticket.release();
    await begin(second, requestOf());
  });

  test('of a batch keeps it from ending while it runs, under whichever key of the ring', async () => {
    const { first, second, store } = nodes([SEALING_KEY, new Secret('f'.repeat(64))]);
    const mayEnd = (project = requestOf().projectId, batchId = 'batch_1') =>
      second.leaveLines(project, batchId, [1, 2, 3], START_MS);
    assert.equal(await mayEnd(), true);
    const line = { ...requestOf(), idempotencyKey: { batchId: 'batch_1', number: 3 } };
    const running = await begin(first, line);
    assert.deepEqual([await mayEnd(), await mayEnd(line.projectId, 'batch_2')], [false, true]);
    assert.equal(await mayEnd(projectId(9)), true);
    end(store, running, ANSWER);
    assert.equal(await mayEnd(), true);
    assert.deepEqual(store.givenUp, []);
  });

  test('of a batch that ends without it loses its name if its node is lost, but not if its result is in a file', async () => {
    const { first, second, store } = nodes([SEALING_KEY, new Secret('f'.repeat(64))]);
    const lineOf = (number: number) => ({ ...requestOf(), idempotencyKey: { batchId: 'batch_1', number } });
    const [done, missing] = [lineOf(250), lineOf(499)];
    const { projectId: project } = done;
    for (const line of [done, missing]) await begin(first, line);
    store.lost.add(done.callId);
    const mayEnd = () => second.leaveLines(project, 'batch_1', numbersFrom(300, 500), START_MS);
    assert.equal(await mayEnd(), false);
    assert.deepEqual(store.givenUp, []);
    store.lost.add(missing.callId);
    assert.equal(await mayEnd(), true);
    assert.deepEqual(store.givenUp, [missing.callId]);
  });

  test('of a line that has failed loses its name if its node is lost; while it may run, nothing is decided', async () => {
    const { first, second, store } = nodes([SEALING_KEY, new Secret('f'.repeat(64))]);
    const line = { ...requestOf(), idempotencyKey: { batchId: 'batch_1', number: 3 } };
    const { projectId: project, idempotencyKey: name, callId } = line;
    await begin(first, line);
    const own = requestOf().callId;
    assert.deepEqual(
      [await second.leaveLine(project, name, own, START_MS), await second.leaveLine(project, name, callId, START_MS)],
      [false, true],
    );
    assert.equal(await second.leaveLine(project, { ...name, number: 4 }, own, START_MS), true);
    assert.deepEqual(store.givenUp, []);
    store.lost.add(callId);
    assert.equal(await second.leaveLine(project, name, own, START_MS), true);
    assert.deepEqual(store.givenUp, [callId]);
  });

  test('a node that starts knows what others have answered without loading it', async () => {
    const { first, second, store } = nodes();
    end(store, await begin(first, requestOf()), ANSWER);
    await second.load(START_MS);
    assert.equal(second.size, 0);
    assert.equal((await second.begin(requestOf())).type, 'kept');
  });

  test('answers under a key of the ring that was replaced are found', async () => {
    const { first, second, store } = nodes([SEALING_KEY, new Secret('fedcba9876543210'.repeat(4))]);
    end(store, await begin(first, requestOf()), ANSWER);
    const again = await second.begin(requestOf());
    assert.ok(again.type === 'kept');
    assert.deepEqual(await again.read(), ANSWER);
    assert.equal((await refusal(second, requestOf({ body: Buffer.from('{}') }))).code, 'idempotency_mismatch');
  });

  test('while the first call runs under a key of the ring that was replaced gets a conflict, a different one a mismatch', async () => {
    const { first, second } = nodes([SEALING_KEY, new Secret('fedcba9876543210'.repeat(4))]);
    await begin(first, requestOf());
    assert.equal((await refusal(second, requestOf())).code, 'idempotency_in_flight');
    assert.equal((await refusal(second, requestOf({ body: Buffer.from('{}') }))).code, 'idempotency_mismatch');
  });

  test('of many at once, at both nodes, one is new', async () => {
    const { first, second } = nodes();
    const begun = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? first : second).begin(requestOf())),
    );
    assert.equal(begun.filter(({ status }) => status === 'fulfilled').length, 1);
  });
});

describe('after the database went back', () => {
  test('the key of a call that runs is not free, and is released when the call fails', async () => {
    const { first, second, store } = nodes();
    const { ticket } = await begin(first, requestOf());
    store.forget();
    await first.claimAgain(START_MS);
    assert.equal((await refusal(second, requestOf())).code, 'idempotency_in_flight');
    ticket.release();
    await begin(second, requestOf());
  });

  test('the key of a call that ends while it is claimed again is not held', async () => {
    const { first, second, store } = nodes();
    const { ticket } = await begin(first, requestOf());
    store.forget();
    const answered = Promise.withResolvers<void>();
    store.claimed = answered.promise;
    const again = first.claimAgain(START_MS);
    ticket.release();
    answered.resolve();
    await again;
    await begin(second, requestOf());
  });

  test('a call that ended here is not served again, though nobody else knows of it', async () => {
    const { first, second, store } = nodes();
    const ended = await begin(first, requestOf());
    const row = ended.ticket.rowFor(ANSWER, START_MS);
    assert.ok(row !== null);
    ended.ticket.done(row);
    store.forget();
    assert.equal((await first.begin(requestOf())).type, 'kept');
    store.write(row);
    const again = await first.begin(requestOf());
    assert.ok(again.type === 'kept');
    assert.deepEqual(await again.read(), ANSWER, 'its settlement was sent again');
    assert.equal((await second.begin(requestOf())).type, 'kept');
  });
});

describe('while nobody can be asked', () => {
  test('the node decides by what it knows itself, and says so', async () => {
    const { first, second, store, clock } = nodes();
    end(store, await begin(first, requestOf()), ANSWER);
    store.isAway = true;
    assert.equal((await first.begin(requestOf())).type, 'kept');
    assert.equal((await begin(second, requestOf())).scope, 'node');
    assert.equal((await refusal(second, requestOf())).code, 'idempotency_in_flight');
    store.isAway = false;
    clock.advance(REST_MS);
    assert.equal((await begin(second, requestOf({ idempotencyKey: 'later' }))).scope, 'installation');
  });

  test('one call in two seconds asks, the others do not wait', async () => {
    const { first, store, clock } = nodes();
    store.isAway = true;
    for (let call = 0; call < 50; call += 1) await begin(first, requestOf({ idempotencyKey: `${call}` }));
    assert.equal(store.asked, 1);
    clock.advance(REST_MS);
    await Promise.all(
      Array.from({ length: 20 }, (_, call) => begin(first, requestOf({ idempotencyKey: `more ${call}` }))),
    );
    assert.equal(store.asked, 2);
  });

  test('the key of a call that failed meanwhile is released once somebody answers', async () => {
    const { first, second, store, clock } = nodes();
    const { ticket } = await begin(first, requestOf());
    store.isAway = true;
    ticket.release();
    await begin(first, requestOf({ idempotencyKey: 'other' }));
    store.isAway = false;
    assert.equal((await refusal(second, requestOf())).code, 'idempotency_in_flight');
    clock.advance(REST_MS);
    await begin(first, requestOf({ idempotencyKey: 'next' }));
    await begin(second, requestOf());
  });
});

function* numbersFrom(first: number, end: number): Iterable<number> {
  for (let number = first; number < end; number += 1) yield number;
}
