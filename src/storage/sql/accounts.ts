/** Accounts, projects and keys, in SQL written once for every database. */
import { type Kysely, sql, type Updateable } from 'kysely';
import type {
  Account,
  AccountChanges,
  AccountStore,
  AccountTopics,
  Changed,
  ChangesOf,
  Key,
  KeyChanges,
  KeyCounts,
  KeysPage,
  NewKey,
  Project,
  ProjectChanges,
} from '../../accounts/ports.ts';
import type { Feed } from '../../core/feed.ts';
import type { AccountId, KeyId, ProjectId } from '../../core/ids.ts';
import type { Transactions } from '../../core/transactions.ts';
import { writeCapture } from './capture-json.ts';
import { countKey, readKeyCounts } from './key-counts.ts';
import { findKey, insertKey, keyColumns, readKey, selectKeys, unreadableKey } from './key-rows.ts';
import { writeRates } from './rates-json.ts';
import { writeRestrictions } from './restrictions-json.ts';
import type { AccountRow, ProjectRow, Schema } from './schema.ts';
import { commonColumns, isAny, readAccount, readProject, unreadableAccount, unreadableProject } from './scope-rows.ts';
import type { UnreadableRows } from './unreadable-rows.ts';

/** Page size for reading all keys: small, so that rows are garbage before the collector promotes them. */
const PAGE_ROWS = 500;
/** The most values in one statement's list. */
const LIST_MAX = 500;

export interface SqlAccountStoreParts {
  readonly database: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly feed: Feed<AccountTopics>;
  readonly unreadable: UnreadableRows;
}

export class SqlAccountStore implements AccountStore {
  readonly #database: Kysely<Schema>;
  readonly #transactions: Transactions;
  readonly #feed: Feed<AccountTopics>;
  readonly #unreadable: UnreadableRows;

  constructor({ database, transactions, feed, unreadable }: SqlAccountStoreParts) {
    this.#unreadable = unreadable;
    this.#database = database;
    this.#transactions = transactions;
    this.#feed = feed;
  }

