/**
 * The keys, projects or accounts whose counts this node exchanges with others. A scope of which every node has counted less than half of its
 * part of the limit cannot exceed it, so it is not exchanged. The first node that counts more announces it to the others.
 */
import type { Moment } from '../moment.ts';
import type { Counts } from '../ports.ts';
import type { RateLimits, RateScope } from '../rate-limits.ts';
import { Others } from './others.ts';
import { applyShare, dropRaised, type NodeView, type SharedScope } from './shared-scope.ts';

/** Scopes of one kind that are exchanged at a time; beyond it, the longest known is forgotten. About 300 bytes each. */
const SCOPES_MAX = 10_000;
/** Longer than a minute counts. */
const UNUSED_MS = 3 * 60_000;
/** An announcement holds for longer than a minute counts. */
const ANNOUNCED_MS = 60_000;
/** Running calls are sent again long before they no longer count. */
const RUNNING_AGAIN_MS = 1_500;
const SETTLED_AGAIN_MS = 60_000;
/** A share that others know is sent again long before it no longer holds. */
const SHARED_AGAIN_MS = 1_000;
const LOOKED_AT_MS = 500;
/** Announced in the first, the others send theirs in the second, so it has all counts after the third. */
const ROUNDS = 3;
const NEVER = Number.NEGATIVE_INFINITY;

/** How many nodes there are, and what holds for a scope that is not exchanged. */
export interface NodeCount extends NodeView {
  /** With an equal share. */
  readonly unknown: Readonly<Others>;
}

export class SharedScopes {
  readonly #scope: RateScope;
  readonly #count: NodeCount;
  readonly #known = new Map<number, SharedScope>();
  #touched: SharedScope[] = [];
  readonly #running = new Set<SharedScope>();
  #sharedAt = NEVER;

  constructor(scope: RateScope, count: NodeCount) {
    this.#scope = scope;
    this.#count = count;
  }

  get size(): number {
    return this.#known.size;
  }

  /** The others' counts for a call that is about to be judged. */
  of(id: number, limits: RateLimits, moment: Moment): Readonly<Others> {
    const known = this.#known.get(id);
    if (known === undefined) return this.#count.unknown;
    this.#touch(known);
    known.usedAt = moment.monotonicMs;
    known.limits = limits;
    known.asking += 1;
    known.others.moveTo(moment.minute, moment.day);
    return known.others;
  }

  /** For readings, which show that nothing has to be exchanged. */
  peek(id: number, moment: Moment): Readonly<Others> {
    const known = this.#known.get(id);
    if (known === undefined) return this.#count.unknown;
    known.others.moveTo(moment.minute, moment.day);
    return known.others;
  }

