/** Accounts, projects and keys, in SQL written once for every database. */
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
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
import { type AccountId, accountId, type KeyId, keyId, type ProjectId, projectId } from '../../core/ids.ts';
import type { Transactions } from '../../core/transactions.ts';
import { readCapture, writeCapture } from './capture-json.ts';
import { countKey, readKeyCounts } from './key-counts.ts';
import { readLimits, readPermissions, writeLimits, writePermissions } from './limits-json.ts';
import { readRestrictions, writeRestrictions } from './restrictions-json.ts';
import type { AccountRow, KeyRow, ProjectRow, Schema } from './schema.ts';

/** How many keys are read at a time when all are: few, so that their rows are garbage before they are old. */
const PAGE_ROWS = 500;
/** What one statement looks for at a time. */
const LIST_MAX = 500;

export interface SqlAccountStoreParts {
  readonly database: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly feed: Feed<AccountTopics>;
}

export class SqlAccountStore implements AccountStore {
  readonly #database: Kysely<Schema>;
  readonly #transactions: Transactions;
  readonly #feed: Feed<AccountTopics>;

  constructor({ database, transactions, feed }: SqlAccountStoreParts) {
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
        const { closedAt, capture } = asked;
        const columns: Updateable<AccountRow> = {
          ...commonColumns(asked),
          ...(closedAt === undefined ? {} : { closed_at: closedAt }),
          ...(capture === undefined ? {} : { capture: writeCapture(capture) }),
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
    return this.#change(
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
    return (await this.#database.selectFrom('accounts').selectAll().orderBy('id').execute()).map(readAccount);
  }

  async accountsNamed(name: string): Promise<readonly Account[]> {
    const rows = this.#database.selectFrom('accounts').selectAll().where('name', '=', name).orderBy('id');
    return (await rows.execute()).map(readAccount);
  }

  async projects(): Promise<readonly Project[]> {
    return (await this.#database.selectFrom('projects').selectAll().orderBy('id').execute()).map(readProject);
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
      for (const row of rows) yield readKey(row);
      if (rows.length < PAGE_ROWS) return;
      last = rows.at(-1)?.id ?? last;
    }
  }

  /** Reads, decides and writes in one transaction, where nothing comes in between. */
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

  /** The row with the number of its change. */
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

function selectKeys(database: Kysely<Schema>) {
  return database
    .selectFrom('keys')
    .innerJoin('projects', 'projects.id', 'keys.project_id')
    .selectAll('keys')
    .select('projects.account_id')
    .orderBy('keys.id');
}

async function findKey(database: Kysely<Schema>, id: KeyId): Promise<Key | null> {
  const row = await selectKeys(database).where('keys.id', '=', id).executeTakeFirst();
  return row === undefined ? null : readKey(row);
}

async function insertKey(database: Kysely<Schema>, key: NewKey): Promise<Key> {
  // One statement counts and inserts, so that two keys made at once do not get the same name.
  const ordinal = sql<string>`'Key ' || (select count(*) + 1 from keys where project_id = ${key.projectId})`;
  const { id } = await database
    .insertInto('keys')
    .values({
      project_id: key.projectId,
      root_id: key.rootId,
      name: key.name ?? ordinal,
      label: key.label,
      kind: key.kind,
      digest: key.digest,
      pepper_id: key.pepperId,
      created_at: key.createdAt,
      created_by: key.createdBy,
      expires_at: key.expiresAt,
      limits: writeLimits(key.limits),
      permissions: writePermissions(key.permissions),
      restrictions: writeRestrictions(key.restrictions ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return readKey(await selectKeys(database).where('keys.id', '=', id).executeTakeFirstOrThrow());
}

function keyColumns(changes: KeyChanges): Updateable<KeyRow> {
  const { disabled, expiresAt, revokedAt, retiringAt, updatedAt, restrictions } = changes;
  return {
    ...commonColumns(changes),
    ...(disabled === undefined ? {} : { disabled: disabled ? 1 : 0 }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(revokedAt === undefined ? {} : { revoked_at: revokedAt }),
    ...(retiringAt === undefined ? {} : { retiring_at: retiringAt }),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    ...(restrictions === undefined ? {} : { restrictions: writeRestrictions(restrictions) }),
  };
}

/** What keys, projects and accounts have in common and was given. */
function commonColumns({ name, limits, permissions }: AccountChanges): CommonColumns {
  return {
    ...(name === undefined ? {} : { name }),
    ...(limits === undefined ? {} : { limits: writeLimits(limits) }),
    ...(permissions === undefined ? {} : { permissions: writePermissions(permissions) }),
  };
}

/** An update of nothing is no SQL. */
function isAny(columns: object): boolean {
  return Object.keys(columns).length > 0;
}

interface CommonColumns {
  name?: string;
  limits?: string;
  permissions?: string;
}

function restrictionsOf({ restrictions }: { readonly restrictions: string }): Pick<Key, 'restrictions'> {
  const read = readRestrictions(restrictions);
  return read === undefined ? {} : { restrictions: read };
}

function readAccount(row: Selectable<AccountRow>): Account {
  return {
    id: accountId(row.id),
    name: row.name,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    capture: readCapture(row.capture),
    limits: readLimits(row.limits),
    permissions: readPermissions(row.permissions),
    seq: row.seq,
  };
}

function readProject(row: Selectable<ProjectRow>): Project {
  return {
    id: projectId(row.id),
    accountId: accountId(row.account_id),
    name: row.name,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
    limits: readLimits(row.limits),
    permissions: readPermissions(row.permissions),
    seq: row.seq,
    ...restrictionsOf(row),
  };
}

function readKey(row: Selectable<KeyRow> & { account_id: number }): Key {
  return {
    id: keyId(row.id),
    rootId: keyId(row.root_id ?? row.id),
    projectId: projectId(row.project_id),
    accountId: accountId(row.account_id),
    name: row.name,
    label: row.label,
    kind: row.kind,
    digest: Buffer.from(row.digest.buffer, row.digest.byteOffset, row.digest.byteLength),
    pepperId: row.pepper_id,
    disabled: row.disabled !== 0,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    retiringAt: row.retiring_at,
    updatedAt: row.updated_at,
    limits: readLimits(row.limits),
    permissions: readPermissions(row.permissions),
    seq: row.seq,
    ...restrictionsOf(row),
  };
}
