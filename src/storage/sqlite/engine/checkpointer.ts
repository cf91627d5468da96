/**
 * Keeps write-ahead logs on the disk and short, without making a caller wait for either. A quarter of a second after a
 * commit a thread syncs the log. Once nothing was written for some seconds, it moves the log into the database (PASSIVE):
 * not earlier, as the first commit to a log that was moved whole begins it afresh, with a sync that stops the event loop. Above
 * 32 MB the log is moved beside the writer; as that never ends while writes keep coming, the gate is then held, which keeps the next
 * commit waiting, while the thread moves what came meanwhile and starts the log afresh (TRUNCATE).
 */
import { statSync } from 'node:fs';
import type { Clock, Timer } from '../../../core/clock.ts';
import type { StorageProblem } from '../../storage.ts';
import { AskWorker } from './ask-worker.ts';
import type { CheckpointReply, CheckpointRequest } from './checkpoint-worker.ts';
import type { Gate } from './gate.ts';

export interface CheckpointerOptions {
  readonly clock: Clock;
  readonly onProblem: (problem: StorageProblem) => void;
}

const PERIOD_MS = 250;
/** After a commit so long nothing else may be written until the log is moved. */
const QUIET_MS = 5_000;
/** For what might have been written without a word. */
const IDLE_PERIOD_MS = 10_000;
const LOG_BYTES_MAX = 32 * 1024 * 1024;
/** At full speed a commit adds some 20 kB, so the log is looked at every few megabytes. */
const COMMITS_BETWEEN_LOOKS = 128;

interface Watched {
  readonly path: string;
  readonly gate: Gate;
  /** Size and time of the log when it was synced, and when all of it had been moved: nothing to do while they stay. */
  synced: string;
  moved: string;
  /** Since when it has been as it is; monotonic ms. */
  quietSinceMs: number;
  commits: number;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #worker: AskWorker<CheckpointRequest, CheckpointReply>;
  readonly #watched = new Map<string, Watched>();
  #timer: Timer | null = null;
  /** Whether the timer is not that of a commit that has just been made. */
  #isSlow = false;
  #isClosed = false;
  /** The thread's work, one after the other. */
  #queue: Promise<void> = Promise.resolve();
  #isBusy = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#worker = new AskWorker(new URL('./checkpoint-worker.ts', import.meta.url), null);
  }

  /** Starts looking after a database whose writers share `gate`. */
  watch(path: string, gate: Gate): void {
    this.#watched.set(path, { path, gate, synced: '', moved: '', quietSinceMs: 0, commits: 0 });
    this.#lookSoon();
  }

  /** To be called after each commit: a busy writer outgrows the log's limit between two looks of the timer. */
  committed(path: string): void {
    const file = this.#watched.get(path);
    if (file === undefined) return;
    this.#lookSoon();
    file.commits += 1;
    if (file.commits % COMMITS_BETWEEN_LOOKS === 0 && logState(path).bytes > LOG_BYTES_MAX) this.#look([file]);
  }

  /** Resolves when the thread has let go of the file, so that closing or removing it is the caller's alone. */
  async forget(path: string): Promise<void> {
    this.#watched.delete(path);
    await this.#enqueue(async () => {
      if (this.#worker.isRunning) await this.#ask({ type: 'forget', path });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#watched.clear();
    await this.#enqueue(async () => {
      if (!this.#worker.isRunning) return;
      await this.#ask({ type: 'close' });
      await this.#worker.ended();
    });
  }

  /** Resolves when the work begun so far is done. */
  settled(): Promise<void> {
    return this.#queue;
  }

  #lookSoon(): void {
    if (this.#timer === null || this.#isSlow) this.#lookAfter(PERIOD_MS);
  }

  #lookAfter(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer?.cancel();
    this.#isSlow = delayMs > PERIOD_MS;
    this.#timer = this.#options.clock.after(delayMs, () => {
      const files = [...this.#watched.values()];
      const delaysMs = files.map(nextLookMs);
      this.#lookAfter(Math.min(...delaysMs, IDLE_PERIOD_MS));
      if (delaysMs.some((ms) => ms < IDLE_PERIOD_MS)) this.#look(files);
    });
  }

  #look(files: readonly Watched[]): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    void this.#enqueue(async () => {
      try {
        for (const file of files) await this.#checkpoint(file);
      } finally {
        this.#isBusy = false;
      }
    });
  }

  async #checkpoint(file: Watched): Promise<void> {
    const state = logState(file.path);
    if (!hasMore(file, state) || !this.#watched.has(file.path)) return;
    const nowMs = this.#options.clock.monotonic();
    if (state.text !== file.synced) {
      const { error } = await this.#ask({ type: 'sync', path: file.path });
      if (error !== null) return;
      file.synced = state.text;
      file.quietSinceMs = nowMs;
      if (state.bytes <= LOG_BYTES_MAX) return;
    }
    const isFull = state.bytes > LOG_BYTES_MAX;
    if (!isFull && nowMs - file.quietSinceMs < QUIET_MS) return;
    // Moved beside the writer first, also where the log starts afresh: what came meanwhile is little to wait for.
    const reply = await this.#ask({ type: 'checkpoint', path: file.path, mode: 'PASSIVE' });
    if (reply.busy || reply.error !== null) return;
    if (isFull) await this.#startAfresh(file);
    else file.moved = state.text;
  }

  async #startAfresh(file: Watched): Promise<void> {
    const release = await file.gate.acquire();
    try {
      const reply = await this.#ask({ type: 'checkpoint', path: file.path, mode: 'TRUNCATE' });
      if (!reply.busy && reply.error === null) file.moved = file.synced = logState(file.path).text;
    } finally {
      release();
    }
  }

  /** A checkpoint that fails is reported and tried again at the next look; no commit depends on it. */
  async #ask(request: CheckpointRequest): Promise<CheckpointReply> {
    let reply: CheckpointReply;
    try {
      reply = await this.#worker.ask(request);
    } catch (error) {
      reply = { busy: false, error: error instanceof Error ? error.message : String(error) };
    }
    if (reply.error !== null)
      this.#options.onProblem({ type: 'checkpoint_failed', count: 1, cause: new Error(reply.error) });
    return reply;
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.#options.onProblem({ type: 'checkpoint_failed', count: 1, cause: error });
    });
    return this.#queue;
  }
}

/** When it is to be looked at again, if this look does what there is to do. */
function nextLookMs(file: Watched): number {
  const state = logState(file.path);
  if (!hasMore(file, state)) return IDLE_PERIOD_MS;
  return state.text !== file.synced || state.bytes > LOG_BYTES_MAX ? PERIOD_MS : QUIET_MS;
}

/** Whether something was written since all of it had been moved. */
function hasMore({ moved }: Watched, state: LogState): boolean {
  return state.bytes > 0 && state.text !== moved;
}

interface LogState {
  readonly bytes: number;
  readonly text: string;
}

function logState(path: string): LogState {
  const state = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return state === undefined ? { bytes: 0, text: '' } : { bytes: state.size, text: `${state.size} ${state.mtimeMs}` };
}
