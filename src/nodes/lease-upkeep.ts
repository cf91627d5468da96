/**
 * What is done about a node's shares besides serving calls: more is asked for in advance, in the background; what is not used
 * or what other nodes need is given back; purses that are not used are forgotten.
 */
import type { Clock } from '../core/clock.ts';
import type { Money } from '../core/money.ts';
import { NO_MONEY } from '../core/money.ts';
import type { LeaseQueues } from './lease-queues.ts';
import type { LeaseRequests } from './lease-requests.ts';
import type { LentPurse } from './lent-purse.ts';
import type { PurseRef } from './ports.ts';
import type { PurseTable } from './purse-table.ts';

const IDLE_MS = 10_000;
/** So long after a recall nothing is asked for in advance. */
const RECALLED_MS = 1_000;
/** So long after the bank had nothing to give in advance. */
const REFILL_AGAIN_MS = 1_000;
/** Refills are collected for so long. */
const REFILL_AFTER_MS = 5;
const PURSES_OF_A_REQUEST = 200;
/** All purses are looked at in so many steps: in 5 s. */
const STEPS_OF_A_ROUND = 50;

export class LeaseUpkeep {
  readonly #purses: PurseTable;
  readonly #requests: LeaseRequests;
  readonly #queues: LeaseQueues;
  readonly #clock: Clock;
  readonly #refills = new Set<LentPurse>();
  #round: Iterator<LentPurse> | null = null;
  #isRefillDue = false;
  /** To be given back, a few at a time. */
  readonly #unused = new Set<LentPurse>();
  #isReturningUnused = false;

  constructor(purses: PurseTable, requests: LeaseRequests, queues: LeaseQueues, clock: Clock) {
    this.#purses = purses;
    this.#requests = requests;
    this.#queues = queues;
    this.#clock = clock;
  }

  clear(): void {
    this.#refills.clear();
    this.#unused.clear();
    this.#round = null;
  }

