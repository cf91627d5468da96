/**
 * Requests that can be sent again without being served twice. The running and ended calls of each idempotency
 * key of a project are in memory, checked and changed in one synchronous step, so that of any number of concurrent
 * calls one is new. Answers stay on disk, sealed, and are read on demand. Ended calls are known after a
 * restart; those that were running then were settled by the crash rule, and their keys are free.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import type { AccountId, CallId, ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import type { AnswerSeal } from './answer-seal.ts';
import { AnswerSpace } from './answer-space.ts';
import { isOfLine, type LineName } from './digests.ts';
import { digestOf, type Generation, generationOf } from './generation.ts';
import { leaveLine, leaveLines } from './leave-lines.ts';
import type { EarlierCall, LineAnswerStore, ReplayClaim, ReplayClaims, ReplayStore, RunningClaim } from './ports.ts';
import { claimsAway, inFlight, mismatch, notKept, streamed, unreadable } from './refusals.ts';
import { type EndedEntry, ReplayIndex, type RunningEntry } from './replay-index.ts';
import { type ReplayTicket, RunningCall, RunningLine } from './replay-ticket.ts';
import { SharedClaims } from './shared-claims.ts';

/** Each takes about 360 bytes. */
const ENTRIES_MAX = 200_000;
/** Entries forgotten in one turn of the event loop. */
const TURN_ENTRIES = 1_000;
/** A call runs an hour at most, unless configured otherwise; a ticket that was never ended must not block its key for ever. */
const RUNNING_MS_MAX = 65 * 60 * 1000;

export interface ReplayRegistryParts {
  /** 64 hexadecimal digits. */
  readonly sealingKey: Secret;
  /** Earlier keys; answers sealed under a key that is not given are neither found nor readable. */
  readonly olderSealingKeys?: readonly Secret[];
  readonly store: ReplayStore;
  /** What is stored of lines of batches; without it none can run. */
  readonly lines?: LineAnswerStore;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Maps projects to accounts; if absent, there is one account. */
  readonly scopes?: ReplayScopes;
  /** The maximum number of known ended calls; beyond it, the one of the largest account that expires first is dropped. */
  readonly entriesMax?: number;
  /** The maximum size of all sealed answers on disk; an account gets half of what the others leave. Beyond it, only the end of a call is stored. */
  readonly bytesMax: number;
  /** Called when there was no space for an answer, once until `deleteExpired`. */
  readonly onFull?: () => void;
  /** A ticket of this age counts as forgotten; longer than a call can run. */
  readonly runningMsMax?: number;
  /** With other nodes: then any of them may have had the first call. Otherwise `load` reads what is known. */
  readonly claims?: ReplayClaims | null;
}

/** Shared space is divided by account, so that one account's requests never cause another's retries to be charged again. */
export interface ReplayScopes {
  findProject(id: ProjectId): { readonly accountId: AccountId } | undefined;
  accounts(): readonly unknown[];
}

const NO_ACCOUNT = 0;

export interface ReplayRequest {
  readonly projectId: ProjectId;
  /** As returned by `readIdempotencyKey`, or the line of a batch that the call is made for. */
  readonly idempotencyKey: string | LineName;
  /** The path, or another name without a line break; on another route it is another request. */
  readonly route: string;
  readonly body: Buffer;
  readonly streamed: boolean;
  readonly callId: CallId;
  /** Wall time. */
  readonly nowMs: number;
}

export type Begun = NewCall | KeptAnswer;

export interface NewCall {
  readonly type: 'new';
  readonly ticket: ReplayTicket;
  /** `node`: other nodes could not be asked, so the same request may run there, too. */
  readonly scope: 'installation' | 'node';
}

/** The answer of an earlier call. */
export interface KeptAnswer {
  readonly type: 'kept';
  readonly callId: CallId;
  /**
   * The body, byte for byte. Rejects with `GatewayError` 409 `idempotency_streamed` if it was too large to store or
   * there was no space, `internal_error` if it is damaged, and with the storage's error if that cannot read it.
   */
  read(): Promise<Buffer>;
}

/** What a line of a batch was answered. */
export interface LineResult {
  readonly callId: CallId;
  /** Byte for byte. */
  readonly body: Buffer;
}

interface Asked extends ReplayRequest {
  readonly generation: Generation;
  readonly keyDigest: Buffer;
  /** As Latin-1 text. */
  readonly bodyDigest: string;
}

