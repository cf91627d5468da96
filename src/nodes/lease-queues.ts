/**
 * Calls that wait for money. Each waits in the queue of one purse, the narrowest that was short of it, first in, first out; for
 * each purse one request to the bank is under way. Money that other nodes have is asked for again and again for a while, as
 * the bank has recalled it; calls that need less may then overtake the first one.
 */
import { type Refusal, UNWRITABLE } from '../billing/refusal.ts';
import type { Clock } from '../core/clock.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Asked, LeaseRequests } from './lease-requests.ts';
import { amountNow, type LentPurse, type Shortage, type WaitingCall } from './lent-purse.ts';

/** For so long other nodes' shares are waited for. */
const RECALLED_WITHIN_MS = 600;
const RETRY_FIRST_MS = 5;
const RETRY_MOST_MS = 80;
/** For so long a refusal counts for later calls, too. */
const REMEMBERED_MS = 200;
/** And at most for so long, if the same is refused again and again, and no other node has anything. */
const REMEMBERED_MOST_MS = 3_200;

export class LeaseQueues {
  readonly #requests: LeaseRequests;
  readonly #clock: Clock;
  readonly #maySpend: () => boolean;

  constructor(requests: LeaseRequests, clock: Clock, maySpend: () => boolean) {
    this.#requests = requests;
    this.#clock = clock;
    this.#maySpend = maySpend;
  }

