/** One batch while this node runs it: which line comes next, what becomes of it, and when it is over. */
import { bodyLength } from '../core/body.ts';
import { type CallId, newCallId, parseCallId } from '../core/ids.ts';
import { DoneLines } from './done-lines.ts';
import { type FinishAs, finishBatch } from './finish-batch.ts';
import { FIRST_LINE, type InputLine, type LinePlace, LineReader } from './line-reader.ts';
import type { BatchRow, OpenStatus } from './ports.ts';
import { prepareBatch } from './prepare-batch.ts';
import { readLine } from './read-line.ts';
import { answeredLine, type LineResponse } from './result-line.ts';
import type { LineAnswer, RunParts } from './runner-ports.ts';
import { codeOf, waitOf } from './wait-of.ts';
import { WaitingLines } from './waiting-lines.ts';

/**
 * Why no more of its lines begin. `full`: the files of its account have taken all their space. `gone`: its input is, as after a restore of a backup,
 * which has no files.
 */
export type Stop = 'expired' | 'cancelled' | 'full' | 'gone';

/** What is stored of lines is forgotten as many at a time. */
const FORGOTTEN_AT_ONCE = 64;
const FIRST_REST_MS = 1_000;
/** A shorter answer does not push others out of memory. */
const LARGE_BYTES = 1024 * 1024;
const REST_MS_MAX = 60_000;
/** Lines that are passed over until others have a turn; most take some microseconds. */
const PASSED_AT_ONCE = 500;
/** The same in bytes: the longest line, once. */
const PASSED_BYTES = 4 * 1024 * 1024;
/** How long its end waits for settlements that another node has to send. */
const SETTLED_WITHIN_MS = 10_000;

export class BatchRun {
  readonly #parts: RunParts;
  #row: BatchRow;
  #done: DoneLines | null = null;
  #stop: Stop | null = null;
  #isLost = false;
  #reader: LineReader | null = null;
  /** Where reading goes on if nothing is being read. */
  #place: LinePlace = FIRST_LINE;
  /** Whether every line has begun at least once. */
  #isRead = false;
  /** Lines that have been read. */
  #lines = 0;
  readonly #running = new Set<number>();
  readonly #again = new WaitingLines();
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** Rests since a line was answered. */
  #rests = 0;
  /** Whether its lines run one at a time: the answers of several did not fit into memory together, and each has cost something. */
  #isNarrow = false;
  /** Calls whose results are in a file. */
  #forgettable: CallId[] = [];
  /** Why the last line that is called again is. */
  #waitingFor: string | null = null;
  #reported = '';
  #isOver = false;
  /** Monotonic, ms: it is not ended before. */
  #endsFrom = Number.NEGATIVE_INFINITY;
  /** Monotonic, ms: when it was to be ended first. */
  #endsSince: number | null = null;
  #ownedUntil: number;

  constructor(parts: RunParts, row: BatchRow, ownedUntil: number) {
    this.#parts = parts;
    this.#row = row;
    this.#ownedUntil = ownedUntil;
  }

