/** Credentials that accounts and projects bring, in SQL written once for every database. */
import type { Kysely, Selectable, Updateable } from 'kysely';
import type {
  OwnCredentialChanges,
  OwnCredentialId,
  OwnCredentialStore,
  OwnCredentialTopics,
  StoredOwnCredential,
} from '../../byok/ports.ts';
import { type Feed, UnreadableRow } from '../../core/feed.ts';
import { type AccountId, accountId, projectId } from '../../core/ids.ts';
import type { Transactions } from '../../core/transactions.ts';
import type { OwnCredentialRow, Schema } from './schema.ts';
import { checkedObject, checkFlags, checkTexts, storedObject } from './stored-json.ts';
import type { UnreadableRows } from './unreadable-rows.ts';

export interface SqlOwnCredentialStoreParts {
  readonly database: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly feed: Feed<OwnCredentialTopics>;
  readonly unreadable: UnreadableRows;
}

export class SqlOwnCredentialStore implements OwnCredentialStore {
  readonly #database: Kysely<Schema>;
  readonly #transactions: Transactions;
  readonly #feed: Feed<OwnCredentialTopics>;
  readonly #unreadable: UnreadableRows;

  constructor({ database, transactions, feed, unreadable }: SqlOwnCredentialStoreParts) {
    this.#unreadable = unreadable;
    this.#database = database;
    this.#transactions = transactions;
    this.#feed = feed;
  }

  async list(): Promise<readonly StoredOwnCredential[]> {
    const rows = await this.#database
      .selectFrom('own_credentials')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => this.#read(row));
  }

  async find(id: OwnCredentialId): Promise<StoredOwnCredential | null> {
    const row = await this.#database.selectFrom('own_credentials').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : this.#read(row);
  }

  #read(row: Selectable<OwnCredentialRow>): StoredOwnCredential {
    return this.#unreadable.read(
      'own credential',
      row.id,
      () => readRow(row),
      () => ({ ...readRow({ ...row, settings: NO_SETTINGS }), isUnreadable: true }),
    );
  }

  async countOf(account: AccountId): Promise<number> {
    const { count } = await this.#database
      .selectFrom('own_credentials')
      .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  create(credential: StoredOwnCredential): Promise<StoredOwnCredential> {
    return this.#transactions.run(async () => {
      await this.#database
        .insertInto('own_credentials')
        .values({
          id: credential.id,
          account_id: credential.accountId,
          project_id: credential.projectId,
          kind: credential.kind,
          created_at: credential.createdAt,
          created_by: credential.createdBy,
          ...columnsOf(credential),
        })
        .execute();
      return this.#publish(credential);
    });
  }

  update(id: OwnCredentialId, changes: OwnCredentialChanges): Promise<StoredOwnCredential | null> {
    return this.#transactions.run(async () => {
      const before = await this.find(id);
      if (before === null) return null;
      // What is there would be written over.
      if (before.isUnreadable === true) throw new UnreadableRow('own credential', id, null);
      const after = { ...before, ...changes };
      const { secret, previous, ...columns } = columnsOf(after);
      await this.#database
        .updateTable('own_credentials')
        .set({
          ...columns,
          ...(changes.secret === undefined ? {} : { secret }),
          ...(changes.previous === undefined ? {} : { previous }),
        } satisfies Updateable<OwnCredentialRow>)
        .where('id', '=', id)
        .execute();
      return this.#publish(after);
    });
  }

  delete(id: OwnCredentialId): Promise<boolean> {
    return this.#transactions.run(async () => {
      const deleted = await this.#database.deleteFrom('own_credentials').where('id', '=', id).executeTakeFirst();
      if (deleted.numDeletedRows !== 1n) return false;
      this.#transactions.afterCommit(() => this.#unreadable.forget('own credential', id));
      await this.#feed.publish('ownCredential', id, (seq) => ({ id, seq, row: null }));
      return true;
    });
  }

  async #publish(credential: StoredOwnCredential): Promise<StoredOwnCredential> {
    const { id } = credential;
    const { seq } = await this.#feed.publish('ownCredential', id, (seq) => ({ id, seq, row: { ...credential, seq } }));
    await this.#database.updateTable('own_credentials').set({ seq }).where('id', '=', id).execute();
    return { ...credential, seq };
  }
}

type Settings = Pick<StoredOwnCredential, 'origin' | 'options' | 'models' | 'use' | 'fallback'>;

function columnsOf(credential: StoredOwnCredential) {
  const { origin, options, models, use, fallback } = credential;
  return {
    name: credential.name,
    settings: JSON.stringify({ origin, options, models, use, fallback } satisfies Settings),
    enabled: credential.enabled ? 1 : 0,
    position: credential.position,
    secret: credential.secret,
    hint: credential.hint,
    previous: credential.previous,
    previous_until: credential.previousUntil,
    updated_at: credential.updatedAt,
    standing: credential.standing,
    standing_at: credential.standingAt,
  };
}

/** Calls that would use it are refused, and are not sent with the operator's credentials. */
const NO_SETTINGS = JSON.stringify({ origin: null, options: {}, models: null, use: 'only', fallback: false });

function readSettings(text: string): Settings {
  const stored = storedObject(text);
  if (stored.options !== undefined) checkedObject(stored.options, 'options');
  checkTexts(stored, ['models']);
  checkFlags(stored, ['fallback']);
  if (typeof stored.use !== 'string') throw new TypeError('use is not a text');
  if (stored.origin !== null && typeof stored.origin !== 'string') throw new TypeError('origin is not a text');
  return stored as Settings;
}

function readRow(row: Selectable<OwnCredentialRow>): StoredOwnCredential {
  return {
    id: row.id as OwnCredentialId,
    accountId: accountId(row.account_id),
    projectId: row.project_id === null ? null : projectId(row.project_id),
    kind: row.kind,
    name: row.name,
    ...readSettings(row.settings),
    enabled: row.enabled !== 0,
    position: row.position,
    secret: row.secret,
    hint: row.hint,
    previous: row.previous,
    previousUntil: row.previous_until,
    createdAt: row.created_at,
    createdBy: row.created_by,
    updatedAt: row.updated_at,
    standing: row.standing,
    standingAt: row.standing_at,
    seq: row.seq,
  };
}
