/**
 * Applies what other nodes changed to what this process keeps in memory. Changes say what is different, not how: current rows are
 * read, and given to the same listeners that hear of this process's own commits. A row never replaces a newer one, in whatever order rows
 * and own commits come. If changes are missing (numbers with a gap, or too far behind), everything is read again while memory serves on.
 */
import type { Feed, FeedChange } from '../../core/feed.ts';
import { Serial } from '../../core/serial.ts';
import type { Pulse } from '../ports.ts';
import type { PulseFollower } from '../session/node-session.ts';

/** Whether this process itself committed a change of the same thing with a higher number: then the listeners know it already. */
export type IsOutdated = (topic: string, id: string, seq: number) => boolean;

/** Follows the changes of one or several topics. */
export interface TopicFollower {
  readonly topics: readonly string[];
  /** Reads what these changes are about, each thing once. Returns what applies it, in one step. */
  read(changes: readonly FeedChange[], isOutdated: IsOutdated): Promise<() => void>;
  /**
   * Reads and applies everything. `seq`: the last change before; what is gone went with it at the latest. `isOther`: the database went
   * on from another state. Numbers known in memory mean nothing then: whatever is stored replaces what is there, one by one, so that
   * memory serves on, and what is not stored was never there.
   */
  reload(seq: number, isOutdated: IsOutdated, isOther: boolean): Promise<void>;
}

export interface FeedFollowerParts {
  readonly feed: Pick<Feed<object>, 'onOwn'>;
  /** In the order in which changes are applied: what others refer to comes first. */
  readonly topics: readonly TopicFollower[];
  /** The number of the last change before memory was loaded. */
  readonly seq: number;
  readonly onEvent: (event: FollowEvent) => void;
}

interface AnsweredPulse extends Pick<Pulse, 'changes' | 'lastSeq'> {
  /** How often everything had been read when it was answered. */
  readonly reloads: number;
}

export type FollowEvent =
  /** The first failure of a row of them. */
  | { readonly type: 'changes_not_followed'; readonly cause: Error }
  | { readonly type: 'changes_missed'; readonly from: number; readonly to: number }
  /** The database went on from another state: changes up to the number that memory had may be lost. */
  | { readonly type: 'database_went_back'; readonly from: number }
  /** Memory agrees with it. */
  | { readonly type: 'database_followed_again'; readonly to: number };

/** More than this behind, reading everything once is less work than reading what changed. */
const BEHIND_MAX = 10_000;

export class FeedFollower implements PulseFollower {
  readonly #parts: FeedFollowerParts;
  readonly #serial = new Serial();
  /** By topic and id: what this process committed and the pulses have not brought yet. */
  readonly #own = new Map<string, number>();
  #seq: number;
  #newest: AnsweredPulse | null = null;
  /** How often everything was read. */
  #reloads = 0;
  #hasFailed = false;
  /** How often the database went on from another state, and how often memory was read anew for that. */
  #states = 0;
  #statesRead = 0;

  constructor(parts: FeedFollowerParts) {
    this.#parts = parts;
    this.#seq = parts.seq;
    parts.feed.onOwn(({ topic, id, seq }) => this.#own.set(placeOf(topic, id), seq));
  }

  /** 0 while numbers mean nothing. */
  get seq(): number {
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
    return this.#serial.run(async () => {
      const newest = this.#newest;
      this.#newest = null;
      try {
        if (newest !== null) await this.#apply(newest);
        this.#hasFailed = false;
      } catch (error) {
        this.#report(error as Error);
        return false;
      }
      return this.#seq >= pulse.lastSeq && !this.wentBack;
    });
  }

  async #apply({ changes, lastSeq, reloads }: AnsweredPulse): Promise<void> {
    if (this.wentBack) return this.#readAnew(lastSeq);
    const news = (changes ?? []).filter(({ seq }) => seq > this.#seq);
    const last = news.at(-1);
    const areComplete = last === undefined ? lastSeq <= this.#seq : last.seq - this.#seq === news.length;
    if (changes === null || lastSeq - this.#seq > BEHIND_MAX || !areComplete) {
      // It was answered before everything was read: the next one brings what came since, such as a revocation, with less work.
      return reloads < this.#reloads ? undefined : this.#reload(lastSeq);
    }
    if (last === undefined) return;
    const apply: (() => void)[] = [];
    for (const follower of this.#parts.topics) {
      const concerned = news.filter(({ topic }) => follower.topics.includes(topic));
      if (concerned.length > 0) apply.push(await follower.read(concerned, this.#isOutdated));
    }
    for (const each of apply) each();
    this.#arrivedAt(last.seq);
  }

  async #reload(lastSeq: number): Promise<void> {
    this.#parts.onEvent({ type: 'changes_missed', from: this.#seq, to: lastSeq });
    for (const follower of this.#parts.topics) await follower.reload(lastSeq, this.#isOutdated, false);
    this.#reloads += 1;
    this.#arrivedAt(lastSeq);
  }

  async #readAnew(lastSeq: number): Promise<void> {
    const states = this.#states;
    // Numbers of another state; what is committed from now on has one of this state.
    this.#own.clear();
    for (const follower of this.#parts.topics) await follower.reload(lastSeq, this.#isOutdated, true);
    this.#reloads += 1;
    this.#arrivedAt(lastSeq);
    this.#statesRead = states;
    if (!this.wentBack) this.#parts.onEvent({ type: 'database_followed_again', to: lastSeq });
  }

  #arrivedAt(seq: number): void {
    this.#seq = seq;
    for (const [place, own] of this.#own) if (own <= seq) this.#own.delete(place);
  }

  readonly #isOutdated: IsOutdated = (topic, id, seq) => (this.#own.get(placeOf(topic, id)) ?? 0) >= seq;

  #report(cause: Error): void {
    if (!this.#hasFailed) this.#parts.onEvent({ type: 'changes_not_followed', cause });
    this.#hasFailed = true;
  }
}

function placeOf(topic: string, id: string): string {
  return `${topic}:${id}`;
}
