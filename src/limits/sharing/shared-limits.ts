/** What a node exchanges of its limits: which counts are to be sent now, and what comes of the answer. */
import type { Clock } from '../../core/clock.ts';
import { Moment } from '../moment.ts';
import type { CountAnswer, CountBatch, Counts, ScopeRef } from '../ports.ts';
import type { RateScope } from '../rate-limits.ts';
import { Others } from './others.ts';
import { type NodeCount, type SharedScope, SharedScopes, wantsAnnouncement, wantsSettled } from './shared-scopes.ts';
import { sumCounts } from './sum-counts.ts';

/** Scopes that are sent at a time. */
const BATCH_MAX = 1_000;

export interface SharedLimitsParts {
  /** With the wall time of all nodes. */
  readonly clock: Clock;
  /** How many nodes there are now, this one included. */
  readonly nodes: () => number;
}

/** A batch, and the scopes whose counts it has. */
export interface TakenBatch {
  readonly batch: Omit<CountBatch, 'counter' | 'heardAt'>;
  readonly scopes: readonly SharedScope[];
}

export class SharedLimits implements NodeCount {
  readonly keys: SharedScopes;
  readonly projects: SharedScopes;
  readonly accounts: SharedScopes;
  away: Others | null = null;
  readonly #nodes: () => number;
  readonly #now: Moment;
  #countsOf: (ref: ScopeRef, moment: Moment) => Counts = () => NO_COUNTS;
  #sweptMinute = 0;

  constructor({ clock, nodes }: SharedLimitsParts) {
    this.#nodes = nodes;
    this.#now = new Moment(clock, true);
    this.keys = new SharedScopes('key', this);
    this.projects = new SharedScopes('project', this);
    this.accounts = new SharedScopes('account', this);
  }

  /** At least 1. */
  get nodes(): number {
    return Math.max(1, this.#nodes());
  }

  /** How many scopes are exchanged. */
  get size(): number {
    return this.keys.size + this.projects.size + this.accounts.size;
  }

  /** What this node itself has counted comes from its limiter. */
  readFrom(countsOf: (ref: ScopeRef, moment: Moment) => Counts): void {
    this.#countsOf = countsOf;
  }

  /** Whether the others' counts are known well enough. If not, this node has its part of every limit. */
  setAway(isAway: boolean): void {
    if (!isAway) {
      this.away = null;
      return;
    }
    this.away ??= new Others();
    this.away.parts = this.nodes;
  }

  /** What is to be sent now; perhaps of no scope. */
  take(): TakenBatch {
    const now = this.#now;
    now.update();
    this.#sweep();
    const scopes: SharedScope[] = [];
    for (const each of this.#all) scopes.push(...each.take(BATCH_MAX - scopes.length, now.monotonicMs));
    const counts = scopes.map((scope) => ({
      scope: scope.scope,
      id: scope.id,
      ...this.#countsOf(scope, now),
    }));
    const announced = scopes.filter((scope) => wantsAnnouncement(scope, now.monotonicMs));
    const refs = announced.map(({ scope, id }) => ({ scope, id }));
    return { batch: { minute: now.minute, day: now.day, counts, announced: refs }, scopes };
  }

  putBack({ scopes }: TakenBatch): void {
    for (const scope of scopes) this.#of(scope.scope).putBack([scope]);
  }

  /** `answer` has the others' counts of each scope that was sent. */
  apply({ batch, scopes }: TakenBatch, answer: CountAnswer): void {
    const now = this.#now;
    now.update();
    for (const [index, scope] of scopes.entries()) {
      const [stored, own] = [answer.others[index] ?? [], batch.counts[index]];
      scope.others.set(sumCounts(stored, { ...batch, nowMs: answer.nowMs }), batch.minute, batch.day);
      this.#of(scope.scope).sent(scope, own?.running ?? 0, now.monotonicMs);
    }
    const sent = new Set(batch.announced.map(nameOf));
    for (const scope of scopes) if (sent.has(nameOf(scope))) scope.announcedAt = now.monotonicMs;
    for (const { scope, id } of answer.announced) this.#of(scope).heard(id, now.monotonicMs);
  }

  /** Those of a batch whose requests of the day the ledger should be asked for. */
  unsettled({ scopes }: TakenBatch): readonly SharedScope[] {
    return scopes.filter((scope) => wantsSettled(scope, this.#now.monotonicMs));
  }

  /** `calls` that the ledger has of a day, of all nodes. */
  settled(scope: SharedScope, calls: number, day: number): void {
    const now = this.#now;
    now.update();
    if (day !== now.day) return;
    scope.settledAt = now.monotonicMs;
    scope.others.moveTo(now.minute, now.day);
    scope.others.setSettled(Math.max(0, calls - this.#countsOf(scope, now).today), day);
  }

  get #all(): readonly SharedScopes[] {
    return [this.keys, this.projects, this.accounts];
  }

  #of(scope: RateScope): SharedScopes {
    return scope === 'key' ? this.keys : scope === 'project' ? this.projects : this.accounts;
  }

  #sweep(): void {
    const { minute, monotonicMs } = this.#now;
    if (minute === this.#sweptMinute) return;
    this.#sweptMinute = minute;
    for (const each of this.#all) each.forgetUnused(monotonicMs);
  }
}

const NO_COUNTS: Counts = { requests: 0, requestsBefore: 0, tokens: 0, tokensBefore: 0, today: 0, running: 0 };

function nameOf({ scope, id }: ScopeRef): string {
  return `${scope} ${id}`;
}
