/** Accounts, projects and keys, in SQL written once for every database. */
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type {
  Account,
  AccountChanges,
  AccountStore,
  Key,
  KeyChanges,
  NewKey,
  Project,
  ProjectChanges,
} from '../../accounts/ports.ts';
import { type AccountId, accountId, type KeyId, keyId, type ProjectId, projectId } from '../../core/ids.ts';
import { readCapture, writeCapture } from './capture-json.ts';
import { readLimits, readPermissions, writeLimits, writePermissions } from './limits-json.ts';
import { readRestrictions, writeRestrictions } from './restrictions-json.ts';
import type { AccountRow, KeyRow, ProjectRow, Schema } from './schema.ts';

/** How many keys are read at a time when all are: few, so that their rows are garbage before they are old. */
const PAGE_ROWS = 500;

export class SqlAccountStore implements AccountStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async createAccount(account: Pick<Account, 'name' | 'createdAt'>): Promise<Account> {
    const row = await this.#database
      .insertInto('accounts')
      .values({ name: account.name, created_at: account.createdAt })
      .returningAll()
      .executeTakeFirstOrThrow();
    return readAccount(row);
  }

  async createProject(project: Pick<Project, 'accountId' | 'name' | 'createdAt'>): Promise<Project> {
    const row = await this.#database
      .insertInto('projects')
      .values({ account_id: project.accountId, name: project.name, created_at: project.createdAt })
      .returningAll()
      .executeTakeFirstOrThrow();
    return readProject(row);
  }

  createKey(key: NewKey): Promise<Key> {
    return insertKey(this.#database, key, key.rootId);
  }

  async revokeKey(id: KeyId, at: number): Promise<Key | null> {
    await this.#database
      .updateTable('keys')
      .set({ revoked_at: at })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
    return findKey(this.#database, id);
  }

  async deleteKey(id: KeyId): Promise<void> {
    await this.#database.deleteFrom('keys').where('id', '=', id).execute();
  }

  async updateKey(id: KeyId, changes: KeyChanges): Promise<Key | null> {
    const { disabled, expiresAt, retiringAt, updatedAt, restrictions } = changes;
    const columns: Updateable<KeyRow> = {
      ...commonColumns(changes),
      ...(disabled === undefined ? {} : { disabled: disabled ? 1 : 0 }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
      ...(retiringAt === undefined ? {} : { retiring_at: retiringAt }),
      ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
      ...(restrictions === undefined ? {} : { restrictions: writeRestrictions(restrictions) }),
    };
    if (isAny(columns)) await this.#database.updateTable('keys').set(columns).where('id', '=', id).execute();
    return findKey(this.#database, id);
  }

  rotateKey(
    id: KeyId,
    retiringAt: number,
    successor: NewKey,
  ): Promise<{ readonly retiring: Key; readonly successor: Key } | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const updated = await transaction
        .updateTable('keys')
        .set({ retiring_at: retiringAt })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .where('retiring_at', 'is', null)
        .executeTakeFirst();
      const retiring = updated.numUpdatedRows === 0n ? null : await findKey(transaction, id);
      if (retiring === null) return null;
      return { retiring, successor: await insertKey(transaction, successor, successor.rootId ?? retiring.rootId) };
    });
  }

  async updateProject(id: ProjectId, changes: ProjectChanges): Promise<Project | null> {
    const { archivedAt, restrictions } = changes;
    const columns: Updateable<ProjectRow> = {
      ...commonColumns(changes),
      ...(archivedAt === undefined ? {} : { archived_at: archivedAt }),
      ...(restrictions === undefined ? {} : { restrictions: writeRestrictions(restrictions) }),
    };
    if (isAny(columns)) await this.#database.updateTable('projects').set(columns).where('id', '=', id).execute();
    const row = await this.#database.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : readProject(row);
  }

  async updateAccount(id: AccountId, changes: AccountChanges): Promise<Account | null> {
    const { closedAt, capture } = changes;
    const columns: Updateable<AccountRow> = {
      ...commonColumns(changes),
      ...(closedAt === undefined ? {} : { closed_at: closedAt }),
      ...(capture === undefined ? {} : { capture: writeCapture(capture) }),
    };
    if (isAny(columns)) await this.#database.updateTable('accounts').set(columns).where('id', '=', id).execute();
    const row = await this.#database.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : readAccount(row);
  }

  async accounts(): Promise<readonly Account[]> {
    return (await this.#database.selectFrom('accounts').selectAll().orderBy('id').execute()).map(readAccount);
  }

  async projects(): Promise<readonly Project[]> {
    return (await this.#database.selectFrom('projects').selectAll().orderBy('id').execute()).map(readProject);
  }

  async keysById(ids: readonly KeyId[]): Promise<readonly Key[]> {
    if (ids.length === 0) return [];
    return (await selectKeys(this.#database).where('keys.id', 'in', ids).execute()).map(readKey);
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
}

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

async function insertKey(database: Kysely<Schema>, key: NewKey, rootId: KeyId | null): Promise<Key> {
  // One statement counts and inserts, so that two keys made at once do not get the same name.
  const ordinal = sql<string>`'Key ' || (select count(*) + 1 from keys where project_id = ${key.projectId})`;
  const { id } = await database
    .insertInto('keys')
    .values({
      project_id: key.projectId,
      root_id: rootId,
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
    ...restrictionsOf(row),
  };
}
