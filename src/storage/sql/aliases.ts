/** Aliases, in SQL written once for every database. */
import type { Kysely, Selectable, Updateable } from 'kysely';
import type { Alias, AliasChanges, AliasScope, AliasStore, AliasTopics, NewAlias } from '../../catalog/ports.ts';
import type { Feed } from '../../core/feed.ts';
import { type AccountId, type AliasId, accountId, aliasId, projectId } from '../../core/ids.ts';
import type { Transactions } from '../../core/transactions.ts';
import type { AliasRow, Schema } from './schema.ts';
import { checkedObject } from './stored-json.ts';
import type { UnreadableRows } from './unreadable-rows.ts';

export interface SqlAliasStoreParts {
  readonly database: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly feed: Feed<AliasTopics>;
  readonly unreadable: UnreadableRows;
}

export class SqlAliasStore implements AliasStore {
  readonly #database: Kysely<Schema>;
  readonly #transactions: Transactions;
  readonly #feed: Feed<AliasTopics>;
  readonly #unreadable: UnreadableRows;

  constructor({ database, transactions, feed, unreadable }: SqlAliasStoreParts) {
    this.#unreadable = unreadable;
    this.#database = database;
    this.#transactions = transactions;
    this.#feed = feed;
  }

  async list(): Promise<readonly Alias[]> {
    const rows = await this.#database.selectFrom('aliases').selectAll().orderBy('id').execute();
    return rows.map((row) => this.#read(row));
  }

  async find(id: AliasId): Promise<Alias | null> {
    const row = await this.#database.selectFrom('aliases').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : this.#read(row);
  }

  async named(scope: AliasScope, name: string): Promise<Alias | null> {
    const row = await this.#database
      .selectFrom('aliases')
      .selectAll()
      .where('account_id', '=', scope.accountId ?? NONE)
      .where('project_id', '=', scope.projectId ?? NONE)
      .where('name', '=', name)
      .executeTakeFirst();
    return row === undefined ? null : this.#read(row);
  }

  async count(account: AccountId | null): Promise<number> {
    const { count } = await this.#database
      .selectFrom('aliases')
      .select(({ fn }) => fn.countAll<number | bigint | string>().as('count'))
      .where('account_id', '=', account ?? NONE)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  create(alias: NewAlias): Promise<Alias | null> {
    return this.#transactions.run(async () => {
      const row = await this.#database
        .insertInto('aliases')
        .values({
          account_id: alias.accountId ?? NONE,
          project_id: alias.projectId ?? NONE,
          name: alias.name,
          choice: alias.choice,
          targets: JSON.stringify(alias.targets),
          created_at: alias.createdAt,
          updated_at: alias.createdAt,
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'project_id', 'name']).doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : this.#publish(this.#read(row));
    });
  }

  update(id: AliasId, { name, choice, targets, updatedAt }: AliasChanges): Promise<Alias | null> {
    return this.#transactions.run(async () => {
      const columns: Updateable<AliasRow> = {
        ...(name === undefined ? {} : { name }),
        ...(choice === undefined ? {} : { choice }),
        ...(targets === undefined ? {} : { targets: JSON.stringify(targets) }),
        ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
      };
      if (Object.keys(columns).length === 0) return this.find(id);
      const row = await this.#database
        .updateTable('aliases')
        .set(columns)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : this.#publish(this.#read(row));
    });
  }

  delete(id: AliasId): Promise<boolean> {
    return this.#transactions.run(async () => {
      const { numDeletedRows } = await this.#database.deleteFrom('aliases').where('id', '=', id).executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      this.#transactions.afterCommit(() => this.#unreadable.forget('alias', id));
      await this.#feed.publish('alias', id, (seq) => ({ id, seq, alias: null }));
      return true;
    });
  }

  /** One that cannot be read leads nowhere: its callers get neither another alias of the name nor the model of the name. */
  #read(row: Selectable<AliasRow>): Alias {
    return this.#unreadable.read(
      'alias',
      row.id,
      () => readAlias(row),
      () => readAlias({ ...row, targets: '[]' }),
    );
  }

  async #publish(alias: Alias): Promise<Alias> {
    const { seq } = await this.#feed.publish('alias', alias.id, (next) => ({
      id: alias.id,
      seq: next,
      alias: { ...alias, seq: next },
    }));
    await this.#database.updateTable('aliases').set({ seq }).where('id', '=', alias.id).execute();
    return { ...alias, seq };
  }
}

/** The id of no account and no project: real ones begin at 1. */
const NONE = 0;

function readTargets(text: string): Alias['targets'] {
  const targets: unknown = JSON.parse(text);
  if (!Array.isArray(targets)) throw new TypeError('targets is not a list');
  for (const each of targets) {
    const { model, weight } = checkedObject(each, 'a target');
    if (typeof model !== 'string' || typeof weight !== 'number') throw new TypeError('a target has no model or weight');
  }
  return targets;
}

function readAlias(row: Selectable<AliasRow>): Alias {
  return {
    id: aliasId(row.id),
    accountId: row.account_id === NONE ? null : accountId(row.account_id),
    projectId: row.project_id === NONE ? null : projectId(row.project_id),
    name: row.name,
    choice: row.choice,
    targets: readTargets(row.targets),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    seq: row.seq,
  };
}
