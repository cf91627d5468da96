/** Entries of the ledger beside those of calls, in SQL written once for every database. */
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { LedgerStore, NewEntry, PostedEntry } from '../../billing/ports.ts';
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import {
  type AccountId,
  accountId,
  type CallId,
  callIdBytes,
  callIdFromBytes,
  type EntryId,
  entryId,
} from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import type { EntryRow, Schema } from './schema.ts';

/** Money is read as text, for it may be larger than a double holds exactly. */
type ReadEntryRow = Omit<Selectable<EntryRow>, 'amount_nano'> & { readonly amount: string };

const INTEGER = /^-?\d+$/;

export class SqlEntries implements Pick<LedgerStore, 'post' | 'entry' | 'chargeOf' | 'entries'> {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async post(entry: NewEntry): Promise<{ readonly entry: PostedEntry; readonly isNew: boolean }> {
    return this.#database.transaction().execute(async (transaction) => {
      const inserted = await transaction
        .insertInto('entries')
        .values({
          at: entry.at,
          account_id: entry.accountId,
          kind: entry.kind,
          amount_nano: entry.amount,
          reference: entry.reference,
          call_id: entry.callId === null ? null : callIdBytes(entry.callId),
          note: entry.note,
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'reference']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted !== undefined) await moveBalance(transaction, entry);
      const posted = await findEntry(transaction, entry.accountId, entry.reference);
      assert(posted !== null, 'an entry that was just written can be read');
      return { entry: posted, isNew: inserted !== undefined };
    });
  }

  entry(account: AccountId, reference: string): Promise<PostedEntry | null> {
    return findEntry(this.#database, account, reference);
  }

  async chargeOf(callId: CallId): ReturnType<LedgerStore['chargeOf']> {
    const call = callIdBytes(callId);
    const row = await this.#database
      .selectFrom('settlements')
      .select(['account_id', sql<string>`cast(charge_nano as text)`.as('charge')])
      .select(
        sql<string>`cast(coalesce((select sum(amount_nano) from entries where call_id = ${call} and kind = 'refund'), 0) as text)`.as(
          'refunded',
        ),
      )
      .where('call_id', '=', call)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { account_id, charge, refunded } = row;
    return { accountId: accountId(account_id), charge: nanoUsd(BigInt(charge)), refunded: nanoUsd(BigInt(refunded)) };
  }

  async entries(
    account: AccountId,
    page: { readonly before: EntryId | null; readonly limit: number },
  ): Promise<readonly PostedEntry[]> {
    const { before, limit } = page;
    let query = selectEntries(this.#database).where('account_id', '=', account).orderBy('id', 'desc').limit(limit);
    if (before !== null) query = query.where('id', '<', before);
    return (await query.execute()).map(readEntry);
  }
}

/**
 * A refund takes back a charge; everything else is a credit, or takes one back. Throws where a sum is more than 64 bits
 * hold: SQLite would go on with a float, which is no amount any more. The transaction is to be rolled back then.
 */
async function moveBalance(transaction: Transaction<Schema>, { accountId, kind, amount }: NewEntry): Promise<void> {
  const isRefund = kind === 'refund';
  const kept = await transaction
    .insertInto('balances')
    .values({
      account_id: accountId,
      balance_nano: amount,
      credited_nano: isRefund ? 0n : amount,
      charged_nano: isRefund ? -amount : 0n,
    })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({
        balance_nano: sql`balances.balance_nano + excluded.balance_nano`,
        credited_nano: sql`balances.credited_nano + excluded.credited_nano`,
        charged_nano: sql`balances.charged_nano + excluded.charged_nano`,
      }),
    )
    .returning([
      sql<string>`cast(balance_nano as text)`.as('balance'),
      sql<string>`cast(credited_nano as text)`.as('credited'),
      sql<string>`cast(charged_nano as text)`.as('charged'),
    ])
    .executeTakeFirstOrThrow();
  for (const sum of [kept.balance, kept.credited, kept.charged])
    if (!INTEGER.test(sum))
      throw new GatewayError('invalid_value', {
        message: `A sum of this account would be more than the ledger can hold, or is no integer already: ${sum}.`,
        param: 'amount',
      });
}

function selectEntries(database: Kysely<Schema>) {
  return database
    .selectFrom('entries')
    .select(['id', 'at', 'account_id', 'kind', 'reference', 'call_id', 'note'])
    .select(sql<string>`cast(amount_nano as text)`.as('amount'));
}

async function findEntry(database: Kysely<Schema>, account: AccountId, reference: string): Promise<PostedEntry | null> {
  const row = await selectEntries(database)
    .where('account_id', '=', account)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row === undefined ? null : readEntry(row);
}

function readEntry(row: ReadEntryRow): PostedEntry {
  return {
    id: entryId(row.id),
    at: row.at,
    accountId: accountId(row.account_id),
    kind: row.kind,
    amount: nanoUsd(BigInt(row.amount)),
    reference: row.reference,
    callId: row.call_id === null ? null : callIdFromBytes(row.call_id),
    note: row.note,
  };
}
