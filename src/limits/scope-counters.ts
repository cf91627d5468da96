/**
 * The counts of all keys, all projects, or all accounts. A limit counts from the first call after it was set; without a
 * limit, nothing is counted.
 */
import type { Moment } from './moment.ts';
import type { Counts } from './ports.ts';
import { isLimited, type LimitReading, type RateLimits, type RateScope } from './rate-limits.ts';
import { NO_OTHERS, roomOf, roomOfDay } from './sharing/others.ts';
import { partOf } from './sharing/share.ts';
import type { SharedScopes } from './sharing/shared-scopes.ts';
import { emptyAfter, RecentWindows, type SlidingWindow, usedOf, waitOf } from './sliding-window.ts';

/** When a running call will end is unknown. */
const RUNNING_WAIT_MS = 1000;
/** Within that time a node's share follows the calls that it gets. */
const SHARE_WAIT_MS = 1000;

export class ScopeCounters {
  readonly #scope: RateScope;
  readonly #requestsToday: (scope: RateScope, id: number) => number;
  readonly #firstDay: number;
  /** Null if this node is alone. */
  readonly #shared: SharedScopes | null;
  readonly #windows = new RecentWindows();
  #day: number;
  /** Requests of `#day`, by id. */
  #today = new Map<number, number>();
  /** Running calls by id; an id without any is absent. */
  readonly #running = new Map<number, number>();

  constructor(
    scope: RateScope,
    requestsToday: (scope: RateScope, id: number) => number,
    day: number,
    shared: SharedScopes | null = null,
  ) {
    this.#scope = scope;
    this.#requestsToday = requestsToday;
    this.#shared = shared;
    this.#firstDay = day;
    this.#day = day;
  }

