/** Prices that were imported or pinned, in SQL written once for every database. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Selectable } from 'kysely';
import type { ListedPrice, ListedPriceStore, ListedPriceTopics } from '../../catalog/ports.ts';
import type { Feed } from '../../core/feed.ts';
import type { Transactions } from '../../core/transactions.ts';
import { readPrices, writePrices } from './prices.ts';
import type { Schema } from './schema.ts';
import type { UnreadableRows } from './unreadable-rows.ts';

type Row = Selectable<Schema['listed_prices']>;

/** Rows that are read before others run: some 5 ms. */
const PAGE_ROWS = 500;
/** Rows that are written. */
const TURN_ROWS = 100;

export interface SqlListedPriceStoreParts {
  readonly database: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly feed: Feed<ListedPriceTopics>;
  readonly unreadable: UnreadableRows;
}

export class SqlListedPriceStore implements ListedPriceStore {
  readonly #database: Kysely<Schema>;
  readonly #transactions: Transactions;
  readonly #feed: Feed<ListedPriceTopics>;
  readonly #unreadable: UnreadableRows;

  constructor({ database, transactions, feed, unreadable }: SqlListedPriceStoreParts) {
    this.#unreadable = unreadable;
    this.#database = database;
    this.#transactions = transactions;
    this.#feed = feed;
  }

  /** A page of them in each turn of the event loop. */
  async list(): Promise<readonly ListedPrice[]> {
    const prices: ListedPrice[] = [];
    for (;;) {
      const rows = await this.#after(prices.at(-1) ?? null);
      for (const row of rows) prices.push(this.#read(row));
      if (rows.length < PAGE_ROWS) return prices;
      await nextTurn();
    }
  }

  #after(last: ListedPrice | null): Promise<readonly Row[]> {
    let query = this.#database.selectFrom('listed_prices').selectAll().orderBy('provider').orderBy('upstream_model');
    if (last !== null)
      query = query.where(({ eb, and, or }) =>
        or([
          eb('provider', '>', last.provider),
          and([eb('provider', '=', last.provider), eb('upstream_model', '>', last.upstreamModel)]),
        ]),
      );
    return query.limit(PAGE_ROWS).execute();
  }

  #read(row: Row): ListedPrice {
    return {
      provider: row.provider,
      upstreamModel: row.upstream_model,
      ...this.#unreadable.read<Pick<ListedPrice, 'prices' | 'isUnreadable'>>(
        'price',
        `${row.provider} ${row.upstream_model}`,
        () => ({ prices: row.prices === null ? null : readPrices(row.prices) }),
        () => ({ prices: null, isUnreadable: true }),
      ),
      retiresAt: row.retires_at,
      source: row.source,
      isPinned: row.pinned === 1,
      changedAt: row.changed_at,
    };
  }

  put(prices: readonly ListedPrice[]): Promise<void> {
    if (prices.length === 0) return Promise.resolve();
    return this.#transactions.run(async () => {
      for (const [at, price] of prices.entries()) {
        if (at % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
        const values = {
          prices: price.prices === null ? null : writePrices(price.prices),
          retires_at: price.retiresAt,
          source: price.source,
          pinned: price.isPinned ? 1 : 0,
          changed_at: price.changedAt,
        };
        await this.#database
          .insertInto('listed_prices')
          .values({ provider: price.provider, upstream_model: price.upstreamModel, ...values })
          .onConflict((conflict) => conflict.columns(['provider', 'upstream_model']).doUpdateSet(values))
          .execute();
      }
      // They are read again as a whole.
      await this.#feed.publish('listedPrice', ALL, (seq) => ({ seq }));
    });
  }
}

const ALL = 'all';
