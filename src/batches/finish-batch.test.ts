/**
 * Goal: what was charged keeps its answer, however a batch ends. Method: the end of batches with stores in memory, some of whose lines were settled
 * before a crash.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { accountId, type FileId, keyId, newBatchId, newCallId, newFileId, projectId } from '../core/ids.ts';
import { nanoUsd } from '../core/money.ts';
import type { FileRow } from '../files/ports.ts';
import { DoneLines } from './done-lines.ts';
import { type FinishAs, finishBatch } from './finish-batch.ts';
import type { BatchEnd, BatchRow, SettledCalls } from './ports.ts';
import type { RunParts } from './runner-ports.ts';

const CLOCK = new ManualClock();
const NOW = CLOCK.now();
const ANSWERED = newCallId(NOW);

const cases: readonly (readonly [as: FinishAs, end: BatchEnd, code: string])[] = [
  ['expired', 'expired', 'batch_expired'],
  ['cancelled', 'cancelled', 'batch_cancelled'],
  ['full', 'completed', 'file_space_exceeded'],
];

for (const [as, end, code] of cases)
  test(`${as}: a line whose answer is stored has it, and the others have an error`, async () => {
    const errors = [1, 3];
    const ended = await endWith(as, new Set([2]));
    assert.deepEqual(ended.numbers, { output: [0, 2], errors });
    assert.deepEqual([ended.row.status, ended.row.completed, ended.row.failed], [end, 2, 2]);
    const line = JSON.parse(ended.chunks.get(ended.output)?.get(2)?.toString() ?? '');
    assert.deepEqual([line.custom_id, line.response.body, line.id], ['2', { stored: true }, `batch_req_${ANSWERED}`]);
    for (const number of errors) {
      const error = JSON.parse(ended.chunks.get(ended.errors)?.get(number)?.toString() ?? '');
      assert.deepEqual([error.custom_id, error.response, error.error.code], [String(number), null, code]);
    }
    assert.deepEqual(ended.forgotten, [ANSWERED]);
    assert.deepEqual(new Set(ended.counted.keys()), new Set([ended.output, ended.errors]), 'it takes space');
  });

for (const [end, status] of [
  ['expired', 'expired'],
  ['cancelled', 'cancelled'],
  ['full', 'completed'],
] as const)
  test(`${end}: while a line is claimed at another node nothing ends, and then it has its result`, async () => {
    const chunks = new Map<FileId, Map<number, Buffer>>();
    const files = [newFileId(NOW), newFileId(NOW)] as const;
    const early = await endWith(end, new Set(), chunks, files, { isClaimed: true });
    assert.deepEqual(early.numbers, { output: [0], errors: [] });
    assert.deepEqual([early.row.status, early.forgotten, early.left], ['in_progress', [], [1, 2, 3]]);
    const late = await endWith(end, new Set([2]), chunks, files);
    assert.deepEqual([late.row.status, late.numbers.output], [status, [0, 2]]);
  });

test('an end that is written a second time, after a crash, is the same', async () => {
  const first = await endWith('expired', new Set([2]));
  const second = await endWith('expired', new Set([2]), first.chunks, [first.output, first.errors]);
  assert.deepEqual(second.numbers, first.numbers);
  assert.deepEqual([second.row.completed, second.row.failed], [2, 2]);
});

test('its tokens and charge are the sum of its settlements; while one is missing it waits, or ends without them', async () => {
  const stored = new Set([2]);
  const { totals, waiting, waitingFor } = (await endWith('cancelled', stored)).row;
  const { calls: _calls, models: _models, ...sums } = SUM;
  assert.deepEqual(totals, { ...sums, model: 'a/model' });
  assert.deepEqual([waiting, waitingFor], [0, null]);
  const waited = await endWith('cancelled', stored, undefined, undefined, { settled: 1, isPatient: true });
  assert.equal(waited.row.status, 'in_progress');
  const unknown = await endWith('cancelled', stored, undefined, undefined, { settled: 1 });
  assert.deepEqual([unknown.row.status, unknown.row.totals], ['cancelled', null]);
});

test('each file of results is read once', async () => {
  const { reads, row, output, errors } = await endWith('expired', new Set([2]));
  assert.deepEqual(reads, [row.inputFileId, output, errors]);
});

test('a node that has lost the batch says nothing of its lines', async () => {
  const { row, numbers, shown } = await endWith('expired', new Set([2]), undefined, undefined, { isTaken: true });
  assert.deepEqual([row.status, numbers.errors, [...shown]], ['in_progress', [], []]);
});

test('a batch whose results have expired before its end was written ends without them', async () => {
  const first = await endWith('expired', new Set([2]));
  const files = [first.output, first.errors] as const;
  assert.deepEqual([first.row.outputFileId, first.row.errorFileId, first.shown], [...files, new Set(files)]);
  const { row, shown } = await endWith('expired', new Set(), first.chunks, files, { isExpired: true });
  assert.deepEqual([row.status, row.outputFileId, row.errorFileId, shown.size], ['expired', null, null, 0]);
});

/** Of each question. */
const SUM: SettledCalls = {
  ...{ calls: 0, inputTokens: 30, cachedTokens: 10, outputTokens: 7, reasoningTokens: 2 },
  ...{ charge: nanoUsd(12n), models: ['a/model'] },
};

