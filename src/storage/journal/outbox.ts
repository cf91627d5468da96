/** What is in the journal and on its way to the bank, in memory: batches in the order in which they were written. */
import type { OutboxBatch } from './journal-part.ts';

/** A batch on its way. */
export interface Sendable {
  readonly id: number;
  readonly epoch: number;
  readonly calls: number;
  readonly admittedFrom: number;
  readonly bytes: number;
  /** Null if it is read from the journal when it is sent. */
  batch: Uint8Array | null;
}

/** More than this is left to the file. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;

interface Acknowledged extends Sendable {
  /** Monotonic ms. */
  readonly since: number;
}

export class Outbox {
  /** In order; those before `#first` are gone. */
  #waiting: Sendable[] = [];
  #first = 0;
  #waitingCalls = 0;
  /** Taken together and not answered. */
  readonly #taken = new Set<readonly Sendable[]>();
  /** Of those: sent before the bank went on from another state, so that their acknowledgement says nothing. */
  readonly #outdated = new Set<readonly Sendable[]>();
  #unsentCalls = 0;
  /** Of what is not acknowledged: each was admitted before all that come after it. The first one is the oldest of all. */
  #oldest: Sendable[] = [];
  #oldestFirst = 0;
  #acknowledged: Acknowledged[] = [];
  #lastId: number;
  #bytes = 0;
  #keptBytes = 0;

  constructor(lastId: number) {
    this.#lastId = lastId;
  }

  /** The id of the last batch that was added, or 0. */
  get lastId(): number {
    return this.#lastId;
  }

