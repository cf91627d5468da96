/**
 * Applies what other nodes changed to what this process keeps in memory. Changes say what is different, not how: current rows are
 * read, and given to the same listeners that hear of this process's own commits. A row never replaces a newer one, in whatever order rows
 * and own commits come. If changes are missing (numbers with a gap, or too far behind), everything is read again while memory serves on.
 */
import type { Clock } from '../../core/clock.ts';
import type { Feed, FeedChange } from '../../core/feed.ts';
import { Serial } from '../../core/serial.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { Pulse } from '../ports.ts';
import type { PulseFollower } from '../session/node-session.ts';

/**
 * Whether a change of the same thing with a higher number was committed by this process itself, or applied while everything is being read:
 * then the listeners know it already.
 */
export type IsOutdated = (topic: string, id: string, seq: number) => boolean;

/** Follows the changes of one or several topics. */
export interface TopicFollower {
  readonly topics: readonly string[];
  /** Reads what these changes are about, each thing once. Returns what applies it, in one step. Called during `reload`, too. */
  read(changes: readonly FeedChange[], isOutdated: IsOutdated): Promise<() => void>;
  /** The database went on from another state: numbers known in memory mean nothing, and whatever is read from now on replaces what is there. */
  forgetNumbers(): void;
  /**
   * Reads and applies everything. `seq`: the last change before; what is gone went with it at the latest. `isOther`: after
   * `forgetNumbers`. Rows replace what is there one by one, so that memory serves on, and what is not stored was never there.
   */
  reload(seq: number, isOutdated: IsOutdated, isOther: boolean): Promise<void>;
}

export interface FeedFollowerParts {
  readonly feed: Pick<Feed<object>, 'onOwn'>;
  /** In the order in which changes are applied: what others refer to comes first. */
  readonly topics: readonly TopicFollower[];
  /** The number of the last change before memory was loaded. */
  readonly seq: number;
  /** Whether an error is the database's, and will pass; otherwise something that was read is wrong, and stays so. */
  readonly isTrouble: (error: unknown) => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly onEvent: (event: FollowEvent) => void;
}

interface AnsweredPulse extends Pick<Pulse, 'changes' | 'lastSeq'> {
  /** How often everything had been read when it was answered. */
  readonly reloads: number;
}

/** Everything is being read. */
interface Reading {
  /** What was changed up to this number is read with everything, or was applied meanwhile. */
  seq: number;
  /** See `FeedFollower.#states`. */
  readonly states: number;
}

export type FollowEvent =
  /** The first failure of a row of them. */
  | { readonly type: 'changes_not_followed'; readonly cause: Error }
  | { readonly type: 'changes_missed'; readonly from: number; readonly to: number }
  /** The end of either: changes are read again, or everything was read instead. */
  | { readonly type: 'changes_followed_again'; readonly to: number; readonly afterMs: number }
  /** The database went on from another state: changes up to the number that memory had may be lost. */
  | { readonly type: 'database_went_back'; readonly from: number }
  /** Memory agrees with it. */
  | { readonly type: 'database_followed_again'; readonly to: number };

/** More than this behind, reading everything once is less work than reading what changed. */
const BEHIND_MAX = 10_000;

export class FeedFollower implements PulseFollower {
  readonly #parts: FeedFollowerParts;
  readonly #serial = new Serial();
  /** What is applied while everything is being read. */
  readonly #meanwhile = new Serial();
  #reading: Reading | null = null;
  /** By topic and id: what this process committed, or applied meanwhile, and the pulses have not brought yet. */
  readonly #newer = new Map<string, number>();
  #seq: number;
  #newest: AnsweredPulse | null = null;
  /** How often everything was read. */
  #reloads = 0;
  readonly #outage: Outage;
  /** Since changes were missed, until everything was read. */
  readonly #missing: Outage;
  /** Up to where everything was read instead of changes of which one could not be. */
  #readInsteadTo = 0;
  /** How often the database went on from another state, and how often memory was read anew for that. */
  #states = 0;
  #statesRead = 0;

