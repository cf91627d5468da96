/** Providers of the dashboard, in SQL written once for every database. */
import type { Kysely, Selectable, Updateable } from 'kysely';
import type { ProviderStore, ProviderTopics, StoredProvider, StoredProviderChanges } from '../../catalog/ports.ts';
import type { Feed } from '../../core/feed.ts';
import type { Transactions } from '../../core/transactions.ts';
import type { ProviderRow, Schema } from './schema.ts';
import { checkedObject, checkFlags, checkTexts, storedObject } from './stored-json.ts';
import type { UnreadableRows } from './unreadable-rows.ts';

export interface SqlProviderStoreParts {
  readonly database: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly feed: Feed<ProviderTopics>;
  readonly unreadable: UnreadableRows;
}

export class SqlProviderStore implements ProviderStore {
  readonly #database: Kysely<Schema>;
  readonly #transactions: Transactions;
  readonly #feed: Feed<ProviderTopics>;
  readonly #unreadable: UnreadableRows;

  constructor({ database, transactions, feed, unreadable }: SqlProviderStoreParts) {
    this.#unreadable = unreadable;
    this.#database = database;
    this.#transactions = transactions;
    this.#feed = feed;
  }

  async list(): Promise<readonly StoredProvider[]> {
    const rows = await this.#database
      .selectFrom('providers')
      .selectAll()
      .orderBy('created_at')
      .orderBy('name')
      .execute();
    return rows.map((row) =>
      this.#unreadable.read(
        'provider',
        row.name,
        () => readProvider(row),
        () => ({ ...readProvider({ ...row, settings: NO_SETTINGS }), isUnreadable: true }),
      ),
    );
  }

  create(provider: StoredProvider): Promise<number | null> {
    return this.#transactions.run(async () => {
      const { numInsertedOrUpdatedRows } = await this.#database
        .insertInto('providers')
        .values({
          name: provider.name,
          kind: provider.kind,
          origin: provider.origin,
          settings: writeSettings(provider),
          enabled: provider.enabled ? 1 : 0,
          credential: provider.credential,
          credential_hint: provider.credentialHint,
          more_credentials: provider.moreCredentials,
          created_at: provider.createdAt,
          updated_at: provider.updatedAt,
        })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n ? this.#publish(provider.name) : null;
    });
  }

  update(name: string, changes: StoredProviderChanges): Promise<number | null> {
    return this.#transactions.run(async () => {
      const row = await this.#database.selectFrom('providers').selectAll().where('name', '=', name).executeTakeFirst();
      if (row === undefined) return null;
      const { origin, enabled, credential, credentialHint, moreCredentials, updatedAt } = changes;
      const columns: Updateable<ProviderRow> = {
        settings: writeSettings({ ...readProvider(row), ...changes }),
        ...(origin === undefined ? {} : { origin }),
        ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
        // Otherwise it is left unchanged, as it may have been sealed again meanwhile.
        ...(credential === undefined ? {} : { credential }),
        ...(credentialHint === undefined ? {} : { credential_hint: credentialHint }),
        ...(moreCredentials === undefined ? {} : { more_credentials: moreCredentials }),
        ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
      };
      await this.#database.updateTable('providers').set(columns).where('name', '=', name).execute();
      return this.#publish(name);
    });
  }

  delete(name: string): Promise<number | null> {
    return this.#transactions.run(async () => {
      const deleted = await this.#database.deleteFrom('providers').where('name', '=', name).executeTakeFirst();
      if (deleted.numDeletedRows !== 1n) return null;
      this.#transactions.afterCommit(() => this.#unreadable.forget('provider', name));
      return this.#publish(name);
    });
  }

  async #publish(name: string): Promise<number> {
    const { seq } = await this.#feed.publish('provider', name, (seq) => ({ name, seq }));
    await this.#database.updateTable('providers').set({ seq }).where('name', '=', name).execute();
    return seq;
  }
}

/** `options` is absent in rows of earlier versions. */
type StoredSettings = Omit<Settings, 'options'> & Partial<Settings>;
const NO_SETTINGS = JSON.stringify({ dialects: null, models: [] });

type Settings = Pick<StoredProvider, 'options' | 'dialects' | 'models' | 'ownCredentialsOnly'>;

function writeSettings({ options, dialects, models, ownCredentialsOnly = false }: Settings): string {
  return JSON.stringify({ options, dialects, models, ownCredentialsOnly } satisfies Settings);
}

function readProvider(row: Selectable<ProviderRow>): StoredProvider {
  const stored = storedObject(row.settings);
  checkTexts(stored, ['dialects']);
  checkFlags(stored, ['ownCredentialsOnly']);
  if (stored.options !== undefined) checkedObject(stored.options, 'options');
  if (!Array.isArray(stored.models)) throw new TypeError('models is not a list');
  for (const model of stored.models) checkedObject(model, 'a model');
  const { options = {}, dialects = null, models, ownCredentialsOnly = false } = stored as unknown as StoredSettings;
  return {
    name: row.name,
    kind: row.kind,
    origin: row.origin,
    options,
    dialects,
    ownCredentialsOnly,
    models,
    enabled: row.enabled !== 0,
    credential: row.credential,
    credentialHint: row.credential_hint,
    moreCredentials: row.more_credentials,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    seq: row.seq,
  };
}
