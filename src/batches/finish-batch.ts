/**
 * The end of a batch: what has not run gets its error, the files of results become visible, and the batch says how it ended. Each step can be taken
 * again after a crash.
 */
import { bodyLength } from '../core/body.ts';
import type { FileId } from '../core/ids.ts';
import { addTotals } from './add-totals.ts';
import type { DoneLines } from './done-lines.ts';
import { LineReader } from './line-reader.ts';
import type { BatchEnd, BatchRow } from './ports.ts';
import { readLine } from './read-line.ts';
import { answeredLine, type LineFault, skippedLine } from './result-line.ts';
import type { RunParts } from './runner-ports.ts';

const OPEN = ['validating', 'in_progress', 'finalizing', 'cancelling'] as const;
const WRITTEN_AT_ONCE = 16;

/** `waits`: a line's call has not ended, so call it again in a while. `lost`: somebody else has it by now. */
export type Finished = 'ended' | 'waits' | 'lost';

/** `full`: completed, but what has not run has no space for its result. */
export type FinishAs = BatchEnd | 'full';

export interface FinishOptions {
  /** Whether settlements that are still on their way are waited for. */
  readonly isPatient: boolean;
  /** Whether this node still has the batch: otherwise it writes nothing more. */
  readonly isOurs: () => boolean;
}

/** Rejects if the storage cannot take it; call it again then. */
export async function finishBatch(
  parts: RunParts,
  row: BatchRow,
  done: DoneLines,
  as: FinishAs,
  { isPatient, isOurs }: FinishOptions,
): Promise<Finished> {
  const { store, files, answers, clock, owner } = parts;
  const end = as === 'full' ? 'completed' : as;
  let times = row.times;
  if (as === 'failed') {
    // Without its input no answer can be written, whether it comes or not.
    await mayLeave(parts, row, done);
  } else if (as !== 'completed') {
    if (!(await mayLeave(parts, row, done))) return 'waits';
    if (!(await writeRest(parts, row, done, NOT_RUN[as], isOurs))) return 'lost';
  }
  const { completed, failed } = done;
  if (end === 'completed') {
    times = { ...times, finalizingAt: clock.now() };
    // Whoever goes on from here begins no line, whether it finds these results or not.
    const changes = { status: 'finalizing', times, completed, failed } as const;
    if (!(await store.change(row.id, owner, OPEN, changes))) return 'lost';
  }
  const answered = await addTotals(parts, row.outputFileId, completed, isPatient);
  if (answered === 'waits') return 'waits';
  const { totals } = answered;
  const empty: FileId[] = [];
  const show = async (id: FileId | null, bytes: number) => {
    // One that has expired since an earlier attempt is gone.
    if (id === null || (await files.find(row.projectId, id)) === null) return null;
    if (bytes > 0) await files.complete(id, bytes, clock.now() + row.keptMs);
    else empty.push(id);
    return bytes > 0 ? id : null;
  };
  const outputFileId = await show(row.outputFileId, answered.bytes);
  const errorFileId = await show(row.errorFileId, await lengthOf(parts, row.errorFileId));
  const errors = end === 'failed' ? [INPUT_GONE] : [];
  times = { ...times, endedAt: clock.now() };
  const results = { outputFileId, errorFileId, completed, failed, totals };
  const ended = { ...results, status: end, times, errors, waiting: 0, waitingFor: null };
  if (!(await store.change(row.id, owner, OPEN, ended))) return 'lost';
  for (const id of empty) await files.delete(row.projectId, id);
  await answers.forgetLines(await answers.linesOf(row.projectId, row.id));
  return 'ended';
}

/**
 * Whether no line that is missing may have been settled at a node that has not sent it to the database yet, such as one that was killed: its answer
 * comes when that starts again. If a node counts as lost, its lines are left, and not charged when it comes back. It is asked before the stored
 * answers, which take the place of claims.
 */
async function mayLeave({ answers, clock }: RunParts, row: BatchRow, done: DoneLines): Promise<boolean> {
  if (row.outputFileId === null || done.isAll) return true;
  return answers.leaveLines(row.projectId, row.id, done.missing(), clock.now());
}

/**
 * A line whose call was settled just before a crash has its answer, and so keeps it. The others get an error. False if somebody else has the batch by
 * now: what is stored of its lines may be gone with its end, so nothing can be said of them.
 */
async function writeRest(
  parts: RunParts,
  row: BatchRow,
  done: DoneLines,
  error: LineFault,
  isOurs: () => boolean,
): Promise<boolean> {
  const { answers, contents, clock, space } = parts;
  const { outputFileId, errorFileId, accountId, projectId, id: batchId } = row;
  if (outputFileId === null || errorFileId === null || done.isAll) return true;
  const hasAnswers = (await answers.linesOf(projectId, batchId)).length > 0;
  const reader = new LineReader((from) => contents.read(row.inputFileId, from), parts.limits().lineBytesMax);
  const writing = new Set<Promise<void>>();
  try {
    for (let line = await reader.next(); line !== null; line = await reader.next()) {
      const { number } = line.place;
      if (done.has(number)) continue;
      const stored = hasAnswers ? await answers.answerOf(projectId, { batchId, number }, clock.now()) : null;
      const { customIdJson } = await readLine(line.bytes);
      const bytes =
        stored === null
          ? skippedLine(`${batchId.slice(-26)}_${number}`, customIdJson, error)
          : await answeredLine(customIdJson, { status: 200, ...stored });
      const fileId = stored === null ? errorFileId : outputFileId;
      if (!isOurs()) return false;
      const written = contents.write(fileId, number, bytes).then(() => {
        done.add(number, stored !== null);
        space.wrote(accountId, fileId, bodyLength(bytes));
        writing.delete(written);
      });
      writing.add(written);
      if (writing.size >= WRITTEN_AT_ONCE) await Promise.race(writing);
    }
    await Promise.all(writing);
    return true;
  } finally {
    await reader.close();
    await Promise.allSettled(writing);
  }
}

const INPUT_GONE = {
  code: 'input_file_gone',
  message: 'The input file is not here any more. Upload it again, and make a new batch.',
  param: 'input_file_id',
  line: null,
};
/** What is said of a line that has not run. */
const NOT_RUN: Readonly<Record<'expired' | 'cancelled' | 'full', LineFault>> = {
  expired: {
    code: 'batch_expired',
    message: 'This request could not be executed before the completion window expired.',
  },
  cancelled: { code: 'batch_cancelled', message: 'This request was not executed: the batch was cancelled.' },
  full: {
    code: 'file_space_exceeded',
    message:
      'This request was not executed: the files of the account had taken all their space (limits.accountFilesBytesMax). Delete some, and send it again in a new batch.',
  },
};

async function lengthOf({ contents }: RunParts, id: FileId | null): Promise<number> {
  let bytes = 0;
  if (id === null) return bytes;
  for await (const chunk of contents.read(id)) bytes += chunk.length;
  return bytes;
}
