/** What the other nodes have counted of a scope, as far as this node knows. */
import type { Counts } from '../ports.ts';

export class Others {
  requests = 0;
  requestsBefore = 0;
  tokens = 0;
  tokensBefore = 0;
  running = 0;
  /** By how many a limit is divided: 1 as long as the others' counts are known. */
  parts = 1;
  #minute = 0;
  #day = 0;
  #today = 0;
  /** Of the ledger. */
  #settled = 0;

  /** Requests of the day: what the others sent, or what the ledger has of them, whichever is more. */
  get today(): number {
    return this.#today > this.#settled ? this.#today : this.#settled;
  }

  moveTo(minute: number, day: number): void {
    if (day !== this.#day) {
      this.#day = day;
      this.#today = 0;
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

  /** What they sent, as of a minute and a day. */
  set(counts: Counts, minute: number, day: number): void {
    this.moveTo(minute, day);
    this.requests = counts.requests;
    this.requestsBefore = counts.requestsBefore;
    this.tokens = counts.tokens;
    this.tokensBefore = counts.tokensBefore;
    this.running = counts.running;
    this.#today = counts.today;
  }

  setSettled(calls: number, day: number): void {
    if (day === this.#day) this.#settled = calls;
  }
}

/** Of a node that is alone. */
export const NO_OTHERS: Readonly<Others> = Object.freeze(new Others());

/** A node's part of a limit; at least 1. */
export function partOf(limit: number, { parts }: Pick<Others, 'parts'>): number {
  return parts === 1 ? limit : Math.max(1, Math.floor(limit / parts));
}