  /** The call is served in its turn. */
  add(call: WaitingCall): void {
    const { home } = call;
    for (const purse of call.purses) purse.waiters += 1;
    home.waiting.push(call);
    home.queued += call.demand.full;
    // Behind others for which the bank is asked, or until it is asked again, there is nothing to do for it; so a long queue costs each call
    // the same, whatever they need.
    joinShortage(home, call);
    if (home.waiting.length > 1 && (home.asking > 0 || isAsleep(call, home.shortage, this.#now()))) return;
    this.serve(home);
  }

  /** Something was released: the first calls that wait may be served. */
  released(purse: LentPurse): void {
    const { shortage, waiting } = purse;
    if (waiting.length > 0 && (shortage === null || purse.atHand >= shortage.need)) this.serve(purse);
  }

  /** Serves the calls that can be served, in order, and asks the bank for the first that cannot. */
  serve(purse: LentPurse): void {
    if (purse.isOver || purse.waiting.length === 0) return;
    if (!this.#maySpend()) return this.refuseAll(purse);
    const nowMs = this.#now();
    const { shortage } = purse;
    const [first] = purse.waiting;
    if (first?.isPending && !first.isGone() && amountNow(first.purses, first.demand, first.wasAsked) === null) return;
    const { waiting } = purse;
    const kept: WaitingCall[] = [];
    let next: WaitingCall | null = null;
    let seen = 0;
    for (const call of waiting) {
      seen += 1;
      if (this.#isServed(call, nowMs)) continue;
      kept.push(call);
      if (isAsleep(call, shortage, nowMs)) continue;
      next = call;
      break;
    }
    if (kept.length < seen) purse.waiting = kept.concat(waiting.slice(seen));
    if (purse.waiting.length === 0) this.#endShortage(purse);
    if (next !== null) this.#askFor(next);
  }

  /** The bank is away, or the epoch is over: nobody in the queue is served. */
  refuseAll(purse: LentPurse): void {
    const { waiting } = purse;
    purse.waiting = [];
    this.#endShortage(purse);
    for (const call of waiting) this.#settle(call, UNWRITABLE);
  }

  #now(): number {
    return this.#clock.monotonic();
  }

  /** Takes the call out of the queue, if it is over or there is enough at hand. */
  #isServed(call: WaitingCall, nowMs: number): boolean {
    if (call.isGone()) return this.#settle(call, NO_MONEY);
    for (const purse of call.purses) if (purse.isReturning) return false;
    const amount = amountNow(call.purses, call.demand, call.wasAsked);
    if (amount === null) return false;
    for (const purse of call.purses) purse.take(amount, nowMs);
    return this.#settle(call, amount);
  }

  #settle(call: WaitingCall, outcome: Money | Refusal): true {
    call.isOver = true;
    for (const purse of call.purses) purse.waiters -= 1;
    call.home.queued -= call.demand.full;
    call.settle(outcome);
    return true;
  }

  /** One thing at a time for each call: what is to be given back first, then the request for more. */
  #askFor(call: WaitingCall): void {
    if (call.isPending || call.isOver) return;
    call.isPending = true;
    call.home.asking += 1;
    void this.#stepOf(call).then((isAnswered) => {
      call.isPending = false;
      call.home.asking -= 1;
      if (isAnswered) this.serve(call.home);
      else this.refuseAll(call.home);
    });
  }

  /** Resolves to whether the bank answered. */
  #stepOf(call: WaitingCall): Promise<boolean> {
    const { purses } = call;
    // Whoever made it knows what to do if it fails.
    for (const { request } of purses) if (request !== null) return request.then(() => true);
    const closing = purses.filter((purse) => purse.isClosing);
    if (closing.length > 0) return this.#requests.giveBack(closing, true);
    const returning = purses.filter((purse) => purse.isReturning);
    if (returning.length > 0) return this.#requests.giveBack(returning);
    return this.#ask(call, call.target());
  }

  async #ask(call: WaitingCall, target: Money): Promise<boolean> {
    const { home, purses } = call;
    const short = purses.filter((purse) => purse.atHand < target);
    // What is at hand may suffice, but not what is known to be free for more such calls: the bank says what there is.
    const asked = (short.length > 0 ? short : [home]).map((purse) => this.#wantOf(purse, call, target));
    const isAnswered = await this.#requests.ask(asked, true);
    if (home.isOver) return true;
    for (const { purse } of asked) {
      if (purse === home) continue;
      if (isAnswered) this.serve(purse);
      else this.refuseAll(purse);
    }
    if (!isAnswered) return false;
    call.isAsked = true;
    // It may have been served meanwhile by what another call released.
    if (call.isOver) return true;
    if (!call.isGone() && amountNow(purses, call.demand, true) === null) this.#noteShort(call, target);
    else if (home.waiting[0] === call) this.#endShortage(home);
    return true;
  }

  #wantOf(purse: LentPurse, { demand }: WaitingCall, target: Money): Asked {
    const nowMs = this.#now();
    purse.use.wants(demand.full);
    const missing = target - purse.atHand;
    const shortfall = (missing > 0n ? missing : 0n) as Money;
    if (nowMs < purse.recalledUntilMs || purse.shortage !== null) return { purse, shortfall, wish: shortfall };
    const wish = purse.queued + purse.use.wish(purse.held, nowMs) - (purse.granted - purse.spent);
    return { purse, shortfall, wish: (wish > shortfall ? wish : shortfall) as Money };
  }

  /** The bank has not lent what the call needs. */
  #noteShort(call: WaitingCall, target: Money): void {
    const { home, purses, demand } = call;
    const nowMs = this.#now();
    const known = home.shortage;
    const isNewTarget = demand.mayShrink && call.target() < target;
    const short = purses.filter((purse) => purse.atHand < target);
    const isHopeless = short.some((purse) => purse.elsewhere === 0n && purse.reachable < call.target());
    // Less will do, and nobody else has more to give.
    if (isNewTarget && !isHopeless && (known !== null || short.every((purse) => purse.elsewhere === 0n))) return;
    if (isHopeless) return this.#refuse(call, nowMs);
    if (known !== null && nowMs - known.sinceMs >= RECALLED_WITHIN_MS) return this.#refuseShort(home, known, nowMs);
    const shortage = known ?? { sinceMs: nowMs, rounds: 0, need: demand.least, retryAtMs: 0, timer: null };
    if (demand.least < shortage.need) shortage.need = demand.least;
    const delayMs = Math.min(RETRY_FIRST_MS * 2 ** shortage.rounds, RETRY_MOST_MS);
    shortage.rounds += 1;
    shortage.retryAtMs = Math.min(nowMs + delayMs, shortage.sinceMs + RECALLED_WITHIN_MS);
    shortage.timer?.cancel();
    shortage.timer = this.#clock.after(shortage.retryAtMs - nowMs, () => {
      // A timer may be a moment early by the clock.
      shortage.retryAtMs = 0;
      this.serve(home);
    });
    home.shortage = shortage;
    // Fragments of several nodes may be enough together.
    const fragments = short.filter((purse) => purse.atHand > 0n && purse.request === null);
    if (fragments.length > 0) void this.#requests.giveBack(fragments).then(() => this.serve(home));
  }

  /** Everybody who needs as much as was not to be had. */
  #refuseShort(home: LentPurse, { need }: Shortage, nowMs: number): void {
    this.#endShortage(home);
    const calls = home.waiting;
    home.waiting = calls.filter(({ demand }) => demand.least < need);
    for (const call of calls) if (call.demand.least >= need) this.#settleRefused(call, nowMs);
  }

  /** And everybody behind it who needs more of the same purse than there is. */
  #refuse(call: WaitingCall, nowMs: number): void {
    const { home } = call;
    const purse = this.#settleRefused(call, nowMs);
    const most = purse.reachable > purse.atHand ? purse.reachable : purse.atHand;
    const calls = home.waiting;
    const isToo = ({ demand, purses }: WaitingCall) => demand.least > most && purses.includes(purse);
    home.waiting = calls.filter((other) => other !== call && !isToo(other));
    for (const other of calls) if (other !== call && isToo(other)) this.#settleRefused(other, nowMs);
  }

  /** Returns the purse that leaves the least. */
  #settleRefused(call: WaitingCall, nowMs: number): LentPurse {
    const { purse, refusal } = call.refusal();
    const forMs = rememberedFor(purse, nowMs);
    purse.refusal = { constraint: refusal.binding, untilMs: nowMs + forMs, forMs };
    this.#settle(call, refusal);
    return purse;
  }

  #endShortage(purse: LentPurse): void {
    purse.shortage?.timer?.cancel();
    purse.shortage = null;
  }
}

/** A call that needs less, and still more than there is, waits with the others: to ask the bank for it now would bring nothing. */
function joinShortage({ shortage, reachable }: LentPurse, { demand }: WaitingCall): void {
  if (shortage !== null && demand.least > reachable && demand.least < shortage.need) shortage.need = demand.least;
}

/** Whether the call waits for the next time that money is asked for again. */
function isAsleep({ demand }: WaitingCall, shortage: Shortage | null, nowMs: number): boolean {
  return shortage !== null && demand.least >= shortage.need && nowMs < shortage.retryAtMs;
}

/**
 * What is used up, and lent to nobody else, comes back only by what this node hears of: an entry, another limit, a call of its own that ends.
 * Callers that go on, with many keys, must not cost the bank a request each for every 200 ms.
 */
function rememberedFor({ refusal, elsewhere }: LentPurse, nowMs: number): number {
  if (refusal === null || elsewhere > 0n) return REMEMBERED_MS;
  const { untilMs, forMs } = refusal;
  // Of several calls that are refused together each is not one time more.
  if (nowMs < untilMs) return forMs;
  return nowMs - untilMs < forMs ? Math.min(2 * forMs, REMEMBERED_MOST_MS) : REMEMBERED_MS;
}
