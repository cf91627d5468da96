/** What the other nodes have counted of a scope, as far as this node knows, and what they leave it: its share of every limit. */
import type { Counts } from '../ports.ts';
import { partOf, WHOLE } from './share.ts';

export class Others {
  requests = 0;
  requestsBefore = 0;
  tokens = 0;
  tokensBefore = 0;
  running = 0;
  /** This node's, in parts of `WHOLE`. */
  share = WHOLE;
  #minute = 0;
  #day = 0;
  #today = 0;
  /** Of `#today`, what nodes have counted that have a share. */
  #owned = 0;
  /** Of the ledger. */
  #settled = 0;

  /** Requests of the day: what the others sent, or what the ledger has of them, whichever is more. */
  get today(): number {
    return this.#today > this.#settled ? this.#today : this.#settled;
  }

  /** Requests of the day that no node's share has: of nodes that are gone. */
  get unowned(): number {
    return Math.max(0, this.today - this.#owned);
  }

  moveTo(minute: number, day: number): void {
    if (day !== this.#day) {
      this.#day = day;
      this.#today = 0;
      this.#owned = 0;
      this.#settled = 0;
    }
    if (minute === this.#minute) return;
    const isNext = minute === this.#minute + 1;
    this.requestsBefore = isNext ? this.requests : 0;
    this.tokensBefore = isNext ? this.tokens : 0;
    this.requests = 0;
    this.tokens = 0;
    this.#minute = minute;
  }

  /** What they sent, as of a minute and a day; `owned` of the requests of the day by nodes that have a share. */
  set(counts: Counts, owned: number, minute: number, day: number): void {
    this.moveTo(minute, day);
    this.requests = counts.requests;
    this.requestsBefore = counts.requestsBefore;
    this.tokens = counts.tokens;
    this.tokensBefore = counts.tokensBefore;
    this.running = counts.running;
    this.#today = counts.today;
    this.#owned = owned;
  }

  setSettled(calls: number, day: number): void {
    if (day === this.#day) this.#settled = calls;
  }
}

/** Of a node that is alone. */
export const NO_OTHERS: Readonly<Others> = Object.freeze(new Others());

/** How much of a limit this node may use itself: what the others' count leaves, and no more than its share. */
export function roomOf(limit: number, counted: number, { share }: Readonly<Others>): number {
  const left = limit - counted;
  return share === WHOLE ? left : Math.min(left, partOf(limit, share));
}

/** Of a limit per day. What nodes that are gone have used is no longer there to be shared. */
export function roomOfDay(limit: number, others: Readonly<Others>): number {
  const left = limit - others.today;
  return others.share === WHOLE ? left : Math.min(left, partOf(limit - others.unowned, others.share));
}