  /** Whether one more call of `tokens` is within the limits. */
  passes(id: number, limits: RateLimits, tokens: number, moment: Moment): boolean {
    const others = this.#shared === null ? NO_OTHERS : this.#shared.of(id, limits, moment);
    const { requestsPerMinute, requestsPerDay, tokensPerMinute, concurrentCalls } = limits;
    if (concurrentCalls !== undefined && this.#runningOf(id) >= roomOf(concurrentCalls, others.running, others))
      return false;
    if (requestsPerDay !== undefined && this.#todayOf(id, moment) >= roomOfDay(requestsPerDay, others)) return false;
    if (requestsPerMinute === undefined && tokensPerMinute === undefined) return true;
    const window = this.#windows.find(id, moment.minute);
    if (window === undefined && others === NO_OTHERS) return (requestsPerMinute ?? 1) > 0;
    if (
      requestsPerMinute !== undefined &&
      requestsUsed(window, moment) >= roomOf(requestsPerMinute, requestsUsed(others, moment), others)
    )
      return false;
    if (tokensPerMinute === undefined) return true;
    const used = tokensUsed(window, moment);
    return (
      used + tokensUsed(others, moment) <= usedMaxFor(tokens, tokensPerMinute) &&
      used <= usedMaxFor(tokens, partOf(tokensPerMinute, others.share))
    );
  }

  count(id: number, limits: RateLimits, tokens: number, moment: Moment): void {
    if (limits.concurrentCalls !== undefined) this.#running.set(id, this.#runningOf(id) + 1);
    if (limits.requestsPerDay !== undefined) this.#today.set(id, this.#todayOf(id, moment) + 1);
    if (hasMinute(limits)) {
      const window = this.#windows.open(id, moment.minute);
      window.requests += 1;
      window.tokens += tokens;
    }
    if (this.#shared !== null && isLimited(limits)) this.#shared.counted(id, limits, this.countsOf(id, moment), moment);
  }

  /** What has been counted here. */
  countsOf(id: number, moment: Moment): Counts {
    const window = this.#windows.find(id, moment.minute);
    return {
      requests: window?.requests ?? 0,
      requestsBefore: window?.requestsBefore ?? 0,
      tokens: window?.tokens ?? 0,
      tokensBefore: window?.tokensBefore ?? 0,
      today: this.#todayOf(id, moment),
      running: this.#runningOf(id),
    };
  }

  /** Undoes the count of a call that was counted with these limits and tokens, in that minute and on that day. */
  uncount(id: number, limits: RateLimits, tokens: number, minute: number, day: number, moment: Moment): void {
    if (limits.requestsPerDay !== undefined && day === moment.day)
      this.#today.set(id, Math.max(0, this.#todayOf(id, moment) - 1));
    if (hasMinute(limits)) this.#windows.find(id, moment.minute)?.uncount(minute, 1, tokens);
    this.#shared?.changed(id);
    this.leave(id, limits);
  }

  /**
   * Corrects the tokens of a call that was counted as `taken` in `minute`. An excess is subtracted where it was counted; a
   * shortfall counts from now on, whatever the limit.
   */
  correct(id: number, limits: RateLimits, taken: number, tokens: number, minute: number, moment: Moment): void {
    if (!hasMinute(limits) || tokens === taken) return;
    if (tokens > taken) this.#windows.open(id, moment.minute).tokens += tokens - taken;
    else this.#windows.find(id, moment.minute)?.uncount(minute, 0, taken - tokens);
    this.#shared?.changed(id);
  }

  /** A call has ended. */
  leave(id: number, limits: RateLimits): void {
    if (limits.concurrentCalls === undefined) return;
    const running = this.#runningOf(id) - 1;
    if (running > 0) this.#running.set(id, running);
    else this.#running.delete(id);
    this.#shared?.changed(id);
  }

  /** Adds the current reading of each limit, for a call of `tokens`. */
  read(id: number, limits: RateLimits, tokens: number, moment: Moment, readings: LimitReading[]): void {
    const scope = this.#scope;
    const others = this.#shared === null ? NO_OTHERS : this.#shared.peek(id, moment);
    const { requestsPerMinute, requestsPerDay, tokensPerMinute, concurrentCalls } = limits;
    const window = hasMinute(limits) ? this.#windows.find(id, moment.minute) : undefined;
    const { elapsedMs } = moment;
    if (requestsPerMinute !== undefined) {
      const before = (window?.requestsBefore ?? 0) + others.requestsBefore;
      const current = (window?.requests ?? 0) + others.requests;
      const used = usedOf(before, current, elapsedMs);
      const left = roomOf(requestsPerMinute, requestsUsed(others, moment), others) - requestsUsed(window, moment);
      const waitMs = used < requestsPerMinute ? SHARE_WAIT_MS : waitOf(before, current, requestsPerMinute, elapsedMs);
      readings.push({
        scope,
        name: 'requestsPerMinute',
        limit: requestsPerMinute,
        remaining: Math.max(0, Math.ceil(left)),
        waitMs: left > 0 ? 0 : Math.max(1, waitMs),
        resetMs: emptyAfter(before, current, elapsedMs),
      });
    }
    if (requestsPerDay !== undefined) {
      const own = this.#todayOf(id, moment);
      const remaining = Math.max(0, roomOfDay(requestsPerDay, others) - own);
      const resetMs = moment.untilNextDayMs();
      const isUsedUp = own + others.today >= requestsPerDay;
      const waitMs = remaining > 0 ? 0 : isUsedUp ? resetMs : Math.min(resetMs, SHARE_WAIT_MS);
      readings.push({ scope, name: 'requestsPerDay', limit: requestsPerDay, remaining, waitMs, resetMs });
    }
    if (tokensPerMinute !== undefined) {
      const before = (window?.tokensBefore ?? 0) + others.tokensBefore;
      const current = (window?.tokens ?? 0) + others.tokens;
      const used = usedOf(before, current, elapsedMs);
      const own = tokensUsed(window, moment);
      const usedMax = usedMaxFor(tokens, tokensPerMinute);
      const share = partOf(tokensPerMinute, others.share);
      const passes = used <= usedMax && own <= usedMaxFor(tokens, share);
      const waitMs = used <= usedMax ? SHARE_WAIT_MS : waitOf(before, current, usedMax, elapsedMs);
      readings.push({
        scope,
        name: 'tokensPerMinute',
        limit: tokensPerMinute,
        remaining: Math.max(0, Math.floor(Math.min(tokensPerMinute - used, share - own))),
        waitMs: passes ? 0 : Math.max(1, waitMs),
        resetMs: emptyAfter(before, current, elapsedMs),
      });
    }
    if (concurrentCalls !== undefined) {
      const remaining = Math.max(0, roomOf(concurrentCalls, others.running, others) - this.#runningOf(id));
      const waitMs = remaining > 0 ? 0 : RUNNING_WAIT_MS;
      readings.push({ scope, name: 'concurrentCalls', limit: concurrentCalls, remaining, waitMs, resetMs: null });
    }
  }

  /** How many counts are in memory. */
  get size(): number {
    return this.#windows.size + this.#today.size + this.#running.size;
  }

  #runningOf(id: number): number {
    return this.#running.get(id) ?? 0;
  }

  #todayOf(id: number, moment: Moment): number {
    if (moment.day !== this.#day) {
      this.#day = moment.day;
      this.#today = new Map();
    }
    return this.#today.get(id) ?? (this.#day === this.#firstDay ? this.#requestsToday(this.#scope, id) : 0);
  }
}

/** The requests of the last minute, of this node's window or of the others. */
function requestsUsed(
  counts: Pick<SlidingWindow, 'requests' | 'requestsBefore'> | undefined,
  { elapsedMs }: Moment,
): number {
  return counts === undefined ? 0 : usedOf(counts.requestsBefore, counts.requests, elapsedMs);
}

function tokensUsed(counts: Pick<SlidingWindow, 'tokens' | 'tokensBefore'> | undefined, { elapsedMs }: Moment): number {
  return counts === undefined ? 0 : usedOf(counts.tokensBefore, counts.tokens, elapsedMs);
}

function hasMinute(limits: RateLimits): boolean {
  return limits.requestsPerMinute !== undefined || limits.tokensPerMinute !== undefined;
}

/**
 * How many tokens may be used already for a call of `tokens` to pass. A call larger than the limit passes if none are, or it
 * never would.
 */
function usedMaxFor(tokens: number, limit: number): number {
  return tokens < limit ? limit - tokens : 0;
}