  createAccount(account: Pick<Account, 'name' | 'createdAt'>): Promise<Account> {
    return this.#transactions.run(async () => {
      const row = await this.#database
        .insertInto('accounts')
        .values({ name: account.name, created_at: account.createdAt })
        .returningAll()
        .executeTakeFirstOrThrow();
      return this.#publish('account', readAccount(row));
    });
  }

  createProject(project: Pick<Project, 'accountId' | 'name' | 'createdAt'>): Promise<Project> {
    return this.#transactions.run(async () => {
      const row = await this.#database
        .insertInto('projects')
        .values({ account_id: project.accountId, name: project.name, created_at: project.createdAt })
        .returningAll()
        .executeTakeFirstOrThrow();
      return this.#publish('project', readProject(row));
    });
  }

  createKey(key: NewKey): Promise<Key> {
    return this.#transactions.run(async () => {
      const made = await insertKey(this.#database, key);
      await countKey(this.#database, null, made);
      return this.#publish('key', made);
    });
  }

  changeAccount(id: AccountId, changes: ChangesOf<Account, AccountChanges>): Promise<Changed<Account> | null> {
    return this.#change(
      'account',
      () => this.account(id),
      changes,
      async (asked) => {
        const { closedAt, capture, rates } = asked;
        const columns: Updateable<AccountRow> = {
          ...commonColumns(asked),
          ...(closedAt === undefined ? {} : { closed_at: closedAt }),
          ...(capture === undefined ? {} : { capture: writeCapture(capture) }),
          ...(rates === undefined ? {} : { rates: writeRates(rates) }),
        };
        if (!isAny(columns)) return false;
        await this.#database.updateTable('accounts').set(columns).where('id', '=', id).execute();
        return true;
      },
    );
  }

  changeProject(id: ProjectId, changes: ChangesOf<Project, ProjectChanges>): Promise<Changed<Project> | null> {
    return this.#change(
      'project',
      () => this.project(id),
      changes,
      async (asked) => {
        const { archivedAt, restrictions } = asked;
        const columns: Updateable<ProjectRow> = {
          ...commonColumns(asked),
          ...(archivedAt === undefined ? {} : { archived_at: archivedAt }),
          ...(restrictions === undefined ? {} : { restrictions: writeRestrictions(restrictions) }),
        };
        if (!isAny(columns)) return false;
        await this.#database.updateTable('projects').set(columns).where('id', '=', id).execute();
        return true;
      },
    );
  }

  changeKey(id: KeyId, changes: ChangesOf<Key, KeyChanges>): Promise<Changed<Key> | null> {
    return this.#transactions.run(async () => {
      const changed = await this.#change(
        'key',
        () => this.key(id),
        changes,
        async (asked) => {
          const columns = keyColumns(asked);
          if (!isAny(columns)) return false;
          await this.#database.updateTable('keys').set(columns).where('id', '=', id).execute();
          return true;
        },
      );
      if (changed !== null) await countKey(this.#database, changed.before, changed.after);
      return changed;
    });
  }

  deleteKey(id: KeyId, at: number): Promise<void> {
    return this.#transactions.run(async () => {
      const key = await this.key(id);
      if (key === null) return;
      await this.#database.deleteFrom('keys').where('id', '=', id).execute();
      await countKey(this.#database, key, null);
      await this.#feed.publish('key', id, (seq) => ({ ...key, revokedAt: at, seq }));
    });
  }

  async cutCalls(id: KeyId): Promise<void> {
    await this.#feed.publish('cut', id, () => id);
  }

  async account(id: AccountId): Promise<Account | null> {
    const row = await this.#database.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : readAccount(row);
  }

  async project(id: ProjectId): Promise<Project | null> {
    const row = await this.#database.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : readProject(row);
  }

  key(id: KeyId): Promise<Key | null> {
    return findKey(this.#database, id);
  }

  async accounts(): Promise<readonly Account[]> {
    const rows = this.#database.selectFrom('accounts').selectAll().orderBy('id').limit(PAGE_ROWS);
    return inPages(
      (last) => rows.where('id', '>', last).execute(),
      (row) =>
        this.#unreadable.read(
          'account',
          row.id,
          () => readAccount(row),
          () => unreadableAccount(row),
        ),
    );
  }

  async accountsNamed(name: string): Promise<readonly Account[]> {
    const rows = this.#database.selectFrom('accounts').selectAll().where('name', '=', name).orderBy('id');
    return (await rows.execute()).map(readAccount);
  }

  async projects(): Promise<readonly Project[]> {
    const rows = this.#database.selectFrom('projects').selectAll().orderBy('id').limit(PAGE_ROWS);
    return inPages(
      (last) => rows.where('id', '>', last).execute(),
      (row) =>
        this.#unreadable.read(
          'project',
          row.id,
          () => readProject(row),
          () => unreadableProject(row),
        ),
    );
  }

  async projectsOf(account: AccountId): Promise<readonly Project[]> {
    const rows = this.#database.selectFrom('projects').selectAll().where('account_id', '=', account).orderBy('id');
    return (await rows.execute()).map(readProject);
  }

  async projectNamed(account: AccountId, name: string): Promise<Project | null> {
    const rows = this.#database.selectFrom('projects').selectAll().where('account_id', '=', account);
    const row = await rows.where('name', '=', name).orderBy('id').executeTakeFirst();
    return row === undefined ? null : readProject(row);
  }

  async projectCount(account: AccountId): Promise<number> {
    const { count } = await this.#database
      .selectFrom('projects')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async keysById(ids: readonly KeyId[]): Promise<readonly Key[]> {
    if (ids.length === 0) return [];
    return (await selectKeys(this.#database).where('keys.id', 'in', ids).execute()).map(readKey);
  }

  async keysOfRoot(root: KeyId): Promise<readonly Key[]> {
    const rows = await selectKeys(this.#database)
      .where(({ eb, or }) => or([eb('keys.id', '=', root), eb('keys.root_id', '=', root)]))
      .execute();
    return rows.map(readKey);
  }

  async keysMadeBy(
    makers: readonly string[],
    account: AccountId | null,
    { after, limit }: KeysPage,
  ): Promise<readonly Key[]> {
    const found: Key[] = [];
    for (let from = 0; from < makers.length; from += LIST_MAX) {
      let rows = selectKeys(this.#database)
        .where('keys.created_by', 'in', makers.slice(from, from + LIST_MAX))
        .where('keys.revoked_at', 'is', null)
        .where('keys.id', '>', after)
        .limit(limit);
      if (account !== null) rows = rows.where('projects.account_id', '=', account);
      found.push(...(await rows.execute()).map(readKey));
    }
    return found.sort((one, other) => one.id - other.id).slice(0, limit);
  }

  async restrictedKeysOf(maker: string, account: AccountId): Promise<readonly Key[]> {
    const rows = await selectKeys(this.#database)
      .where('keys.created_by', '=', maker)
      .where('projects.account_id', '=', account)
      .where('keys.restrictions', '<>', writeRestrictions({}))
      .where('keys.kind', '=', 'inference')
      .where('keys.retiring_at', 'is', null)
      .execute();
    return rows.map(readKey);
  }

  async standingKeysOf(account: AccountId, { after, limit }: KeysPage): Promise<readonly Key[]> {
    const rows = await selectKeys(this.#database)
      .where('projects.account_id', '=', account)
      .where('keys.revoked_at', 'is', null)
      .where('keys.id', '>', after)
      .limit(limit)
      .execute();
    return rows.map(readKey);
  }

  keyCounts(account: AccountId): Promise<KeyCounts> {
    return readKeyCounts(this.#database, account);
  }

  async *keys(): AsyncIterable<Key> {
    let last = 0;
    for (;;) {
      const rows = await selectKeys(this.#database).where('keys.id', '>', last).limit(PAGE_ROWS).execute();
      for (const row of rows) {
        const key = this.#unreadable.read(
          'key',
          row.id,
          () => readKey(row),
          () => unreadableKey(row),
        );
        if (key !== null) yield key;
      }
      if (rows.length < PAGE_ROWS) return;
      last = rows.at(-1)?.id ?? last;
    }
  }

  /** Reads, decides and writes in one transaction. */
  #change<Topic extends keyof typeof TABLES, Changes>(
    topic: Topic,
    find: () => Promise<AccountTopics[Topic] | null>,
    changes: ChangesOf<AccountTopics[Topic], Changes>,
    write: (changes: Changes) => Promise<boolean>,
  ): Promise<Changed<AccountTopics[Topic]> | null> {
    return this.#transactions.run(async () => {
      const before = await find();
      if (before === null) return null;
      const asked = changes instanceof Function ? await changes(before) : changes;
      const after = (await write(asked)) ? await find() : null;
      return { before, after: after === null ? before : await this.#publish(topic, after) };
    });
  }

  /** Publishes the change and returns the row with the change's number. */
  async #publish<Topic extends keyof typeof TABLES>(
    topic: Topic,
    thing: AccountTopics[Topic],
  ): Promise<AccountTopics[Topic]> {
    const numbered = await this.#feed.publish(topic, thing.id, (seq) => ({ ...thing, seq }));
    const table = sql.table(TABLES[topic]);
    await sql`update ${table} set seq = ${numbered.seq} where id = ${thing.id}`.execute(this.#database);
    return numbered;
  }
}

const TABLES = { account: 'accounts', project: 'projects', key: 'keys' } as const;

/** Reads and maps rows by pages in order of id, so that no turn of the event loop has more than one of them. */
async function inPages<Row extends { readonly id: number }, Thing>(
  readAfter: (last: number) => Promise<readonly Row[]>,
  thingOf: (row: Row) => Thing,
): Promise<readonly Thing[]> {
  const things: Thing[] = [];
  for (let last = 0; ; ) {
    const rows = await readAfter(last);
    for (const row of rows) things.push(thingOf(row));
    if (rows.length < PAGE_ROWS) return things;
    last = rows.at(-1)?.id ?? last;
  }
}
