/**
 * Requests that may be sent again without being served twice. What runs and what has ended under each idempotency
 * key of a project is in memory, looked at and changed in one synchronous step, so that of any number of calls at
 * once one is new. Answers stay on disk, sealed, and are read when they are asked for. What ended is known after a
 * restart; what ran then was settled by the crash rule, and its key is free.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import type { AccountId, CallId, ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import { AnswerRoom } from './answer-room.ts';
import { AnswerSeal } from './answer-seal.ts';
import { ReplayDigests } from './digests.ts';
import type { ReplayStore } from './ports.ts';
import { inFlight, mismatch, notKept, streamed, unreadable } from './refusals.ts';
import { ReplayIndex } from './replay-index.ts';
import { type ReplayTicket, RunningCall } from './replay-ticket.ts';

/** Each takes about 360 bytes. */
const ENTRIES_MAX = 200_000;
/** What is forgotten in one turn of the event loop. */
const TURN_ENTRIES = 1_000;
/** A call runs an hour at most, unless configured otherwise; a ticket that nobody ended must not hold its key for ever. */
const RUNNING_MS_MAX = 65 * 60 * 1000;

export interface ReplayRegistryParts {
  /** 64 hexadecimal digits. */
  readonly sealingKey: Secret;
  /** Those of before; what was kept under none of them is neither found nor opens. */
  readonly olderSealingKeys?: readonly Secret[];
  readonly store: ReplayStore;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Whose projects are; one account when absent. */
  readonly scopes?: ReplayScopes;
  /** How many ended calls are known; beyond, the one goes that expires first of the account that has most. */
  readonly entriesMax?: number;
  /** What the sealed answers may take on disk together, one account's half of what the others leave; beyond, only that a call ended is kept. */
  readonly bytesMax: number;
  /** There was no room for an answer; once until `deleteExpired`. */
  readonly onFull?: () => void;
  /** A ticket this old counts as forgotten. More than a call can run. */
  readonly runningMsMax?: number;
}

/** What all share is shared by account: nobody's retries are charged again for what another one sends. */
export interface ReplayScopes {
  findProject(id: ProjectId): { readonly accountId: AccountId } | undefined;
  accounts(): readonly unknown[];
}

const NO_ACCOUNT = 0;

export interface ReplayRequest {
  readonly projectId: ProjectId;
  /** As `readIdempotencyKey` gave it. */
  readonly idempotencyKey: string;
  /** The path, or another name without a line break: another route makes another request. */
  readonly route: string;
  readonly body: Buffer;
  readonly streamed: boolean;
  readonly callId: CallId;
  /** Wall time. */
  readonly nowMs: number;
}

export type Begun = { readonly type: 'new'; readonly ticket: ReplayTicket } | KeptAnswer;

/** The answer that an earlier call gave. */
export interface KeptAnswer {
  readonly type: 'kept';
  readonly callId: CallId;
  /**
   * The body, byte for byte. Rejects with `GatewayError` 409 `idempotency_streamed` where it was too large to be kept or
   * there was no room, `internal_error` where it was damaged, and with the storage's own error where that cannot read.
   */
  read(): Promise<Buffer>;
}

/** What is kept under one sealing key. */
interface Generation {
  readonly digests: ReplayDigests;
  readonly seal: AnswerSeal;
}

export class ReplayRegistry {
  /** That of the key of now first. */
  #generations: readonly [Generation, ...Generation[]];
  readonly #store: ReplayStore;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #index: ReplayIndex;
  readonly #room: AnswerRoom;
  readonly #scopes: ReplayScopes | null;

