/** The stores of people, accounts, providers and prices: the SQL that every database shares, on the connections of the control plane. */
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { SqlAccountStore } from '../sql/accounts.ts';
import { SqlAliasStore } from '../sql/aliases.ts';
import { SqlAuditStore } from '../sql/audit.ts';
import { SqlLineAnswers } from '../sql/batches/line-answers.ts';
import { SqlBatchStore } from '../sql/batches/sql-batches.ts';
import { SqlCreationStore } from '../sql/creations.ts';
import { SqlFeed } from '../sql/feed.ts';
import { SqlListedPriceStore } from '../sql/listed-prices.ts';
import { SqlMembershipStore } from '../sql/memberships.ts';
import { SqlOwnCredentialStore } from '../sql/own-credentials.ts';
import { SqlPriceStore } from '../sql/prices.ts';
import { SqlProviderStore } from '../sql/providers.ts';
import type { Schema } from '../sql/schema.ts';
import { SqlSealedStore } from '../sql/sealed.ts';
import { UnreadableRows } from '../sql/unreadable-rows.ts';
import { SqlUserStore } from '../sql/users.ts';
import type { Storage, StorageTopics } from '../storage.ts';
import { NodePostgresDialect } from './engine/kysely-dialect.ts';
import type { Role } from './engine/role.ts';
import { PostgresTransactions } from './engine/transactions.ts';

export interface ControlDatabase {
  readonly kysely: Kysely<Schema>;
  readonly transactions: PostgresTransactions;
}

export function openControlDatabase(role: Role): ControlDatabase {
  const transactions = new PostgresTransactions(role);
  const kysely = new Kysely<Schema>({
    dialect: new NodePostgresDialect({ role, transactions }),
    // `in ()` is a syntax error here; in SQLite it is false.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  return { transactions, kysely };
}

export type ControlStores = Pick<
  Storage,
  | 'transactions'
  | 'feed'
  | 'accounts'
  | 'prices'
  | 'batches'
  | 'lineAnswers'
  | 'listedPrices'
  | 'providers'
  | 'ownCredentials'
  | 'aliases'
  | 'sealed'
  | 'users'
  | 'memberships'
  | 'audit'
  | 'creations'
> & { readonly unreadable: UnreadableRows };

export function controlStores({ kysely, transactions }: ControlDatabase, clock: Clock): ControlStores {
  const feed = new SqlFeed<StorageTopics>({
    database: kysely,
    transactions,
    clock,
  });
  const unreadable = new UnreadableRows(clock);
  const parts = { database: kysely, transactions, feed, unreadable };
  return {
    transactions,
    feed,
    unreadable,
    accounts: new SqlAccountStore(parts),
    prices: new SqlPriceStore(kysely, clock),
    batches: new SqlBatchStore(kysely),
    lineAnswers: new SqlLineAnswers(kysely),
    listedPrices: new SqlListedPriceStore(parts),
    providers: new SqlProviderStore(parts),
    ownCredentials: new SqlOwnCredentialStore(parts),
    aliases: new SqlAliasStore(parts),
    sealed: new SqlSealedStore(kysely),
    users: new SqlUserStore(kysely),
    memberships: new SqlMembershipStore(kysely),
    audit: new SqlAuditStore(kysely),
    creations: new SqlCreationStore(kysely),
  };
}