interface Others {
  /** Whether another node has a line. */
  readonly isClaimed?: boolean;
  /** How many of its calls are settled where that is asked. */
  readonly settled?: number;
  readonly isPatient?: boolean;
  /** Whether the files of results are gone. */
  readonly isExpired?: boolean;
  /** Whether another node has the batch. */
  readonly isTaken?: boolean;
}

async function endWith(
  end: FinishAs,
  stored: ReadonlySet<number>,
  chunks = new Map<FileId, Map<number, Buffer>>(),
  [output, errors]: readonly [FileId, FileId] = [newFileId(NOW), newFileId(NOW)],
  { isClaimed = false, settled = 4, isPatient = false, isExpired = false, isTaken = false }: Others = {},
) {
  let row = rowOf(output, errors);
  let isHere = true;
  let left: readonly number[] = [];
  const counted = new Map<FileId, number>();
  const shown = new Set<FileId>();
  const reads: FileId[] = [];
  const forgotten: string[] = [];
  const lines = [0, 1, 2, 3].map((at) => `{"custom_id":"${at}","method":"POST","url":"/v1/embeddings","body":{}}\n`);
  if (!chunks.has(output))
    chunks.set(output, new Map([[0, Buffer.from(`{"id":"batch_req_${newCallId(NOW)}","custom_id":"0"}\n`)]]));
  const done = new DoneLines(4);
  for (const number of chunks.get(output)?.keys() ?? []) done.add(number, true);
  for (const number of chunks.get(errors)?.keys() ?? []) done.add(number, false);
  const parts: RunParts = {
    store: {
      change: async (_id, _owner, from, changes) => {
        if (!from.includes(row.status)) return false;
        row = { ...row, ...changes };
        return true;
      },
      settledCalls: async (calls) => ({ ...SUM, calls: Math.min(calls.length, settled) }),
    },
    files: {
      create: async () => undefined,
      complete: async (id) => void shown.add(id),
      find: async (_project, id) => (isExpired ? null : ({ id } as FileRow)),
      delete: async () => true,
      chunkNumbers: async function* () {},
    },
    contents: {
      read: async function* (id) {
        reads.push(id);
        if (id === row.inputFileId) yield Buffer.from(lines.join(''));
        yield* chunks.get(id)?.values() ?? [];
      },
      write: async (id, number, bytes) => {
        const of = chunks.get(id) ?? new Map<number, Buffer>();
        chunks.set(id, of);
        if (!of.has(number)) of.set(number, Buffer.isBuffer(bytes) ? bytes : Buffer.concat(bytes));
      },
    },
    call: async () => assert.fail('nothing runs'),
    answers: {
      leaveLines: async (_project, _batch, lines) => {
        left = [...lines];
        return !isClaimed;
      },
      leaveLine: async () => assert.fail('no line runs'),
      linesOf: async () => (isHere ? [ANSWERED] : []),
      answerOf: async (_project, { number }) =>
        stored.has(number) ? { callId: ANSWERED, body: Buffer.from('{"stored":true}') } : null,
      forgetLines: async (calls) => {
        isHere = false;
        forgotten.push(...calls);
      },
    },
    clock: CLOCK,
    owner: 'here',
    space: {
      roomOf: () => 'none',
      hasRoomForBatch: async () => false,
      look: async () => undefined,
      wrote: (_account, file, bytes) => void counted.set(file, (counted.get(file) ?? 0) + bytes),
    },
    limits: () => ({
      ...{ linesAtOnce: 1, linesMax: 10, lineBytesMax: 1_000 },
      ...{ accountFilesBytesMax: 1, accountFilesMax: 1 },
    }),
    onLine: () => undefined,
    log: { warn: () => undefined },
  };
  const waits = isClaimed || (isPatient && settled < 2);
  const finished = await finishBatch(parts, row, done, end, { isPatient, isOurs: () => !isTaken });
  assert.equal(finished, isTaken ? 'lost' : waits ? 'waits' : 'ended');
  const numbersOf = (id: FileId) => [...(chunks.get(id)?.keys() ?? [])].toSorted();
  return {
    row,
    chunks,
    output,
    errors,
    forgotten,
    left,
    counted,
    shown,
    reads,
    numbers: { output: numbersOf(output), errors: numbersOf(errors) },
  };
}

function rowOf(outputFileId: FileId, errorFileId: FileId): BatchRow {
  return {
    ...{ id: newBatchId(NOW), accountId: accountId(1), projectId: projectId(1), keyId: keyId(1), address: null },
    ...{ endpoint: '/v1/embeddings', inputFileId: newFileId(NOW), createdAt: NOW, expiresAt: NOW, keptMs: 1 },
    ...{ metadata: null, status: 'in_progress', times: {}, outputFileId, errorFileId },
    ...{ total: 4, completed: 1, failed: 0, errors: [], waiting: 1, waitingFor: 'overloaded', totals: null },
  };
}