  /** More of it is asked for soon, with that of other purses. */
  refill(purse: LentPurse): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs < purse.refillAfterMs || nowMs < purse.recalledUntilMs) return;
    this.#refills.add(purse);
    if (this.#isRefillDue) return;
    this.#isRefillDue = true;
    this.#clock.after(REFILL_AFTER_MS, () => {
      this.#isRefillDue = false;
      void this.#refillAll();
    });
  }

  /** Other nodes need them: what no call holds goes back. */
  recalled(refs: readonly PurseRef[]): void {
    const nowMs = this.#clock.monotonic();
    const returned: LentPurse[] = [];
    const unknown: LentPurse[] = [];
    for (const ref of refs) {
      const known = this.#purses.known(ref);
      // A request that was given up has arrived after all: what it was lent is not known here.
      const purse = known ?? this.#purses.of(ref);
      if (known === null) unknown.push(purse);
      purse.recalledUntilMs = nowMs + RECALLED_MS;
      this.#refills.delete(purse);
      // What a request under way brings is for the calls that wait for it; the rest goes back.
      if (purse.request !== null) void purse.request.then(() => this.#returnRest(purse));
      else if (isReturnable(purse)) returned.push(purse);
    }
    void this.#giveBack(returned);
    void this.#close(unknown);
  }

  giveBack(purse: LentPurse): void {
    void this.#giveBack([purse]);
  }

  /** Everything that no call holds. */
  async returnAll(): Promise<void> {
    const purses = [...this.#purses.all()].filter((purse) => purse.atHand > 0n && purse.request === null);
    for (let from = 0; from < purses.length; from += PURSES_OF_A_REQUEST)
      await this.#giveBack(purses.slice(from, from + PURSES_OF_A_REQUEST));
  }

  /** Looks at a part of the purses. */
  step(): void {
    if (this.#requests.place === null) return;
    const nowMs = this.#clock.monotonic();
    for (let count = Math.ceil(this.#purses.size / STEPS_OF_A_ROUND); count > 0; count -= 1) {
      this.#round ??= this.#purses.all();
      const { value: purse, done } = this.#round.next();
      if (done === true) {
        this.#round = null;
        break;
      }
      this.#lookAt(purse, nowMs);
    }
    if (this.#unused.size > 0 && !this.#isReturningUnused) void this.#returnUnused();
  }

  /** One request at a time, and between two of them those of calls: very many accounts may become idle together. */
  async #returnUnused(): Promise<void> {
    this.#isReturningUnused = true;
    try {
      while (this.#unused.size > 0) {
        const purses = this.#takeUnused();
        await this.#giveBack(purses.filter(({ held, atHand }) => held > 0n && atHand > 0n));
        await this.#close(
          purses.filter(({ held, request, waiters }) => held === 0n && request === null && waiters === 0),
        );
      }
    } finally {
      this.#isReturningUnused = false;
    }
  }

  /** Of as many as fit into a request, those that still nobody uses. */
  #takeUnused(): readonly LentPurse[] {
    const nowMs = this.#clock.monotonic();
    const purses: LentPurse[] = [];
    for (const purse of this.#unused) {
      this.#unused.delete(purse);
      const isFree = purse.request === null && purse.waiters === 0 && !purse.isOver;
      if (isFree && isIdle(purse, nowMs) && purses.push(purse) === PURSES_OF_A_REQUEST) break;
    }
    return purses;
  }

  #lookAt(purse: LentPurse, nowMs: number): void {
    if (purse.request !== null || purse.waiters > 0) return;
    if (isIdle(purse, nowMs)) {
      const isLent = purse.granted > 0n || purse.isUnsure || purse.isClosing;
      if (purse.held > 0n ? purse.atHand > 0n : isLent) this.#unused.add(purse);
      else if (purse.held === 0n) this.#purses.forget(purse.ref);
      return;
    }
    const wish = purse.wishAtHand(nowMs);
    purse.refillBelow = wish / 2n;
    if (purse.atHand < purse.refillBelow) this.refill(purse);
  }

  async #refillAll(): Promise<void> {
    const nowMs = this.#clock.monotonic();
    const purses: LentPurse[] = [];
    for (const purse of this.#refills) {
      if (purses.length === PURSES_OF_A_REQUEST) break;
      this.#refills.delete(purse);
      const isKnown = this.#purses.known(purse.ref) === purse;
      const isFree = isKnown && purse.request === null && purse.waiters === 0 && !purse.isClosing;
      if (isFree && purse.wishAtHand(nowMs) > purse.atHand) purses.push(purse);
    }
    if (purses.length === 0) return;
    const before = purses.map(({ granted }) => granted);
    const asked = purses.map((purse) => {
      const wish = (purse.wishAtHand(nowMs) - purse.atHand) as Money;
      return { purse, shortfall: NO_MONEY, wish };
    });
    await this.#requests.ask(asked, false);
    const laterMs = this.#clock.monotonic() + REFILL_AGAIN_MS;
    for (const [index, purse] of purses.entries()) {
      if (purse.granted <= (before[index] ?? 0n)) purse.refillAfterMs = laterMs;
      this.#queues.serve(purse);
    }
    if (this.#refills.size > 0) await this.#refillAll();
  }

  #returnRest(purse: LentPurse): void {
    this.#queues.serve(purse);
    if (purse.request === null && purse.waiting.length === 0 && isReturnable(purse) && !purse.isOver)
      this.giveBack(purse);
  }

  async #giveBack(purses: readonly LentPurse[]): Promise<void> {
    if (purses.length === 0) return;
    await this.#requests.giveBack(purses);
    for (const purse of purses) this.#queues.serve(purse);
  }

  /** Nothing is held of them: what is left goes back, and they are forgotten once all that was spent is settled. */
  async #close(purses: readonly LentPurse[]): Promise<void> {
    if (purses.length === 0) return;
    await this.#requests.giveBack(purses, true);
    for (const purse of purses) {
      if (this.#purses.known(purse.ref) !== purse) continue;
      if (purse.waiters > 0) this.#queues.serve(purse);
      else if (purse.granted === 0n && purse.held === 0n && !purse.isClosing) this.#purses.forget(purse.ref);
    }
  }
}

/** Whether the bank has lent more than calls hold; or may have, because the answer to a request was lost. */
function isReturnable({ atHand, isUnsure }: LentPurse): boolean {
  return atHand > 0n || isUnsure;
}

function isIdle({ use }: LentPurse, nowMs: number): boolean {
  return nowMs - use.lastMs >= IDLE_MS;
}
