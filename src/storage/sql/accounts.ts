/** Accounts, projects and keys, in SQL written once for every database. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Account, AccountStore, Key, KeyLimits, KeyPermissions, NewKey, Project } from '../../accounts/ports.ts';
import { accountId, type KeyId, keyId, projectId } from '../../core/ids.ts';
import type { AccountRow, KeyRow, ProjectRow, Schema } from './schema.ts';

/** How many keys are read at a time when all are: few, so that their rows are garbage before they are old. */
const PAGE_ROWS = 500;

export class SqlAccountStore implements AccountStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async createAccount(account: Omit<Account, 'id'>): Promise<Account> {
    const row = await this.#database
      .insertInto('accounts')
      .values({ name: account.name, billing_mode: account.billingMode, created_at: account.createdAt })
      .returningAll()
      .executeTakeFirstOrThrow();
    return readAccount(row);
  }

  async createProject(project: Omit<Project, 'id' | 'archivedAt'>): Promise<Project> {
    const row = await this.#database
      .insertInto('projects')
      .values({ account_id: project.accountId, name: project.name, created_at: project.createdAt })
      .returningAll()
      .executeTakeFirstOrThrow();
    return readProject(row);
  }

  async createKey(key: NewKey): Promise<Key> {
    // One statement counts and inserts, so that two keys made at once do not get the same name.
    const ordinal = sql<string>`'Key ' || (select count(*) + 1 from keys where project_id = ${key.projectId})`;
    const { id } = await this.#database
      .insertInto('keys')
      .values({
        project_id: key.projectId,
        name: key.name ?? ordinal,
        label: key.label,
        kind: key.kind,
        digest: key.digest,
        pepper_id: key.pepperId,
        created_at: key.createdAt,
        created_by: key.createdBy,
        expires_at: key.expiresAt,
        limits: JSON.stringify(key.limits),
        permissions: JSON.stringify(key.permissions),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return readKey(await this.#selectKeys().where('keys.id', '=', id).executeTakeFirstOrThrow());
  }

  async revokeKey(id: KeyId, at: number): Promise<Key | null> {
    await this.#database
      .updateTable('keys')
      .set({ revoked_at: at })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
    const row = await this.#selectKeys().where('keys.id', '=', id).executeTakeFirst();
    return row === undefined ? null : readKey(row);
  }

  async accounts(): Promise<readonly Account[]> {
    return (await this.#database.selectFrom('accounts').selectAll().orderBy('id').execute()).map(readAccount);
  }

  async projects(): Promise<readonly Project[]> {
    return (await this.#database.selectFrom('projects').selectAll().orderBy('id').execute()).map(readProject);
  }

  async *keys(): AsyncIterable<Key> {
    let last = 0;
    for (;;) {
      const rows = await this.#selectKeys().where('keys.id', '>', last).limit(PAGE_ROWS).execute();
      for (const row of rows) yield readKey(row);
      if (rows.length < PAGE_ROWS) return;
      last = rows.at(-1)?.id ?? last;
    }
  }

  #selectKeys() {
    return this.#database
      .selectFrom('keys')
      .innerJoin('projects', 'projects.id', 'keys.project_id')
      .selectAll('keys')
      .select('projects.account_id')
      .orderBy('keys.id');
  }
}

function readAccount(row: Selectable<AccountRow>): Account {
  return { id: accountId(row.id), name: row.name, billingMode: row.billing_mode, createdAt: row.created_at };
}

function readProject(row: Selectable<ProjectRow>): Project {
  return {
    id: projectId(row.id),
    accountId: accountId(row.account_id),
    name: row.name,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
  };
}

function readKey(row: Selectable<KeyRow> & { account_id: number }): Key {
  return {
    id: keyId(row.id),
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
    limits: readJson<KeyLimits>(row.limits),
    permissions: readJson<KeyPermissions>(row.permissions),
  };
}

/** Most keys have neither limits nor permissions of their own; they share one empty object. */
const NOTHING = Object.freeze({});

function readJson<Value extends object>(text: string): Value {
  return (text === '{}' ? NOTHING : JSON.parse(text)) as Value;
}
