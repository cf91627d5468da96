/**
 * Rate limits and running calls of keys, projects and accounts: what a restart may forget. Everything is in memory and
 * checked in one synchronous step, so concurrent calls cannot exceed a limit. Minutes are monotonic time, so setting the
 * clock changes nothing. Limits are passed with each call, so a change applies from the next one.
 */
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import { Moment } from './moment.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { isLimited, type LimitReading, type RateLimits } from './rate-limits.ts';
import { ScopeCounters } from './scope-counters.ts';
import type { SharedLimits } from './sharing/shared-limits.ts';

export interface Limited {
  readonly id: number;
  readonly limits: RateLimits;
}

/** A call that is counted; opaque to its holder. */
export interface Ticket {
  /** Distinguishes it from an `OverLimit`. */
  readonly refused: null;
  /** The current `x-ratelimit-*` headers, of the limits that leave the least: names and values in turn. */
  headers(): string[];
}

/** A call that is not counted: the limits that are set, and their current readings. At least one of them refuses the call. */
export interface OverLimit {
  readonly refused: readonly LimitReading[];
  /** The estimated tokens of the prompt. */
  readonly tokens: number;
  /** When the call was checked, wall time in ms. */
  readonly at: number;
}

export interface LimiterParts {
  readonly clock: Clock;
  /** Requests admitted in the current UTC day before this start. */
  readonly requestsToday: (scope: 'key' | 'project' | 'account', id: number) => number;
  /** What other nodes have counted; absent if there are none. */
  readonly shared?: SharedLimits | null;
}

export class Limiter {
  readonly #now: Moment;
  readonly #keys: ScopeCounters;
  readonly #projects: ScopeCounters;
  readonly #accounts: ScopeCounters;

  constructor({ clock, requestsToday, shared = null }: LimiterParts) {
    this.#now = new Moment(clock, shared !== null);
    const { day } = this.#now;
    this.#keys = new ScopeCounters('key', requestsToday, day, shared?.keys);
    this.#projects = new ScopeCounters('project', requestsToday, day, shared?.projects);
    this.#accounts = new ScopeCounters('account', requestsToday, day, shared?.accounts);
    const scopes = { key: this.#keys, project: this.#projects, account: this.#accounts };
    shared?.readFrom(({ scope, id }, moment) => scopes[scope].countsOf(id, moment));
  }

  /**
   * Counts a call in all three scopes, or in none. `tokens` is an estimate of the prompt until the usage is known. Null if
   * nothing is limited.
   */
  take(key: Limited, project: Limited, account: Limited, tokens: number): Ticket | OverLimit | null {
    if (!isLimited(key.limits) && !isLimited(project.limits) && !isLimited(account.limits)) return null;
    const now = this.#now;
    now.update();
    const whole = wholeTokens(tokens);
    if (
      !this.#keys.passes(key.id, key.limits, whole, now) ||
      !this.#projects.passes(project.id, project.limits, whole, now) ||
      !this.#accounts.passes(account.id, account.limits, whole, now)
    )
      return { refused: this.#readings(key, project, account, whole), tokens: whole, at: now.wallMs };
    this.#keys.count(key.id, key.limits, whole, now);
    this.#projects.count(project.id, project.limits, whole, now);
    this.#accounts.count(account.id, account.limits, whole, now);
    return new TakenTicket(this, key, project, account, whole, now.minute, now.day);
  }

  /** Undoes the count of a call that was not admitted after all. */
  giveBack(ticket: Ticket): void {
    const { key, project, account, tokens, minute, day } = ended(ticket);
    const now = this.#now;
    now.update();
    this.#keys.uncount(key.id, key.limits, tokens, minute, day, now);
    this.#projects.uncount(project.id, project.limits, tokens, minute, day, now);
    this.#accounts.uncount(account.id, account.limits, tokens, minute, day, now);
  }

  /** Ends a call and corrects its count; `tokens` is what it really used. */
  correct(ticket: Ticket, tokens: number): void {
    const { key, project, account, tokens: taken, minute } = ended(ticket);
    const now = this.#now;
    now.update();
    const whole = wholeTokens(tokens);
    this.#keys.correct(key.id, key.limits, taken, whole, minute, now);
    this.#projects.correct(project.id, project.limits, taken, whole, minute, now);
    this.#accounts.correct(account.id, account.limits, taken, whole, minute, now);
    this.#keys.leave(key.id, key.limits);
    this.#projects.leave(project.id, project.limits);
    this.#accounts.leave(account.id, account.limits);
  }

  /** The current reading of each limit that is set, for a call of no tokens; counts nothing. */
  readings(key: Limited, project: Limited, account: Limited): LimitReading[] {
    this.#now.update();
    return this.#readings(key, project, account, 0);
  }

  /** How many counts are in memory. */
  get size(): number {
    return this.#keys.size + this.#projects.size + this.#accounts.size;
  }

  #readings(key: Limited, project: Limited, account: Limited, tokens: number): LimitReading[] {
    const readings: LimitReading[] = [];
    this.#keys.read(key.id, key.limits, tokens, this.#now, readings);
    this.#projects.read(project.id, project.limits, tokens, this.#now, readings);
    this.#accounts.read(account.id, account.limits, tokens, this.#now, readings);
    return readings;
  }
}

/** Keeps the limits it was counted with, so that exactly what was counted is undone, even if the limits have changed. */
class TakenTicket implements Ticket {
  readonly limiter: Limiter;
  readonly key: Limited;
  readonly project: Limited;
  readonly account: Limited;
  readonly tokens: number;
  readonly minute: number;
  readonly day: number;
  isOpen = true;

  get refused(): null {
    return null;
  }

  constructor(
    limiter: Limiter,
    key: Limited,
    project: Limited,
    account: Limited,
    tokens: number,
    minute: number,
    day: number,
  ) {
    this.limiter = limiter;
    this.key = key;
    this.project = project;
    this.account = account;
    this.tokens = tokens;
    this.minute = minute;
    this.day = day;
  }

  headers(): string[] {
    return rateLimitHeaders(this.limiter.readings(this.key, this.project, this.account));
  }
}

function ended(ticket: Ticket): TakenTicket {
  assert(ticket instanceof TakenTicket && ticket.isOpen, 'a call that was counted ends once');
  ticket.isOpen = false;
  return ticket;
}

function wholeTokens(tokens: number): number {
  assert(tokens >= 0, 'tokens are counted from 0');
  return Math.ceil(tokens);
}
