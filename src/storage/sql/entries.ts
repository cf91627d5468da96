/** Ledger entries that are not calls, in SQL written once for every database. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type {
  AccountTotals,
  ChargedCall,
  LedgerStanding,
  LedgerStore,
  NewEntry,
  NotePosted,
  PostAnswer,
  PostedEntry,
  PostingRules,
} from '../../billing/ports.ts';
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
import type { Transactions } from '../../core/transactions.ts';
import type { EntryRow, Schema } from './schema.ts';

/** Money is read as text, because a double may not represent it exactly. */
type ReadEntryRow = Omit<Selectable<EntryRow>, 'amount_nano'> & { readonly amount: string };

const INTEGER = /^-?\d+$/;
/** Entries that change what was charged, not what was credited. */
const OF_CHARGES: ReadonlySet<NewEntry['kind']> = new Set(['refund', 'late_charge']);

/** What an entry adds to the sums of its account. */
export interface Sums {
  readonly balance: bigint;
  readonly credited: bigint;
  readonly charged: bigint;
}

/** Where balances are. */
export interface EntryBalances {
  /** Locks the account's balance until the transaction ends; says why not, if the account is not there, or a sum is no longer an integer. */
  lock(
    accountId: AccountId,
  ): Promise<Pick<LedgerStanding, 'totals' | 'free'> | { readonly refused: 'unknown_account' | 'exceeds_sum_max' }>;
  /** Throws if a sum would exceed 64 bits. */
  move(accountId: AccountId, sums: Sums): Promise<void>;
}

export class SqlEntries implements Pick<LedgerStore, 'post' | 'entry' | 'chargeOf' | 'sealedThrough' | 'entries'> {
  readonly #database: Kysely<Schema>;
  readonly #transactions: Transactions;

  readonly #balances: EntryBalances;

  /** `balances`: the table of this name, if absent. */
  constructor(database: Kysely<Schema>, transactions: Transactions, balances?: EntryBalances) {
    this.#database = database;
    this.#transactions = transactions;
    this.#balances = balances ?? new BalanceTable(database);
  }

  async post(entry: NewEntry, rules: PostingRules, note?: NotePosted): Promise<PostAnswer> {
    try {
      return await this.#transactions.run(async () => {
        const answer = await postWithin(this.#database, this.#balances, entry, rules);
        if (answer.isNew) await note?.(answer.entry);
        return answer;
      });
    } catch (error) {
      if (error instanceof Refused) return { refused: error.reason };
      throw error;
    }
  }

  entry(account: AccountId, reference: string): Promise<PostedEntry | null> {
    return findEntry(this.#database, account, reference);
  }

  chargeOf(callId: CallId): Promise<ChargedCall | null> {
    return findCall(this.#database, callId);
  }

  async sealedThrough(): Promise<string | null> {
    const last = this.#database.selectFrom('seals').select('month').orderBy('month', 'desc').limit(1);
    return (await last.executeTakeFirst())?.month ?? null;
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

type Refusal = NonNullable<ReturnType<PostingRules>>;

/** Rolls back a transaction that must change nothing. */
class Refused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}

/** Throws `Refused`, which rolls back what was written. */
async function postWithin(
  transaction: Kysely<Schema>,
  balances: EntryBalances,
  entry: NewEntry,
  rules: PostingRules,
): Promise<PostAnswer & { refused: null }> {
  // First, so that on every database no other entry of the account is posted until the transaction ends.
  const locked = await balances.lock(entry.accountId);
  const known = await findEntry(transaction, entry.accountId, entry.reference);
  if (known !== null) {
    if (isSame(known, entry)) return { refused: null, entry: known, isNew: false };
    throw new Refused('reference_taken');
  }
  if ('refused' in locked) throw new Refused(locked.refused);
  const call = entry.callId === null ? null : await findCall(transaction, entry.callId);
  const reason = rules({ ...locked, call });
  if (reason !== null) throw new Refused(reason);
  await balances.move(entry.accountId, sumsOf(entry));
  const { accountId, at, kind, amount, reference, callId, note } = entry;
  const { id } = await transaction
    .insertInto('entries')
    .values({
      at,
      account_id: accountId,
      kind,
      amount_nano: amount,
      reference,
      call_id: callId === null ? null : callIdBytes(callId),
      note,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { refused: null, entry: { ...entry, id: entryId(id) }, isNew: true };
}

/** Whether an entry was sent again; its time and note may differ. */
function isSame(posted: NewEntry, sent: NewEntry): boolean {
  return posted.kind === sent.kind && posted.amount === sent.amount && posted.callId === sent.callId;
}

/** A refund reverses a charge, a late charge adds to it; everything else adds or reverses a credit. */
function sumsOf({ kind, amount }: NewEntry): Sums {
  const [credited, charged] = OF_CHARGES.has(kind) ? [0n, -amount] : [amount, 0n];
  return { balance: amount, credited, charged };
}

/** Balances in the table of this name, a row per account. */
class BalanceTable implements EntryBalances {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  /** Adds zero to the row, which locks it until the transaction ends. */
  async lock(accountId: AccountId) {
    const totals = await addToBalance(this.#database, accountId, { balance: 0n, credited: 0n, charged: 0n });
    return totals === null ? ({ refused: 'exceeds_sum_max' } as const) : { totals };
  }

  /** SQLite would continue with a float, which is not an exact amount. */
  async move(accountId: AccountId, sums: Sums): Promise<void> {
    const totals = await addToBalance(this.#database, accountId, sums);
    if (totals === null) throw new Error(`a sum of account ${accountId} would exceed 64 bits`);
  }
}

/** The resulting sums; null if one is not an integer. */
async function addToBalance(
  transaction: Kysely<Schema>,
  accountId: AccountId,
  { balance, credited, charged }: Sums,
): Promise<AccountTotals | null> {
  const kept = await transaction
    .insertInto('balances')
    .values({ account_id: accountId, balance_nano: balance, credited_nano: credited, charged_nano: charged })
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
  if (![kept.balance, kept.credited, kept.charged].every((sum) => INTEGER.test(sum))) return null;
  return {
    balance: nanoUsd(BigInt(kept.balance)),
    credited: nanoUsd(BigInt(kept.credited)),
    charged: nanoUsd(BigInt(kept.charged)),
  };
}

async function findCall(database: Kysely<Schema>, callId: CallId): Promise<ChargedCall | null> {
  const call = callIdBytes(callId);
  const row = await database
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