export class ReplayRegistry {
  /** The current key's first. */
  #generations: readonly [Generation, ...Generation[]];
  readonly #store: ReplayStore;
  readonly #lineAnswers: LineAnswerStore | null;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #index: ReplayIndex;
  readonly #space: AnswerSpace;
  readonly #scopes: ReplayScopes | null;
  readonly #claims: SharedClaims | null;
  readonly #runningMsMax: number;

  /** Knows nothing of earlier runs until `load` has finished. */
  constructor(parts: ReplayRegistryParts) {
    this.#generations = [generationOf(parts.sealingKey), ...(parts.olderSealingKeys ?? []).map(generationOf)];
    this.#store = parts.store;
    this.#lineAnswers = parts.lines ?? null;
    this.#clock = parts.clock;
    this.#runningMsMax = parts.runningMsMax ?? RUNNING_MS_MAX;
    this.#index = new ReplayIndex({
      entriesMax: parts.entriesMax ?? ENTRIES_MAX,
      runningMsMax: this.#runningMsMax,
    });
    this.#claims = parts.claims ? new SharedClaims(parts.claims, parts.clock) : null;
    this.#scopes = parts.scopes ?? null;
    const isAlone = () => (this.#scopes?.accounts().length ?? 1) === 1;
    this.#space = new AnswerSpace(parts.bytesMax, isAlone, parts.onFull ?? (() => undefined));
  }

  /** Loads what earlier runs stored, unless it is asked for; await it before the first call. `nowMs` is wall time. */
  async load(nowMs: number): Promise<void> {
    if (this.#claims !== null) return;
    for await (const row of this.#store.replays(nowMs)) {
      // Looked up when the line runs again, and in no caller's way.
      if (isOfLine(row.keyDigest)) continue;
      const { keyDigest, bodyDigest, callId, expiresAt, answerBytes } = row;
      const owner = this.#ownerOf(row.projectId);
      const [name, body] = [latin1(keyDigest), latin1(bodyDigest)];
      this.#index.remember(owner, { type: 'ended', name, bodyDigest: body, callId, expiresAt }, nowMs);
      this.#space.take(owner, answerBytes, expiresAt);
    }
  }

  /** Seals new answers under this key from now on; earlier answers can be found and opened for as long as this registry lives. */
  useKey(sealingKey: Secret): void {
    this.#generations = [generationOf(sealingKey), ...this.#generations];
  }

  /** The number of known ended calls. */
  get size(): number {
    return this.#index.size;
  }

  /** The size of the sealed answers on disk. */
  get bytes(): number {
    return this.#space.bytes;
  }

  /** The number of ended calls dropped before they expired, because there were too many: sent again, they are served and charged again. */
  get dropped(): number {
    return this.#index.dropped;
  }

  /**
   * Await it before anything is held or sent for a call. Rejects with `GatewayError` 409 `idempotency_in_flight`
   * while the first call runs, 422 `idempotency_mismatch` if that was another request, 409 `idempotency_streamed`
   * if it was streamed; each names the generation id of the first call.
   */
  async begin(request: ReplayRequest): Promise<Begun> {
    const { projectId, idempotencyKey, route, body } = request;
    for (;;) {
      const generation = this.#generationFor(request);
      const bodyDigest = await generation.digests.ofBody(projectId, route, body);
      // Another call may have begun meanwhile under another key of the ring.
      if (generation !== this.#generationFor(request)) continue;
      const keyDigest = digestOf(generation, request);
      const asked = { ...request, generation, keyDigest, bodyDigest: latin1(bodyDigest) };
      if (typeof idempotencyKey !== 'string') return this.#takeLine(asked);
      return this.#claims === null ? this.#take(asked) : this.#takeShared(asked, this.#claims);
    }
  }

  /**
   * Call it when this node has a new place, at which nothing is claimed. Resolves once the keys of the calls that run here are; rejects if nobody
   * can be asked. `nowMs` is wall time.
   */
  async claimAgain(nowMs: number): Promise<void> {
    if (this.#claims === null) return;
    const running = this.#index.running();
    const expiresAt = nowMs + this.#runningMsMax;
    await this.#claims.claimAgain(running.map((entry) => claimOf(entry, expiresAt)));
    // Some have ended meanwhile, perhaps before their keys were claimed again.
    for (const entry of running) if (!this.#index.isRunning(entry)) this.#claims.release(entry.callId);
  }

  /** Deletes what has expired, in memory and on disk; call it periodically. `nowMs` is wall time. */
  async deleteExpired(nowMs: number): Promise<void> {
    while (this.#index.deleteExpired(nowMs, TURN_ENTRIES)) await nextTurn();
    // The store deletes expired rows before it returns the first one; the rows themselves are not needed.
    for await (const _row of this.#store.replays(nowMs)) break;
    this.#space.freeExpired(nowMs);
    await this.#claims?.deleteExpired(nowMs);
  }

  get #lines(): LineAnswerStore {
    assert(this.#lineAnswers !== null, 'lines of batches have a store');
    return this.#lineAnswers;
  }

  #ownerOf(project: ProjectId): number {
    return this.#scopes?.findProject(project)?.accountId ?? NO_ACCOUNT;
  }

  /** The generation that knows an earlier call of this key, otherwise the current one. */
  #generationFor(request: ReplayRequest): Generation {
    const { projectId, nowMs } = request;
    const [current, ...older] = this.#generations;
    if (older.length === 0) return current;
    const owner = this.#ownerOf(projectId);
    const monotonicMs = this.#clock.monotonic();
    const isKnown = (generation: Generation) =>
      this.#index.find(owner, latin1(digestOf(generation, request)), nowMs, monotonicMs) !== null;
    return this.#generations.find(isKnown) ?? current;
  }

  #take(asked: Asked): Begun {
    const earlier = this.#find(asked);
    return earlier === null ? newCall(this.#enter(asked), 'installation') : this.#again(asked, earlier);
  }

  /** Other nodes are asked, too; a call that runs here need not be. */
  async #takeShared(asked: Asked, claims: SharedClaims): Promise<Begun> {
    const known = this.#find(asked);
    if (known?.type === 'running') return this.#again(asked, known);
    const ticket = this.#enter(asked, (callId) => claims.release(callId));
    const generations = this.#generationsFrom(asked);
    const answer = await claims.claim(this.#claimOf(asked, generations));
    if (answer !== null && answer !== 'away') {
      this.#index.leave(ticket);
      return this.#againElsewhere(asked, answer, generations);
    }
    if (known === null) return newCall(ticket, answer === null ? 'installation' : 'node');
    // The database went back to a state without the call, which has ended here: it must not be served twice.
    if (answer === null) ticket.release();
    else this.#index.leave(ticket);
    return this.#again(asked, known);
  }

  /**
   * Of a line that has ended only the storage knows; with other nodes, the claim says. Nothing is decided by this node alone: while the others
   * cannot be asked, the line waits.
   */
  async #takeLine(asked: Asked): Promise<Begun> {
    const known = this.#find(asked);
    if (known !== null) return this.#again(asked, known);
    const claims = this.#claims;
    const ticket = this.#enter(asked, (callId) => claims?.release(callId));
    const generations = this.#generationsFrom(asked);
    try {
      const { keyDigests, ...claim } = this.#claimOf(asked, generations);
      const earlier =
        claims === null
          ? await this.#lines.find(asked.projectId, keyDigests, asked.nowMs)
          : await claims.claim({ ...claim, keyDigests });
      if (earlier === null) return newCall(ticket, 'installation');
      if (earlier === 'away') throw claimsAway();
      // Another call has it: what is claimed is not this one's to release.
      this.#index.leave(ticket);
      return await this.#againElsewhere(asked, earlier, generations);
    } catch (error) {
      if (this.#index.isRunning(ticket)) ticket.release();
      throw error;
    }
  }

  /**
   * The results of these calls are where they belong, so what is stored of them is not needed any more. Resolves when it is deleted. What a node
   * has not yet sent to the database then comes later, and goes when it expires.
   */
  forgetLines(calls: readonly CallId[]): Promise<void> {
    return this.#lines.delete(calls);
  }

  /** The calls for lines of a batch of which something is still stored. */
  async linesOf(projectId: ProjectId, batchId: string): Promise<readonly CallId[]> {
    const found: CallId[] = [];
    for (const { digests } of this.#generations) {
      const { first, last } = digests.linesOf(projectId, batchId);
      found.push(...(await this.#lines.between(projectId, first, last)));
    }
    return found;
  }

  /** See `leaveLines`: resolves to whether a batch may end without these lines. Rejects if the other nodes' claims cannot be asked. */
  async leaveLines(projectId: ProjectId, batchId: string, lines: Iterable<number>, nowMs: number): Promise<boolean> {
    if (this.#claims === null) return true;
    return leaveLines({ claims: this.#claims, generations: this.#generations, nowMs }, { projectId, batchId }, lines);
  }

  /** The same for a line that has failed: `own` is the call that failed, perhaps before it had the line's name. */
  async leaveLine(projectId: ProjectId, line: LineName, own: CallId, nowMs: number): Promise<boolean> {
    if (this.#claims === null) return true;
    return leaveLine({ claims: this.#claims, generations: this.#generations, nowMs }, { projectId, ...line }, own);
  }

  /** What is stored for a line that was served before; null without. Rejects as `read` of it does. */
  async answerOf(projectId: ProjectId, line: LineName, nowMs: number): Promise<LineResult | null> {
    const digests = this.#generations.map((each) => each.digests.ofLine(projectId, line));
    const earlier = await this.#lines.find(projectId, digests, nowMs);
    if (earlier === null) return null;
    const { seal } = this.#generations[earlier.digest] as Generation;
    const { callId } = earlier;
    return { callId, body: await this.#read(seal, callId, projectId, digests[earlier.digest] as Buffer) };
  }

  #generationsFrom({ generation }: Asked): readonly [Generation, ...Generation[]] {
    return [generation, ...this.#generations.filter((each) => each !== generation)];
  }

  #claimOf(asked: Asked, [, ...older]: readonly [Generation, ...Generation[]]): ReplayClaim {
    const { projectId, callId, nowMs, keyDigest, bodyDigest } = asked;
    return {
      projectId,
      keyDigests: [keyDigest, ...older.map((each) => digestOf(each, asked))],
      bodyDigest: Buffer.from(bodyDigest, 'latin1'),
      callId,
      nowMs,
      expiresAt: nowMs + this.#runningMsMax,
    };
  }

  /** Of a key that is known by one of the generations. */
  async #againElsewhere(asked: Asked, earlier: EarlierCall, generations: readonly Generation[]): Promise<KeptAnswer> {
    const { projectId, route, body } = asked;
    const generation = generations[earlier.digest] ?? asked.generation;
    const { digests } = generation;
    const bodyDigest =
      generation === asked.generation ? asked.bodyDigest : latin1(await digests.ofBody(projectId, route, body));
    return this.#again(
      { ...asked, generation, bodyDigest, keyDigest: digestOf(generation, asked) },
      { type: earlier.hasEnded ? 'ended' : 'running', callId: earlier.callId, bodyDigest: latin1(earlier.bodyDigest) },
    );
  }

  #find({ projectId, keyDigest, nowMs }: Asked): RunningEntry | EndedEntry | null {
    return this.#index.find(this.#ownerOf(projectId), latin1(keyDigest), nowMs, this.#clock.monotonic());
  }

  #enter(asked: Asked, onFree?: (callId: CallId) => void): RunningCall {
    const { projectId, callId, generation, keyDigest, bodyDigest, idempotencyKey } = asked;
    const owner = this.#ownerOf(projectId);
    const parts = { index: this.#index, seal: generation.seal, space: this.#space, clock: this.#clock, owner, onFree };
    const Running = typeof idempotencyKey === 'string' ? RunningCall : RunningLine;
    const ticket = new Running(latin1(keyDigest), bodyDigest, callId, projectId, parts);
    this.#index.enter(ticket, this.#clock.monotonic());
    return ticket;
  }

  #again(asked: Asked, earlier: Pick<RunningEntry | EndedEntry, 'type' | 'callId' | 'bodyDigest'>): KeptAnswer {
    const { projectId, generation, keyDigest, bodyDigest } = asked;
    const { callId } = earlier;
    // A different request stays different, so there is no point in waiting for the first one to end.
    if (earlier.bodyDigest !== bodyDigest) throw mismatch(callId);
    if (earlier.type === 'running') throw inFlight(callId);
    // The same body asks for the same kind of answer: if this call is streamed, the first one was too.
    if (asked.streamed) throw streamed(callId);
    return { type: 'kept', callId, read: () => this.#read(generation.seal, callId, projectId, keyDigest) };
  }

  async #read(seal: AnswerSeal, callId: CallId, projectId: ProjectId, keyDigest: Buffer): Promise<Buffer> {
    const sealed = await this.#store.replayAnswer(callId);
    if (sealed === null) throw notKept(callId);
    try {
      return await seal.openInTurns(sealed, { projectId, callId, keyDigest });
    } catch (cause) {
      throw unreadable(callId, cause);
    }
  }
}

function newCall(ticket: ReplayTicket, scope: NewCall['scope']): NewCall {
  return { type: 'new', ticket, scope };
}

function claimOf({ projectId, name, bodyDigest, callId }: RunningEntry, expiresAt: number): RunningClaim {
  const [keyDigest, body] = [Buffer.from(name, 'latin1'), Buffer.from(bodyDigest, 'latin1')];
  return { projectId, keyDigest, bodyDigest: body, callId, expiresAt };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