  constructor(parts: FeedFollowerParts) {
    this.#parts = parts;
    this.#seq = parts.seq;
    this.#outage = new Outage(parts.clock);
    this.#missing = new Outage(parts.clock);
    parts.feed.onOwn((change) => this.#noteNewer(change));
  }

  /** 0 while numbers mean nothing. While everything is being read, what comes after that. */
  get seq(): number {
    if (this.#reading?.states === this.#states) return this.#reading.seq;
    return this.wentBack ? 0 : this.#seq;
  }

  /** Whether the database went on from another state, such as that of a standby that was behind, and memory is not yet read anew. */
  get wentBack(): boolean {
    return this.#statesRead < this.#states;
  }

  distrust(): void {
    if (!this.wentBack) this.#parts.onEvent({ type: 'database_went_back', from: this.#seq });
    this.#states += 1;
  }

  follow(pulse: Pick<Pulse, 'changes' | 'lastSeq'>): Promise<boolean> {
    // While rows are being read, later pulses bring the same changes and more: only the last one counts.
    this.#newest = { changes: pulse.changes, lastSeq: pulse.lastSeq, reloads: this.#reloads };
    if (this.#reading !== null)
      void this.#meanwhile.run(() => this.#applyMeanwhile(pulse)).catch((cause: Error) => this.#report(cause));
    return this.#serial.run(async () => {
      const newest = this.#newest;
      this.#newest = null;
      try {
        if (newest !== null) {
          await this.#apply(newest);
          this.#worked();
        }
      } catch (error) {
        this.#report(error as Error);
        return false;
      }
      return this.#seq >= pulse.lastSeq && !this.wentBack;
    });
  }

  async #apply({ changes, lastSeq, reloads }: AnsweredPulse): Promise<void> {
    if (this.wentBack) return this.#readAnew(lastSeq);
    const news = newsOf(changes, this.#seq);
    if (news === null || lastSeq - this.#seq > BEHIND_MAX || (news.length === 0 && lastSeq > this.#seq)) {
      // It was answered before everything was read: the next one brings what came since, with less work.
      return reloads < this.#reloads ? undefined : this.#reload(lastSeq);
    }
    let apply: readonly (() => void)[];
    try {
      apply = await this.#read(news);
    } catch (error) {
      if (this.#parts.isTrouble(error) || this.#readInsteadTo === lastSeq) throw error;
      // One change that cannot be read must not hold up those after it, such as a revocation: for everything it is not needed.
      this.#report(error as Error);
      this.#readInsteadTo = lastSeq;
      return this.#reload(lastSeq);
    }
    for (const each of apply) each();
    this.#arrivedAt(news.at(-1)?.seq ?? this.#seq);
  }

  /** A revocation must not wait until everything is read, which may take seconds. What fails here comes with a later pulse. */
  async #applyMeanwhile({ changes }: Pick<Pulse, 'changes'>): Promise<void> {
    const reading = this.#reading;
    if (reading === null || reading.states !== this.#states) return;
    const news = newsOf(changes, reading.seq);
    if (news === null) return;
    for (const each of await this.#read(news)) each();
    for (const change of news) this.#noteNewer(change);
    reading.seq = news.at(-1)?.seq ?? reading.seq;
  }

  /** What applies these changes. */
  async #read(news: readonly FeedChange[]): Promise<readonly (() => void)[]> {
    const apply: (() => void)[] = [];
    for (const follower of this.#parts.topics) {
      const concerned = news.filter(({ topic }) => follower.topics.includes(topic));
      if (concerned.length > 0) apply.push(await follower.read(concerned, this.#isOutdated));
    }
    return apply;
  }

  async #reload(lastSeq: number): Promise<void> {
    if (this.#missing.failed()) this.#parts.onEvent({ type: 'changes_missed', from: this.#seq, to: lastSeq });
    await this.#readAll(lastSeq, false);
  }

  async #readAnew(lastSeq: number): Promise<void> {
    // Numbers of another state; what is committed from now on has one of this state.
    this.#newer.clear();
    for (const follower of this.#parts.topics) follower.forgetNumbers();
    await this.#readAll(lastSeq, true);
    if (!this.wentBack) this.#parts.onEvent({ type: 'database_followed_again', to: this.#seq });
  }

  async #readAll(lastSeq: number, isOther: boolean): Promise<void> {
    const reading: Reading = { seq: lastSeq, states: this.#states };
    this.#reading = reading;
    try {
      for (const follower of this.#parts.topics) await follower.reload(lastSeq, this.#isOutdated, isOther);
    } catch (error) {
      await this.#endReading(() => undefined);
      throw error;
    }
    await this.#endReading(() => {
      this.#reloads += 1;
      this.#arrivedAt(reading.seq);
      this.#statesRead = reading.states;
    });
  }

  /** In one step: a pulse that is asked before or after it continues where this ends. What is being applied meanwhile is applied first. */
  #endReading(arrive: () => void): Promise<void> {
    return this.#meanwhile.run(async () => {
      this.#reading = null;
      arrive();
    });
  }

  #noteNewer({ topic, id, seq }: Pick<FeedChange, 'topic' | 'id' | 'seq'>): void {
    const place = placeOf(topic, id);
    this.#newer.set(place, Math.max(seq, this.#newer.get(place) ?? 0));
  }

  #arrivedAt(seq: number): void {
    this.#seq = seq;
    for (const [place, newer] of this.#newer) if (newer <= seq) this.#newer.delete(place);
  }

  readonly #isOutdated: IsOutdated = (topic, id, seq) => (this.#newer.get(placeOf(topic, id)) ?? 0) >= seq;

  #report(cause: Error): void {
    if (this.#outage.failed()) this.#parts.onEvent({ type: 'changes_not_followed', cause });
  }

  #worked(): void {
    const afterMs = Math.max(this.#outage.worked() ?? -1, this.#missing.worked() ?? -1);
    if (afterMs >= 0) this.#parts.onEvent({ type: 'changes_followed_again', to: this.#seq, afterMs });
  }
}

/** Those after a number, in order; null if they are not complete. */
function newsOf(changes: readonly FeedChange[] | null, seq: number): readonly FeedChange[] | null {
  const news = changes?.filter((change) => change.seq > seq);
  const last = news?.at(-1);
  return news === undefined || (last !== undefined && last.seq - seq !== news.length) ? null : news;
}

function placeOf(topic: string, id: string): string {
  return `${topic}:${id}`;
}
