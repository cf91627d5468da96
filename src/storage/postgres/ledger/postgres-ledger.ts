/** The ledger of one of several nodes: rows of calls are durable in its journal first, entries in the database. */
import type { Kysely } from 'kysely';
import type {
  ChargedCall,
  LedgerRow,
  LoadedLedger,
  NewEntry,
  NotePosted,
  PostAnswer,
  PostingRules,
} from '../../../billing/ports.ts';
import type { Clock } from '../../../core/clock.ts';
import type { CallId } from '../../../core/ids.ts';
import type { Transactions } from '../../../core/transactions.ts';
import type { Journal } from '../../journal/journal.ts';
import { SqlEntries } from '../../sql/entries.ts';
import { SqlLedger } from '../../sql/ledger/sql-ledger.ts';
import type { Schema } from '../../sql/schema.ts';
import type { Queryable } from '../engine/connections.ts';
import { FundBalances } from './fund-balances.ts';
import { loadLedger } from './load-ledger.ts';

export interface PostgresLedgerParts {
  readonly kysely: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly connection: Queryable;
  readonly journal: Pick<Journal, 'commit' | 'forwardAll' | 'recovered'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Balances end at zero if they are paid in advance. */
  readonly isPrepaid: boolean;
}

/** How long a refund waits for settlements of this node to reach the database. */
const FORWARD_MS = 2_000;

export class PostgresLedger extends SqlLedger {
  readonly recovered: number;
  readonly #parts: PostgresLedgerParts;

  constructor(parts: PostgresLedgerParts) {
    const { kysely, transactions, journal, isPrepaid } = parts;
    super(kysely, new SqlEntries(kysely, transactions, new FundBalances(kysely, isPrepaid)));
    this.recovered = journal.recovered;
    this.#parts = parts;
  }

  commit(rows: readonly LedgerRow[]): Promise<void> {
    return this.#parts.journal.commit(rows);
  }

  load(): Promise<LoadedLedger> {
    const { connection, clock } = this.#parts;
    return loadLedger(connection, clock.now());
  }

  override async post(entry: NewEntry, rules: PostingRules, note?: NotePosted): Promise<PostAnswer> {
    if (entry.callId !== null) await this.#forward();
    return super.post(entry, rules, note);
  }

  override async chargeOf(callId: CallId): Promise<ChargedCall | null> {
    await this.#forward();
    return super.chargeOf(callId);
  }

  /** Within a transaction nothing else may be waited for. */
  async #forward(): Promise<void> {
    const { transactions, journal } = this.#parts;
    if (!transactions.isOpen) await journal.forwardAll(FORWARD_MS);
  }
}
