/** Follows a small table whose rows are read one by one, or all at once: aliases, own credentials. */
import type { FeedChange } from '../../core/feed.ts';
import { lastOf } from './account-topics.ts';
import type { IsOutdated, TopicFollower } from './feed-follower.ts';
import { inSlices } from './in-slices.ts';

export interface RowTopicParts<Row extends { readonly seq: number }> {
  readonly topic: string;
  idOf(row: Row): string;
  find(id: string): Promise<Row | null>;
  list(): Promise<readonly Row[]>;
  /** Forgets the numbers of the rows in memory, so that each stored one replaces them. */
  forgetNumbers(): void;
  /** The ids of the rows in memory. */
  known(): Iterable<string>;
  /** A row that changed; null for one that is gone. */
  deliver(id: string, seq: number, row: Row | null): void;
}

export class RowTopicFollower<Row extends { readonly seq: number }> implements TopicFollower {
  readonly topics: readonly string[];
  readonly #parts: RowTopicParts<Row>;

  constructor(parts: RowTopicParts<Row>) {
    this.#parts = parts;
    this.topics = [parts.topic];
  }

  async read(changes: readonly FeedChange[], isOutdated: IsOutdated): Promise<() => void> {
    const { topic, find, deliver } = this.#parts;
    const found: { readonly id: string; readonly seq: number; readonly row: Row | null }[] = [];
    for (const { id, seq } of lastOf(topic, changes)) {
      const row = await find(id);
      found.push({ id, seq: row?.seq ?? seq, row });
    }
    return () => {
      for (const { id, seq, row } of found) if (!isOutdated(topic, id, seq)) deliver(id, seq, row);
    };
  }

  forgetNumbers(): void {
    this.#parts.forgetNumbers();
  }

  async reload(seq: number, isOutdated: IsOutdated): Promise<void> {
    const { topic, list, idOf, known, deliver } = this.#parts;
    const before = new Set(known());
    const rows = await list();
    await inSlices(rows, (row) => {
      const id = idOf(row);
      before.delete(id);
      if (!isOutdated(topic, id, row.seq)) deliver(id, row.seq, row);
    });
    await inSlices(before, (id) => {
      if (!isOutdated(topic, id, seq)) deliver(id, seq, null);
    });
  }
}