  get row(): BatchRow {
    return this.#row;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Lines that have to be called again. */
  get waiting(): number {
    return this.#again.size;
  }

  /** As its row says, or will say soon. */
  get status(): OpenStatus {
    if (this.#done === null) return 'validating';
    if (this.#stop === 'cancelled') return 'cancelling';
    return this.#endsSince === null ? 'in_progress' : 'finalizing';
  }

  /** Whether its lines may begin. */
  get goesOn(): boolean {
    return this.#stop === null && !this.#isLost;
  }

  /** Whether another node has it, or may have: this one writes nothing of it any more. */
  get isLost(): boolean {
    return this.#isLost;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Monotonic, ms: until then nobody else has it. */
  get ownedUntil(): number {
    return this.#ownedUntil;
  }

  /** It is still this node's, and its row is this. */
  renewed({ status, times }: BatchRow, ownedUntil: number): void {
    this.#ownedUntil = ownedUntil;
    this.#row = { ...this.#row, times: { ...this.#row.times, ...times } };
    if (status === 'cancelling') this.stop('cancelled');
  }

  /** Whether nothing of it runs, and nothing more will, and it can be ended now. */
  get isEnding(): boolean {
    if (this.#done === null || this.#running.size > 0 || this.#isLost) return false;
    if (this.#parts.clock.monotonic() < this.#endsFrom) return false;
    return this.#stop !== null || this.#done.isAll;
  }

  /** No more lines begin; those that run end. The first reason counts. */
  stop(why: Stop): void {
    this.#stop ??= why;
  }

  lose(): void {
    this.#isLost = true;
  }

  async prepare(): Promise<void> {
    const prepared = await prepareBatch(this.#parts, this.#row, () => this.goesOn);
    if (prepared !== null) {
      this.#row = prepared.row;
      this.#done = prepared.done;
    } else if (this.#stop !== null) this.#done = new DoneLines(0);
    else this.#isOver = true;
  }

  /** Whether a line may begin now. */
  isReady(nowMs: number): boolean {
    if (this.#parts.clock.now() >= this.#row.expiresAt) this.stop('expired');
    if (this.#done === null || this.#done.isAll || this.#stop !== null || this.#isLost) return false;
    if (nowMs < this.#restsUntil || !this.#hasRoom()) return false;
    if (this.#isNarrow && this.#running.size > 0) return false;
    return !this.#isRead || this.#again.firstDue(nowMs) !== null;
  }

  /**
   * The next line that may begin; null if there is none now. `later`: many that may not were passed over, so others come first; then ask again.
   */
  async nextLine(): Promise<InputLine | 'later' | null> {
    const { contents, clock, limits } = this.#parts;
    let [passed, passedBytes] = [0, 0];
    for (let ends = 0; ; ) {
      if (passed >= PASSED_AT_ONCE || passedBytes >= PASSED_BYTES) return 'later';
      this.#reader ??= new LineReader(
        (from) => contents.read(this.#row.inputFileId, from),
        limits().lineBytesMax,
        this.#place,
      );
      const line = await this.#reader.next();
      const nowMs = clock.monotonic();
      if (line === null) {
        this.#reader = null;
        ends += 1;
        if ((!this.#isRead && this.#lines < (this.#done?.total ?? 0)) || ends > 1) this.stop('gone');
        this.#isRead = true;
        const first = this.#again.firstDue(nowMs);
        if (this.#stop !== null || first === null) return null;
        this.#place = first;
        continue;
      }
      this.#lines = Math.max(this.#lines, line.place.number + 1);
      if (this.#mayBegin(line.place.number, nowMs)) return line;
      passed += 1;
      passedBytes += line.bytes.length;
    }
  }

  #mayBegin(number: number, nowMs: number): boolean {
    if (this.#done?.has(number) === true || this.#running.has(number)) return false;
    if (this.#again.has(number)) return this.#again.take(number, nowMs);
    // A second time only those are read that must be called again.
    return !this.#isRead;
  }

  /** Once there is none, what has not begun gets its error: like a balance, space that is used up does not come back by itself. */
  #hasRoom(): boolean {
    const room = this.#parts.space.roomOf(this.#row.accountId);
    if (room === 'none') this.stop('full');
    return room === 'free';
  }

  /** After an error of the storage: reading begins anew, after a while. */
  async readAgain(): Promise<void> {
    const reader = this.#reader;
    this.#reader = null;
    this.#place = FIRST_LINE;
    this.#isRead = false;
    this.#rest(null);
    await reader?.close().catch(() => undefined);
  }

  /** Calls the line; resolves when its result is in a file, or it must be called again. Never rejects. */
  async run({ bytes, place }: InputLine): Promise<void> {
    const { number } = place;
    this.#running.add(number);
    try {
      const { id: batchId, keyId, address } = this.#row;
      const { customIdJson, url, body } = await readLine(bytes);
      const answer = await this.#parts.call({ batchId, number, keyId, address }, { path: url, body });
      const wait = waitOf(answer);
      if (wait !== null) this.#waitingFor = codeOf(answer);
      if (wait !== null && codeOf(answer) === 'overloaded') this.#isNarrow = true;
      if (wait === null && answer.body.length < LARGE_BYTES) this.#isNarrow = false;
      if (wait === 'line') this.#callAgain(place, FIRST_REST_MS);
      else if (wait !== null) {
        this.#callAgain(place, 0);
        this.#rest(wait.afterMs);
      } else {
        this.#rests = 0;
        const result = await this.#resultOf(number, answer);
        if (result === null) {
          this.#waitingFor = 'idempotency_in_flight';
          this.#callAgain(place, FIRST_REST_MS);
        } else await this.#write(number, customIdJson, result);
      }
    } catch (error) {
      // It broke off, or cannot be written: what it has come to is known once it is called again.
      this.#parts.log.warn({ batch: this.#row.id, line: number, cause: messageOf(error) }, 'batch_line_failed');
      this.#waitingFor = 'internal_error';
      this.#callAgain(place, FIRST_REST_MS);
      this.#rest(null);
    } finally {
      this.#running.delete(number);
    }
  }

  /** Ends it, once nothing of it runs; it is not over if another node's line is waited for. Rejects if the storage cannot take that; call it again then. */
  async finish(): Promise<void> {
    const done = this.#done;
    if (done === null || this.#isLost) return;
    await this.#reader?.close();
    this.#reader = null;
    const nowMs = this.#parts.clock.monotonic();
    this.#endsSince ??= nowMs;
    const isPatient = nowMs < this.#endsSince + SETTLED_WITHIN_MS;
    const isOurs = () => !this.#isLost && this.#parts.clock.monotonic() < this.#ownedUntil;
    const finished = await finishBatch(this.#parts, this.#row, done, this.#endOf(done), { isPatient, isOurs });
    if (finished === 'waits') this.#endsFrom = this.#parts.clock.monotonic() + FIRST_REST_MS;
    else this.#isOver = true;
  }

  /** Writes how far it is and what waits, and forgets what is stored of lines that are done. */
  async report(): Promise<void> {
    const { store, answers, owner } = this.#parts;
    const calls = this.#forgettable;
    if (calls.length > 0) {
      this.#forgettable = [];
      await answers.forgetLines(calls);
    }
    const done = this.#done;
    if (done === null || this.#isOver) return;
    const { completed, failed } = done;
    const { waiting } = this;
    const progress = { completed, failed, waiting, waitingFor: waiting === 0 ? null : this.#waitingFor };
    const reported = JSON.stringify(progress);
    if (reported === this.#reported) return;
    await store.change(this.#row.id, owner, ['in_progress', 'cancelling'], progress);
    this.#reported = reported;
  }

  /** What it reads is closed. */
  async close(): Promise<void> {
    this.lose();
    await this.#reader?.close().catch(() => undefined);
    this.#reader = null;
  }

  #endOf(done: DoneLines): FinishAs {
    if (done.isAll && done.total > 0) return 'completed';
    return this.#stop === 'gone' ? 'failed' : (this.#stop ?? 'cancelled');
  }

  /** What an earlier call for the line has come to counts more than a failure, as after its key was revoked; null if that is not known yet. */
  async #resultOf(number: number, { status, headers, body }: LineAnswer): Promise<LineResponse | null> {
    const { clock, answers } = this.#parts;
    const callId = parseCallId(String(headers['x-generation-id'])) ?? newCallId(clock.now());
    if (status >= 200 && status < 300) return { status, callId, body };
    const { id: batchId, projectId } = this.#row;
    if (!(await answers.leaveLine(projectId, { batchId, number }, callId, clock.now()))) return null;
    const stored = await answers.answerOf(projectId, { batchId, number }, clock.now());
    return stored === null ? { status, callId, body } : { status: 200, ...stored };
  }

  async #write(number: number, customIdJson: Buffer, { status, callId, body }: LineResponse): Promise<void> {
    const { outputFileId, errorFileId } = this.#row;
    const isAnswer = status >= 200 && status < 300;
    const fileId = isAnswer ? outputFileId : errorFileId;
    const { clock, contents, answers } = this.#parts;
    if (fileId === null) throw new Error('a running batch has its files');
    const line = await answeredLine(customIdJson, { status, callId, body });
    // Another node may have it: whoever has it now finds what is stored of the line.
    if (clock.monotonic() >= this.#ownedUntil) return this.lose();
    await contents.write(fileId, number, line);
    this.#done?.add(number, isAnswer);
    this.#parts.space.wrote(this.#row.accountId, fileId, bodyLength(line));
    this.#parts.onLine(isAnswer ? 'completed' : 'failed');
    if (!isAnswer) return;
    this.#forgettable.push(callId);
    if (this.#forgettable.length < FORGOTTEN_AT_ONCE) return;
    const calls = this.#forgettable;
    this.#forgettable = [];
    // What cannot be deleted now goes with the end of the batch, or when it expires.
    await answers.forgetLines(calls).catch(() => undefined);
  }

  #callAgain(place: LinePlace, afterMs: number): void {
    this.#parts.onLine('again');
    this.#again.add(place, this.#parts.clock.monotonic() + afterMs);
  }

  /** Longer each time until a line is answered, and as long as it was asked to. */
  #rest(askedMs: number | null): void {
    const nowMs = this.#parts.clock.monotonic();
    if (nowMs < this.#restsUntil && askedMs === null) return;
    const ownMs = Math.min(REST_MS_MAX, FIRST_REST_MS * 2 ** Math.min(this.#rests, 10));
    if (nowMs >= this.#restsUntil) this.#rests += 1;
    this.#restsUntil = Math.max(this.#restsUntil, nowMs + Math.max(ownMs, askedMs ?? 0));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
