/**
 * Stores the bodies of calls whose account asks for it, and reads them. This happens after the call,
 * one call per turn of the event loop; bodies that cannot be stored are counted and reported, and no call is affected. The
 * queue is bounded: under more load than the disk can take, bodies are lost and calls are not.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timer } from '../core/clock.ts';
import { type AccountId, type CallId, callIdTime } from '../core/ids.ts';
import type { SharedSealer } from '../core/sealing/sealer.ts';
import type { CallCapture } from './call-capture.ts';
import { packBodies, unpackBodies } from './pack-bodies.ts';
import type { CaptureReader, CaptureStore, KeptBodies, RetentionOf, SealedCapture } from './ports.ts';
import { prepareBody } from './prepare-body.ts';

export interface CaptureRecorderParts {
  readonly store: CaptureStore;
  readonly sealer: SharedSealer;
  readonly clock: Clock;
  /** Each account's setting; a shorter one also applies to bodies stored before. */
  readonly retentionDaysOf: RetentionOf;
  /** Called with the number of bodies that could not be stored, or when expired ones could not be deleted; must not throw. */
  readonly onProblem: (problem: CaptureProblem) => void;
}

export interface CaptureProblem {
  readonly type: 'captures_lost' | 'captures_not_deleted';
  readonly count: number;
  /** Contains nothing of the bodies. */
  readonly cause: unknown;
}

const DAY_MS = 86_400_000;
const EXPIRE_EVERY_MS = 3_600_000;
/** For requests and answers that wait to be sealed. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

export class CaptureRecorder implements CaptureReader {
  readonly #parts: CaptureRecorderParts;
  readonly #timer: Timer;
  #waitingBytes = 0;
  /** Calls whose bodies have not been passed to the store yet. */
  readonly #waiting = new Set<CallId>();
  #turn: Promise<unknown> = Promise.resolve();

  /** Starts a timer that deletes expired bodies every hour. */
  constructor(parts: CaptureRecorderParts) {
    this.#parts = parts;
    this.#timer = parts.clock.every(EXPIRE_EVERY_MS, () => void this.expire());
  }

  /** Never throws, and returns immediately. The call's buffers must not be modified from now on. */
  keep(capture: CallCapture): void {
    const bytes = capture.request.length + capture.response.bytes.length;
    if (this.#waitingBytes + bytes > WAITING_BYTES_MAX)
      return this.#lose(new Error('too many bodies are waiting to be sealed'));
    this.#waitingBytes += bytes;
    this.#waiting.add(capture.callId);
    void this.#inTurn(async () => {
      await nextTurn();
      try {
        await this.#seal(capture);
      } catch (error) {
        this.#lose(error);
      } finally {
        this.#waitingBytes -= bytes;
        this.#waiting.delete(capture.callId);
      }
    });
  }

  async bodiesOf(accountId: AccountId, callId: CallId): Promise<KeptBodies | null> {
    const kept = await this.#find(accountId, callId);
    if (kept === null) return null;
    const packed = await this.#parts.sealer.openStored(kept.sealed, sealName(accountId, callId));
    return { ...(await unpackBodies(packed)), keptUntil: kept.expiresAt };
  }

  async hasBodies(accountId: AccountId, callId: CallId): Promise<boolean> {
    return (await this.#find(accountId, callId)) !== null;
  }

  async deleteBodies(accountId: AccountId, callId: CallId): Promise<boolean> {
    await this.#written(callId);
    return this.#parts.store.delete(accountId, callId);
  }

  /** Includes bodies that are not written yet; returns how many there were. */
  deleteAllOf(accountId: AccountId): Promise<number> {
    return this.#inTurn(() => this.#parts.store.deleteOf(accountId));
  }

  /** Deletes bodies that are older than a shorter retention. Switching the setting off stops storing bodies, and deletes none. */
  settingsChanged(): Promise<void> {
    return this.#expire();
  }

  /** Deletes expired bodies; a failure is reported, and retried in an hour. */
  async expire(): Promise<void> {
    try {
      await this.#expire();
    } catch (cause) {
      this.#parts.onProblem({ type: 'captures_not_deleted', count: 1, cause });
    }
  }

  /** Resolves when everything kept so far has been passed to the store. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#turn;
  }

  #expire(): Promise<void> {
    const { store, clock, retentionDaysOf } = this.#parts;
    return this.#inTurn(() => store.deleteExpired(clock.now(), retentionDaysOf));
  }

  async #seal({ callId, accountId, terms, request, response }: CallCapture): Promise<void> {
    const { store, sealer } = this.#parts;
    const asked = await prepareBody(request, false, terms.redact);
    await nextTurn();
    const answered = await prepareBody(response.bytes, response.isTruncated, terms.redact);
    const packed = await packBodies({ request: asked, response: answered });
    store.append({
      callId,
      accountId,
      expiresAt: callIdTime(callId) + terms.retentionDays * DAY_MS,
      sealed: sealer.seal(packed, sealName(accountId, callId)),
    });
  }

  /** Null if it has expired by the account's current setting, even if it is not deleted yet. */
  async #find(accountId: AccountId, callId: CallId): Promise<SealedCapture | null> {
    const { store, clock, retentionDaysOf } = this.#parts;
    await this.#written(callId);
    const kept = await store.read(accountId, callId);
    if (kept === null) return null;
    const expiresAt = Math.min(kept.expiresAt, callIdTime(callId) + retentionDaysOf(accountId) * DAY_MS);
    return expiresAt > clock.now() ? { ...kept, expiresAt } : null;
  }

  /** Waits for the queue if this call is in it. */
  async #written(callId: CallId): Promise<void> {
    if (this.#waiting.has(callId)) await this.#turn;
  }

  #lose(cause: unknown): void {
    this.#parts.onProblem({ type: 'captures_lost', count: 1, cause });
  }

  /** Runs after all earlier work has ended, successfully or not. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = this.#turn.then(work);
    this.#turn = run.catch(() => undefined);
    return run;
  }
}

/** What is sealed for one call cannot be opened for another call or account. */
function sealName(accountId: AccountId, callId: CallId): string {
  return `capture:${accountId}:${callId}`;
}
