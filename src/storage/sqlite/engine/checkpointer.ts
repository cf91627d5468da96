/**
 * Syncs write-ahead logs and keeps them short, without making a caller wait. A quarter of a second after a
 * commit a thread syncs the log. After some seconds without writes it checkpoints the log into the database (PASSIVE):
 * not earlier, because the first commit to a completely checkpointed log restarts it, with a sync that blocks the event loop. A log
 * above 32 MB is checkpointed concurrently with the writer; as that never finishes while writes continue, the gate is then held, which
 * makes the next commit wait, while the thread checkpoints the rest and restarts the log (TRUNCATE).
 */
import { realpathSync, statSync } from 'node:fs';
import type { Clock, Timer } from '../../../core/clock.ts';
import { Outage } from '../../../core/trouble/outage.ts';
import type { StorageProblem } from '../../storage.ts';
import { AskWorker } from '../../threads/ask-worker.ts';
import type { CheckpointReply, CheckpointRequest } from './checkpoint-worker.ts';
import type { Gate } from './gate.ts';

export interface CheckpointerOptions {
  readonly clock: Clock;
  readonly onProblem: (problem: StorageProblem) => void;
}

const PERIOD_MS = 250;
/** A log is checkpointed after this time without writes. */
const QUIET_MS = 5_000;
/** For writes that were not announced. */
const IDLE_PERIOD_MS = 10_000;
const LOG_BYTES_MAX = 32 * 1024 * 1024;
/** At full load a commit adds about 20 kB, so the log is checked every few megabytes. */
const COMMITS_PER_CHECK = 128;

interface Watched {
  /** As it is called. */
  readonly name: string;
  /** Without links: SQLite's log is next to the file that a link leads to. */
  readonly path: string;
  readonly gate: Gate;
  /** Size and time of the log when it was last synced, and when it was last checkpointed completely: nothing to do while they are unchanged. */
  synced: string;
  moved: string;
  /** When it last changed; monotonic ms. */
  quietSinceMs: number;
  commits: number;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #worker: AskWorker<CheckpointRequest, CheckpointReply>;
  readonly #watched = new Map<string, Watched>();
  /** By what was asked of which file: syncing a log may work while its checkpoints fail. */
  readonly #failing = new Map<string, Outage>();
  #timer: Timer | null = null;
  /** Whether the timer is the slow one, not that of a recent commit. */
  #isSlow = false;
  #isClosed = false;
  /** The thread's work, one request after the other. */
  #queue: Promise<void> = Promise.resolve();
  #isBusy = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#worker = new AskWorker(new URL('./checkpoint-worker.ts', import.meta.url), null);
  }

  /** Starts checkpointing a database whose writers share `gate`. */
  watch(path: string, gate: Gate): void {
    const real = realpathSync(path);
    this.#watched.set(path, { name: path, path: real, gate, synced: '', moved: '', quietSinceMs: 0, commits: 0 });
    this.#checkSoon();
  }

  /** Call it after each commit: a busy writer can exceed the log's limit between two ticks of the timer. */
  committed(path: string): void {
    const file = this.#watched.get(path);
    if (file === undefined) return;
    this.#checkSoon();
    file.commits += 1;
    if (file.commits % COMMITS_PER_CHECK === 0 && logState(file.path).bytes > LOG_BYTES_MAX) this.#check([file]);
  }

  /** Resolves when the thread has closed the file, so that the caller can close or remove it. */
  async forget(path: string): Promise<void> {
    const file = this.#watched.get(path);
    this.#watched.delete(path);
    if (file === undefined) return;
    await this.#enqueue(async () => {
      if (this.#worker.isRunning) await this.#ask({ type: 'forget', path: file.path });
      for (const type of ['sync', 'checkpoint']) this.#failing.delete(`${type} ${file.path}`);
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

  /** Resolves when all work started so far is done. */
  settled(): Promise<void> {
    return this.#queue;
  }

  #checkSoon(): void {
    if (this.#timer === null || this.#isSlow) this.#checkAfter(PERIOD_MS);
  }

  #checkAfter(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer?.cancel();
    this.#isSlow = delayMs > PERIOD_MS;
    this.#timer = this.#options.clock.after(delayMs, () => {
      const files = [...this.#watched.values()];
      const delaysMs = files.map(nextCheckMs);
      this.#checkAfter(Math.min(...delaysMs, IDLE_PERIOD_MS));
      if (delaysMs.some((ms) => ms < IDLE_PERIOD_MS)) this.#check(files);
    });
  }

  #check(files: readonly Watched[]): void {
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
    if (!hasMore(file, state) || !this.#watched.has(file.name)) return;
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
    // Checkpointed concurrently first, even if the log is to be restarted: then little is left while the gate is held.
    const reply = await this.#ask({ type: 'checkpoint', path: file.path, mode: 'PASSIVE' });
    if (reply.busy || reply.error !== null) return;
    if (isFull) await this.#restartLog(file);
    else file.moved = state.text;
  }

  async #restartLog(file: Watched): Promise<void> {
    const release = await file.gate.acquire();
    try {
      const reply = await this.#ask({ type: 'checkpoint', path: file.path, mode: 'TRUNCATE' });
      if (!reply.busy && reply.error === null) file.moved = file.synced = logState(file.path).text;
    } finally {
      release();
    }
  }

  /** A failed checkpoint is retried at the next check; no commit depends on it. The first of a row is reported, and the end of the row. */
  async #ask(request: CheckpointRequest): Promise<CheckpointReply> {
    let reply: CheckpointReply;
    try {
      reply = await this.#worker.ask(request);
    } catch (error) {
      reply = { busy: false, error: error instanceof Error ? error.message : String(error) };
    }
    this.#note(request, reply);
    return reply;
  }

  #note(request: CheckpointRequest, { error }: CheckpointReply): void {
    const { clock, onProblem } = this.#options;
    const name = request.type === 'close' ? request.type : `${request.type} ${request.path}`;
    const outage = this.#failing.get(name);
    if (error !== null) {
      const failing = outage ?? new Outage(clock);
      this.#failing.set(name, failing);
      if (failing.failed()) onProblem({ type: 'checkpoint_failed', count: 1, cause: new Error(error) });
    } else if (outage !== undefined) {
      this.#failing.delete(name);
      onProblem({ type: 'checkpoint_failed', count: 1, cause: null, overAfterMs: outage.worked() ?? 0 });
    }
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.#options.onProblem({ type: 'checkpoint_failed', count: 1, cause: error });
    });
    return this.#queue;
  }
}

/** The delay until the next check, assuming that this one succeeds. */
function nextCheckMs(file: Watched): number {
  const state = logState(file.path);
  if (!hasMore(file, state)) return IDLE_PERIOD_MS;
  return state.text !== file.synced || state.bytes > LOG_BYTES_MAX ? PERIOD_MS : QUIET_MS;
}

/** Whether something was written since the last complete checkpoint. */
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
