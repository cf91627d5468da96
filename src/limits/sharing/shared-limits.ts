/** What a node exchanges of its limits: which counts are to be sent now, and what comes of the answer. */
import type { Clock } from '../../core/clock.ts';
import { Moment } from '../moment.ts';
import type { CountAnswer, CountBatch, Counts, ScopeRef } from '../ports.ts';
import type { RateScope } from '../rate-limits.ts';
import { Others } from './others.ts';
import { equalShare } from './share.ts';
import { hearShares, isPressed, ownedToday, SHARE_HOLDS_MS, type SharedScope, sayShare } from './shared-scope.ts';
import { type NodeCount, SharedScopes, wantsAnnouncement, wantsSettled } from './shared-scopes.ts';
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
  readonly unknown = new Others();
  /** At least 1. A node that is gone counts until what it has used no longer does. */
  nodes = 1;
  equal = equalShare(1);
  /** Whether something should be exchanged sooner than usual. */
  isUrgent = false;
  readonly #liveNodes: () => number;
  readonly #now: Moment;
  #countsOf: (ref: ScopeRef, moment: Moment) => Counts = () => NO_COUNTS;
  #sweptMinute = 0;
  /** Monotonic, ms: until when there may be what nodes have used that are gone. */
  #nodesUntil = 0;
  #hasHeard = false;

  constructor({ clock, nodes }: SharedLimitsParts) {
    this.#liveNodes = nodes;
    this.#now = new Moment(clock, true);
    this.keys = new SharedScopes('key', this);
    this.projects = new SharedScopes('project', this);
    this.accounts = new SharedScopes('account', this);
    this.#countNodes();
  }

  /** How many scopes are exchanged. */
  get size(): number {
    return this.keys.size + this.projects.size + this.accounts.size;
  }

  /** What this node itself has counted comes from its limiter. */
  readFrom(countsOf: (ref: ScopeRef, moment: Moment) => Counts): void {
    this.#countsOf = countsOf;
  }

  /** Nothing could be exchanged for so long, ms. Shares stay as they are until others may no longer rely on them. */
  away(forMs: number): void {
    this.#now.update();
    for (const each of this.#all) {
      each.loseRunning();
      if (forMs >= SHARE_HOLDS_MS / 2) each.dropRaised();
      // By now the others have dropped theirs, too, and what was used with them no longer counts.
      if (forMs >= SHARE_HOLDS_MS * 1.5) each.clear();
    }
  }

  /** What is to be sent now; perhaps of no scope. */
  take(): TakenBatch {
    const now = this.#now;
    now.update();
    this.#countNodes();
    this.isUrgent = false;
    const scopes: SharedScope[] = [];
    for (const each of this.#all) scopes.push(...each.take(BATCH_MAX - scopes.length, now.monotonicMs));
    const counts = scopes.map((scope) => {
      const own = this.#countsOf(scope, now);
      const said = sayShare(scope, own, this, now);
      this.isUrgent ||= isPressed(scope, said);
      return { scope: scope.scope, id: scope.id, ...own, ...said };
    });
    const announced = scopes.filter((scope) => wantsAnnouncement(scope, now.monotonicMs));
    const refs = announced.map(({ scope, id }) => ({ scope, id }));
    return { batch: { minute: now.minute, day: now.day, counts, announced: refs }, scopes };
  }

  putBack({ scopes }: TakenBatch): void {
    for (const scope of scopes) this.#of(scope.scope).putBack([scope]);
  }

  /**
   * `answer` has the others' counts of each scope that was sent. Shares are raised only by what the others have said after `since`, time of
   * all nodes, ms.
   */
  apply({ batch, scopes }: TakenBatch, answer: CountAnswer, since: number): void {
    const now = this.#now;
    now.update();
    const { day, minute } = batch;
    for (const [index, scope] of scopes.entries()) {
      const [stored, own] = [answer.others[index] ?? [], batch.counts[index]];
      const counts = sumCounts(stored, { ...batch, nowMs: answer.nowMs });
      scope.others.set(counts, ownedToday(stored, day, now.wallMs), minute, day);
      this.#of(scope.scope).sent(scope, own?.running ?? 0, now.monotonicMs);
      if (hearShares(scope, stored, own?.share ?? 0, { view: this, since, wallMs: now.wallMs })) this.isUrgent = true;
    }
    const sent = new Set(batch.announced.map(nameOf));
    for (const scope of scopes) if (sent.has(nameOf(scope))) scope.announcedAt = now.monotonicMs;
    const agreed = this.#hasHeard ? null : 0;
    for (const { scope, id } of answer.announced)
      if (this.#of(scope).heard(id, now.monotonicMs, agreed)) this.isUrgent = true;
    this.#hasHeard = true;
    this.#sweep();
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

  #countNodes(): void {
    const { monotonicMs } = this.#now;
    const live = Math.max(1, this.#liveNodes());
    if (live >= this.nodes) this.#nodesUntil = monotonicMs + SHARE_HOLDS_MS;
    else if (monotonicMs < this.#nodesUntil) return;
    if (live === this.nodes && this.unknown.share === this.equal) return;
    this.nodes = live;
    this.equal = equalShare(live);
    this.unknown.share = this.equal;
    for (const each of this.#all) each.applyShares();
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
