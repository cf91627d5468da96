/** What comes before the lines of a batch: its input is validated, once; and whoever goes on with it learns what is done already. */
import { type FileId, newFileId } from '../core/ids.ts';
import { DoneLines } from './done-lines.ts';
import type { BatchRow, BatchState } from './ports.ts';
import { type RunParts, resultFile } from './runner-ports.ts';
import { validateInput } from './validate-input.ts';

export interface Prepared {
  readonly row: BatchRow;
  readonly done: DoneLines;
}

/** Null if it need not be run: it has failed, was stopped meanwhile, or somebody else has it. `goesOn` is asked again and again. */
export async function prepareBatch(parts: RunParts, row: BatchRow, goesOn: () => boolean): Promise<Prepared | null> {
  if (row.status !== 'validating') {
    await parts.space.look(row.accountId);
    return { row, done: await doneLines(parts, row) };
  }
  const { store, contents, owner, clock } = parts;
  const read = (from: number) => contents.read(row.inputFileId, from);
  const validated = await validateInput(read, row.endpoint, parts.limits(), goesOn);
  if (validated === null) return null;
  if ('errors' in validated) {
    const { errors } = validated;
    await store.change(row.id, owner, ['validating'], { status: 'failed', errors, times: { endedAt: clock.now() } });
    return null;
  }
  if (!(await parts.space.hasRoomForBatch(row.accountId))) {
    const times = { endedAt: clock.now() };
    await store.change(row.id, owner, ['validating'], { status: 'failed', errors: [NO_SPACE], times });
    return null;
  }
  const begun = await begin(parts, row, validated.total);
  return begun === null ? null : { row: begun, done: new DoneLines(begun.total) };
}

/** One that cannot write its results would have nothing but errors, in files that take space themselves. */
const NO_SPACE = {
  code: 'file_space_exceeded',
  message:
    'The files of this account take all their space. Delete some, or ask the operator to raise the limit; then make a new batch.',
  param: null,
  line: null,
};

/** Its files are there before a line runs. */
async function begin(parts: RunParts, row: BatchRow, total: number): Promise<BatchRow | null> {
  const { files, store, clock, owner } = parts;
  const nowMs = clock.now();
  const [outputFileId, errorFileId] = [newFileId(nowMs), newFileId(nowMs)];
  await files.create(resultFile(row, outputFileId, 'output', nowMs));
  await files.create(resultFile(row, errorFileId, 'error', nowMs));
  const changes: Partial<BatchState> = {
    status: 'in_progress',
    total,
    outputFileId,
    errorFileId,
    times: { ...row.times, inProgressAt: nowMs },
  };
  if (await store.change(row.id, owner, ['validating'], changes)) return { ...row, ...changes };
  for (const id of [outputFileId, errorFileId]) await files.delete(row.projectId, id);
  return null;
}

async function doneLines({ files }: RunParts, row: BatchRow): Promise<DoneLines> {
  const done = new DoneLines(row.total);
  const add = async (id: FileId | null, isAnswer: boolean) => {
    if (id === null) return;
    for await (const numbers of files.chunkNumbers(id)) for (const number of numbers) done.add(number, isAnswer);
  };
  await add(row.outputFileId, true);
  await add(row.errorFileId, false);
  // Every line had its result, so what is missing has been deleted since, as by its expiry. A call for it would be charged a second time.
  if (row.status === 'finalizing' && !done.isAll) done.addRest(row.completed);
  return done;
}
