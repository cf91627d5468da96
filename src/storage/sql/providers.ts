/** Providers of the dashboard, in SQL written once for every database. */
import type { Kysely, Selectable, Updateable } from 'kysely';
import type { ProviderStore, StoredProvider, StoredProviderChanges } from '../../catalog/ports.ts';
import type { ProviderRow, Schema } from './schema.ts';

export class SqlProviderStore implements ProviderStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async list(): Promise<readonly StoredProvider[]> {
    const rows = await this.#database
      .selectFrom('providers')
      .selectAll()
      .orderBy('created_at')
      .orderBy('name')
      .execute();
    return rows.map(readProvider);
  }

  async create(provider: StoredProvider): Promise<boolean> {
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
        created_at: provider.createdAt,
        updated_at: provider.updatedAt,
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** One transaction, so that of two changes at once none is lost. */
  update(name: string, changes: StoredProviderChanges): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await transaction.selectFrom('providers').selectAll().where('name', '=', name).executeTakeFirst();
      if (row === undefined) return false;
      const { origin, enabled, credential, credentialHint, updatedAt } = changes;
      const columns: Updateable<ProviderRow> = {
        settings: writeSettings({ ...readProvider(row), ...changes }),
        ...(origin === undefined ? {} : { origin }),
        ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
        // Else it stays as it is, which may have been sealed anew meanwhile.
        ...(credential === undefined ? {} : { credential }),
        ...(credentialHint === undefined ? {} : { credential_hint: credentialHint }),
        ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
      };
      await transaction.updateTable('providers').set(columns).where('name', '=', name).execute();
      return true;
    });
  }

  async delete(name: string): Promise<boolean> {
    const deleted = await this.#database.deleteFrom('providers').where('name', '=', name).executeTakeFirst();
    return deleted.numDeletedRows === 1n;
  }
}

type Settings = Pick<StoredProvider, 'dialects' | 'models'>;

function writeSettings({ dialects, models }: Settings): string {
  return JSON.stringify({ dialects, models } satisfies Settings);
}

function readProvider(row: Selectable<ProviderRow>): StoredProvider {
  const { dialects, models } = JSON.parse(row.settings) as Settings;
  return {
    name: row.name,
    kind: row.kind,
    origin: row.origin,
    dialects,
    models,
    enabled: row.enabled !== 0,
    credential: row.credential,
    credentialHint: row.credential_hint,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
