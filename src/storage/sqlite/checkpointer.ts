/**
 * Keeps write-ahead logs short without making a caller wait for the disk. A quarter of a second after a
 * commit a thread moves what it can beside the writer (PASSIVE). That never ends while writes keep coming,
 * so above 8 MB the gate is held, which keeps the next commit waiting, while the thread moves what
 * came meanwhile and starts the log afresh (TRUNCATE). While nothing is written nothing is looked at,
 * but for a slow look at what might have been written without a word.
 */
import { statSync } from 'node:fs';
import type { Clock, Timer } from '../../core/clock.ts';
import type { StorageProblem } from '../storage.ts';
import { AskWorker } from './ask-worker.ts';
import type { CheckpointReply, CheckpointRequest } from './checkpoint-worker.ts';
import type { Gate } from './gate.ts';

export interface CheckpointerOptions {
  readonly clock: Clock;
  readonly onProblem: (problem: StorageProblem) => void;
}

const PERIOD_MS = 250;
const IDLE_PERIOD_MS = 10_000;
const LOG_BYTES_MAX = 8 * 1024 * 1024;
/** At full speed a commit adds some 20 kB, so the log is looked at every few megabytes. */
const COMMITS_BETWEEN_LOOKS = 128;

interface Watched {
  readonly path: string;
  readonly gate: Gate;
  /** Size and time of the log when all of it had been moved: nothing to do while they stay. */
  done: string;
  commits: number;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #worker: AskWorker<CheckpointRequest, CheckpointReply>;
  readonly #watched = new Map<string, Watched>();
  #timer: Timer | null = null;
  /** Whether the timer is that of an idle server. */
  #isIdle = false;
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
    this.#watched.set(path, { path, gate, done: '', commits: 0 });
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
    if (this.#timer === null || this.#isIdle) this.#lookAfter(PERIOD_MS);
  }

  #lookAfter(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer?.cancel();
    this.#isIdle = delayMs === IDLE_PERIOD_MS;
    this.#timer = this.#options.clock.after(delayMs, () => {
      const files = [...this.#watched.values()];
      const isIdle = files.every((file) => !hasMore(file));
      this.#lookAfter(isIdle ? IDLE_PERIOD_MS : PERIOD_MS);
      if (!isIdle) this.#look(files);
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
    // Moved beside the writer first, also where the log starts afresh: what came meanwhile is little to wait for.
    const reply = await this.#ask({ type: 'checkpoint', path: file.path, mode: 'PASSIVE' });
    if (reply.busy || reply.error !== null) return;
    if (state.bytes > LOG_BYTES_MAX) await this.#startAfresh(file);
    else file.done = state.text;
  }

  async #startAfresh(file: Watched): Promise<void> {
    const release = await file.gate.hold();
    try {
      const reply = await this.#ask({ type: 'checkpoint', path: file.path, mode: 'TRUNCATE' });
      if (!reply.busy && reply.error === null) file.done = logState(file.path).text;
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

/** Whether something was written since all of it had been moved. */
function hasMore({ path, done }: Watched, state: LogState = logState(path)): boolean {
  return state.bytes > 0 && state.text !== done;
}

interface LogState {
  readonly bytes: number;
  readonly text: string;
}

function logState(path: string): LogState {
  const state = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return state === undefined ? { bytes: 0, text: '' } : { bytes: state.size, text: `${state.size} ${state.mtimeMs}` };
}