  /** All batches up to this one are acknowledged. */
  get acknowledgedThrough(): number {
    let first = this.#waiting[this.#first]?.id ?? Number.POSITIVE_INFINITY;
    for (const [each] of this.#taken) if (each !== undefined && each.id < first) first = each.id;
    return Math.min(this.#lastId, first - 1);
  }

  /** The calls of the batches that nobody has taken. */
  get waitingCalls(): number {
    return this.#waitingCalls;
  }

  /** Of everything that is not acknowledged. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What is not acknowledged: how many calls, and when the first of them was admitted (ms). */
  unsent(): { readonly calls: number; readonly from: number | null } {
    return { calls: this.#unsentCalls, from: this.#oldest[this.#oldestFirst]?.admittedFrom ?? null };
  }

  add({ id, epoch, calls, admittedFrom, batch }: OutboxBatch): void {
    const isKept = this.#keptBytes + batch.length <= KEPT_BYTES_MAX;
    this.addStored({ id, epoch, calls, admittedFrom, bytes: batch.length, batch: isKept ? batch : null });
  }

  addStored(entry: Sendable): void {
    this.#lastId = Math.max(this.#lastId, entry.id);
    this.#waiting.push(entry);
    this.#waitingCalls += entry.calls;
    this.#bytes += entry.bytes;
    this.#unsentCalls += entry.calls;
    this.#noteAge(entry);
    if (entry.batch !== null) this.#keptBytes += entry.bytes;
  }

  /**
   * Takes batches of one epoch from the front, with at most `callsMax` calls together but at least one batch. The taker ends
   * them with `acknowledge`, `putBack` or `remove`.
   */
  take(callsMax: number): readonly Sendable[] {
    const taken: Sendable[] = [];
    let calls = 0;
    for (; this.#first < this.#waiting.length; this.#first += 1) {
      const next = this.#waiting[this.#first] as Sendable;
      if (taken.length > 0 && (next.epoch !== taken[0]?.epoch || calls + next.calls > callsMax)) break;
      taken.push(next);
      calls += next.calls;
    }
    if (taken.length > 0) this.#taken.add(taken);
    this.#waitingCalls -= calls;
    if (this.#first > 1_000 && this.#first * 2 > this.#waiting.length) this.#compact();
    return taken;
  }

  putBack(taken: readonly Sendable[]): void {
    this.#taken.delete(taken);
    this.#outdated.delete(taken);
    const last = taken.at(-1);
    if (last === undefined) return;
    for (const { calls } of taken) this.#waitingCalls += calls;
    // As a rule they go where they were: a bank that is away is asked again and again, which must not cost more the more waits.
    if (this.#first < taken.length) {
      this.#waiting = [...taken, ...this.#waiting.slice(this.#first)];
      this.#first = taken.length;
    }
    // What another lane has put back may be in between.
    let end = this.#first;
    while ((this.#waiting[end]?.id ?? last.id) < last.id) end += 1;
    const merged = [...taken, ...this.#waiting.slice(this.#first, end)].sort((a, b) => a.id - b.id);
    this.#first -= taken.length;
    for (const [index, each] of merged.entries()) this.#waiting[this.#first + index] = each;
  }

  /** Returns whether they are; otherwise they wait again, because they were sent before `sendAgain`. */
  acknowledge(taken: readonly Sendable[], since: number): boolean {
    if (this.#outdated.has(taken)) {
      this.putBack(taken);
      return false;
    }
    this.remove(taken);
    for (const each of taken) this.#acknowledged.push({ ...each, batch: null, since });
    return true;
  }

  /** They are neither sent nor kept. */
  remove(taken: readonly Sendable[]): void {
    this.#taken.delete(taken);
    this.#outdated.delete(taken);
    for (const { bytes, batch, calls } of taken) {
      this.#bytes -= bytes;
      this.#unsentCalls -= calls;
      if (batch !== null) this.#keptBytes -= bytes;
    }
    this.#dropOldest();
  }

  /** The first of the batches that were acknowledged before this time, at most `max`. They stay until `forgotten`. */
  acknowledgedBefore(since: number, max: number): readonly number[] {
    const ids: number[] = [];
    for (const each of this.#acknowledged) {
      if (each.since >= since || ids.length === max) break;
      ids.push(each.id);
    }
    return ids;
  }

  /** They are no longer in the journal. */
  forgotten(ids: readonly number[]): void {
    this.#acknowledged = this.#acknowledged.slice(ids.length);
  }

  addAcknowledged(entry: Sendable, since: number): void {
    this.#lastId = Math.max(this.#lastId, entry.id);
    this.#acknowledged.push({ ...entry, since });
  }

  /** Everything that was acknowledged and is still there waits again; what is on its way will, whatever is answered. */
  sendAgain(): void {
    for (const taken of this.#taken) this.#outdated.add(taken);
    const again = this.#acknowledged.map(({ since: _since, ...entry }) => entry);
    this.#acknowledged = [];
    for (const each of again) {
      this.#waitingCalls += each.calls;
      this.#bytes += each.bytes;
      this.#unsentCalls += each.calls;
    }
    this.#waiting = [...again, ...this.#waiting.slice(this.#first)].sort((a, b) => a.id - b.id);
    this.#first = 0;
    this.#oldest = [];
    this.#oldestFirst = 0;
    for (const each of [...this.#taken, this.#waiting].flat().sort((a, b) => a.id - b.id)) this.#noteAge(each);
  }

  /** Once, however many there are: an entry stays until one comes that was admitted before it. */
  #noteAge(entry: Sendable): void {
    const oldest = this.#oldest;
    while (oldest.length > this.#oldestFirst && (oldest.at(-1) as Sendable).admittedFrom >= entry.admittedFrom)
      oldest.pop();
    oldest.push(entry);
  }

  #dropOldest(): void {
    const through = this.acknowledgedThrough;
    while ((this.#oldest[this.#oldestFirst]?.id ?? Number.POSITIVE_INFINITY) <= through) this.#oldestFirst += 1;
    if (this.#oldestFirst * 2 < this.#oldest.length) return;
    this.#oldest = this.#oldest.slice(this.#oldestFirst);
    this.#oldestFirst = 0;
  }

  #compact(): void {
    this.#waiting = this.#waiting.slice(this.#first);
    this.#first = 0;
  }
}