  /** A call was counted: `own` is what this node has counted now. */
  counted(id: number, limits: RateLimits, own: Counts, moment: Moment): void {
    const known = this.#known.get(id);
    const hasDay = limits.requestsPerDay !== undefined;
    if (known !== undefined) known.hasDay ||= hasDay;
    const isOver = isOverHalf(limits, own, this.#count.nodes);
    if (!isOver && (known !== undefined || !hasDay)) return;
    const scope = known ?? this.#open(id, moment.monotonicMs);
    scope.limits = limits;
    scope.hasDay ||= hasDay;
    scope.isOver = isOver;
    this.#touch(scope);
  }

  /** The count of a call has changed, or it has ended. */
  changed(id: number): void {
    const known = this.#known.get(id);
    if (known !== undefined) this.#touch(known);
  }

  /**
   * Another node has announced it. `agreed`: null if this node has an equal share of what it has not heard of; 0 if it has just started, and
   * the others have shared everything without it. Returns whether it is news.
   */
  heard(id: number, monotonicMs: number, agreed: 0 | null): boolean {
    const known = this.#known.get(id);
    const scope = known ?? this.#open(id, monotonicMs, agreed);
    // What this node has counted until now is news to the others.
    const isNews = scope.announcedAt < monotonicMs - ANNOUNCED_MS;
    if (isNews) this.#touch(scope);
    scope.announcedAt = monotonicMs;
    scope.usedAt = monotonicMs;
    return isNews;
  }

  /** At most `max` that are to be sent. */
  take(max: number, monotonicMs: number): SharedScope[] {
    for (const scope of this.#running) if (monotonicMs - scope.sentAt >= RUNNING_AGAIN_MS) this.#touch(scope);
    this.#touchShared(monotonicMs);
    const taken = this.#touched.splice(0, max).filter((scope) => this.#known.get(scope.id) === scope);
    for (const scope of taken) {
      scope.rounds -= 1;
      if (scope.rounds > 0) this.#touched.push(scope);
    }
    return taken;
  }

  /** They could not be sent. */
  putBack(scopes: readonly SharedScope[]): void {
    for (const scope of scopes) this.#touch(scope);
  }

  sent(scope: SharedScope, running: number, monotonicMs: number): void {
    scope.sentAt = monotonicMs;
    scope.sentRunning = running;
    if (running > 0) this.#running.add(scope);
    else this.#running.delete(scope);
  }

  /** Sends it at once, so that the others see what has changed. */
  touch(scope: SharedScope): void {
    this.#touch(scope);
  }

  /** The number of nodes has changed. */
  applyShares(): void {
    for (const scope of this.#known.values()) applyShare(scope, this.#count);
  }

  /** What the others have counted of running calls is no longer known. */
  loseRunning(): void {
    for (const { others } of this.#known.values()) others.running = 0;
  }

  dropRaised(): void {
    for (const scope of this.#known.values()) dropRaised(scope, this.#count);
  }

  /** Forgets all: each node has an equal share again. */
  clear(): void {
    this.#known.clear();
    this.#touched = [];
    this.#running.clear();
  }

  forgetUnused(monotonicMs: number): void {
    for (const [id, scope] of this.#known)
      if (monotonicMs - scope.usedAt >= UNUSED_MS && scope.sentRunning === 0) this.#known.delete(id);
  }

  /** Those that others have unequal shares of are sent now and then: shares follow the calls, and hold. */
  #touchShared(monotonicMs: number): void {
    if (monotonicMs - this.#sharedAt < LOOKED_AT_MS) return;
    this.#sharedAt = monotonicMs;
    for (const scope of this.#known.values())
      if (scope.announcedAt > monotonicMs - UNUSED_MS && monotonicMs - scope.sentAt >= SHARED_AGAIN_MS)
        this.#touch(scope);
  }

  #touch(scope: SharedScope): void {
    if (scope.rounds === 0) this.#touched.push(scope);
    scope.rounds = ROUNDS;
  }

  #open(id: number, monotonicMs: number, agreed: 0 | null = null): SharedScope {
    if (this.#known.size >= SCOPES_MAX) {
      const [oldest] = this.#known.values();
      if (oldest !== undefined) {
        this.#known.delete(oldest.id);
        this.#running.delete(oldest);
      }
    }
    const scope: SharedScope = {
      scope: this.#scope,
      id,
      others: new Others(),
      rounds: 0,
      usedAt: monotonicMs,
      isOver: false,
      announcedAt: NEVER,
      hasDay: false,
      settledAt: NEVER,
      sentAt: NEVER,
      sentRunning: 0,
      limits: null,
      agreed,
      isRaised: false,
      shares: [],
      asking: 0,
      asked: 0,
      askedAt: monotonicMs,
    };
    applyShare(scope, this.#count);
    this.#known.set(id, scope);
    return scope;
  }
}

/** Whether the other nodes have not heard of it for a while, though this one has counted much. */
export function wantsAnnouncement({ isOver, isRaised, announcedAt }: SharedScope, monotonicMs: number): boolean {
  return (isOver || isRaised) && monotonicMs - announcedAt >= ANNOUNCED_MS;
}

/** Whether the ledger should be asked for the requests of the day. */
export function wantsSettled({ hasDay, settledAt }: SharedScope, monotonicMs: number): boolean {
  return hasDay && monotonicMs - settledAt >= SETTLED_AGAIN_MS;
}

/** Whether this node alone has counted half of its part of a limit. */
function isOverHalf(limits: RateLimits, own: Counts, nodes: number): boolean {
  const { requestsPerMinute, requestsPerDay, tokensPerMinute, concurrentCalls } = limits;
  const half = 2 * nodes;
  return (
    (requestsPerMinute !== undefined && (own.requests + own.requestsBefore) * half >= requestsPerMinute) ||
    (tokensPerMinute !== undefined && (own.tokens + own.tokensBefore) * half >= tokensPerMinute) ||
    (requestsPerDay !== undefined && own.today * half >= requestsPerDay) ||
    (concurrentCalls !== undefined && own.running * half >= concurrentCalls)
  );
}
