/** The balances that entries move: what of each is not lent to a node, in `funds`; its totals are what the view `balances` says. */
import { type Kysely, sql } from 'kysely';
import type { AccountId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { EntryBalances, Sums } from '../../sql/entries.ts';
import type { Schema } from '../../sql/schema.ts';

interface Row {
  readonly free: string;
  readonly balance: string;
  readonly credited: string;
  readonly charged: string;
}

export class FundBalances implements EntryBalances {
  readonly #database: Kysely<Schema>;
  readonly #isPrepaid: boolean;

  constructor(database: Kysely<Schema>, isPrepaid: boolean) {
    this.#database = database;
    this.#isPrepaid = isPrepaid;
  }

  /**
   * Locks in a statement of its own: what the next one reads is then what every other transaction has committed. An account that is not there
   * must not get money, because nobody would have it.
   */
  async lock(accountId: AccountId) {
    await sql`select turnpike_lock_purses_1(array[0]::smallint[], array[${accountId}]::integer[], ${this.#isPrepaid})`.execute(
      this.#database,
    );
    const { rows } = await sql<Row>`
      select free_nano::text as free, balance_nano::text as balance, balances.credited_nano::text as credited,
        balances.charged_nano::text as charged
      from funds join balances using (account_id) join accounts on accounts.id = account_id
      where account_id = ${accountId}`.execute(this.#database);
    const [row] = rows;
    if (row === undefined) return { refused: 'unknown_account' } as const;
    const { free, balance, credited, charged } = row;
    return {
      // Whoever pays afterwards may owe more than there is.
      ...(this.#isPrepaid ? { free: nanoUsd(BigInt(free)) } : {}),
      totals: {
        balance: nanoUsd(BigInt(balance)),
        credited: nanoUsd(BigInt(credited)),
        charged: nanoUsd(BigInt(charged)),
      },
    };
  }

  /** The row is locked. A sum above 64 bits is an error of the database. */
  async move(accountId: AccountId, { balance, credited, charged }: Sums): Promise<void> {
    await sql`
      update funds set free_nano = free_nano + ${balance}::bigint, credited_nano = credited_nano + ${credited}::bigint,
        charged_nano = charged_nano + ${charged}::bigint
      where account_id = ${accountId}`.execute(this.#database);
  }
}
