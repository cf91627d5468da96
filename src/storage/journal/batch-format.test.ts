/**
 * Goal: a batch loses nothing, whatever is in it, and bytes that are no batch are refused. Method: random settlements from a seed,
 * encoded, decoded and joined; every beginning of a batch, and batches with changed bytes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredId } from '../../billing/ports.ts';
import { dayOf } from '../../core/calendar.ts';
import { accountId, keyId, newCallId, priceVersionId, projectId } from '../../core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../core/money.ts';
import { LIST_RATE, rate } from '../../core/rates/rate.ts';
import type { Settlement } from '../../core/settlement.ts';
import { NO_USAGE } from '../../core/usage.ts';
import { crashed, sampleReplay, sampleSettlement } from '../contract/sample-rows.ts';
import { BATCH_COLUMNS, BATCH_FORMAT } from './batch-format.ts';
import { BadBatch } from './batch-layout.ts';
import { concatenateBatches } from './concatenate-batches.ts';
import { type DecodedBatch, decodeBatch } from './decode-batch.ts';
import { type BatchRow, encodeBatch } from './encode-batch.ts';

test('what is decoded is what was encoded, for random settlements', () => {
  const random = seeded(63);
  for (let round = 0; round < 200; round += 1) {
    const rows = randomRows(random, 1 + Math.floor(random() * 12));
    assert.deepEqual(decodeBatch(encodeBatch(rows)), expectedOf(rows), `round ${round}`);
  }
});

test('a batch that needs more memory than the last one loses nothing', () => {
  const random = seeded(64);
  const rows = randomRows(random, 2_000);
  const answer = new Uint8Array(3 * 1024 * 1024).fill(7);
  const [first] = rows as [BatchRow];
  rows[0] = { ...first, replay: sampleReplay(first.settlement, { answer }) };
  assert.deepEqual(decodeBatch(encodeBatch(rows)), expectedOf(rows));
});

test('columns in which every value is the default take no space', () => {
  const plain = sampleSettlement(1_000, {
    usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5 },
    ownCredential: false,
    rate: LIST_RATE,
    ...{ fault: NO_MONEY, variance: NO_MONEY, nodeLoss: NO_MONEY },
  });
  const size = (count: number) => encodeBatch(Array.from({ length: count }, () => ({ settlement: plain }))).length;
  assert.equal((size(60) - size(10)) / 50, 172);
});

test('a value that the database cannot hold is refused', () => {
  const encode = (changes: Partial<Settlement>) => encodeBatch([{ settlement: sampleSettlement(1_000, changes) }]);
  assert.throws(() => encode({ charge: nanoUsd(2n ** 63n) }), /charge_nano cannot hold 9223372036854775808/);
  assert.throws(() => encode({ projectId: projectId(2 ** 31) }), /project_id cannot hold 2147483648/);
  assert.throws(() => encode({ usage: { ...NO_USAGE, inputTokens: 1.5 } }), /input_tokens cannot hold 1.5/);
});

test('the beginning of a batch is refused, wherever it ends, and so are bytes after its end', () => {
  const batch = encodeBatch(randomRows(seeded(65), 3));
  for (let length = 0; length < batch.length; length += 1) {
    assert.throws(() => decodeBatch(batch.subarray(0, length)), BadBatch, `${length} bytes`);
    assert.throws(() => concatenateBatches([batch.subarray(0, length)]), BadBatch, `${length} bytes`);
  }
  assert.throws(() => decodeBatch(Buffer.concat([batch, Buffer.of(0)])), /1 bytes too many/);
});

test('changed bytes are refused or mean something else, at once', () => {
  const random = seeded(66);
  const batch = encodeBatch(randomRows(random, 3));
  let refused = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const changed = Buffer.from(batch);
    for (let change = 0; change < 3; change += 1)
      changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
    for (const read of [decodeBatch, (bytes: Buffer) => concatenateBatches([batch, bytes])]) {
      try {
        read(changed);
      } catch (error) {
        assert.ok(error instanceof BadBatch, String(error));
        refused += 1;
      }
    }
  }
  assert.ok(refused > 500, `${refused} of 6,000`);
});

test('what a newer version wrote is refused by name', () => {
  const batch = encodeBatch(randomRows(seeded(67), 1));
  const newer = Buffer.from(batch);
  newer.writeUInt32BE(BATCH_FORMAT + 1, 0);
  assert.throws(() => decodeBatch(newer), /has format 2, which a newer version of Turnpike wrote; this one reads 1/);
  const wider = Buffer.from(batch);
  wider.writeUInt32BE(BATCH_COLUMNS.settlements.length + 1, 8);
  assert.throws(() => decodeBatch(wider), /a newer version of Turnpike wrote/);
});

test('a batch without the last columns is read, with their defaults', () => {
  const whole = sampleSettlement(1_000);
  const settlement = { ...whole, usage: { ...whole.usage, units: 0, unitLine: 0, inputImageTokens: 0 } };
  const batch = encodeBatch([{ settlement }]);
  const count = BATCH_COLUMNS.settlements.length;
  const lastSize = 12 + 4 * (count - 1);
  assert.equal(batch.readUInt32BE(lastSize), 0, 'the last column is empty');
  const older = Buffer.concat([batch.subarray(0, lastSize), batch.subarray(lastSize + 4)]);
  older.writeUInt32BE(count - 1, 8);
  assert.deepEqual(decodeBatch(older), expectedOf([{ settlement }]));
  assert.equal(concatenateBatches([older, batch]).calls, 2);
});

const WORDS = ['chat', 'embeddings', 'acme/large', 'acme/small', 'acme', 'Größe/é', 'other', ''];

/** A generator of numbers from 0 to 1: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function randomRows(random: () => number, count: number): BatchRow[] {
  return Array.from({ length: count }, () => randomRow(random));
}

function randomRow(random: () => number): BatchRow {
  const upTo = (max: number) => Math.floor(random() * max);
  const sometimes = <Value>(value: Value, otherwise: Value) => (random() < 0.3 ? value : otherwise);
  const word = () => WORDS[upTo(WORDS.length)] as string;
  const money = () => nanoUsd(sometimes(0n, BigInt(upTo(2 ** 52)) * 2_047n));
  const admittedAt = Date.UTC(2026, 10, 23) + upTo(10 ** 9);
  const settlement = sampleSettlement(admittedAt, {
    callId: newCallId(admittedAt),
    accountId: accountId(1 + upTo(2 ** 31 - 1)),
    projectId: projectId(1 + upTo(9)),
    keyId: keyId(1 + upTo(9)),
    operation: word(),
    model: word(),
    provider: word(),
    usage: {
      ...NO_USAGE,
      inputTokens: upTo(2 ** 53),
      outputTokens: sometimes(0, upTo(9)),
      webSearches: sometimes(1, 0),
    },
    usageSource: sometimes('none', 'estimated'),
    priceVersion: sometimes(null, priceVersionId(upTo(9))),
    rate: rate(upTo(2_000_000)),
    ownCredential: random() < 0.2,
    cost: sometimes(null, money()),
    hold: sometimes(null, money()),
    charge: money(),
    fault: money(),
    variance: money(),
    saved: money(),
    nodeLoss: money(),
  });
  return {
    settlement: sometimes(crashed(settlement), settlement),
    lease: sometimes(null, { epoch: 1 + upTo(9), rootId: keyId(1 + upTo(9)), budgets: upTo(8), day: 20_000 + upTo(2) }),
    replay: sometimes(sampleReplay(settlement, { answer: sometimes(null, Uint8Array.of(1, upTo(256))) }), null),
    stored: sometimes([storedId(upTo(256), word(), null), storedId(upTo(256), word(), word())], null),
  };
}

function storedId(digit: number, provider: string, credential: string | null): StoredId {
  const digest = new Uint8Array(16).fill(digit);
  return { projectId: projectId(2), digest, provider, upstreamModel: 'large-1', credential, createdAt: 7 };
}

function expectedOf(rows: readonly BatchRow[]): DecodedBatch {
  return {
    settlements: rows.map(({ settlement, lease }) => ({
      settlement,
      rootId: lease?.rootId ?? settlement.keyId,
      budgets: lease?.budgets ?? 0,
      day: lease?.day ?? dayOf(settlement.admittedAt),
    })),
    replays: rows
      .flatMap(({ replay }) => replay ?? [])
      .map((replay) => ({
        ...replay,
        keyDigest: Buffer.from(replay.keyDigest),
        bodyDigest: Buffer.from(replay.bodyDigest),
        answer: replay.answer && Buffer.from(replay.answer),
      })),
    storedIds: rows
      .flatMap(({ stored }, index) => (stored ?? []).map((each) => ({ ...each, call: index + 1 })))
      .map((each) => ({ ...each, digest: Buffer.from(each.digest) })),
  };
}
