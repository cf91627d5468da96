/**
 * Goal: a line of a batch has its answer once, whatever callers do and whatever node asks; nothing of it takes what callers share. Method: registries with
 * a store in memory and with claims that the test answers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { type CallId, newCallId, type ProjectId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { isOfLine, ReplayDigests } from './digests.ts';
import { MemoryReplays, requestOf, SEALING_KEY, START_MS } from './fixture.ts';
import type { LineAnswerStore, ReplayClaims, ReplayRow } from './ports.ts';
import { type NewCall, ReplayRegistry } from './replay-registry.ts';

const PROJECT = projectId(1);
const LINE = { batchId: 'batch_1', number: 3 };
const ANSWER = Buffer.from('{"answer":true}');

test('what is stored of a line survives a rotation of keys and a restart, and is no entry of callers', async () => {
  const store = new MemoryReplays();
  const first = registryOf(store);
  const row = await served(first);
  store.write(row);
  assert.ok(isOfLine(row.keyDigest));
  assert.equal(row.expiresAt - row.createdAt, 30 * 24 * 3_600_000);
  assert.deepEqual([first.size, first.bytes], [0, 0]);

  const later = new ReplayRegistry({
    ...partsOf(store),
    sealingKey: new Secret('f'.repeat(64)),
    olderSealingKeys: [SEALING_KEY],
  });
  await later.load(START_MS);
  assert.deepEqual([later.size, later.bytes], [0, 0]);
  const again = await later.begin(lineRequest());
  assert.ok(again.type === 'kept');
  assert.deepEqual(await again.read(), ANSWER);
  assert.equal(again.callId, row.callId);
  assert.deepEqual((await later.answerOf(PROJECT, LINE, START_MS))?.body, ANSWER);
  assert.deepEqual(await later.linesOf(PROJECT, LINE.batchId), [row.callId]);
  await later.forgetLines([row.callId]);
  assert.equal(await later.answerOf(PROJECT, LINE, START_MS), null);
  assert.equal((await later.begin(lineRequest())).type, 'new');
});

test('a line is stored however large its answer is, and after any time', async () => {
  const clock = new ManualClock();
  const registry = registryOf(new MemoryReplays(), { clock, bytesMax: 1 });
  const { ticket } = (await registry.begin(lineRequest())) as NewCall;
  clock.advance(24 * 3_600_000);
  const row = ticket.rowFor(Buffer.alloc(3_000_000), START_MS);
  assert.ok((row?.answer?.length ?? 0) > 3_000_000);
});

test('no key that a caller sends is that of a line', () => {
  const digests = new ReplayDigests(SEALING_KEY);
  const ofLine = digests.ofLine(PROJECT, LINE);
  assert.ok(isOfLine(ofLine));
  assert.equal(ofLine.length, 32);
  assert.equal(isOfLine(digests.ofKey(PROJECT, 'line')), false);
  assert.notDeepEqual(ofLine, digests.ofLine(PROJECT, { ...LINE, number: 4 }));
  assert.notDeepEqual(ofLine, digests.ofLine(projectId(2), LINE));
  const { first, last } = digests.linesOf(PROJECT, LINE.batchId);
  assert.ok(Buffer.compare(first, ofLine) <= 0 && Buffer.compare(ofLine, last) <= 0);
  const other = digests.ofLine(PROJECT, { ...LINE, batchId: 'batch_2' });
  assert.ok(Buffer.compare(other, first) < 0 || Buffer.compare(other, last) > 0);
});

test('while other nodes cannot be asked a line waits, and its claim is given back', async () => {
  const released: CallId[] = [];
  let isAway = true;
  const claims: ReplayClaims = {
    claim: async () => (isAway ? Promise.reject(new Error('away')) : null),
    claimAgain: async () => undefined,
    between: async () => assert.fail('not asked'),
    giveUp: async () => assert.fail('not asked'),
    release: async (calls) => void released.push(...calls),
    deleteExpired: async () => undefined,
  };
  const clock = new ManualClock();
  const registry = registryOf(new MemoryReplays(), { claims, clock });
  const request = lineRequest();
  await assert.rejects(
    registry.begin(request),
    (error) => error instanceof GatewayError && error.code === 'ledger_unavailable',
  );
  isAway = false;
  clock.advance(2_000);
  assert.equal((await registry.begin(lineRequest())).type, 'new');
  assert.deepEqual(released, [request.callId]);
});

test('a line that another node has is in flight, and its answer is taken once it has ended', async () => {
  const store = new MemoryReplays();
  const row = await served(registryOf(store));
  store.write(row);
  let hasEnded = false;
  const claims: ReplayClaims = {
    claim: async () => ({ callId: row.callId, digest: 0, bodyDigest: row.bodyDigest, hasEnded }),
    claimAgain: async () => undefined,
    between: async () => assert.fail('not asked'),
    giveUp: async () => assert.fail('not asked'),
    release: async () => assert.fail('it is not this node’s'),
    deleteExpired: async () => undefined,
  };
  const registry = registryOf(store, { claims });
  await assert.rejects(
    registry.begin(lineRequest()),
    (error) => error instanceof GatewayError && error.code === 'idempotency_in_flight',
  );
  hasEnded = true;
  const kept = await registry.begin(lineRequest());
  assert.ok(kept.type === 'kept');
  assert.deepEqual(await kept.read(), ANSWER);
});

async function served(registry: ReplayRegistry): Promise<ReplayRow> {
  const begun = await registry.begin(lineRequest());
  assert.ok(begun.type === 'new');
  await assert.rejects(registry.begin(lineRequest()), GatewayError);
  const row = begun.ticket.rowFor(ANSWER, START_MS);
  assert.ok(row !== null);
  begun.ticket.done(row);
  begun.ticket.done(null);
  return row;
}

function lineRequest() {
  return { ...requestOf(), idempotencyKey: LINE, callId: newCallId(START_MS) };
}

function registryOf(store: MemoryReplays, changes: object = {}): ReplayRegistry {
  return new ReplayRegistry({ ...partsOf(store), ...changes });
}

function partsOf(store: MemoryReplays) {
  return { sealingKey: SEALING_KEY, store, lines: linesIn(store), clock: new ManualClock(), bytesMax: 2 ** 30 };
}

function linesIn({ rows }: MemoryReplays): LineAnswerStore {
  const of = (project: ProjectId) => [...rows.values()].filter((row) => row.projectId === project);
  return {
    async find(project, keyDigests, nowMs) {
      for (const [digest, keyDigest] of keyDigests.entries()) {
        const row = of(project).find(
          (each) => each.expiresAt > nowMs && Buffer.compare(each.keyDigest, keyDigest) === 0,
        );
        if (row !== undefined) return { callId: row.callId, digest, bodyDigest: row.bodyDigest, hasEnded: true };
      }
      return null;
    },
    between: async (project, first, last) =>
      of(project)
        .filter(({ keyDigest }) => Buffer.compare(first, keyDigest) <= 0 && Buffer.compare(keyDigest, last) <= 0)
        .map(({ callId }) => callId),
    async delete(calls) {
      for (const [key, row] of rows) if (calls.includes(row.callId)) rows.delete(key);
    },
  };
}