  /** Knows nothing of earlier runs until `load` is through. */
  constructor(parts: ReplayRegistryParts) {
    this.#generations = [generationOf(parts.sealingKey), ...(parts.olderSealingKeys ?? []).map(generationOf)];
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#index = new ReplayIndex({
      entriesMax: parts.entriesMax ?? ENTRIES_MAX,
      runningMsMax: parts.runningMsMax ?? RUNNING_MS_MAX,
    });
    this.#scopes = parts.scopes ?? null;
    const isAlone = () => (this.#scopes?.accounts().length ?? 1) === 1;
    this.#room = new AnswerRoom(parts.bytesMax, isAlone, parts.onFull ?? (() => undefined));
  }

  /** Takes in what earlier runs kept; to be awaited before the first call. `nowMs` is wall time. */
  async load(nowMs: number): Promise<void> {
    for await (const row of this.#store.replays(nowMs)) {
      const { keyDigest, bodyDigest, callId, expiresAt, answerBytes } = row;
      const owner = this.#ownerOf(row.projectId);
      const [name, body] = [latin1(keyDigest), latin1(bodyDigest)];
      this.#index.remember(owner, { type: 'ended', name, bodyDigest: body, callId, expiresAt }, nowMs);
      this.#room.take(owner, answerBytes, expiresAt);
    }
  }

  /** From now on new calls are kept under this key; what was kept before is found and opens as long as this registry lives. */
  useKey(sealingKey: Secret): void {
    this.#generations = [generationOf(sealingKey), ...this.#generations];
  }

  /** How many ended calls are known. */
  get size(): number {
    return this.#index.size;
  }

  /** What the sealed answers take on disk. */
  get bytes(): number {
    return this.#room.bytes;
  }

  /** How many ended calls were dropped for want of room before they expired: sent again, they are served and charged again. */
  get dropped(): number {
    return this.#index.dropped;
  }

  /**
   * To be awaited before anything is held or sent for a call. Rejects with `GatewayError` 409 `idempotency_in_flight`
   * while the first call runs, 422 `idempotency_mismatch` where that was another request, 409 `idempotency_streamed`
   * where it was streamed; each names its generation id.
   */
  async begin(request: ReplayRequest): Promise<Begun> {
    const { projectId, idempotencyKey, route, body } = request;
    for (;;) {
      const generation = this.#generationFor(request);
      const bodyDigest = await generation.digests.ofBody(projectId, route, body);
      // Meanwhile another call may have begun under another key of the ring.
      if (generation !== this.#generationFor(request)) continue;
      const keyDigest = generation.digests.ofKey(projectId, idempotencyKey);
      return this.#take(request, generation, keyDigest, latin1(bodyDigest));
    }
  }

  /** Forgets what has expired, in memory and on disk; to be called now and then. `nowMs` is wall time. */
  async deleteExpired(nowMs: number): Promise<void> {
    while (this.#index.deleteExpired(nowMs, TURN_ENTRIES)) await nextTurn();
    // The store deletes before it gives its first row, and the rows are known here.
    for await (const _row of this.#store.replays(nowMs)) break;
    this.#room.freeExpired(nowMs);
  }

  #ownerOf(project: ProjectId): number {
    return this.#scopes?.findProject(project)?.accountId ?? NO_ACCOUNT;
  }

  /** Where an earlier call of this key is known, else that of now. */
  #generationFor({ projectId, idempotencyKey, nowMs }: ReplayRequest): Generation {
    const [current, ...older] = this.#generations;
    if (older.length === 0) return current;
    const owner = this.#ownerOf(projectId);
    const monotonicMs = this.#clock.monotonic();
    const isKnown = ({ digests }: Generation) =>
      this.#index.find(owner, latin1(digests.ofKey(projectId, idempotencyKey)), nowMs, monotonicMs) !== null;
    return this.#generations.find(isKnown) ?? current;
  }

  #take(
    { projectId, callId, nowMs, ...request }: ReplayRequest,
    { seal }: Generation,
    keyDigest: Buffer,
    bodyDigest: string,
  ): Begun {
    const name = latin1(keyDigest);
    const owner = this.#ownerOf(projectId);
    const monotonicMs = this.#clock.monotonic();
    const earlier = this.#index.find(owner, name, nowMs, monotonicMs);
    if (earlier === null) {
      const parts = { index: this.#index, seal, room: this.#room, clock: this.#clock, owner };
      const ticket = new RunningCall(name, bodyDigest, callId, projectId, parts);
      this.#index.enter(ticket, monotonicMs);
      return { type: 'new', ticket };
    }
    // Another request is no repetition; to wait for the first one's end would not make it one.
    if (earlier.bodyDigest !== bodyDigest) throw mismatch(earlier.callId);
    if (earlier.type === 'running') throw inFlight(earlier.callId);
    // The same body asks for the same kind of answer: how this call wants it tells how the first one had it.
    if (request.streamed) throw streamed(earlier.callId);
    const first = earlier.callId;
    return { type: 'kept', callId: first, read: () => this.#read(seal, first, projectId, keyDigest) };
  }

  async #read(seal: AnswerSeal, callId: CallId, projectId: ProjectId, keyDigest: Buffer): Promise<Buffer> {
    const sealed = await this.#store.replayAnswer(callId);
    if (sealed === null) throw notKept(callId);
    try {
      return seal.open(sealed, { projectId, callId, keyDigest });
    } catch (cause) {
      throw unreadable(callId, cause);
    }
  }
}

function generationOf(sealingKey: Secret): Generation {
  return { digests: new ReplayDigests(sealingKey), seal: new AnswerSeal(sealingKey) };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
