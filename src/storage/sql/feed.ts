/** The feed of changes, in SQL written once for every database: a counter, and a row per change. */
import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Feed, FeedChange, OwnChange } from '../../core/feed.ts';
import type { Transactions } from '../../core/transactions.ts';
import type { Schema } from './schema.ts';

export interface SqlFeedParts {
  readonly database: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly clock: Pick<Clock, 'now'>;
}

export class SqlFeed<Topics extends object> implements Feed<Topics> {
  readonly #parts: SqlFeedParts;
  readonly #listeners = new Map<string, Set<(news: never) => void>>();
  readonly #ownListeners: ((change: OwnChange) => void)[] = [];

  constructor(parts: SqlFeedParts) {
    this.#parts = parts;
  }

  publish<Topic extends keyof Topics & string>(
    topic: Topic,
    id: string | number,
    newsOf: (seq: number) => Topics[Topic],
  ): Promise<Topics[Topic]> {
    const { database, transactions, clock } = this.#parts;
    return transactions.run(async () => {
      const { seq } = await database
        .updateTable('feed')
        .set(({ eb }) => ({ seq: eb('seq', '+', 1) }))
        .returning('seq')
        .executeTakeFirstOrThrow();
      await database
        .insertInto('changes')
        .values({ seq, at: clock.now(), topic, id: String(id) })
        .execute();
      const news = newsOf(seq);
      transactions.afterCommit(() => {
        for (const listener of this.#ownListeners) listener({ seq, topic, id: String(id) });
        this.deliver(topic, news);
      });
      return news;
    });
  }

  subscribe<Topic extends keyof Topics & string>(topic: Topic, listener: (news: Topics[Topic]) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener as (news: never) => void);
    return () => void listeners.delete(listener as (news: never) => void);
  }

  deliver<Topic extends keyof Topics & string>(topic: Topic, news: Topics[Topic]): void {
    for (const listener of this.#listeners.get(topic) ?? []) (listener as (news: Topics[Topic]) => void)(news);
  }

  onOwn(listener: (change: OwnChange) => void): void {
    this.#ownListeners.push(listener);
  }

  async last(): Promise<number> {
    const row = await this.#parts.database.selectFrom('feed').select('seq').executeTakeFirstOrThrow();
    return row.seq;
  }

  async since(seq: number, limit: number): Promise<readonly FeedChange[] | null> {
    const rows = await this.#parts.database
      .selectFrom('changes')
      .selectAll()
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute();
    const next = rows[0]?.seq ?? (await this.last()) + 1;
    if (next !== seq + 1) return null;
    return rows.map((row) => ({ ...row }));
  }

  async forgetBefore(atMs: number): Promise<void> {
    await this.#parts.database.deleteFrom('changes').where('at', '<', atMs).execute();
  }
}
