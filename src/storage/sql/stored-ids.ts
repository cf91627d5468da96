/** Which project may name what a provider keeps, in SQL written once for every database. Rows are written with their call's settlement. */
import type { Kysely } from 'kysely';
import type { LedgerStore, StoredId } from '../../billing/ports.ts';
import { type ProjectId, projectId } from '../../core/ids.ts';
import type { Schema } from './schema.ts';

/** A statement has a limited number of parameters. */
const CHUNK_IDS = 500;
/** About how many rows are deleted at a time: settlements wait meanwhile. */
const DELETED_ROWS = 500;

export class SqlStoredIds implements Pick<LedgerStore, 'storedIds' | 'forgetStored' | 'forgetStoredBefore'> {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async storedIds(project: ProjectId, digests: readonly Uint8Array[]): Promise<readonly StoredId[]> {
    const found: StoredId[] = [];
    for (let from = 0; from < digests.length; from += CHUNK_IDS) {
      const rows = await this.#database
        .selectFrom('stored_ids')
        .innerJoin('names as providers', 'providers.id', 'stored_ids.provider')
        .innerJoin('names as models', 'models.id', 'stored_ids.upstream_model')
        .leftJoin('names as credentials', 'credentials.id', 'stored_ids.credential')
        .select(['stored_ids.project_id', 'stored_ids.digest', 'stored_ids.created_at'])
        .select(['providers.name as provider', 'models.name as upstream_model', 'credentials.name as credential'])
        .where('project_id', '=', project)
        .where('digest', 'in', digests.slice(from, from + CHUNK_IDS))
        .execute();
      for (const row of rows)
        found.push({
          projectId: projectId(row.project_id),
          digest: row.digest,
          provider: row.provider,
          upstreamModel: row.upstream_model,
          credential: row.credential,
          createdAt: row.created_at,
        });
    }
    return found;
  }

  async forgetStored(project: ProjectId, digest: Uint8Array): Promise<void> {
    await this.#database
      .deleteFrom('stored_ids')
      .where('project_id', '=', project)
      .where('digest', '=', digest)
      .execute();
  }

  async forgetStoredBefore(ms: number): Promise<void> {
    for (;;) {
      const next = await this.#database
        .selectFrom('stored_ids')
        .select('created_at')
        .where('created_at', '<', ms)
        .orderBy('created_at')
        .offset(DELETED_ROWS)
        .limit(1)
        .executeTakeFirst();
      const until = next === undefined ? ms : next.created_at + 1;
      await this.#database.deleteFrom('stored_ids').where('created_at', '<', until).execute();
      if (next === undefined) return;
    }
  }
}
