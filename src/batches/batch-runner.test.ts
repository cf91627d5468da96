/**
 * Goal: batches share the lines that run at a time, wait while the gateway has no place for them, and give back what they have claimed. Method: a runner
 * with stores in memory, and calls that the test answers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, ManualClock, systemClock } from '../core/clock.ts';
import {
  accountId,
  type BatchId,
  type CallId,
  type FileId,
  keyId,
  newBatchId,
  newCallId,
  newFileId,
  projectId,
} from '../core/ids.ts';
import { NO_MONEY } from '../core/money.ts';
import type { FileRow } from '../files/ports.ts';
import { BatchRunner, type RunnerParts } from './batch-runner.ts';
import type { BatchRow, BatchState } from './ports.ts';
import type { CalledLine, LineAnswer } from './runner-ports.ts';
import { LINE_ERROR_HEADER } from './wait-of.ts';

const NOW = Date.now();
const GOOD = '{"a":1}';
const SPACE_MAX = 1_000_000;

test('accounts take turns, however many lines one of them has', async () => {
  const bench = new Bench({ linesAtOnce: 2 });
  const [large, small] = [bench.add(1, 20), bench.add(2, 3)];
  bench.runner.start();
  // The first has taken both places by the time that the input of the second is read; it gets one more, so that it need not wait.
  await bench.untilRunning(3);
  assert.deepEqual(bench.runningOf().toSorted(), [large, large, small].toSorted());
  for (let line = 0; line < 2; line += 1) {
    bench.answer(small);
    await bench.untilRunning(3);
    assert.deepEqual(bench.runningOf().toSorted(), [large, large, small].toSorted());
  }
  bench.answer(small);
  await bench.untilRunning(2);
  assert.deepEqual(bench.runningOf(), [large, large]);
  await bench.endAll();
});

test('no line begins while the gateway has no place, and what was claimed is given back', async () => {
  const bench = new Bench({ linesAtOnce: 4 });
  bench.add(1, 3);
  bench.runner.start();
  await bench.untilRunning(3);
  bench.mayBegin = false;
  const second = bench.add(1, 3);
  await bench.runner.poke();
  bench.answer();
  bench.answer();
  bench.answer();
  await bench.turns();
  assert.deepEqual(bench.runningOf(), []);
  assert.equal(bench.rows.get(second)?.status, 'validating');
  bench.mayBegin = true;
  await bench.runner.poke();
  await bench.untilRunning(3);
  await bench.endAll();
  const open = [...bench.owned].filter((id) => isOpen(bench.rows.get(id)?.status ?? ''));
  assert.deepEqual(open, []);
});

test('a node that has lost a batch writes nothing of it', async () => {
  const bench = new Bench({ linesAtOnce: 1 });
  const id = bench.add(1, 2);
  bench.runner.start();
  await bench.untilRunning(1);
  bench.owned.clear();
  bench.stolen.add(id);
  await bench.runner.poke();
  bench.answer();
  await bench.turns();
  assert.deepEqual(bench.runningOf(), []);
  assert.equal(bench.rows.get(id)?.status, 'in_progress');
  await bench.endAll();
});

test('once answers do not fit into memory together, lines run one at a time until one has a short answer', async () => {
  const clock = new ManualClock(NOW);
  const bench = new Bench({ linesAtOnce: 3, clock });
  const id = bench.add(1, 9);
  bench.runner.start();
  await bench.untilRunning(3);
  for (let line = 0; line < 3; line += 1) bench.answer(id, '{}', 503, 'overloaded');
  await bench.until(() => bench.runner.figures().running === 0);
  clock.advance(2_000);
  await bench.runner.poke();
  await bench.untilRunning(1);
  await bench.turns();
  assert.equal(bench.runner.figures().running, 1);
  bench.answer(id);
  await bench.untilRunning(3);
  await bench.endAll();
});

test('lines that are called again are counted in the row, with the code of the last error, until they have their results', async () => {
  const clock = new ManualClock(NOW);
  const bench = new Bench({ linesAtOnce: 2, clock });
  const id = bench.add(1, 2);
  bench.runner.start();
  await bench.untilRunning(2);
  assert.deepEqual(bench.runner.figures(), { open: new Map([['in_progress', 1]]), running: 2, waiting: 0 });
  bench.answer(id, '{}', 429, 'upstream_rate_limited');
  bench.answer(id, '{}', 402, 'insufficient_balance');
  await bench.until(() => bench.runner.figures().running === 0);
  await bench.runner.poke();
  const waits = bench.rows.get(id);
  assert.deepEqual(
    [waits?.waiting, waits?.waitingFor, waits?.completed, waits?.failed],
    [1, 'upstream_rate_limited', 0, 1],
  );
  assert.equal(bench.runner.figures().waiting, 1);
  clock.advance(2_000);
  await bench.untilRunning(1);
  bench.answer(id);
  await bench.until(() => bench.rows.get(id)?.status === 'completed');
  const ended = bench.rows.get(id);
  assert.deepEqual([ended?.waiting, ended?.waitingFor, ended?.completed, ended?.failed], [0, null, 1, 1]);
  await bench.endAll();
});

test('a batch that was ending begins no line again, though its results were deleted meanwhile', async () => {
  const clock = new ManualClock(NOW);
  const bench = new Bench({ linesAtOnce: 2, clock });
  bench.areResultsGone = true;
  const id = bench.add(1, 3);
  const files = { outputFileId: newFileId(NOW), errorFileId: newFileId(NOW) };
  const row = bench.rows.get(id) as BatchRow;
  bench.rows.set(id, { ...row, ...files, status: 'finalizing', total: 3, completed: 2, failed: 1 });
  bench.runner.start();
  await bench.until(() => {
    clock.advance(1_000);
    assert.deepEqual(bench.calls, []);
    return bench.rows.get(id)?.status === 'completed';
  });
  const { completed, failed, outputFileId, errorFileId, totals } = bench.rows.get(id) as BatchRow;
  assert.deepEqual([completed, failed, outputFileId, errorFileId, totals], [2, 1, null, null, null]);
  await bench.endAll();
});

test('an input that is gone ends its batch', async () => {
  const bench = new Bench({ linesAtOnce: 1 });
  const id = bench.add(1, 2);
  const row = bench.rows.get(id) as BatchRow;
  const files = { outputFileId: newFileId(NOW), errorFileId: newFileId(NOW) };
  bench.rows.set(id, { ...row, ...files, status: 'in_progress', total: 2 });
  bench.inputs.clear();
  bench.runner.start();
  await bench.until(() => bench.rows.get(id)?.status === 'failed');
  assert.equal(bench.rows.get(id)?.errors[0]?.code, 'input_file_gone');
  await bench.endAll();
});

test('a cancelled batch of which another node has a line is asked about now and then, and ends once it has none', async () => {
  const clock = new ManualClock(NOW);
  const bench = new Bench({ linesAtOnce: 1, clock });
  const id = bench.add(1, 2);
  const row = bench.rows.get(id) as BatchRow;
  const files = { outputFileId: newFileId(NOW), errorFileId: newFileId(NOW) };
  bench.rows.set(id, { ...row, ...files, status: 'cancelling', total: 2 });
  bench.claimed = true;
  bench.runner.start();
  await bench.until(() => bench.asked === 1);
  await bench.runner.poke();
  await bench.turns();
  assert.equal(bench.asked, 1);
  clock.advance(2_000);
  await bench.until(() => bench.asked === 2);
  await bench.turns();
  assert.deepEqual([bench.asked, bench.rows.get(id)?.status, bench.owned.has(id)], [2, 'cancelling', true]);
  bench.claimed = false;
  clock.advance(2_000);
  await bench.until(() => bench.rows.get(id)?.status === 'cancelled');
  await bench.endAll();
});

test('a line that fails while another node has it is called again, and has what that has settled', async () => {
  const clock = new ManualClock(NOW);
  const bench = new Bench({ linesAtOnce: 1, clock });
  const id = bench.add(1, 2);
  bench.runner.start();
  bench.claimed = true;
  await bench.untilRunning(1);
  bench.answer(id, GOOD, 401);
  await bench.until(() => bench.asked === 1);
  await bench.untilRunning(1);
  bench.answer(id);
  await bench.turns();
  const written = (of: 'outputFileId' | 'errorFileId') => bench.chunks.get(bench.rows.get(id)?.[of] as FileId);
  assert.deepEqual([[...(written('outputFileId')?.keys() ?? [])], written('errorFileId')], [[1], undefined]);
  bench.claimed = false;
  bench.stored = { callId: newCallId(NOW), body: Buffer.from('{"settled":"there"}') };
  clock.advance(2_000);
  await bench.untilRunning(1);
  bench.answer(id, GOOD, 401);
  await bench.until(() => bench.rows.get(id)?.status === 'completed');
  assert.match(written('outputFileId')?.get(0)?.toString() ?? '', /"status_code":200,.*"body":\{"settled":"there"\}/);
  await bench.endAll();
});

test('once the files of an account have taken their space no line begins; what runs has its result, the others an error', async () => {
  const bench = new Bench({ linesAtOnce: 2 });
  const id = bench.add(1, 5);
  bench.runner.start();
  await bench.untilRunning(2);
  bench.taken = SPACE_MAX;
  await bench.runner.poke();
  bench.answer();
  bench.answer();
  await bench.until(() => {
    void bench.runner.poke();
    return bench.rows.get(id)?.status === 'completed';
  });
  const { completed, failed, outputFileId, errorFileId } = bench.rows.get(id) as BatchRow;
  assert.deepEqual([completed, failed], [2, 3]);
  assert.deepEqual([...(bench.chunks.get(outputFileId as FileId)?.keys() ?? [])].toSorted(), [0, 1]);
  for (const line of bench.chunks.get(errorFileId as FileId)?.values() ?? [])
    assert.equal(JSON.parse(line.toString()).error.code, 'file_space_exceeded');
  assert.ok(bench.taken > SPACE_MAX, 'what was written is counted');
  await bench.endAll();
});

test('results count among the files before all of them are written', async () => {
  const bench = new Bench({ linesAtOnce: 1 });
  const id = bench.add(1, 20);
  bench.runner.start();
  for (let line = 0; line < 2; line += 1) {
    await bench.untilRunning(1);
    bench.answer(null, `{"a":"${'x'.repeat(SPACE_MAX / 2)}"}`);
  }
  await bench.until(() => {
    void bench.runner.poke();
    return bench.rows.get(id)?.status === 'completed';
  });
  assert.deepEqual([bench.rows.get(id)?.completed, bench.rows.get(id)?.failed], [2, 18]);
  await bench.endAll();
});

test('while uploads take what is left, lines wait for them', async () => {
  const bench = new Bench({ linesAtOnce: 1 });
  const id = bench.add(1, 2);
  bench.runner.start();
  await bench.untilRunning(1);
  bench.taken = SPACE_MAX;
  bench.arriving = 1_000;
  await bench.runner.poke();
  bench.answer();
  await bench.turns();
  assert.deepEqual([bench.runningOf(), bench.rows.get(id)?.status], [[], 'in_progress']);
  bench.taken = bench.arriving = 0;
  await bench.runner.poke();
  await bench.untilRunning(1);
  await bench.endAll();
});

test('a batch whose results would have no space fails, and nothing of it runs', async () => {
  const bench = new Bench({ linesAtOnce: 1 });
  const id = bench.add(1, 2);
  bench.taken = SPACE_MAX;
  bench.runner.start();
  await bench.until(() => bench.rows.get(id)?.status === 'failed');
  assert.equal(bench.rows.get(id)?.errors[0]?.code, 'file_space_exceeded');
  await bench.endAll();
});

test('while a batch passes over many lines that are done, those of others begin', async () => {
  const bench = new Bench({ linesAtOnce: 1 });
  const [long, short] = [bench.add(1, 50_000), bench.add(2, 1)];
  const row = bench.rows.get(long) as BatchRow;
  const files = { outputFileId: newFileId(NOW), errorFileId: newFileId(NOW) };
  bench.rows.set(long, { ...row, ...files, status: 'in_progress', total: 50_000 });
  const done = Array.from({ length: 49_999 }, (_, number) => [number, Buffer.from('{}\n')] as const);
  bench.chunks.set(files.outputFileId, new Map(done));
  bench.runner.start();
  await bench.untilRunning(2);
  assert.deepEqual(bench.runningOf(), [short, long]);
  await bench.endAll();
});

class Bench {
  readonly rows = new Map<BatchId, BatchRow>();
  readonly owned = new Set<BatchId>();
  readonly stolen = new Set<BatchId>();
  readonly inputs = new Map<FileId, string>();
  readonly chunks = new Map<FileId, Map<number, Buffer>>();
  readonly calls: { readonly line: CalledLine; readonly answer: (answer: LineAnswer) => void }[] = [];
  readonly runner: BatchRunner;
  mayBegin = true;
  /** What the files of the only account take, and what uploads take of that. */
  taken = 0;
  arriving = 0;
  /** Whether a line of a batch that ends, or one that fails, is claimed at another node, and how often that was asked. */
  claimed = false;
  asked = 0;
  /** Whether files of results have been deleted. */
  areResultsGone = false;
  /** What is stored of every line. */
  stored: { readonly callId: CallId; readonly body: Buffer } | null = null;

  constructor({ linesAtOnce, clock = systemClock }: { readonly linesAtOnce: number; readonly clock?: Clock }) {
    this.runner = new BatchRunner({
      ...this.#parts(),
      clock,
      limits: () => ({
        ...{ linesAtOnce, linesMax: 100, lineBytesMax: 1_000 },
        ...{ accountFilesBytesMax: SPACE_MAX, accountFilesMax: 10 },
      }),
    });
  }

  add(account: number, lines: number): BatchId {
    const [id, inputFileId] = [newBatchId(NOW), newFileId(NOW)];
    const input = Array.from(
      { length: lines },
      (_, at) => `{"custom_id":"${at}","method":"POST","url":"/v1/embeddings","body":{}}\n`,
    );
    this.inputs.set(inputFileId, input.join(''));
    const ids = { accountId: accountId(account), projectId: projectId(account), keyId: keyId(account) };
    const times = { createdAt: NOW, expiresAt: NOW + 86_400_000, keptMs: 1 };
    const state: BatchState = {
      ...{ status: 'validating', times: {}, outputFileId: null, errorFileId: null },
      ...{ total: 0, completed: 0, failed: 0, errors: [], waiting: 0, waitingFor: null, totals: null },
    };
    const row = {
      ...ids,
      ...times,
      ...state,
      id,
      inputFileId,
      address: null,
      endpoint: '/v1/embeddings',
      metadata: null,
    };
    this.rows.set(id, row);
    return id;
  }

  /** Answers a line of a batch that runs; of any batch without an id. */
  answer(id: BatchId | null = null, body = GOOD, status = 200, code: string | null = null): void {
    const at = this.calls.findIndex(({ line }) => id === null || line.batchId === id);
    const [call] = this.calls.splice(at, 1);
    const headers = { 'x-generation-id': newCallId(NOW), ...(code === null ? {} : { [LINE_ERROR_HEADER]: code }) };
    call?.answer({ status, headers, body: Buffer.from(body) });
  }

  runningOf(): readonly BatchId[] {
    return this.calls.map(({ line }) => line.batchId as BatchId);
  }

  untilRunning(count: number): Promise<void> {
    return this.until(() => this.calls.length === count);
  }

  async until(holds: () => boolean): Promise<void> {
    for (let turn = 0; turn < 100_000 && !holds(); turn += 1) await new Promise((done) => setImmediate(done));
    assert.ok(holds());
  }

  async turns(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) await new Promise((done) => setImmediate(done));
  }

  async endAll(): Promise<void> {
    const closed = this.runner.close();
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    await this.until(() => {
      while (this.calls.length > 0) this.answer();
      return isClosed;
    });
  }

  #parts(): Omit<RunnerParts, 'limits' | 'clock'> {
    const { rows, owned, stolen, inputs, chunks, calls } = this;
    const mayBegin = () => this.mayBegin;
    const change = async (id: BatchId, _owner: string, from: readonly string[], changes: Partial<BatchState>) => {
      const row = rows.get(id);
      if (row === undefined || !owned.has(id) || !from.includes(row.status)) return false;
      rows.set(id, { ...row, ...changes });
      return true;
    };
    const unused = async () => assert.fail('not used');
    return {
      store: {
        change,
        claim: async () => {
          const free = [...rows.values()].filter(
            ({ id, status }) => !owned.has(id) && !stolen.has(id) && isOpen(status),
          );
          for (const { id } of free) owned.add(id);
          return free;
        },
        renew: async (_claim, ids) => ids.filter((id) => owned.has(id)).map((id) => rows.get(id) as BatchRow),
        release: async (_owner, ids) => {
          for (const id of ids) owned.delete(id);
        },
        settledCalls: async (asked) => ({ ...NOTHING, calls: asked.length }),
        ...{ create: unused, find: unused, list: unused, runningBatchOf: unused, search: unused, read: unused },
        ...{ countOpen: unused, cancel: unused, deleteEnded: unused, keepLast: unused },
      },
      files: {
        create: async () => undefined,
        complete: async () => undefined,
        find: async (_project, id) => (this.areResultsGone ? null : ({ id } as FileRow)),
        delete: async () => true,
        grow: async (_id, bytes) => {
          this.taken += bytes;
        },
        spaceOf: async () => ({ bytes: this.taken, arrivingBytes: this.arriving, files: 1 }),
        chunkNumbers: async function* (id) {
          yield [...(chunks.get(id)?.keys() ?? [])];
        },
      },
      contents: {
        read: async function* (id) {
          const input = inputs.get(id);
          if (input !== undefined) yield Buffer.from(input);
          yield* chunks.get(id)?.values() ?? [];
        },
        write: async (id, number, bytes) => {
          chunks.set(
            id,
            (chunks.get(id) ?? new Map()).set(number, Buffer.isBuffer(bytes) ? bytes : Buffer.concat(bytes)),
          );
        },
      },
      call: (line) => new Promise((answer) => calls.push({ line, answer })),
      answers: {
        leaveLines: async () => {
          this.asked += 1;
          return !this.claimed;
        },
        leaveLine: async () => {
          this.asked += 1;
          return !this.claimed;
        },
        answerOf: async () => this.stored,
        ...{ linesOf: async () => [], forgetLines: async () => undefined },
      },
      owner: 'here',
      mayBegin,
      onLine: () => undefined,
      log: { warn: () => undefined },
    };
  }
}

const NOTHING = {
  ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, charge: NO_MONEY, models: [] },
};

function isOpen(status: string): boolean {
  return !['completed', 'failed', 'expired', 'cancelled'].includes(status);
}
