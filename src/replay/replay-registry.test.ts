/**
 * Goal: a request sent again is served once, and its caller gets the result of the first.
 * Method: a store in memory, clocks moved by hand, and the contents of the stored rows.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { type ErrorCode, GatewayError } from '../core/errors.ts';
import { accountId, generationId, newCallId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { MemoryReplays, requestOf, SEALING_KEY, SPACE_BYTES, START_MS } from './fixture.ts';
import { ReplayRegistry, type ReplayRegistryParts, type ReplayRequest, type ReplayScopes } from './replay-registry.ts';
import { ANSWER_BYTES_MAX, KEPT_MS, type ReplayTicket } from './replay-ticket.ts';

const ANSWER = Buffer.from('{"id":"gen-1","choices":[]}');
const RUNNING_MS_MAX = 65 * 60 * 1000;

describe('a request sent again', () => {
  test('while the first call runs gets a conflict with a retry time', async () => {
    const { registry } = bench();
    const request = requestOf();
    await begin(registry, request);
    const error = await refusal(registry, requestOf());
    assert.equal(error.code, 'idempotency_in_flight');
    assert.deepEqual([error.status, error.retryAfterSeconds], [409, 1]);
    assert.deepEqual(error.facts, { generation_id: generationId(request.callId) });
  });

  test('after the first call gets its answer and its id', async () => {
    const { registry, store } = bench();
    const request = requestOf();
    await serve(registry, store, request, ANSWER);
    const again = await registry.begin(requestOf());
    assert.ok(again.type === 'kept');
    assert.equal(again.callId, request.callId);
    assert.deepEqual(await again.read(), ANSWER);
    assert.deepEqual(await again.read(), ANSWER);
  });

  test('after a call that failed is a new call', async () => {
    const { registry } = bench();
    (await begin(registry, requestOf())).release();
    (await begin(registry, requestOf())).done(null);
    await begin(registry, requestOf());
  });

  test('with another body, or on another route, is a mismatch, before and after the first call ends', async () => {
    const { registry, store } = bench();
    const request = requestOf();
    const ticket = await begin(registry, request);
    const others = [{ body: Buffer.from('{"model":"demo/echo" }') }, { route: '/v1/messages' }];
    const refused = async () => {
      for (const other of others) {
        const error = await refusal(registry, requestOf(other));
        assert.deepEqual([error.code, error.status], ['idempotency_mismatch', 422]);
        assert.match(error.message, new RegExp(generationId(request.callId)));
      }
    };
    await refused();
    end(store, ticket, ANSWER);
    await refused();
  });

  test('after a streamed call gets a conflict with the id of that call', async () => {
    const { registry, store } = bench();
    const request = requestOf({ streamed: true });
    await serve(registry, store, request, null);
    const error = await refusal(registry, requestOf({ streamed: true }));
    assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['idempotency_streamed', 409, null]);
    assert.deepEqual(error.facts, { generation_id: generationId(request.callId), reason: 'streamed' });
    assert.match(error.message, new RegExp(generationId(request.callId)));
  });

  test('gets an answer of one megabyte, and an error for one that is a byte longer', async () => {
    const { registry, store } = bench();
    const largest = Buffer.alloc(ANSWER_BYTES_MAX, 'a');
    await serve(registry, store, requestOf(), largest);
    assert.ok(((await readAgain(registry, requestOf())) as Buffer).equals(largest));
    const request = requestOf({ idempotencyKey: 'large' });
    await serve(registry, store, request, Buffer.alloc(ANSWER_BYTES_MAX + 1, 'a'));
    const error = await readAgain(registry, requestOf({ idempotencyKey: 'large' }));
    assert.ok(error instanceof GatewayError);
    assert.equal(error.code, 'idempotency_streamed');
    assert.deepEqual(error.facts, { generation_id: generationId(request.callId), reason: 'not_kept' });
    assert.match(error.message, /larger than 1 MiB/);
  });

  test('under the same key in another project is a different request', async () => {
    const { registry, store } = bench();
    await serve(registry, store, requestOf(), ANSWER);
    await begin(registry, requestOf({ projectId: projectId(2) }));
  });
});

test('of many concurrent calls, with small and large bodies, one is new', async () => {
  const { registry } = bench();
  for (const body of [Buffer.from('{}'), Buffer.alloc(2 * 1024 * 1024, ' ')]) {
    const idempotencyKey = `at once, ${body.length}`;
    const begun = await Promise.allSettled(
      Array.from({ length: 50 }, () => registry.begin(requestOf({ idempotencyKey, body }))),
    );
    assert.equal(begun.filter(({ status }) => status === 'fulfilled').length, 1);
  }
});

describe('time', () => {
  test('an answer is known for exactly 24 hours, then the key is free', async () => {
    const { registry, store } = bench();
    await serve(registry, store, requestOf(), ANSWER);
    const nowMs = START_MS + KEPT_MS;
    assert.equal((await registry.begin(requestOf({ nowMs: nowMs - 1 }))).type, 'kept');
    await begin(registry, requestOf({ nowMs }));
  });

  test('a ticket that was never ended blocks its key for 65 minutes; what it does later has no effect', async () => {
    const { registry, store, clock } = bench();
    const forgotten = await begin(registry, requestOf());
    clock.advance(RUNNING_MS_MAX - 1);
    assert.equal((await refusal(registry, requestOf())).code, 'idempotency_in_flight');
    clock.advance(1);
    const request = requestOf();
    const ticket = await begin(registry, request);
    assert.equal(forgotten.rowFor(ANSWER, START_MS), null);
    forgotten.release();
    assert.equal((await refusal(registry, requestOf())).code, 'idempotency_in_flight');
    end(store, ticket, ANSWER);
    forgotten.release();
    assert.equal((await registry.begin(requestOf())).type, 'kept');
  });

  test('a call whose row is being written to a slow disk is not forgotten', async () => {
    const { registry, store, clock } = bench();
    const ticket = await begin(registry, requestOf());
    clock.advance(RUNNING_MS_MAX - 1);
    const row = ticket.rowFor(ANSWER, START_MS);
    clock.advance(RUNNING_MS_MAX - 1);
    assert.equal((await refusal(registry, requestOf())).code, 'idempotency_in_flight');
    assert.ok(row !== null);
    store.write(row);
    ticket.done(row);
    assert.deepEqual(await readAgain(registry, requestOf()), ANSWER);
  });

  test('setting the wall clock lets no second call in', async () => {
    const { registry } = bench();
    await begin(registry, requestOf());
    for (const jumpMs of [-KEPT_MS, KEPT_MS, 30 * KEPT_MS])
      assert.equal((await refusal(registry, requestOf({ nowMs: START_MS + jumpMs }))).code, 'idempotency_in_flight');
  });
});

describe('a ticket', () => {
  test('can be ended once', async () => {
    const { registry, store } = bench();
    const ticket = await begin(registry, requestOf());
    end(store, ticket, ANSWER);
    ticket.release();
    assert.equal(ticket.rowFor(ANSWER, START_MS), null);
    assert.deepEqual(await readAgain(registry, requestOf()), ANSWER);
  });

  test('whose row the disk refused releases its key', async () => {
    const { registry } = bench();
    const ticket = await begin(registry, requestOf());
    assert.ok(ticket.rowFor(ANSWER, START_MS));
    ticket.release();
    await begin(registry, requestOf());
  });
});

describe('after a restart', () => {
  test('answers are replayed, streams are known, and the keys of running calls are free', async () => {
    const { registry, store } = bench();
    await serve(registry, store, requestOf({ idempotencyKey: 'whole' }), ANSWER);
    await serve(registry, store, requestOf({ idempotencyKey: 'streamed', streamed: true }), null);
    await serve(registry, store, requestOf({ idempotencyKey: 'large' }), Buffer.alloc(ANSWER_BYTES_MAX + 1));
    await begin(registry, requestOf({ idempotencyKey: 'running' }));
    const later = bench({ store }).registry;
    await later.load(START_MS);
    assert.equal(later.size, 3);
    assert.deepEqual(await readAgain(later, requestOf({ idempotencyKey: 'whole' })), ANSWER);
    assert.match(
      (await refusal(later, requestOf({ idempotencyKey: 'streamed', streamed: true }))).message,
      /was streamed as gen-/,
    );
    assert.match(String(await readAgain(later, requestOf({ idempotencyKey: 'large' }))), /larger than 1 MiB/);
    await begin(later, requestOf({ idempotencyKey: 'running' }));
  });

  test('expired answers are neither known nor on disk', async () => {
    const { registry, store } = bench();
    await serve(registry, store, requestOf(), ANSWER);
    const later = bench({ store }).registry;
    await later.load(START_MS + KEPT_MS);
    assert.deepEqual([later.size, store.rows.size], [0, 0]);
  });
});

test('expired answers, and no others, are deleted while the gateway runs', async () => {
  const { registry, store } = bench();
  await serve(registry, store, requestOf({ idempotencyKey: 'old' }), ANSWER);
  await serve(registry, store, requestOf({ idempotencyKey: 'young', nowMs: START_MS + 1 }), ANSWER);
  await registry.deleteExpired(START_MS + KEPT_MS);
  assert.deepEqual([registry.size, store.rows.size, registry.dropped], [1, 1, 0]);
  assert.equal((await registry.begin(requestOf({ idempotencyKey: 'young', nowMs: START_MS + KEPT_MS }))).type, 'kept');
});

test('beyond the maximum, entries that expire first are dropped and counted', async () => {
  const { registry, store } = bench({ entriesMax: 3 });
  for (const each of [1, 2, 3, 4, 5])
    await serve(registry, store, requestOf({ idempotencyKey: `${each}`, nowMs: START_MS + each }), ANSWER);
  assert.deepEqual([registry.size, registry.dropped], [3, 2]);
  for (const each of [3, 4, 5])
    assert.equal((await registry.begin(requestOf({ idempotencyKey: `${each}` }))).type, 'kept');
  for (const each of [1, 2]) await begin(registry, requestOf({ idempotencyKey: `${each}` }));
  const later = bench({ store, entriesMax: 3 }).registry;
  await later.load(START_MS);
  assert.deepEqual([later.size, later.dropped], [3, 2]);
  assert.equal((await later.begin(requestOf({ idempotencyKey: '5' }))).type, 'kept');
});

test('an account that sends many keyed calls loses its own entries first: another account’s retry gets its answer, even after a restart', async () => {
  const scopes: ReplayScopes = {
    // The projects 1 and 2 are of one account, 3 of another.
    findProject: (id) => ({ accountId: accountId(id === projectId(3) ? 2 : 1) }),
    accounts: () => [1, 2],
  };
  const { registry, store } = bench({ entriesMax: 10, scopes });
  const theirs = { projectId: projectId(3), nowMs: START_MS };
  for (const each of [1, 2, 3, 4, 5])
    await serve(registry, store, requestOf({ ...theirs, idempotencyKey: `theirs ${each}` }), ANSWER);
  for (let each = 0; each < 60; each += 1) {
    const own = { projectId: projectId(1 + (each % 2)), nowMs: START_MS + 1 + each };
    await serve(registry, store, requestOf({ ...own, idempotencyKey: `${each}` }), ANSWER);
  }
  const later = bench({ store, entriesMax: 10, scopes }).registry;
  await later.load(START_MS);
  for (const known of [registry, later]) {
    assert.equal(known.size, 10);
    for (const each of [1, 2, 3, 4, 5])
      assert.equal((await known.begin(requestOf({ ...theirs, idempotencyKey: `theirs ${each}` }))).type, 'kept');
  }
});

describe('when answers use all their space', () => {
  const KILO = Buffer.alloc(1000, 'a');

  test('another answer is not stored, its call is known, and the operator is notified once', async () => {
    const reported: string[] = [];
    const { registry, store } = bench({ bytesMax: 2100, onFull: () => reported.push('full') });
    for (const idempotencyKey of ['a', 'b', 'c', 'd'])
      await serve(registry, store, requestOf({ idempotencyKey }), KILO);
    assert.deepEqual(reported, ['full']);
    for (const idempotencyKey of ['a', 'b'])
      assert.deepEqual(await readAgain(registry, requestOf({ idempotencyKey })), KILO);
    for (const idempotencyKey of ['c', 'd']) {
      const error = await readAgain(registry, requestOf({ idempotencyKey }));
      assert.ok(error instanceof GatewayError);
      assert.equal(error.code, 'idempotency_streamed');
      assert.match(error.message, /no room/);
    }
    assert.equal(registry.dropped, 0);
  });

  test('a restart frees no space, expiry does', async () => {
    const { store, ...first } = bench({ bytesMax: 1100 });
    await serve(first.registry, store, requestOf({ idempotencyKey: 'a' }), KILO);
    const { registry } = bench({ store, bytesMax: 1100 });
    await registry.load(START_MS);
    assert.equal(registry.bytes, first.registry.bytes);
    await serve(registry, store, requestOf({ idempotencyKey: 'b' }), KILO);
    assert.match(String(await readAgain(registry, requestOf({ idempotencyKey: 'b' }))), /no room/);
    const nowMs = START_MS + KEPT_MS;
    await registry.deleteExpired(nowMs);
    assert.equal(registry.bytes, 0);
    await serve(registry, store, requestOf({ idempotencyKey: 'c', nowMs }), KILO);
    assert.deepEqual(await readAgain(registry, requestOf({ idempotencyKey: 'c', nowMs })), KILO);
  });

  test('an answer that the disk refused uses none', async () => {
    const { registry } = bench();
    const ticket = await begin(registry, requestOf());
    assert.ok(ticket.rowFor(KILO, START_MS));
    ticket.release();
    assert.equal(registry.bytes, 0);
  });
});

describe('a damaged store', () => {
  test('another row’s answer, a modified or a truncated one is an error, and the key stays taken', async () => {
    const victim = bench();
    await serve(victim.registry, victim.store, requestOf({ projectId: projectId(2) }), Buffer.from('of project 2'));
    const [stolen] = victim.store.rows.values();
    assert.ok(stolen?.answer);
    const { registry, store } = bench();
    await serve(registry, store, requestOf(), ANSWER);
    const [own] = store.rows.values();
    assert.ok(own?.answer);
    const changed = Buffer.from(own.answer);
    changed[20] = (changed[20] as number) ^ 0x80;
    for (const answer of [stolen.answer, changed, own.answer.subarray(0, 40), Buffer.alloc(0)]) {
      store.change({ answer });
      const error = await readAgain(registry, requestOf());
      assert.ok(error instanceof GatewayError);
      assert.equal(error.code, 'internal_error');
      assert.match(error.message, /cannot be read/);
    }
  });

  test('a whole row moved to another project does not give that project the answer', async () => {
    const { registry, store } = bench();
    await serve(registry, store, requestOf({ projectId: projectId(2) }), ANSWER);
    store.change({ projectId: projectId(1) });
    const later = bench({ store }).registry;
    await later.load(START_MS);
    await begin(later, requestOf());
  });

  test('a failed read rejects with its own error, and the next one may succeed', async () => {
    const { registry, store } = bench();
    await serve(registry, store, requestOf(), ANSWER);
    const again = await registry.begin(requestOf());
    assert.ok(again.type === 'kept');
    const [row] = store.rows;
    assert.ok(row);
    store.replayAnswer = () => Promise.reject(new Error('EIO'));
    await assert.rejects(again.read(), /EIO/);
    store.replayAnswer = MemoryReplays.prototype.replayAnswer;
    assert.deepEqual(await again.read(), ANSWER);
  });
});

test('the row contains nothing of key, route, body or answer in clear', async () => {
  const { registry, store } = bench();
  const request = requestOf({ body: Buffer.from('{"secret":"what was asked"}') });
  await serve(registry, store, request, ANSWER);
  const [row] = store.rows.values();
  assert.ok(row?.answer);
  const written = Buffer.concat([row.keyDigest, row.bodyDigest, row.answer]);
  for (const clear of [request.idempotencyKey, request.route, 'what was asked', 'choices'])
    assert.equal(written.includes(clear), false, clear);
  assert.deepEqual([row.keyDigest.length, row.bodyDigest.length], [32, 32]);
  assert.deepEqual([row.projectId, row.callId], [request.projectId, request.callId]);
  assert.deepEqual([row.createdAt, row.expiresAt], [START_MS, START_MS + KEPT_MS]);
});

describe('a new sealing key', () => {
  const NEWER = new Secret('89abcdef01234567'.repeat(4));

  test('keeps what is known: running calls, and answers under the key that sealed them', async () => {
    const { registry, store } = bench();
    await serve(registry, store, requestOf(), ANSWER);
    const running = await begin(registry, requestOf({ idempotencyKey: 'running' }));
    registry.useKey(NEWER);
    const again = await registry.begin(requestOf());
    assert.ok(again.type === 'kept');
    assert.deepEqual(await again.read(), ANSWER);
    assert.equal((await refusal(registry, requestOf({ idempotencyKey: 'running' }))).code, 'idempotency_in_flight');
    end(store, running, ANSWER);
    assert.equal((await registry.begin(requestOf({ idempotencyKey: 'running' }))).type, 'kept');
    assert.equal((await refusal(registry, requestOf({ body: Buffer.from('else') }))).code, 'idempotency_mismatch');
  });

  test('finds, after a restart, answers stored before and after the change', async () => {
    const { registry, store, clock } = bench();
    await serve(registry, store, requestOf(), ANSWER);
    registry.useKey(NEWER);
    await serve(registry, store, requestOf({ idempotencyKey: 'later' }), ANSWER);
    const parts = { store, clock, bytesMax: SPACE_BYTES, sealingKey: NEWER, olderSealingKeys: [SEALING_KEY] };
    const next = new ReplayRegistry(parts);
    await next.load(START_MS);
    for (const request of [requestOf(), requestOf({ idempotencyKey: 'later' })]) {
      const again = await next.begin(request);
      assert.ok(again.type === 'kept');
      assert.deepEqual(await again.read(), ANSWER);
    }
    const alone = new ReplayRegistry({ ...parts, olderSealingKeys: [] });
    await alone.load(START_MS);
    assert.equal((await alone.begin(requestOf({ idempotencyKey: 'later' }))).type, 'kept');
  });

  test('that is set while a body is hashed lets no two calls run under one key', async () => {
    const { registry } = bench();
    const body = Buffer.alloc(2 * 1024 * 1024, 0x20);
    const first = registry.begin(requestOf({ body }));
    registry.useKey(NEWER);
    const both = await Promise.allSettled([first, registry.begin(requestOf({ body }))]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });
});

function bench(parts: Partial<ReplayRegistryParts> & { readonly store?: MemoryReplays } = {}) {
  const clock = new ManualClock(START_MS);
  const store = parts.store ?? new MemoryReplays();
  return {
    clock,
    store,
    registry: new ReplayRegistry({ sealingKey: SEALING_KEY, clock, bytesMax: SPACE_BYTES, ...parts, store }),
  };
}

async function begin(registry: ReplayRegistry, request: ReplayRequest): Promise<ReplayTicket> {
  const begun = await registry.begin(request);
  assert.ok(begun.type === 'new');
  return begun.ticket;
}

function end(store: MemoryReplays, ticket: ReplayTicket, answer: Buffer | null, nowMs = START_MS): void {
  const row = ticket.rowFor(answer, nowMs);
  assert.ok(row !== null);
  store.write(row);
  ticket.done(row);
}

async function serve(
  registry: ReplayRegistry,
  store: MemoryReplays,
  request: ReplayRequest,
  answer: Buffer | null,
): Promise<void> {
  end(store, await begin(registry, request), answer, request.nowMs);
}

/** The refusal of a request, which must be one of replay's. */
async function refusal(registry: ReplayRegistry, request: ReplayRequest): Promise<GatewayError> {
  const codes: ErrorCode[] = ['idempotency_in_flight', 'idempotency_mismatch', 'idempotency_streamed'];
  try {
    await registry.begin({ ...request, callId: newCallId(request.nowMs) });
  } catch (error) {
    assert.ok(error instanceof GatewayError && codes.includes(error.code));
    return error;
  }
  return assert.fail('it was not refused');
}

/** The stored answer, or the error of reading it. */
async function readAgain(registry: ReplayRegistry, request: ReplayRequest): Promise<unknown> {
  const again = await registry.begin(request);
  assert.ok(again.type === 'kept');
  return again.read().catch((error: unknown) => error);
}
